"""The heavy parts (models, parser, fetcher), made when first needed and shared by all threads of a process. Also the
seam for engines of late interaction that keep an index of their own beside the project's database. Such an index is a
snapshot: built whole from our ids and texts, searched, thrown away. What changed since is taken care of above this seam
(``core.late.index``), so that an engine need not add or delete."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, cast

from core.errors import LlmOff, ModelError
from core.ports.asking import WebArchive, WebSearcher, Writer
from core.ports.parsing import Parser
from core.ports.store import Entailer, Extractor, Fetcher, JointEncoder, Progress, Reranker
from core.records import Hit


class SnapshotSearcher(Protocol):
    """An opened snapshot. Safe to call from any thread. Scores are about MaxSim of the engine's checkpoint."""

    def search(self, query: str, k: int) -> list[Hit]:
        """Up to ``k`` passages of the whole snapshot, best first (LateEngineError)."""

    def score(self, query: str, passage_ids: Sequence[int]) -> list[Hit]:
        """Scores of these passages of the snapshot, best first (LateEngineError)."""

    def close(self) -> None:
        """Stop what serves it."""


class SnapshotEngine(Protocol):
    """Builds and opens snapshots."""

    @property
    def name(self) -> str:
        """The name that people know it by."""

    def checkpoint(self) -> str:
        """Fingerprint of the model that an index is made with (ModelError when it cannot be had)."""

    def environment(self) -> str:
        """Names what besides the checkpoint decides how a build ends: versions, tools. Cheap, and never fails."""

    def build(self, passages: Sequence[tuple[int, str]], folder: Path, progress: Progress) -> None:
        """Write an index of (id, text) into the empty ``folder``, in a process of its own.

        Raises:
            ModelError: the engine or its checkpoint cannot be had (ExtraMissing, ModelNotFound), it failed
                (LateEngineError), or it was killed (LateEngineStopped).
            JobCancelled: by ``progress``; nothing goes on working then.
        """

    def open(self, folder: Path) -> SnapshotSearcher:
        """Start what searches the index in ``folder``, in a process of its own, without waiting for it."""


class LateEngine(Protocol):
    """The late engine of a process (``core.late.engine``): an index for each project, and an encoder of its own."""

    def encoder(self) -> JointEncoder:
        """The encoder of its checkpoint, or the one that stands in for it (ModelError: neither can be had)."""

    def close(self) -> None:
        """Stop every process that searches an index."""


@dataclass(frozen=True, slots=True)
class LateCheck:
    """Whether RAGatouille can be used on this machine: the ``checkpoint``'s name, and a sentence on what is missing
    (``problem``; "" when nothing is)."""

    checkpoint: str = ""
    problem: str = "RAGatouille is not set up here."


def no_writer() -> Writer:
    """In place of a language model where none is wired."""
    raise LlmOff("No language model is set up here.")


def no_searchers() -> Sequence[WebSearcher]:
    """In place of web search where none is wired."""
    return ()


def no_archive() -> WebArchive | None:
    """In place of an archive of the web where none is wired or wished."""
    return None


def no_late_engine() -> LateEngine | None:
    """In place of a late engine: the exact engine needs no index."""
    return None


@dataclass
class Engines:
    """Factories and what they made. A model that cannot be had is reported once and asked for again next time."""

    make_encoder: Callable[[], JointEncoder]
    make_reranker: Callable[[], Reranker]
    make_extractor: Callable[[], Extractor]
    make_fetcher: Callable[[], Fetcher]
    make_entailer: Callable[[], Entailer]
    make_writer: Callable[[], Writer] = no_writer
    make_searchers: Callable[[], Sequence[WebSearcher]] = no_searchers
    make_archive: Callable[[], WebArchive | None] = no_archive
    make_late_engine: Callable[[], LateEngine | None] = no_late_engine
    make_parser: Callable[[], Parser] | None = None
    _made: dict[str, object] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _retired: list[object] = field(default_factory=list)

    def _get(self, name: str, make: Callable[[], object]) -> object:
        with self._lock:
            if name not in self._made:
                self._made[name] = make()
            return self._made[name]

    def encoder(self) -> JointEncoder:
        """The encoder; where a late engine is set, that of its checkpoint or what stands in for it. Raises ModelError:
        it cannot be had; the message says why and what to do."""
        late = self.late_engine()
        return cast(JointEncoder, self._get("encoder", self.make_encoder)) if late is None else late.encoder()

    def encoder_or_reason(self) -> tuple[JointEncoder | None, str]:
        """The encoder, or None and a sentence that says why search goes by words only."""
        try:
            return self.encoder(), ""
        except ModelError as error:
            return None, f"Search by meaning is off: {error}"

    def encoder_fingerprint(self) -> str:
        """The name that vectors of this installation are filed under; "" when there is no encoder."""
        encoder, _ = self.encoder_or_reason()
        return encoder.fingerprint if encoder else ""

    def reranker(self) -> Reranker:
        """The reranker (ModelError as for the encoder)."""
        return cast(Reranker, self._get("reranker", self.make_reranker))

    def entailer(self) -> Entailer:
        """The judge of evidence (ModelError as for the encoder)."""
        return cast(Entailer, self._get("entailer", self.make_entailer))

    def parser_or_reason(self) -> tuple[Parser | None, str]:
        """The parser of English, or None and a sentence that says what is missing, looked for once; None and "" where
        none is wired."""
        if self.make_parser is None:
            return None, ""
        with self._lock:
            if "no parser" not in self._made:
                try:
                    return cast(Parser, self._get("parser", self.make_parser)), ""
                except ModelError as error:
                    self._made["no parser"] = str(error)
            return None, str(self._made["no parser"])

    def extractor(self) -> Extractor:
        """The reader of foreign files."""
        return cast(Extractor, self._get("extractor", self.make_extractor))

    def fetcher(self) -> Fetcher:
        return cast(Fetcher, self._get("fetcher", self.make_fetcher))

    def writer(self) -> Writer:
        """The language model (LlmOff when it is not switched on or has no key). Calls of a project go through
        ``core.llm.budget``, which keeps to the budget."""
        return cast(Writer, self._get("writer", self.make_writer))

    def searchers(self) -> Sequence[WebSearcher]:
        """Every provider of web search, also those that cannot be asked (their ``info`` says why)."""
        return cast(Sequence[WebSearcher], self._get("searchers", self.make_searchers))

    def archive(self) -> WebArchive | None:
        """Where copies of dead pages are looked up; None unless ``web.wayback`` is set."""
        return cast("WebArchive | None", self._get("archive", self.make_archive))

    def late_engine(self) -> LateEngine | None:
        """The late engine of this process; None where the exact engine is set."""
        return cast("LateEngine | None", self._get("late_engine", self.make_late_engine))

    def succeed(self, earlier: Engines, names: Collection[str]) -> None:
        """Take over what ``earlier`` made under these ``names``, because its settings are still the same. The rest of
        it may be in use by another thread: it ends with ``close``."""
        with earlier._lock, self._lock:
            self._made.update({name: engine for name, engine in earlier._made.items() if name in names})
            rest = (engine for name, engine in earlier._made.items() if name not in names)
            self._retired = [*earlier._retired, *rest]
        if "late_engine" not in names and (late := earlier._made.get("late_engine")) is not None:
            cast(LateEngine, late).close()  # its processes are large, and the exact engine stands in

    def close(self) -> None:
        """Stop worker processes and connections."""
        with self._lock:
            for engine in (*self._made.values(), *self._retired):
                close = getattr(engine, "close", None)
                if close is not None:
                    close()
            self._made.clear()
            self._retired.clear()
