"""Which engine compares word by word in one project: its own choice, else the installation's."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, cast

from core.errors import SettingsError
from core.settings.values import Settings

Engine = Literal["exact", "ragatouille"]

MEMO = "late-engine"
"""The note of a project that holds its choice."""
CHOICES = ("", "exact", "ragatouille")
"""What can be chosen; "" leaves it to the installation."""


class Notes(Protocol):
    """What is needed of a project's store here."""

    def memo(self, key: str) -> str | None: ...


@dataclass(frozen=True, slots=True)
class LateState:
    """Late interaction in one project.

    ``chosen`` is the project's choice ("" | "exact" | "ragatouille"), ``installation`` what holds without one, and
    ``engine`` what holds. ``problem``: why RAGatouille cannot be used here, a sentence; "" when it can.
    ``checkpoint`` is the name of the model that it would use. ``built`` (None: no index), ``indexed``, ``added`` and
    ``removed`` (passages since) speak of the index on disk, also where the exact engine answers now. ``rebuild``: why
    the index should be built now, a part of a sentence; ``warning``: what to know before building; ``failed``: the
    error of the last build, where building again would end the same way; ``stale``: why the index on disk is not used,
    a part of a sentence (it was made with another checkpoint). All four are "" when there is nothing. ``to_encode``:
    passages that RAGatouille, where it holds, has no vectors of yet.
    """

    chosen: str
    engine: Engine
    installation: Engine
    problem: str
    checkpoint: str
    built: datetime | None = None
    indexed: int = 0
    added: int = 0
    removed: int = 0
    rebuild: str = ""
    warning: str = ""
    failed: str = ""
    stale: str = ""
    to_encode: int = 0

    @property
    def serves(self) -> bool:
        """Whether the index on disk can be searched."""
        return self.built is not None and not self.stale


def chosen(store: Notes) -> str:
    """The project's choice; "" when it chose none, or something that this version does not know."""
    held = store.memo(MEMO)
    return held if held in CHOICES else ""


def checked(choice: str) -> str:
    """``choice``, when it is one (SettingsError)."""
    if choice not in CHOICES:
        raise SettingsError(
            f"There is no engine {choice[:60]!r}. Choose exact or ragatouille, or leave it to the installation."
        )
    return choice


def settings_for(settings: Settings, choice: str) -> Settings:
    """The settings of a project with this choice: its engine, and with RAGatouille the checkpoint as the model that
    compares word by word ("" where none is named). The same object where nothing differs."""
    models = settings.models
    engine = cast(Engine, choice) if choice else models.late_engine
    late = models.checkpoint if engine == "ragatouille" else models.late
    if (engine, late) == (models.late_engine, models.late):
        return settings
    return settings.model_copy(update={"models": models.model_copy(update={"late_engine": engine, "late": late})})
