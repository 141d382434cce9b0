"""Items of review: keys that outlive re-audits and versions, the basis of a decision, and what makes it stale."""

import json
import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.audit.rows import ENTRY_NUMBER
from core.labels import ItemKind
from core.records import Claim, Decision, DecisionBasis, Document, Finding, StoredReport
from core.text.hashing import hex_digest

SIMILAR = 0.5
"""Share of words (Jaccard) from which on a changed sentence is taken for the successor of another."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Row:
    """A citation or claim that can be decided on, with the basis that a decision would have now (all but the passage's
    hash, which takes the source's text)."""

    key: str
    kind: ItemKind
    basis: DecisionBasis
    ordinal: int
    item: Finding | Claim


def citation_keys(findings: Sequence[Finding], family: int | None) -> dict[int, str]:
    """Key of each finding of one report by its id. A key holds the report's family, claim and reference. The number of
    a reference is left out, because one entry more renumbers all others; a marker counts only where it has no
    reference. Equal ones are counted in their order."""
    seen: Counter[str] = Counter()
    keys: dict[int, str] = {}
    for row in sorted(findings, key=lambda finding: finding.ordinal):
        reference = plain_reference(row.reference_text)
        marker = "" if reference or row.url or row.doi else row.marker_text
        parts = [family, row.style, marker, _line(row.claim_text), reference, row.url, row.doi]
        digest = _digest(parts)
        seen[digest] += 1
        keys[row.id] = f"citation:{digest}" + (f":{seen[digest]}" if seen[digest] > 1 else "")
    return keys


def claim_keys(claims: Sequence[Claim], families: Mapping[int, int]) -> dict[int, str]:
    """Key of each claim by its id: its words, in the family of its report (``families``: by report id)."""
    seen: Counter[str] = Counter()
    keys: dict[int, str] = {}
    for claim in claims:
        family = families.get(claim.report_id) if claim.report_id is not None else None
        digest = _digest([family, _line(claim.text), _line(claim.context) if claim.context else ""])
        seen[digest] += 1
        keys[claim.id] = f"claim:{digest}" + (f":{seen[digest]}" if seen[digest] > 1 else "")
    return keys


def citation_basis(
    row: Finding, report: StoredReport, documents: Mapping[str, Document], threshold: float
) -> DecisionBasis:
    """The basis of a decision on a finding. ``documents`` by id, older versions too: the source is what is current
    now, so that a newer copy shows as another hash."""
    verdict = row.verdict
    place = None
    if verdict is not None:
        place = verdict.rationale or ((verdict.best.start, verdict.best.end) if verdict.best is not None else None)
    source = current(row.document_id, documents)
    return DecisionBasis(
        row_id=row.id, row_version=row.version, claim_text=row.claim_text, claim_hash=text_hash(row.claim_text),
        report_id=report.id, report_family=report.family or report.id, report_hash=report.content_hash,
        marker_text=row.marker_text, reference_text=row.reference_text, document_id=row.document_id,
        source_hash=source.content_hash if source is not None else "",
        start=place[0] if place else None, end=place[1] if place else None,
        machine=row.status.value if row.status is not None else "",
        reasons=tuple(reason.value for reason in row.reasons),
        support=_share(verdict.supports) if verdict is not None else None, threshold=threshold,
        fingerprint=verdict.fingerprint if verdict is not None else "",
    )  # fmt: skip


def claim_basis(
    claim: Claim, report: StoredReport | None, documents: Mapping[str, Document], threshold: float
) -> DecisionBasis:
    """The basis of a decision on a claim. Its verdict rests on several sources: ``source_hash`` is over all of their
    hashes, ``support`` that of the strongest source that counts."""
    verdict = claim.verdict
    sources = verdict.sources if verdict is not None else ()
    hashes = sorted(document.content_hash for source in sources if (document := current(source.document_id, documents)))
    counting = [source.verdict for source in sources if source.counts] or [source.verdict for source in sources]
    best = max(counting, key=lambda source_verdict: source_verdict.supports, default=None)
    start, end = (best.rationale if best is not None else None) or (None, None)
    return DecisionBasis(
        row_id=claim.id, row_version=claim.version, claim_text=claim.text, claim_hash=text_hash(claim.text),
        report_id=claim.report_id, report_family=(report.family or report.id) if report is not None else None,
        report_hash=report.content_hash if report is not None else "",
        document_id=best.document_id if best is not None else None,
        source_hash=text_hash(json.dumps(hashes)) if hashes else "",
        start=start, end=end, machine=verdict.state.value if verdict is not None else "",
        support=_share(best.supports) if best is not None else None, threshold=threshold,
        fingerprint=verdict.fingerprint if verdict is not None else "",
    )  # fmt: skip


def current(document_id: str | None, documents: Mapping[str, Document]) -> Document | None:
    """The newest version of a document; None when it is not stored (any more)."""
    document = documents.get(document_id or "")
    passed: set[str] = set()
    while document is not None and document.superseded_by is not None and document.id not in passed:
        passed.add(document.id)
        newer = documents.get(document.superseded_by)
        if newer is None:
            break
        document = newer
    return document


def why_stale(then: DecisionBasis, now: DecisionBasis) -> str:
    """The changes since a decision, in one or more sentences; "" when its basis is the same. Another version of the
    report does not make a decision stale while the citation itself is the same: claims whose words changed are other
    items."""
    changes: list[str] = []
    if then.claim_hash != now.claim_hash:
        changes.append("The claim is worded differently now.")
    if then.source_hash != now.source_hash:
        changes.append(_source_change(then, now))
    if then.fingerprint != now.fingerprint and then.fingerprint and now.fingerprint:
        changes.append("Another model or other settings judged it.")
    if then.machine != now.machine:
        moved = then.threshold is not None and now.threshold is not None and then.threshold != now.threshold
        why = f" (the threshold went from {then.threshold:.2f} to {now.threshold:.2f})" if moved else ""
        changes.append(
            f"The machine said {then.machine or 'nothing'} then and says {now.machine or 'nothing'} now{why}."
        )
    return " ".join(changes)


def _source_change(then: DecisionBasis, now: DecisionBasis) -> str:
    if not then.source_hash:
        return "The cited source was not stored then and is now."
    if not now.source_hash:
        return "The source is not stored any more."
    return "The text of the source changed."


def same_evidence(then: DecisionBasis, now: DecisionBasis) -> bool:
    """True when claim, source and models are those of the decision, whatever the threshold makes of them."""
    return (then.claim_hash, then.source_hash, then.fingerprint) == (now.claim_hash, now.source_hash, now.fingerprint)


Origin = tuple[int | None, str]
"""The family of a report and the reference that it gives, without its number."""


def origin(basis: DecisionBasis) -> Origin:
    """The key that a row shares with its successor in another version of the report."""
    return basis.report_family, plain_reference(basis.reference_text)


def earlier_decisions(row: Row, decisions: Iterable[Decision], present: Container[str]) -> tuple[Decision, ...]:
    """Decisions on the predecessor of a row: an item of the same report that is gone (its key is not ``present``), with
    the same reference and the most similar claim, in their order."""
    here = origin(row.basis)
    if row.basis.report_family is None:
        return ()
    by_item: dict[str, list[Decision]] = {}
    likeness: dict[str, float] = {}
    words = set(_WORD.findall(row.basis.claim_text.casefold()))
    for decision in decisions:
        if decision.item_kind is not row.kind or decision.item in present or origin(decision.basis) != here:
            continue
        if decision.item not in likeness:
            likeness[decision.item] = _jaccard(words, set(_WORD.findall(decision.basis.claim_text.casefold())))
        if likeness[decision.item] >= SIMILAR:
            by_item.setdefault(decision.item, []).append(decision)
    best = max(by_item, key=lambda item: (likeness[item], by_item[item][-1].id), default=None)
    return tuple(by_item[best]) if best is not None else ()


def plain_reference(text: str) -> str:
    """A reference without its number, in one line."""
    return _line(ENTRY_NUMBER.sub("", text, count=1))


def text_hash(text: str) -> str:
    """SHA-256 of a text in UTF-8."""
    return hex_digest(text)


def _jaccard(words: set[str], other: set[str]) -> float:
    return len(words & other) / len(words | other) if words and other else 0.0


def _share(value: float) -> float:
    """Probabilities of float32 may lie a rounding error outside 0 to 1."""
    return min(1.0, max(0.0, float(value)))


def _digest(parts: object) -> str:
    return hex_digest(json.dumps(parts))[:32]


def _line(text: str) -> str:
    return " ".join(text.split())
