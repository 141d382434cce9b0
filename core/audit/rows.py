"""The rows of an audit: one for each citation of a report and each unused reference, decided as far as reading goes.

Dangling markers, references that several entries fit, references to the report itself and unused references need no
source and no model.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.audit.claim_heads import with_heads
from core.audit.claim_text import ClaimText, claim_text, context_of
from core.audit.pairing import pair
from core.audit.report_model import Citation, Marker, Pairing, PairingState, Reference, ReferenceKind, Report, Span
from core.audit.resolve import Resolution
from core.labels import Reason, Status
from core.records import Document, Finding
from core.text.hashing import hex_digest
from core.text.words import short

_LONGEST_CLAIM = 2000
_BESIDE = 40
"""Citations before and behind one that are read together with it; thousands at one place are no reader's."""
ENTRY_NUMBER = re.compile(
    r"^\s*(?:[-*+]\s+)?(?:\[[^\]]*\]:?|\(?\d{1,4}[.)]|<sup>\d+</sup>|[\u00b9\u00b2\u00b3\u2070-\u2079]+)\s*"
)
"""The number or key in front of an entry of a reference list."""
UNUSED = "unused"
"""The style of a row that stands for a listed reference which nothing cites."""


@dataclass(frozen=True, slots=True)
class Case:
    """A row with the material for judging it: its reference, its claim with offsets, the text before the claim, and
    ``beside``: the ordinals of the other citations of the same claim."""

    row: Finding
    reference: Reference | None
    claim: ClaimText
    context: str = ""
    beside: tuple[int, ...] = ()
    possible: tuple[Reference, ...] = ()

    @property
    def waits(self) -> bool:
        """True when it takes a source to decide it."""
        return self.row.status is None

    @property
    def names(self) -> tuple[str, ...]:
        """Authors and year of the cited source according to the report."""
        return () if self.reference is None else (*self.reference.authors, self.reference.year or "")


def cases_of(report: Report) -> list[Case]:
    """All rows of a report in its order, citations first. Ids and the report's id are 0 until stored."""
    pairing = pair(report)
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for ordinal, citation in enumerate(pairing.citations):
        if citation.claim is not None:
            groups[citation.claim.start, citation.claim.end].append(ordinal)
    reader = _Reader(report, pairing)
    cases = []
    for ordinal, citation in enumerate(pairing.citations):
        case = reader.case(ordinal, citation)
        if citation.claim is not None:
            together = groups[citation.claim.start, citation.claim.end]
            at = bisect_left(together, ordinal)
            near = together[max(0, at - _BESIDE) : at + _BESIDE + 1]
            case = replace(case, beside=tuple(other for other in near if other != ordinal))
        cases.append(case)
    first = len(cases)
    return cases + [_unused(first + at, pairing.references[key]) for at, key in enumerate(pairing.unused)]


class _Reader:
    def __init__(self, report: Report, pairing: Pairing) -> None:
        self._report, self._pairing = report, pairing
        self._starts = [marker.start for marker in report.markers]

    def case(self, ordinal: int, citation: Citation) -> Case:
        report, references = self._report, self._pairing.references
        marker = report.markers[citation.marker]
        claim, context = self._claim(citation)
        reference = references[citation.reference] if citation.reference is not None else None
        possible = tuple(references[key] for key in citation.candidates)
        row = Finding(
            id=0, report_id=0, ordinal=ordinal, style=marker.style.value, marker_text=marker.text,
            claim_text=claim.text, marker=(marker.start, marker.end), sentence=citation.sentence,
            claim=(citation.claim.start, citation.claim.end) if citation.claim else None,
            url=citation.target.url, doi=citation.target.doi,
        )  # fmt: skip
        if reference is not None:
            row = replace(
                row, reference_label=reference.label, reference_text=reference.text,
                reference=(reference.start, reference.end), url=reference.url, doi=reference.doi,
            )  # fmt: skip
        return Case(_decided(row, citation, reference, possible, claim.text), reference, claim, context, (), possible)

    def _claim(self, citation: Citation) -> tuple[ClaimText, str]:
        span = citation.claim
        if span is None:
            return ClaimText("", ()), ""
        span = Span(span.start, min(span.end, span.start + _LONGEST_CLAIM))
        claim = with_heads(
            self._report, span, citation.sentence,
            lambda piece: claim_text(self._report, piece, self._markers_in(piece)),
        )  # fmt: skip
        return claim, context_of(self._report, span, citation.sentence, claim.text)

    def _markers_in(self, span: Span) -> Sequence[Marker]:
        first = max(0, bisect_left(self._starts, span.start) - 1)
        last = bisect_left(self._starts, span.end)
        return [marker for marker in self._report.markers[first:last] if marker.end > span.start]


