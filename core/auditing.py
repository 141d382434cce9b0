"""Reports of one open project: what pages and the command line may do with them."""

from __future__ import annotations

from collections.abc import Callable

from core.engines import Engines
from core.model import Job
from core.ports import Clock, ProjectStore
from core.settings import Settings


class Auditing:
    """Reports, their citations, and the state of each."""

    def __init__(
        self, store: ProjectStore, engines: Engines, settings: Settings, clock: Clock, schedule: Callable[..., Job]
    ) -> None:
        self._store = store
        self._engines = engines
        self._settings = settings
        self._clock = clock
        self._schedule = schedule
