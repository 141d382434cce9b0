"""Own presets of the query lab: named choices of switches, one TOML file each in ``presets`` of the root folder. They
belong to the installation, not to a project, and can be copied, edited and shared as files. A file that cannot be read
is named as a problem, never an error of the page."""

import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path

import tomlkit

from core.errors import SettingsError
from core.labels import QueryKind
from core.records import StageSwitches
from core.text.files import write_whole
from core.text.hashing import hex_digest

FOLDER = "presets"
MAX_NAME, MAX_PRESETS, MAX_BYTES = 40, 50, 10_000
_STAGES = tuple(field.name for field in fields(StageSwitches))


@dataclass(frozen=True, slots=True)
class Preset:
    """A named choice: the kinds of variants, and the steps of the search (None: left as they are)."""

    name: str
    about: str
    kinds: frozenset[QueryKind]
    stages: StageSwitches | None = None


def own_presets(root: Path) -> tuple[list[Preset], list[str]]:
    """The presets of an installation by name, and a sentence for each file that cannot be used."""
    presets: dict[str, Preset] = {}
    problems = []
    for path in sorted((root / FOLDER).glob("*.toml"))[:MAX_PRESETS]:
        try:
            preset = _read(path)
        except SettingsError as error:
            problems.append(str(error))
            continue
        presets.setdefault(preset.name, preset)
    return sorted(presets.values(), key=lambda preset: preset.name.casefold()), problems


def save_preset(root: Path, preset: Preset) -> None:
    """Keep a preset; one of the same name is replaced (SettingsError: no name, a long one, too many, not writable)."""
    name = _checked_name(preset.name)
    path = _path(root, name)
    if not path.exists() and len(list((root / FOLDER).glob("*.toml"))) >= MAX_PRESETS:
        raise SettingsError(f"There are {MAX_PRESETS} presets already. Delete one first.")
    document: dict[str, object] = {
        "name": name,
        "about": preset.about,
        "kinds": sorted(kind.value for kind in preset.kinds),
    }
    if preset.stages is not None:
        document["steps"] = {stage: getattr(preset.stages, stage) for stage in _STAGES}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, tomlkit.dumps(document).encode())
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror}. Check its permissions.") from error


def delete_preset(root: Path, name: str) -> None:
    """Remove every file that holds a preset of this name; none is no error (SettingsError: not writable)."""
    for path in (root / FOLDER).glob("*.toml"):
        with suppress(SettingsError):
            if _read(path).name == name:
                try:
                    path.unlink(missing_ok=True)
                except OSError as error:
                    raise SettingsError(f"{path} cannot be deleted: {error.strerror}.") from error


def _read(path: Path) -> Preset:
    try:
        with path.open("rb") as file:
            body = file.read(MAX_BYTES + 1)
        if len(body) > MAX_BYTES:
            raise ValueError("it is too large")
        values = tomllib.loads(body.decode("utf-8"))
        kinds = frozenset(QueryKind(str(kind)) for kind in _list(values.get("kinds")))
        name = _checked_name(str(values.get("name") or path.stem))
        return Preset(name, str(values.get("about") or "")[:300], kinds, _stages(values.get("steps")))
    except (OSError, ValueError, RecursionError, SettingsError) as error:
        raise SettingsError(f"The preset {path.name} cannot be used: {error}. Mend the file or remove it.") from error


def _stages(steps: object) -> StageSwitches | None:
    if steps is None:
        return None
    if not isinstance(steps, Mapping) or not set(steps) <= set(_STAGES):
        raise ValueError(f"[steps] may hold {', '.join(_STAGES)}")
    if not all(isinstance(switch, bool) for switch in steps.values()):
        raise ValueError("a step is true or false")
    return StageSwitches(**steps)


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise ValueError("kinds must be a list")
    return value


def _checked_name(name: str) -> str:
    name = " ".join(name.split())
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise SettingsError(f"A preset needs a name of 1 to {MAX_NAME} characters.")
    return name


def _path(root: Path, name: str) -> Path:
    stem = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:40] or "preset"
    mark = hex_digest(name)[:6]
    return root / FOLDER / f"{stem}-{mark}.toml"
