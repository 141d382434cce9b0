"""The judge of claims in stored sources. Each pair is judged once: its verdict is stored under a key of its content."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Sequence
from dataclasses import replace

from core.acquire.injection import addresses_a_model
from core.acquire.reference_entries import listed_entries
from core.errors import ModelError
from core.labels import Label
from core.ports.engines import Engines
from core.ports.parsing import Parser
from core.ports.store import Entailer, JointEncoder, ProjectStore
from core.records import Document, SourceVerdict
from core.settings.values import Settings
from core.text.lru import Lru
from core.verify.by_vectors import UnitVectors
from core.verify.screen import Remembering, support_at_most
from core.verify.sentences import NO_ENCODER, CitedSource
from core.verify.source import judge_in_source
from core.verify.statement import after_connective, statement_of
from core.verify.without_injections import NOTE, without_flagged

RECIPE = 9
"""Version of the judging code: raised when judging changes in a way that no model and no setting shows."""
SOURCES = 6
"""Sources that stay in memory, because a report cites the same one several times."""


class Judge:
    """The judge of pairs of a claim and a stored document. Meant for one worker; other threads may read beside it."""

    def __init__(self, store: ProjectStore, engines: Engines, settings: Settings) -> None:
        self._store = store
        self._engines = engines
        self._settings = settings
        self._lock = threading.RLock()
        self._sources: Lru[str, CitedSource] = Lru(SOURCES)
        self._encoder: JointEncoder | None = None
        self._meaning: UnitVectors | None = None
        self._without_encoder = ""
        self._looked_for_encoder = False
        self._remembering: Remembering | None = None

    @property
    def fingerprint(self) -> str:
        """The name and hash of everything but the texts that decides a verdict: entailer, encoder, settings, recipe.

        Raises:
            ModelError: there is no entailer; the message says why.
        """
        parts = {
            "recipe": RECIPE,
            "entailer": self._engines.entailer().fingerprint,
            "encoder": self._encoder_fingerprint(),
            "parser": parser.fingerprint if (parser := self._parser()) else "",
            "settings": self._settings.verification.model_dump(),
        }
        digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
        return f"{self._engines.entailer().fingerprint}+{digest[:16]}"

    def key(self, claim: str, document: Document, context: str = "", names: Sequence[str] | None = None) -> str:
        """The content key of a judged pair: equal key, equal verdict.

        The claim counts as it is written, because spans of a verdict point into it; white space of the context does
        not count. The title is put in front of pronouns. Authors and date are compared with words about the source
        itself. ``names`` and publisher count where they decide which part of the claim is judged.
        """
        about = [document.title, *document.authors, str(document.published)]
        about.append(statement_of(claim[after_connective(claim) :], document, names).text)
        if addresses_a_model(document):  # those sentences are blanked, which older verdicts did not do
            about.append(NOTE)
        parts = [document.content_hash, about, claim, " ".join(context.split()), self.fingerprint]
        return hashlib.sha256(json.dumps(parts).encode("utf-8", "surrogatepass")).hexdigest()

    def verdict(
        self, claim: str, document_id: str, *, context: str = "", names: Sequence[str] | None = None
    ) -> SourceVerdict:
        """The verdict of a stored document on ``claim``: from the store, else judged now and stored.

        While passages of a long source are not encoded yet, the verdict is not stored: later, more of the source will
        be found.

        Args:
            names: authors and year of the source according to the report that cites it; None where none does.

        Raises:
            DocumentNotFound: no such document.
            ModelError: there is no entailer.
        """
        document = self._store.document(document_id)
        key = self.key(claim, document, context, names)
        stored = self._store.verdicts([key]).get(key)
        if stored is not None:
            return stored
        with self._lock:
            source, settings = self._source(document), self._settings.verification
            verdict = judge_in_source(
                claim, source, self._remembering_entailer(), settings, context=context, names=names
            )
        notes = verdict.notes
        if self._without_encoder:
            notes = (*(note for note in notes if note != NO_ENCODER), self._without_encoder)
        if without_parser := self._engines.parser_or_reason()[1]:
            notes = (*notes, without_parser)
        if addresses_a_model(document):
            notes = (*notes, NOTE)
        verdict = replace(verdict, fingerprint=self.fingerprint, notes=notes)
        if not source.incomplete:
            self._store.keep_verdicts({key: verdict})
        return verdict

    def support_at_most(self, claim: str, document_id: str, *, context: str = "") -> float:
        """An upper bound on the support that ``verdict`` would find, for less than half of the model's work. The
        support itself where the verdict is stored. The bound is stored like a verdict.

        Raises:
            DocumentNotFound: no such document.
            ModelError: there is no entailer.
        """
        document = self._store.document(document_id)
        key = self.key(claim, document, context)
        bound = hashlib.sha256(f"{key} at most".encode()).hexdigest()
        stored = self._store.verdicts([key, bound])
        if stored:
            return stored.get(key, stored.get(bound)).supports  # type: ignore[union-attr]
        with self._lock:
            source = self._source(document)
            support = support_at_most(
                claim, source, self._remembering_entailer(), self._settings.verification, context=context
            )
        if not source.incomplete:
            note = "Only the views of the source were judged: its support is at most this."
            verdict = SourceVerdict(
                document_id, Label.NEUTRAL, support, 0.0, fingerprint=self.fingerprint, notes=(note,)
            )
            self._store.keep_verdicts({bound: verdict})
        return support

    def _remembering_entailer(self) -> Entailer:
        entailer = self._engines.entailer()
        if self._remembering is None or self._remembering.fingerprint != entailer.fingerprint:
            self._remembering = Remembering(entailer)
        return self._remembering

    def _encoder_fingerprint(self) -> str:
        """The fingerprint of the encoder, or "". The encoder is looked for once."""
        with self._lock:
            if not self._looked_for_encoder:
                self._looked_for_encoder = True
                try:
                    self._encoder = self._engines.encoder()
                    self._meaning = UnitVectors(self._encoder)
                except ModelError as error:
                    self._without_encoder = f"Sentences were chosen by words only: {error}"
            return self._encoder.fingerprint if self._encoder else ""

    def _parser(self) -> Parser | None:
        return self._engines.parser_or_reason()[0]

    def _source(self, document: Document) -> CitedSource:
        self._encoder_fingerprint()
        source = self._sources.get(document.content_hash)
        if source is None or source.incomplete or source.document != document:
            passages = self._store.passages_of(document.id)
            text = self._store.text(document.id)
            if addresses_a_model(document):
                text = without_flagged(text)
            entries = listed_entries(text, document.headings)
            source = CitedSource(
                document, text, passages, index=self._store, meaning=self._meaning, no_evidence=entries,
                parser=self._parser(),
            )  # fmt: skip
        self._sources.put(document.content_hash, source)
        return source
