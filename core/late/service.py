"""The late engine in one project: how it stands, and when its index is built."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from core.errors import ModelError
from core.labels import JobKind
from core.late.delta import build_warning, delta_of, read_manifest
from core.late.engine import LateEngine, late_engine
from core.late.index import FOLDER, LateIndex
from core.late.job import last_failure, schedule_index
from core.ports.context import ProjectContext
from core.records import Filters, Job, SearchResult


@dataclass(frozen=True, slots=True)
class LateState:
    """The state of late interaction in one project.

    ``engine`` is the engine that compares word by word. ``problem`` says why RAGatouille cannot be used here, a
    sentence; "" when it can, or is not set. ``checkpoint`` is the name of its model. ``built`` (None: no index),
    ``indexed``, ``added`` and ``removed`` (passages since) describe the index on disk, also where the exact engine
    answers now. ``rebuild``: why the index should be built now, a part of a sentence. ``warning``: what to know before
    building. ``failed``: the error of the last build, where building again would end the same way. ``stale``: why the
    index on disk is not used, a part of a sentence (it was made with another checkpoint). All four are "" when there is
    nothing to say. ``to_encode``: passages of which RAGatouille, where it is set, has no vectors yet.
    """

    engine: Literal["exact", "ragatouille"]
    problem: str = ""
    checkpoint: str = ""
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


class ProjectLateEngine:
    """The late engine of the installation, for one open project."""

    def __init__(self, context: ProjectContext) -> None:
        self._context, self._store, self._engines = context, context.store, context.engines

    @property
    def index(self) -> LateIndex | None:
        """The index of the project; None where the exact engine is set."""
        late = late_engine(self._engines)
        return late.index_of(self._store) if late is not None else None

    def heed_note(self) -> None:
        """Take over what another process found out about a checkpoint that cannot be read."""
        if (late := late_engine(self._engines)) is not None:
            late.heed_note(self._store)

    def build(self) -> Job:
        """Build the index anew; before that, encode what is not encoded yet (LateEngineError: the project is too small
        for an index; nothing is scheduled)."""
        if (late := late_engine(self._engines)) is not None:
            late.index_of(self._store).check_size(self._store)
            late.forget_note(self._store)
            if self._to_encode():
                self._context.schedule(JobKind.ENCODE)
        return self._context.schedule(JobKind.INDEX_LATE, {"reason": "on request"}, unique=True)

    def build_if_due(self) -> Job | None:
        """Schedule a build when the index is missing or too much has changed; None when there is no need."""
        job = schedule_index(self._store, self._engines)
        if job is not None:
            self._context.wake()
        return job

    def encode_after(self, result: SearchResult) -> None:
        """After a search in which another encoder stood in for that of the checkpoint: have encoded what it lacks, so
        that the next searches go by meaning. Scheduled once in a process, because somebody may stop the job."""
        stages = result.request.stages
        if result.encoded >= result.searchable or not (stages.dense or stages.late_interaction):
            return  # a search by words alone loads no model
        late = late_engine(self._engines)
        if late is None or not late.encoder_problem():
            return
        encoder = self._engines.encoder_fingerprint()
        request = (self._store.project.id, encoder)
        if encoder and request not in late.requested_encodings and self._to_encode():
            late.requested_encodings.add(request)
            self._context.schedule(JobKind.ENCODE)

    def state(self) -> LateState:
        """The engine that compares word by word here, whether it can, and the state of its index."""
        self.heed_note()
        on_disk = self._on_disk()
        late = late_engine(self._engines)
        return on_disk if late is None else self._in_use(on_disk, late)

    def _on_disk(self) -> LateState:
        """The index that lies in the project's folder, whichever engine is set."""
        present = self._store.passage_ids(Filters())
        exact = LateState(
            "exact", added=len(present), warning=build_warning(len(present)), failed=last_failure(self._store)
        )
        manifest = read_manifest(self._store.project.path / FOLDER)
        if manifest is None or manifest.project != self._store.project.id:
            return exact
        delta = delta_of(manifest.passages, present)
        return replace(
            exact,
            built=datetime.fromisoformat(manifest.built),
            indexed=delta.indexed,
            added=len(delta.added),
            removed=len(delta.removed),
        )

    def _in_use(self, on_disk: LateState, late: LateEngine) -> LateState:
        """The same where the late engine is set: whether it can be used, and what is to be done."""
        check, index = late.check(), late.index_of(self._store)
        problem = check.problem or late.encoder_problem()
        return replace(
            on_disk,
            engine="ragatouille",
            problem=problem,
            checkpoint=check.checkpoint,
            rebuild="" if late.gave_up else _or_nothing(index.why_build, self._store),
            failed="" if problem else last_failure(self._store, index),  # the problem comes first, and is said once
            stale=_or_nothing(index.unfit) if on_disk.built else "",
            to_encode=0 if problem else self._to_encode(),
        )

    def _to_encode(self) -> int:
        encoded, searchable = self._store.coverage(self._engines.encoder_fingerprint())
        return searchable - encoded


def _or_nothing(reason: Callable[..., str], *arguments: object) -> str:
    try:
        return reason(*arguments)
    except ModelError:  # the state gives that as its problem
        return ""
