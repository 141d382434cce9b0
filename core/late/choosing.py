"""The choice of the engine of late interaction in an open project: followed, changed, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Protocol

from core.errors import ModelError
from core.labels import JobKind
from core.late import choice as late_choice
from core.late import damaged as late_damaged
from core.late import delta as late_delta
from core.late.choice import MEMO, LateState
from core.late.index import FOLDER, LateIndex, late_index
from core.late.job import forget_failure, last_failure, schedule_index
from core.late.wording import choice_effects
from core.ports.engines import Engines
from core.ports.store import ProjectStore
from core.records import Filters, Job, SearchResult
from core.settings.values import Settings

OfChoice = Callable[[str], tuple[Settings, Engines]]
"""Given a choice: the settings and engines of a project that made it."""


class Schedule(Protocol):
    """``OpenProject.schedule``."""

    def __call__(
        self, kind: JobKind, payload: Mapping[str, object] | None = None, *, unique: bool | None = None
    ) -> Job: ...


class LateChoosing:
    """What ``OpenProject`` can do about its engine of late interaction."""

    settings: Settings
    schedule: Schedule
    _store: ProjectStore
    _engines: Engines
    _wake: Callable[[], None]
    _choice: str
    _of_choice: OfChoice | None
    _made_up_for: str

    def adopt(self, settings: Settings, engines: Engines) -> None:
        """Use other settings from now on; what is under way goes on with those it began with."""
        self.settings, self._engines = settings, engines

    def follow_choice(self) -> None:
        """Take over the choice that is kept in the project, where another process has changed it."""
        choice = late_choice.chosen(self._store)
        if choice != self._choice:
            self._choice = choice
            self.renew()
        late_damaged.heed(self._store, self._engines)

    def renew(self) -> None:
        """Take the settings and engines of the choice from the workbench, because they may have changed there."""
        if self._of_choice is not None:
            self.adopt(*self._of_choice(self._choice))

    # ------------------------------------------------------------ the index

    def late_index(self) -> LateIndex | None:
        """The index of the engine of late interaction; None where our own exact engine is set."""
        return late_index(self._engines, self._store)

    def index_late(self) -> Job:
        """Build the index of the engine of late interaction anew; before that, encode what is not encoded yet
        (LateEngineError: the project is too small for an index; nothing is asked for)."""
        self.follow_choice()
        if (late := self.late_index()) is not None:
            late.check_size(self._store)
        late_damaged.forget(self._store, self._engines)
        if self.late_index() is not None and self._to_encode():
            self.schedule(JobKind.ENCODE)
        return self.schedule(JobKind.INDEX_LATE, {"reason": "on request"}, unique=True)

    def index_if_due(self) -> Job | None:
        """Ask for that index when it is missing or too much has changed; None when there is no need."""
        job = schedule_index(self._store, self._engines) if self.settings.models.late_engine != "exact" else None
        if job is not None:
            self._wake()
        return job

    def make_up_for(self, result: SearchResult) -> None:
        """After a search in which another encoder stood in for that of RAGatouille: have encoded what it lacks, so that
        the next searches go by meaning. Asked for once while the project is open, as somebody may stop it."""
        stages = result.request.stages
        if result.encoded >= result.searchable or not (stages.dense or stages.late_interaction):
            return  # a search by words alone loads no model
        if not self._engines.stood_in():
            return
        encoder = self._engines.encoder_fingerprint()
        if encoder and encoder != self._made_up_for and self._to_encode():
            self._made_up_for = encoder
            self.schedule(JobKind.ENCODE)

    # ------------------------------------------------------------ the choice

    def late_state(self) -> LateState:
        """Which engine compares word by word here, whether it can, and how its index stands."""
        self.follow_choice()
        present = self._store.passage_ids(Filters())
        found = self._engines.late_check()
        manifest = late_delta.read_manifest(self._store.project.path / FOLDER)
        if manifest is not None and manifest.project != self._store.project.id:
            manifest = None
        delta = late_delta.delta_of(manifest.passages, present) if manifest else None
        problem = found.problem or (self._engines.stood_in() if self.late_index() else "")
        failed = last_failure(self._store, late_index(self._engines, self._store))
        return LateState(
            chosen=self._choice,
            engine=self.settings.models.late_engine,
            installation=self._settings_of("").models.late_engine,
            problem=problem,
            checkpoint=found.checkpoint,
            built=datetime.fromisoformat(manifest.built) if manifest else None,
            indexed=delta.indexed if delta else 0,
            added=len(delta.added) if delta else len(present),
            removed=len(delta.removed) if delta else 0,
            rebuild=self._why_rebuild(),
            warning=late_delta.build_warning(len(present)),
            failed="" if problem else failed,  # what stands in the way comes first, and is said once
            stale=_unfit(self.late_index()) if manifest else "",
            to_encode=self._to_encode() if self.late_index() and not problem else 0,
        )

    def choose_late_engine(self, choice: str) -> list[Job]:
        """Let this project use RAGatouille or the exact engine ("": what the installation uses) from now on, here and,
        from the next time that they open it, in all other processes. Returns the jobs that this takes.

        Work under way for the earlier engine is stopped. Its vectors and its index stay for the way back.

        Raises:
            SettingsError: no such engine.
            ModelError: RAGatouille cannot be used here, and why; nothing was changed.
        """
        self.follow_choice()
        if late_choice.checked(choice) == self._choice:
            return []
        if choice == "ragatouille" and (found := self._engines.late_check()).problem:
            raise found.kind(found.problem)
        before = self._engines
        self._store.set_memo(MEMO, choice)
        self.follow_choice()
        if self._engines is before:
            return []
        late_damaged.forget(self._store, self._engines)
        forget_failure(self._store)
        self._stop_work_of(before)
        encoded, searchable = self._store.coverage(self._engines.encoder_fingerprint())
        if encoded < searchable:
            return [self.schedule(JobKind.ENCODE)]
        job = self.index_if_due()
        return [job] if job else []

    def late_effects(self, choice: str) -> list[str]:
        """What choosing this engine would cause, a sentence each, said before it is done (SettingsError)."""
        state = self.late_state()
        if late_choice.checked(choice) == state.chosen:
            return []
        engines = self._of_choice(choice)[1] if self._of_choice else self._engines
        encoded, searchable = self._store.coverage(engines.encoder_fingerprint())
        if state.built is not None:
            state = replace(state, stale=_unfit(late_index(engines, self._store)))
        return choice_effects(state, choice, to_encode=searchable - encoded, passages=searchable)

    def _to_encode(self) -> int:
        encoded, searchable = self._store.coverage(self._engines.encoder_fingerprint())
        return searchable - encoded

    def _settings_of(self, choice: str) -> Settings:
        return self._of_choice(choice)[0] if self._of_choice else self.settings

    def _stop_work_of(self, before: Engines) -> None:
        """An index that nobody will search, and an encoding for an encoder that is not used any more."""
        left = late_index(before, self._store)
        if left is not None and left is not self.late_index():
            left.close()
        kinds = [JobKind.INDEX_LATE] if self.settings.models.late_engine == "exact" else []
        if before.encoder_fingerprint() != self._engines.encoder_fingerprint():
            kinds.append(JobKind.ENCODE)
        for job in self._store.jobs(active=True, kinds=kinds) if kinds else ():
            self._store.cancel_job(job.id)

    def _why_rebuild(self) -> str:
        late = self.late_index()
        try:
            return late.why_build(self._store) if late and not self._engines.given_up() else ""
        except ModelError:  # the state says so as its problem
            return ""


def _unfit(late: LateIndex | None) -> str:
    try:
        return late.unfit() if late else ""
    except ModelError:  # the state says so as its problem
        return ""
