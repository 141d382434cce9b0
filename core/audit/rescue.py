"""Rescue of a citation that does not pass: the stored source that does say it, with a citation ready to paste."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from core.audit.rows import Case
from core.audit.status import least_of_a_rescue, may_pass, passes
from core.audit.stored_text import StoredShare
from core.audit.under_audit import Audited
from core.errors import QueryError
from core.ports.context import JobContext
from core.records import Finding, Passage, Query, Rescue, SearchRequest, SourceVerdict
from core.retrieve import pipeline
from core.text.faults import attempted

DOCUMENTS = 3
"""Documents that are judged for one claim: those whose passages rank first."""
PASSAGES = 12
_LONGEST_QUERY = 1000


class Rescuer:
    """Finds better sources for claims of one report."""

    def __init__(self, context: JobContext, audited: Audited) -> None:
        self._context, self._audited = context, audited
        self._candidates: dict[int, list[str]] = {}
        self._searched: dict[str, list[str]] = {}

    def prepare(self, failing: Sequence[tuple[Case, Finding]], tell: Callable[[], None]) -> None:
        """Search for all claims first and look at them source by source, so that each source is read once. The judge
        keeps its verdicts, so ``find`` then only picks. ``tell`` is called between two steps (it may raise
        JobCancelled)."""
        by_source: dict[str, list[Case]] = {}
        for case, row in failing:
            tell()
            self._candidates[case.row.ordinal] = self._documents(case, row)
            for document_id in self._candidates[case.row.ordinal]:
                by_source.setdefault(document_id, []).append(case)
        for document_id, cases in by_source.items():
            for case in cases:
                tell()
                self._at_most(case, document_id)

    def find(self, case: Case, row: Finding) -> Rescue | None:
        """A source other than the cited one that supports the claim clearly better; None when there is none.

        Most sources can be seen not to carry it before all their windows are judged. Of the others, in the order of
        how much they can support it, the first is taken that carries the claim; else the one that most likely does.
        """
        settings = self._audited.passing
        least, likely = least_of_a_rescue(row.verdict, settings), None
        candidates = self._candidates.get(case.row.ordinal)
        at_most = {
            key: self._at_most(case, key) for key in (self._documents(case, row) if candidates is None else candidates)
        }
        for document_id in sorted(at_most, key=lambda key: -at_most[key]):
            if at_most[document_id] <= least:
                break
            judged = partial(self._audited.judge.verdict, case.claim.text, document_id, context=case.context)
            verdict = attempted(judged)
            if isinstance(verdict, Exception):  # a source that the judge fails on is no better one
                continue
            if verdict.supports > least and may_pass(verdict):
                if passes(verdict, settings):
                    return self._rescue(verdict, row)
                least, likely = verdict.supports, verdict
        return None if likely is None else self._rescue(likely, row)

    def _at_most(self, case: Case, document_id: str) -> float:
        bound = partial(self._audited.judge.support_at_most, case.claim.text, document_id, context=case.context)
        most = attempted(bound)
        return 0.0 if isinstance(most, Exception) else most

    def _documents(self, case: Case, row: Finding) -> list[str]:
        """The documents to judge: those that search ranks first, but for the cited one, error pages, the report's own
        copy and texts in another language."""
        text = f"{case.context} {case.claim.text}".strip()[-_LONGEST_QUERY:]
        if text not in self._searched:
            self._searched[text] = self._search(text) if self._audited.book.current_count else []
        ranked = [key for key in self._searched[text] if key != row.document_id and key not in self._audited.own]
        ranked = [key for key in ranked if self._audited.share(key) is not StoredShare.ERROR_PAGE]
        return [key for key in ranked if self._audited.languages(case, key) is None][:DOCUMENTS]

    def _search(self, text: str) -> list[str]:
        encoder, _ = self._context.engines.encoder_or_reason()
        request = SearchRequest((Query(text),), k=PASSAGES)
        try:
            answer = pipeline.search(request, self._context.store, encoder, self._context.settings.retrieval)
        except QueryError:  # a claim of signs only
            return []
        return list(dict.fromkeys(passage.document.id for passage in answer.passages))

    def _rescue(self, verdict: SourceVerdict, row: Finding) -> Rescue:
        document = self._audited.book.document(verdict.document_id)
        assert verdict.best is not None, "a verdict that passes has the words that decide"
        start, end = verdict.rationale or (verdict.best.start, verdict.best.end)
        text = self._audited.text(document.id)
        passages = self._audited.store.passages_of(document.id)
        return Rescue(
            document_id=document.id,
            title=document.title,
            start=start,
            end=end,
            text=text[start:end],
            supports=verdict.supports,
            citation=self._audited.ready.write(document, row.style),
            passage_id=verdict.passage_id or _holding(passages, start, end),
        )


def _holding(passages: list[Passage], start: int, end: int) -> int | None:
    """The passage that holds most of a span."""
    best = max(passages, key=lambda passage: min(passage.end, end) - max(passage.start, start), default=None)
    return best.id if best is not None and best.start < end and start < best.end else None
