"""The rules of grading as values, read from TOML (``grade_rules.toml`` beside this file, or the user's copy)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.errors import SettingsError
from core.labels import Grade

SHIPPED = Path(__file__).with_name("grade_rules.toml")


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Signal(_Frozen):
    """The effect of a rule in grade steps, and its reason; ``{name}`` in the reason is filled in."""

    effect: float = Field(ge=-10, le=10)
    reason: str = Field(min_length=1)


class Publisher(Signal):
    """A kind of publisher, known by domain or public suffix."""

    name: str
    domains: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    peer_reviewed: bool = False
    preprint: bool = False


class Signals(_Frozen):
    """One rule for each thing a source shows or lacks."""

    doi: Signal
    peer_reviewed: Signal
    author: Signal
    no_author: Signal
    date: Signal
    no_date: Signal
    references: Signal
    no_references: Signal
    no_provenance: Signal
    pasted: Signal
    unknown_publisher: Signal
    no_url: Signal
    unverified_url: Signal
    very_short: Signal
    warnings: Signal


class Limits(_Frozen):
    """The number of references from which on they count, and of words under which a text is very short."""

    references_from: int = Field(ge=1)
    very_short_words: int = Field(ge=0)


class Rules(_Frozen):
    """A rules file. ``thresholds``: the sum from which on a grade is given, for A to D."""

    start: float
    thresholds: dict[Grade, float]
    publisher: tuple[Publisher, ...] = ()
    signals: Signals
    limits: Limits

    def grade_of(self, points: float) -> Grade:
        """The best grade whose threshold ``points`` reaches; E when it reaches none."""
        reached = (
            g for g in sorted(self.thresholds, key=lambda g: -g.value_rank) if points >= self.thresholds[g] - 1e-9
        )
        return next(reached, Grade.E)


def load_rules(path: Path | None = None) -> Rules:
    """The rules in ``path``, or the shipped ones.

    Raises:
        SettingsError: the file cannot be read, is no TOML (names the line) or breaks the form (names the key).
    """
    path = path or SHIPPED
    data = _toml_of(path)
    try:
        rules = Rules.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise SettingsError(
            f"{path}: {key!r}: {first['msg']}. Compare with the shipped core/acquire/grade_rules.toml."
        ) from error
    missing = [grade.value for grade in Grade if grade is not Grade.E and grade not in rules.thresholds]
    falling = [rules.thresholds[grade] for grade in Grade if grade in rules.thresholds and grade is not Grade.E]
    if missing or sorted(falling, reverse=True) != falling or Grade.E in rules.thresholds:
        raise SettingsError(
            f"{path}: 'thresholds' must give A, B, C and D, each at least the next. Found: {data['thresholds']}."
        )
    return rules


def _toml_of(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise SettingsError(f"The rules of grading {path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"{path} is not valid TOML: {error}. Mend that line, or remove the file to use the shipped rules."
        ) from error
