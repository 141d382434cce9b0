"""Keys of services: from the environment, or from ``keys.toml`` in the root folder, which only its owner may read. Keys
are no settings: they are never shown, logged, exported, or part of a fingerprint. A project's folder holds none."""

import logging
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

import tomlkit

from core.errors import SettingsError
from core.text.files import write_whole

log = logging.getLogger(__name__)

FILE = "keys.toml"
MAX_LENGTH = 4096
_NAME = re.compile(r"[A-Z][A-Z0-9_]{1,63}")
_OTHERS = 0o077
_warned: set[Path] = set()
"""Files that were said to be open to others: once in a process is enough."""


class Keys:
    """The keys of one root folder. Read anew at every use, so that a new key counts at once."""

    def __init__(self, root: Path, environment: Mapping[str, str] | None = None) -> None:
        self._path = root / FILE
        self._environment = os.environ if environment is None else environment

    def get(self, name: str) -> str | None:
        """The key, None when there is none; the environment wins (SettingsError: one that cannot be a key)."""
        key = self._environment.get(name) or self._read().get(name)
        return checked_key(name, key) if key and key.strip() else None

    def origin(self, name: str) -> str:
        """Where it comes from: "environment", "file", or "" for no key."""
        if (self._environment.get(name) or "").strip():
            return "environment"
        return "file" if self._read().get(name) else ""

    def open_to_others(self) -> str:
        """A warning that other users of this machine may read the file; "" where they may not or there is no file. Told
        and not refused: whoever mounts a folder may have no say in the permissions that it shows."""
        try:
            mode = self._path.stat().st_mode
        except OSError:
            return ""
        if os.name != "posix" or not mode & _OTHERS:
            return ""
        return (
            f"{self._path} can be read or changed by other users of this machine (its mode is {mode & 0o777:03o}). Run "
            f"`chmod 600` on it, and change the keys in it at their services if others use this machine."
        )

    def put(self, name: str, key: str | None) -> None:
        """Keep a key in the file, or remove it with None or "". The file is replaced whole and only its owner may read
        it (SettingsError)."""
        if not _NAME.fullmatch(name):
            raise SettingsError(f"{name[:60]!r} cannot be the name of a key. Names are like TAVILY_API_KEY.")
        keys = self._read()
        if key is None or not key.strip():
            keys.pop(name, None)
        else:
            keys[name] = checked_key(name, key)
        try:
            write_whole(self._path, tomlkit.dumps(keys).encode(), durable=True, mode=0o600)
        except OSError as error:
            raise SettingsError(f"{self._path} cannot be written: {error.strerror}. Check its permissions.") from error

    def _read(self) -> dict[str, str]:
        try:
            values = tomllib.loads(self._path.read_bytes().decode("utf-8"))
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise SettingsError(f"{self._path} cannot be read: {error.strerror}. Check its permissions.") from error
        except (ValueError, RecursionError) as error:  # not TOML, not UTF-8, or nested without end
            # The parser's message could quote a part of a key.
            raise SettingsError(f"{self._path} is not valid TOML. Mend the file or remove it.") from error
        warning = self.open_to_others()
        if warning and self._path not in _warned:
            _warned.add(self._path)
            log.warning("%s", warning)
        return {name: value for name, value in values.items() if isinstance(value, str)}


def checked_key(name: str, key: str) -> str:
    """The key without white space around it (SettingsError: a character that no header may carry, or too long)."""
    key = key.strip()
    if len(key) > MAX_LENGTH or not all("!" <= character <= "~" for character in key):
        raise SettingsError(
            f"The key {name} holds a line break, a space, or another character that no key has, or is over "
            f"{MAX_LENGTH} characters. Copy it again, without anything around it."
        )
    return key
