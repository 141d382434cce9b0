"""A workbench whose RAGatouille is that of ``tests.helpers.late_engines``: projects choose it without the extra."""

from __future__ import annotations

from core.backends.paired_encoder import PairedEncoder
from core.labels import JobKind, JobState
from core.late.index import FALLBACK, LateIndexes
from core.late.variants import LateVariants, Variant, variant_of
from core.ports.engines import Engines
from core.ports.late import LateCheck
from core.ports.store import JointEncoder
from core.records import Query, SearchRequest, SearchResult
from core.settings.values import Settings
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


def with_texts_engine(bench: Workbench, engines: Engines) -> TextsEngine:
    """Let the projects of ``bench`` choose between the exact engine over ``engines`` and a snapshot engine, which is
    returned. ``bench.engines`` becomes a copy of ``engines`` whose ``late_check`` says that all is there."""
    tokens = OtherTokens(engines.encoder())
    engine = TextsEngine(tokens)  # type: ignore[arg-type]
    paired = PairedEncoder(engines.encoder(), tokens)  # type: ignore[arg-type]

    def make(settings: Settings, base: Engines) -> Variant:
        made = variant_of(base)
        ragatouille = settings.models.late_engine == "ragatouille"
        made.make_encoder = (lambda: paired) if ragatouille else base.make_encoder  # type: ignore[assignment,return-value]
        made.make_late_indexes = lambda: LateIndexes(engine) if ragatouille else None
        return made

    bench.engines = Engines(
        engines.encoder, engines.reranker, engines.extractor, engines.fetcher, engines.entailer,
        late_check=lambda: LateCheck("checkpoint", ""),
    )  # fmt: skip
    bench._variants = LateVariants(make)
    return engine


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
    """Whether the exact engine answered in place of the one that is set."""
    return any(note.startswith(FALLBACK) for note in result.notes)
