"""``workbench.toml`` rewritten, with everything kept in it that is not changed: comments, order, sections of others."""

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from core.errors import RowMoved, SettingsError
from core.settings.values import FILE, Settings, read_sections, settings_files, settings_of
from core.settings.view import merged_layers, read_file, revision_of
from core.text.files import locked, write_whole

_LOCK = ".settings.lock"


def save_settings(root: Path, changes: Mapping[str, object | None], *, revision: str) -> Settings:
    """Write changes (``section.name`` to a value, None: back to the default) into ``workbench.toml``, whole or not at
    all, and return the settings that hold from then on. Raises RowMoved (the file is not the one that ``revision``
    names any more; nothing was written) or SettingsError (a value is out of range, is not known, or is held by the
    environment; nothing was written)."""
    path, *named = settings_files(root)
    with _locked(root / _LOCK):
        body = read_file(path)
        if revision_of(body) != revision:
            raise RowMoved(
                f"{FILE} was changed in another tab or program since you opened it here. Nothing was saved; look at "
                "the new values, then change again."
            )
        try:
            document = tomlkit.parse((body or b"").decode("utf-8"))
        except (TOMLKitError, ValueError, RecursionError) as error:
            raise SettingsError(f"{path} is not valid TOML: {error}. Mend the file or remove it.") from error
        override = read_sections(named[0]) if named else {}
        for key, value in changes.items():
            _put(document, key, value, override, path)
        settings = settings_of(merged_layers([document.unwrap(), override]))
        _write(path, tomlkit.dumps(document).encode("utf-8"))
        return settings


def set_aside(root: Path, *, revision: str) -> Path:
    """Put a ``workbench.toml`` that cannot be read under another name beside it, so that the defaults hold; returns
    that name (RowMoved when the file has changed meanwhile)."""
    path = settings_files(root)[0]
    with _locked(root / _LOCK):
        body = read_file(path)
        if body is None or revision_of(body) != revision:
            raise RowMoved(f"{FILE} was changed meanwhile. Look again before you put it aside.")
        backup = path.with_name(f"{path.stem}-{revision[:12]}.toml.bak")
        os.replace(path, backup)
        return backup


def _put(
    document: Any, key: str, value: object | None, override: Mapping[str, Mapping[str, object]], path: Path
) -> None:
    section, _, name = key.partition(".")
    model = Settings.model_fields.get(section)
    if model is None or name not in getattr(model.annotation, "model_fields", {}):
        raise SettingsError(f"There is no setting {key!r}.")
    if name in override.get(section, {}):
        raise SettingsError(f"Setting {key!r} is held by the file that the environment names; change it there.")
    table = document.get(section)
    if table is not None and not hasattr(table, "items"):
        raise SettingsError(f"{path}: {section!r} must be a section like [retrieval].")
    if value is None:
        if table is not None and name in table:
            del table[name]
        return
    if table is None:
        document[section] = table = tomlkit.table()
    table[name] = list(value) if isinstance(value, tuple) else value


def _write(path: Path, body: bytes) -> None:
    path = path.resolve()  # a link stays a link
    try:
        write_whole(path, body, durable=True, mode=path.stat().st_mode & 0o777 if path.exists() else None)
    except OSError as error:
        raise SettingsError(f"{path} could not be written ({error.strerror}). Nothing was changed.") from error


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """A lock between processes (SettingsError: the folder cannot be written)."""
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(path))
        except OSError as error:
            raise SettingsError(f"{path.parent} cannot be written ({error.strerror}). Nothing was changed.") from error
        yield