def _decided(
    row: Finding, citation: Citation, reference: Reference | None, possible: Sequence[Reference], claim: str
) -> Finding:
    if citation.state is PairingState.DANGLING:
        return _review(
            row, Reason.DANGLING_MARKER,
            f"\u201c{row.marker_text[:80]}\u201d points to no entry: the report lists no such reference.",
        )  # fmt: skip
    if citation.state is PairingState.AMBIGUOUS:
        return _review(row, Reason.AMBIGUOUS_REFERENCE, _which(possible))
    if reference is not None and reference.is_report:
        return _review(row, Reason.SELF_REFERENCE, "The reference is the report itself, which cannot prove itself.")
    if not claim.strip():
        return _review(
            row, Reason.NOT_MENTIONED, "The marker stands with no statement, so there is nothing to look for in it."
        )
    return row


def _which(possible: Sequence[Reference]) -> str:
    """The meanings of an ambiguous marker, every definition in its own words."""
    names = " and ".join(f"\u201c{short(_body(reference), 90)}\u201d" for reference in possible[:4])
    labels = {reference.label.lstrip("^@") for reference in possible}
    if len(labels) == 1:
        times = "twice" if len(possible) == 2 else f"{len(possible)} times"
        label = labels.pop()
        named = f"the number {label}" if label.isdecimal() else f"\u201c{label}\u201d"
        return f"The report defines {named} {times}, so the marker fits each of them: {names}."
    return f"The marker fits {len(possible)} entries of the list: {names}."


def _body(reference: Reference) -> str:
    """An entry without the number or key that stands in front of it."""
    if reference.kind is ReferenceKind.UNNUMBERED:
        return reference.text
    return ENTRY_NUMBER.sub("", reference.text, count=1) or reference.text


def _unused(ordinal: int, reference: Reference) -> Case:
    row = Finding(
        id=0, report_id=0, ordinal=ordinal, style=UNUSED, marker_text="", claim_text="",
        reference_label=reference.label, reference_text=reference.text,
        reference=(reference.start, reference.end) if reference.end > reference.start else None,
        url=reference.url, doi=reference.doi,
    )  # fmt: skip
    row = _review(row, Reason.UNUSED_REFERENCE, f"Entry {reference.label} is listed, but nothing cites it.")
    return Case(row, reference, ClaimText("", ()))


def _review(row: Finding, reason: Reason, why: str) -> Finding:
    return replace(row, status=Status.REVIEW, reasons=(reason,), explanation=" ".join(why.split()))


RECIPE = 4
"""Grows when rows are decided in a way that neither texts, models nor settings show."""


def basis_of(case: Case, resolution: Resolution, judged_by: str, beside: Sequence[Resolution]) -> str:
    """Key of a row's own outcome. ``judged_by``: fingerprint of models and settings ("" where no model was asked);
    ``beside``: where the other citations of the same claim lead."""
    row = case.row
    return _digest([
        RECIPE, row.style, row.marker_text, case.claim.text, case.context, row.reference_text, row.url, row.doi,
        [reference.text for reference in case.possible], resolution.document_id, resolution.matched_by,
        list(resolution.candidates), resolution.reason, resolution.why, judged_by,
        sorted(other.document_id or "" for other in beside),
    ])  # fmt: skip


def with_library(basis: str, status: Status | None, library: str) -> str:
    """The key that a row keeps. A row that does not pass also hangs on all the sources that might support its claim
    instead (``library``); one that passes does not, so that a new source leaves it alone."""
    return f"{basis}:{library}" if status is not Status.PASS else basis


def library_of(documents: Sequence[Document], encoder: str) -> str:
    """Key of what can be searched: the current documents, and the encoder that finds them by meaning."""
    current = [document.id for document in documents if document.accepted and document.superseded_by is None]
    return _digest([encoder, sorted(current)])[:16]


def copy_key(case: Case) -> str:
    """Key by which a citation of one version of a report equals one of another: claim, place in its sentence, and
    reference; not where it stands in the text."""
    row = case.row
    reference = case.reference
    named = [row.url, row.doi] if reference is None else [reference.url, reference.doi, reference.title, reference.year]
    return _digest([row.style, case.claim.text, case.context, named, len(case.beside), row.reference_text[:2000]])


def _digest(parts: object) -> str:
    return hex_digest(json.dumps(parts, default=str))[:32]
