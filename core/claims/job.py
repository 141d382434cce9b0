"""The job that verifies claims against all sources of a project."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from core.claims.independence import Source, independent_clusters
from core.claims.verdict import claim_source, decide, needs
from core.errors import ClaimNotFound, DocumentNotFound, ReportNotFound, RowMoved
from core.labels import Grade
from core.ports.context import JobContext
from core.ports.store import JointEncoder, Progress
from core.records import Claim, ClaimSource, ClaimVerdict, Document, Filters, Job, Query, SearchRequest, StageSwitches
from core.retrieve import pipeline
from core.text.faults import attempted
from core.text.hashing import hex_digest
from core.text.languages import different_languages
from core.verify.judge import Judge

RECIPE = 2
"""Version of the way from judged sources to a verdict: raised when it changes, so that old verdicts are renewed."""
_QUERY_CHARS = 2000
_MOST_QUERIES = 8
_PASSAGES_A_SOURCE = 12
_MOST_PASSAGES = 200
_ATTEMPTS = 5
_SHOWN = 70


def run_verify(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    """Verify the claims that the payload names, or every one worth checking when it names none. Each claim is stored as
    soon as it is decided, so that it stays after a stop or a crash. A claim whose sources, models, settings and wording
    are those of its verdict is not judged again. Raises JobCancelled (the user asked to stop) or ModelError (there is
    no model to judge with)."""
    named = job.payload.get("claims")
    wanted = [int(str(key)) for key in named] if isinstance(named, (list, tuple)) else []
    store = context.store
    ids = wanted or [claim.id for claim in store.claims() if claim.check_worthy]
    verifier = Verifier(context)
    tally: Counter[str] = Counter()
    for done, claim_id in enumerate(ids):
        try:
            claim = store.claim(claim_id)
            saying = f"Verifying \u201c{_short(claim.text)}\u201d"
            # Asked before each source too: a claim takes seconds, and a stop should not wait for all of them.
            state = attempted(partial(verifier.verify, claim, partial(progress, done, len(ids), saying)))
            outcome = "failed" if isinstance(state, Exception) else state
        except ClaimNotFound:  # deleted since the job was scheduled
            outcome = "deleted"
        tally[outcome] += 1
    progress(len(ids), len(ids), "Done")
    return {"claims": len(ids), "outcomes": dict(tally)}


@dataclass(frozen=True, slots=True)
class _Task:
    """The sources that a claim is judged on, and the hash (``basis``) of everything that decides its verdict."""

    minimum: Grade
    documents: tuple[Document, ...]
    excluded: int
    basis: str


class Verifier:
    """The verification of claims, one after another. Made once a job, so that models and grades are read once."""

    def __init__(self, context: JobContext) -> None:
        self._context = context
        self._store = context.store
        self._settings = context.settings.claims
        self._judge = Judge(context.store, context.engines, context.settings)
        self._encoder: JointEncoder | None = context.engines.encoder_or_reason()[0]
        self._grades = Counter(document.grade_in_force for document in context.store.documents())

    def verify(self, claim: Claim, pulse: Callable[[], None]) -> str:
        """Decide one claim and store the verdict; the state of the verdict, or ``unchanged``. ``pulse`` is called
        before each source and may raise JobCancelled: nothing of this claim is stored then. Raises ClaimNotFound (the
        claim was deleted meanwhile) or RowMoved (others changed the claim at every attempt)."""
        for attempt in range(1, _ATTEMPTS + 1):
            pulse()
            task = self._task(claim)
            if task.basis and claim.basis == task.basis and claim.verdict is not None:
                return "unchanged"
            verdict = self._decide(claim, task, pulse)
            decided = replace(claim, verdict=verdict, verified=self._context.clock(), basis=task.basis)
            try:
                self._store.put_claims([decided], expect_versions=True)
            except RowMoved:  # its type was changed meanwhile, which may ask for other sources
                if attempt == _ATTEMPTS:
                    raise
                claim = self._store.claim(claim.id)
                continue
            return verdict.state.value
        raise AssertionError("the last attempt returns or raises")

    def _task(self, claim: Claim) -> _Task:
        minimum, _ = needs(claim.type, self._settings)
        documents = self._candidates(claim, minimum)
        excluded = sum(count for grade, count in self._grades.items() if not grade.at_least(minimum))
        encoded, searchable = self._store.coverage(self._encoder.fingerprint if self._encoder else "")
        complete = self._encoder is None or encoded >= searchable
        parts = {
            "recipe": RECIPE,
            "claim": [claim.text, claim.context, claim.type.value],
            "judge": self._judge.fingerprint,
            "settings": self._settings.model_dump(),
            "excluded": excluded,
            "documents": [
                [
                    document.content_hash,
                    document.grade_in_force.value,
                    document.publisher,
                    document.near_duplicate_of,
                    *sorted(document.urls),
                ]
                for document in documents
            ],
        }
        digest = hex_digest(json.dumps(parts, sort_keys=True))
        # While passages are still being encoded the search may find more later: such a verdict is not final.
        return _Task(minimum, documents, excluded, digest if complete else "")

    def _candidates(self, claim: Claim, minimum: Grade) -> tuple[Document, ...]:
        """The sources to judge, filtered by grade before they are ranked, best first."""
        texts = [claim.text, *([f"{claim.context} {claim.text}"] if claim.context else []), *claim.parts]
        queries = tuple(Query(text[-_QUERY_CHARS:]) for text in texts[:_MOST_QUERIES] if text.strip())
        k = min(_MOST_PASSAGES, self._settings.candidates * _PASSAGES_A_SOURCE)
        stages = StageSwitches(dense=self._encoder is not None, late_interaction=self._encoder is not None, mmr=False)
        request = SearchRequest(queries, Filters(min_grade=minimum), stages, k=k, depth=max(100, k))
        result = pipeline.search(request, self._store, self._encoder, self._context.settings.retrieval)
        own = self._hashes_of_report(claim)
        best = dict.fromkeys(passage.document.id for passage in result.passages)
        documents = {passage.document.id: passage.document for passage in result.passages}
        sources = [documents[key] for key in best if not own & {documents[key].blob_hash, documents[key].content_hash}]
        return tuple(sources[: self._settings.candidates])

    def _hashes_of_report(self, claim: Claim) -> set[str]:
        """The hashes of the report of a claim: a report that was also added as a source is no evidence for its own
        claims."""
        if claim.report_id is None:
            return set()
        try:
            report = self._store.report(claim.report_id)
        except ReportNotFound:
            return set()
        return {report.blob_hash, report.content_hash}

    def _decide(self, claim: Claim, task: _Task, pulse: Callable[[], None]) -> ClaimVerdict:
        judged: list[tuple[Document, ClaimSource]] = []
        for document in task.documents:
            pulse()
            try:
                verdict = self._judge.verdict(claim.text, document.id, context=claim.context)
            except DocumentNotFound:  # deleted by another process since it was found
                continue
            languages = self._languages(claim, document)
            source = claim_source(document, verdict, task.minimum, claim=claim.text, languages=languages)
            judged.append((document, source))
        clusters = independent_clusters(self._taking_sides(judged))
        sources = [source for _, source in judged]
        return decide(
            claim.type, sources, clusters, self._settings, excluded=task.excluded, fingerprint=self._judge.fingerprint
        )

    def _languages(self, claim: Claim, document: Document) -> tuple[str, str] | None:
        try:
            around = self._store.report_text(claim.report_id) if claim.report_id is not None else claim.text
            return different_languages(claim.text, around, self._store.text(document.id), document.language)
        except (DocumentNotFound, ReportNotFound):  # deleted meanwhile
            return None

    def _taking_sides(self, judged: Sequence[tuple[Document, ClaimSource]]) -> list[Source]:
        sides: list[Source] = []
        for document, source in judged:
            if source.counts:
                try:
                    sides.append(Source(document, self._store.text(document.id)))
                except DocumentNotFound:
                    sides.append(Source(document))
        return sides


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "\u2026"
