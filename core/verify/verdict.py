"""From what single sources say to what the project says about a claim, with the checklist of met and missing."""

from __future__ import annotations

from collections.abc import Sequence

from core.labels import ClaimType, Grade, Label, VerdictState
from core.model import ClaimSource, ClaimVerdict, Cluster, Document, Requirement, SourceVerdict
from core.settings import Claims


def needs(claim_type: ClaimType, settings: Claims) -> tuple[Grade, int]:
    """(least grade of a source, number of independent sources) that a claim of this type needs."""
    if claim_type is ClaimType.C1:
        return Grade(settings.c1_min_grade), settings.c1_sources
    return Grade(settings.c2_min_grade), settings.c2_sources


def grade_of(document: Document) -> Grade:
    """The grade that counts: a person's where there is one."""
    return document.grade_override or document.grade


def claim_source(document: Document, verdict: SourceVerdict, minimum: Grade) -> ClaimSource:
    """What one source adds to a verdict: it counts when it is good enough and takes a side."""
    grade = grade_of(document)
    good = grade.at_least(minimum)
    counts = good and verdict.label is not Label.NEUTRAL
    return ClaimSource(document.id, grade, verdict, counts, _why(verdict, grade, minimum, good=good))


def _why(verdict: SourceVerdict, grade: Grade, minimum: Grade, *, good: bool) -> str:
    if not good:
        return f"grade {grade.value}, but {minimum.value} or better is needed"
    if verdict.label is Label.SUPPORTS:
        return f"supports it ({verdict.supports:.2f})"
    if verdict.label is Label.CONTRADICTS:
        return f"contradicts it ({verdict.contradicts:.2f})"
    if verdict.vetoed:
        failed = ", ".join(check.name for check in verdict.checks if check.veto) or "a check"
        return f"would support it ({verdict.supports:.2f}), but a check failed: {failed}"
    if verdict.best is None:
        return "holds no text to judge"
    return f"takes no side (supports {verdict.supports:.2f}, contradicts {verdict.contradicts:.2f})"


def decide(
    claim_type: ClaimType,
    sources: Sequence[ClaimSource],
    clusters: Sequence[Cluster],
    settings: Claims,
    *,
    excluded: int = 0,
    fingerprint: str = "",
) -> ClaimVerdict:
    """The verdict on a claim.

    ``sources`` were judged; ``clusters`` group them (sources in none count as one each); ``excluded`` documents of the
    project were below the grade and were not searched. ``contested``: good sources on both sides; ``contradicted``:
    good sources against it and none for it; ``verified``: enough independent sources for it and none against;
    ``insufficient``: anything else.
    """
    minimum, wanted = needs(claim_type, settings)
    supporting = [one for one in sources if one.counts and one.verdict.label is Label.SUPPORTS]
    against = [one for one in sources if one.counts and one.verdict.label is Label.CONTRADICTS]
    independent = _independent(supporting, clusters)
    checklist = (
        _graded(sources, minimum, excluded),
        _supported(supporting, against),
        _enough(claim_type, independent, wanted, supporting),
        _unopposed(against),
    )
    if against:
        state = VerdictState.CONTESTED if supporting else VerdictState.CONTRADICTED
    else:
        state = VerdictState.VERIFIED if independent >= wanted else VerdictState.INSUFFICIENT
    return ClaimVerdict(state, checklist, tuple(sources), tuple(clusters), independent, excluded, fingerprint)


def _independent(supporting: Sequence[ClaimSource], clusters: Sequence[Cluster]) -> int:
    ids = {one.document_id for one in supporting}
    grouped = [ids & set(cluster.documents) for cluster in clusters]
    alone = ids.difference(*grouped) if grouped else ids
    return sum(bool(group) for group in grouped) + len(alone)


def _graded(sources: Sequence[ClaimSource], minimum: Grade, excluded: int) -> Requirement:
    good = sum(one.grade.at_least(minimum) for one in sources)
    rest = f"; {_many(excluded, 'source')} below that grade {_were(excluded)} not searched" if excluded else ""
    text = f"{_many(good, 'source')} of grade {minimum.value} or better looked at{rest}"
    return Requirement("grade", good > 0, text)


def _supported(supporting: Sequence[ClaimSource], against: Sequence[ClaimSource]) -> Requirement:
    if supporting:
        best = max(one.verdict.supports for one in supporting)
        return Requirement("support", True, f"{_many(len(supporting), 'source')} in support (best {best:.2f})")
    return Requirement(
        "support", False, "no source supports it" if not against else "no source supports it, some oppose"
    )


def _enough(claim_type: ClaimType, independent: int, wanted: int, supporting: Sequence[ClaimSource]) -> Requirement:
    text = f"{independent} of {wanted} independent {_sources(wanted)} in support ({claim_type.value})"
    if independent < len(supporting):
        text += f"; {len(supporting)} support it, but not all are independent"
    return Requirement("independence", independent >= wanted, text)


def _unopposed(against: Sequence[ClaimSource]) -> Requirement:
    if not against:
        return Requirement("no_contradiction", True, "no source contradicts it")
    worst = max(one.verdict.contradicts for one in against)
    verb = "contradicts" if len(against) == 1 else "contradict"
    return Requirement("no_contradiction", False, f"{_many(len(against), 'source')} {verb} it ({worst:.2f})")


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


def _sources(count: int) -> str:
    return "source" if count == 1 else "sources"
