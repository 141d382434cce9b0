"""Workbenches whose late engine is that of ``tests.helpers.late_engines``, so that no extra is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from core.backends.resolve import PairedEncoder
from core.errors import ModelError
from core.labels import JobKind, JobState
from core.late.engine import LateEngine, late_engine
from core.late.index import LateIndexes
from core.ports.engines import Engines, LateCheck
from core.ports.store import JointEncoder
from core.records import Query, SearchRequest, SearchResult
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.helpers.late_engines import TextsEngine


class OtherTokens:
    """Token vectors of an encoder under another fingerprint, as of a checkpoint of its own."""

    def __init__(self, encoder: JointEncoder, fingerprint: str = "checkpoint@1") -> None:
        self._encoder = encoder
        self.fingerprint = fingerprint
        self.late_dim = self.dim = encoder.late_dim
        self.encode_query_tokens = encoder.encode_query_tokens
        self.encode_passage_tokens = encoder.encode_passage_tokens


class DamagedTokens:
    """A checkpoint that turns out damaged when it is read."""

    fingerprint = "damaged@1"
    dim = late_dim = 8

    def __init__(self, error: ModelError) -> None:
        self._error = error

    def __getattr__(self, name: str) -> object:
        raise self._error


def with_texts_engine(bench: Workbench, engines: Engines) -> TextsEngine:
    """Set a late engine for tests, which is returned, beside ``engines``; its check says that all is there."""
    tokens = OtherTokens(engines.encoder())
    engine = TextsEngine(tokens)  # type: ignore[arg-type]
    paired = PairedEncoder(engines.encoder(), tokens)  # type: ignore[arg-type]
    late = LateEngine(
        LateIndexes(engine), make_encoder=lambda: paired, make_stand_in=engines.encoder,
        check=lambda: LateCheck("checkpoint", ""),
    )  # fmt: skip
    use(bench, engines, late)
    return engine


def use(bench: Workbench, engines: Engines, late: LateEngine | None) -> None:
    """Let ``bench`` use this late engine from now on (None: the exact engine), as after a change of the settings."""
    name: Literal["exact", "ragatouille"] = "exact" if late is None else "ragatouille"
    models = bench.settings.models.model_copy(update={"late_engine": name})
    bench.settings = bench.settings.model_copy(update={"models": models})
    bench.engines = Engines(
        engines.encoder, engines.reranker, engines.extractor, engines.fetcher, engines.entailer,
        make_late_engine=lambda: late,
    )  # fmt: skip
    for project in bench._open.values():
        project.adopt(bench.settings, bench.engines)


def late_of(bench: Workbench) -> LateEngine:
    """The late engine that is set."""
    late = late_engine(bench.engines)
    assert late is not None
    return late


def broken(bench: Workbench, engines: Engines, error: ModelError, *, at_first_text: bool) -> None:
    """The checkpoint of ``bench`` cannot be found, or turns out damaged when it is read."""

    def missing() -> JointEncoder:
        raise error

    damaged = PairedEncoder(engines.encoder(), DamagedTokens(error))  # type: ignore[arg-type]
    make: Callable[[], JointEncoder] = (lambda: damaged) if at_first_text else missing
    late_of(bench).make_encoder = make


def work(opened: OpenProject) -> list[JobKind]:
    """Carry out the jobs that wait; all must end well."""
    done = []
    while (job := run_next(opened.job_context(), "test")) is not None:
        assert job.state is JobState.DONE, job.error
        done.append(job.kind)
    return done


def search(opened: OpenProject, text: str = "Where does the elm stand?") -> SearchResult:
    """The three best passages."""
    return opened.search(SearchRequest((Query(text),), k=3))


def stood_in(result: SearchResult) -> bool:
    """Whether the exact engine answered in place of the late engine."""
    return result.stand_in is not None and bool(result.stand_in.engine)
