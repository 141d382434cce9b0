"""The heavy parts (models, parser, fetcher), made when first needed and shared by all threads of a process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import cast

from core.errors import LlmOff, ModelError
from core.ports.asking import WebArchive, WebSearcher, Writer
from core.ports.late import LateCheck, LateIndexes
from core.ports.store import Entailer, Extractor, Fetcher, JointEncoder, Reranker


def no_writer() -> Writer:
    """In place of a language model where none is wired."""
    raise LlmOff("No language model is set up here.")


def no_searchers() -> Sequence[WebSearcher]:
    """In place of web search where none is wired."""
    return ()


def no_archive() -> WebArchive | None:
    """In place of an archive of the web where none is wired or wished."""
    return None


def no_late_indexes() -> LateIndexes | None:
    """In place of an engine of late interaction that keeps indexes: ours is exact and needs none."""
    return None


@dataclass
class Engines:
    """Factories and what they made. A model that cannot be had is reported once and asked for again next time.

    ``make_stand_in`` gives the encoder in place of one whose checkpoint of late interaction cannot be had, so that
    search by meaning goes on; ``late_check`` says whether RAGatouille can be used here."""

    make_encoder: Callable[[], JointEncoder]
    make_reranker: Callable[[], Reranker]
    make_extractor: Callable[[], Extractor]
    make_fetcher: Callable[[], Fetcher]
    make_entailer: Callable[[], Entailer]
    make_writer: Callable[[], Writer] = no_writer
    make_searchers: Callable[[], Sequence[WebSearcher]] = no_searchers
    make_archive: Callable[[], WebArchive | None] = no_archive
    make_late_indexes: Callable[[], LateIndexes | None] = no_late_indexes
    make_stand_in: Callable[[], JointEncoder] | None = None
    late_check: Callable[[], LateCheck] = LateCheck
    _made: dict[str, object] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _retired: list[object] = field(default_factory=list)
    _given_up: ModelError | None = None

    def _get(self, name: str, make: Callable[[], object]) -> object:
        with self._lock:
            if name not in self._made:
                self._made[name] = make()
            return self._made[name]

    def encoder(self) -> JointEncoder:
        """The encoder, or what stands in for it (see ``stood_in``).

        Raises:
            ModelError: it cannot be had; the message says why and what to do.
        """
        try:
            return self._own_encoder()
        except ModelError:
            if self.make_stand_in is None:
                raise
            return self.make_stand_in()

    def _own_encoder(self) -> JointEncoder:
        if self._given_up is not None:
            raise type(self._given_up)(str(self._given_up))
        return cast(JointEncoder, self._get("encoder", self.make_encoder))

    def stood_in(self) -> str:
        """Why another encoder stands in for the one that is set, a sentence; "" when none does."""
        if self.make_stand_in is None:
            return ""
        try:
            self._own_encoder()
        except ModelError as error:
            return str(error)
        return ""

    def stand_in(self) -> JointEncoder | None:
        """What stands in where the encoder cannot be used; None where nothing does."""
        try:
            return self.make_stand_in() if self.make_stand_in else None
        except ModelError:
            return None

    def give_up_encoder(self, error: ModelError) -> bool:
        """The encoder failed at its first text: use what stands in for it from now on. False when nothing does."""
        if self.make_stand_in is None or self._given_up is not None:
            return False
        self._given_up = error
        return True

    def given_up(self) -> str:
        """Why the encoder is not tried any more, a sentence; "" when it is."""
        return str(self._given_up) if self._given_up is not None else ""

    def own_fingerprint(self) -> str:
        """Fingerprint of the encoder that is set, also when another one stands in for it; "" when there is none."""
        try:
            return cast(JointEncoder, self._get("encoder", self.make_encoder)).fingerprint
        except ModelError:
            return ""

    def try_encoder_again(self) -> None:
        """Forget that the encoder failed: somebody says that it may work now."""
        self._given_up = None

    def encoder_or_reason(self) -> tuple[JointEncoder | None, str]:
        """The encoder, or None and a sentence that says why search goes by words only."""
        try:
            return self.encoder(), ""
        except ModelError as error:
            return None, f"Search by meaning is off: {error}"

    def encoder_fingerprint(self) -> str:
        """What the vectors of this installation are filed under; "" when there is no encoder."""
        encoder, _ = self.encoder_or_reason()
        return encoder.fingerprint if encoder else ""

    def reranker(self) -> Reranker:
        """The reranker (ModelError as for the encoder)."""
        return cast(Reranker, self._get("reranker", self.make_reranker))

    def entailer(self) -> Entailer:
        """The judge of evidence (ModelError as for the encoder)."""
        return cast(Entailer, self._get("entailer", self.make_entailer))

    def extractor(self) -> Extractor:
        """The reader of foreign files."""
        return cast(Extractor, self._get("extractor", self.make_extractor))

    def fetcher(self) -> Fetcher:
        """The fetcher of URLs."""
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

    def late_indexes(self) -> LateIndexes | None:
        """The indexes of late interaction of this process; None where our own exact engine is set."""
        return cast("LateIndexes | None", self._get("late_indexes", self.make_late_indexes))

    def succeed(self, earlier: Engines, names: Collection[str]) -> None:
        """Take over what ``earlier`` made under these ``names``, because its settings are still the same. The rest of
        it may be in use by another thread: it ends with ``close``."""
        with earlier._lock, self._lock:
            self._made.update({name: made for name, made in earlier._made.items() if name in names})
            self._retired = [*earlier._retired, *(made for name, made in earlier._made.items() if name not in names)]
        if "late_indexes" not in names and (indexes := earlier._made.get("late_indexes")) is not None:
            cast(LateIndexes, indexes).close()  # large, and our own engine stands in

    def close(self) -> None:
        """Stop worker processes and connections."""
        with self._lock:
            for made in (*self._made.values(), *self._retired):
                close = getattr(made, "close", None)
                if close is not None:
                    close()
            self._made.clear()
            self._retired.clear()
