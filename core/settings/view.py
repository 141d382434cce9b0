"""The settings as a person sees them: every value with its range and where it comes from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from core.errors import SettingsError
from core.settings.problems import problems_of
from core.settings.values import Settings, read_sections, settings_files, settings_of, unknown_sections
from core.text.hashing import hex_digest

Kind = Literal["whole", "number", "yes_no", "choice", "text", "list"]


class Origin(StrEnum):
    """Where an effective value comes from; a later one wins."""

    DEFAULT = "default"
    FILE = "file"
    OVERRIDE = "override"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. ``low``/``high`` are its limits, ``above`` says that ``low`` itself is not allowed. ``problem`` is
    what is wrong with the value that the files have, "" when it holds; ``value`` is then the default."""

    section: str
    name: str
    kind: Kind
    value: Any
    default: Any
    origin: Origin
    low: float | None = None
    high: float | None = None
    above: bool = False
    choices: tuple[str, ...] = ()
    problem: str = ""

    @property
    def key(self) -> str:
        return f"{self.section}.{self.name}"


@dataclass(frozen=True, slots=True)
class SettingsView:
    """The settings of a root folder as they are on disk now. ``revision`` names the content of ``path`` ("" when there
    is none) and goes back with a change. ``override`` is the file that the environment names, None without one.
    ``problems`` are sentences about what keeps the settings from being used; ``unknown`` are sections of other versions
    or tools, kept and not used."""

    path: Path
    override: Path | None
    revision: str
    settings: tuple[Setting, ...]
    problems: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    def one(self, key: str) -> Setting:
        """The setting ``section.name`` (SettingsError)."""
        setting_found = next((setting for setting in self.settings if setting.key == key), None)
        if setting_found is None:
            raise SettingsError(f"There is no setting {key!r}.")
        return setting_found


def view_settings(root: Path) -> SettingsView:
    """Every setting with where it comes from; faults of the files are told in it, never raised."""
    own, *named = settings_files(root)
    problems: list[str] = []
    layers: list[dict[str, dict[str, object]]] = []
    body = read_file(own)
    for path in (own, *named):
        if path != own and not path.is_file():
            problems.append(f"The environment names {path} as a file of settings, but there is no such file.")
        try:
            layers.append(read_sections(path))
        except SettingsError as error:
            layers.append({})
            problems.append(str(error))
    merged = merged_layers(layers)
    faults = _faults(merged)
    problems.extend(faults.values())
    override = layers[1] if named else {}
    return SettingsView(
        path=own,
        override=named[0] if named else None,
        revision=revision_of(body),
        settings=tuple(_settings(layers[0], override, merged, faults)),
        problems=tuple(problems),
        unknown=tuple(unknown_sections(merged)),
    )


def checked_change(view: SettingsView, changes: Mapping[str, object | None]) -> tuple[Settings | None, dict[str, str]]:
    """The settings with these changes, or None and one sentence a fault, by the setting's name."""
    values: dict[str, dict[str, object]] = {}
    for setting in view.settings:
        changed = changes.get(setting.key, setting.value)
        values.setdefault(setting.section, {})[setting.name] = setting.default if changed is None else changed
    try:
        return Settings.model_validate(values), {}
    except ValidationError as error:
        return None, problems_of(error)


def revision_of(body: bytes | None) -> str:
    """A hash that names this content of the file; "" for no file."""
    return "" if body is None else hex_digest(body)


def read_file(path: Path) -> bytes | None:
    """The content of a file of settings, None when there is none (SettingsError)."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}. Check its permissions.") from error


def _settings(
    own: Mapping[str, Mapping[str, object]],
    override: Mapping[str, Mapping[str, object]],
    merged: Mapping[str, Mapping[str, object]],
    faults: Mapping[str, str],
) -> Iterator[Setting]:
    defaults = Settings()
    for section, holder in Settings.model_fields.items():
        model = holder.annotation
        assert isinstance(model, type)
        assert issubclass(model, BaseModel)
        sound = _sound(model, merged.get(section, {}), section, faults)
        for name, field in model.model_fields.items():
            origin = Origin.DEFAULT
            if name in override.get(section, {}):
                origin = Origin.OVERRIDE
            elif name in own.get(section, {}):
                origin = Origin.FILE
            key = f"{section}.{name}"
            default = getattr(getattr(defaults, section), name)
            value = default if key in faults else getattr(sound, name, default)
            kind, choices = _kind(field)
            low, high, above = _limits(field)
            together = faults.get(section, "") if sound is None and origin is not Origin.DEFAULT else ""
            problem = faults.get(key, together)
            yield Setting(section, name, kind, value, default, origin, low, high, above, choices, problem)


def _sound(model: Any, values: Mapping[str, object], section: str, faults: Mapping[str, str]) -> Any:
    """The section with what is faulty in it left out; None when the rest does not fit together either."""
    values_kept = {name: value for name, value in values.items() if f"{section}.{name}" not in faults}
    try:
        return model.model_validate(values_kept)
    except ValidationError:
        return None


def _faults(merged: Mapping[str, Mapping[str, object]]) -> dict[str, str]:
    try:
        Settings.model_validate({key: value for key, value in merged.items() if key in Settings.model_fields})
        settings_of(merged)
    except ValidationError as error:
        return problems_of(error)
    except SettingsError as error:
        return {"": str(error)}
    return {}


def merged_layers(layers: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, object]]:
    """The sections of several files as one, a later file wins (SettingsError: not a section)."""
    merged: dict[str, dict[str, object]] = {}
    for layer in layers:
        for section, values in layer.items():
            if not isinstance(values, dict):
                raise SettingsError(f"{section!r} must be a section like [retrieval].")
            merged.setdefault(section, {}).update(values)
    return merged


def _kind(field: FieldInfo) -> tuple[Kind, tuple[str, ...]]:
    wanted = field.annotation
    if get_origin(wanted) is Literal:
        return "choice", tuple(map(str, get_args(wanted)))
    if get_origin(wanted) is tuple:
        return "list", ()
    kinds: dict[object, Kind] = {bool: "yes_no", int: "whole", float: "number", str: "text"}
    return kinds[wanted], ()


def _limits(field: FieldInfo) -> tuple[float | None, float | None, bool]:
    low = high = None
    above = False
    for rule in field.metadata:
        if (least := getattr(rule, "ge", None)) is not None:
            low = least
        if (least := getattr(rule, "gt", None)) is not None:
            low, above = least, True
        if (most := getattr(rule, "le", None)) is not None:
            high = most
    return low, high, above
