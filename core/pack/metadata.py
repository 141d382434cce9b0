"""Checks that the records of an audit pack agree with one another and with the list in ``pack.json``. Nothing is judged
or read again here; everything that the pack holds twice is compared."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from core import records
from core.labels import ItemKind
from core.records.pack_listing import LISTED, compared, listing
from core.review.items import citation_keys, claim_keys, text_hash

_SLACK = timedelta(days=1)
"""Clocks of two computers whose decisions were brought together may differ."""
_TITLE = 40
"""Characters of a title that stand whole in front of every passage, however long title and headings are."""


def compare_metadata(contents: records.PackContents, info: Mapping[str, object]) -> records.PackStep:
    """The disagreements, a sentence each. ``info`` is ``pack.json``, and the pack holds one report."""
    (report,) = contents.reports
    policy = contents.policy or records.ReviewPolicy()
    own = listing(
        contents.project, report, contents.documents.values(), contents.people, policy, contents.log,
        rows=len(contents.findings), claims=len(contents.claims),
    )  # fmt: skip
    listed = info.get(LISTED)
    checks = ["the records of sources, rows, claims and decisions with one another"]
    not_made: list[str] = []
    problems = [*_sources(contents), *_rows(contents), *_decisions(contents, report), *_times(contents, info)]
    if isinstance(listed, dict):
        problems += compared(listed, own)
        checks.append("sources, people, policy and newest decision with the list in pack.json")
    else:
        not_made.append(
            "sources, people, policy and newest decision with a list in pack.json: there is none, as in packs written "
            "before that list was added; nothing else in the pack says who the people are and what their roles were"
        )
    return records.PackStep(problems=tuple(problems), made=tuple(checks), not_made=tuple(not_made))


def _sources(contents: records.PackContents) -> Iterator[str]:
    changes: dict[str, list[records.GradeChange]] = {}
    for change in contents.grade_changes:
        changes.setdefault(change.document_id, []).append(change)
    for document in contents.documents.values():
        name = f"Source {document.id} (“{document.title[:80]}”)"
        if document.grade != document.assessment.grade:
            yield f"{name}: its grade is {document.grade}; its reasons lead to {document.assessment.grade}."
        logged = changes.get(document.id, [])
        last = logged[-1].grade if logged else None
        if document.grade_override != last:
            yield (
                f"{name}: its grade by hand is {document.grade_override or 'empty'}; "
                f"the log of grades ends with {last or 'none'}."
            )
        title = " ".join(document.title.split())[:_TITLE]
        above = next(
            (context for context in contents.contexts.get(document.id, ()) if not context.startswith(title)), None
        )
        if above is not None:
            yield f"{name}: its passages stand under another title (“{above[:80]}”)."


def _rows(contents: records.PackContents) -> Iterator[str]:
    for row in contents.findings:
        rescue = row.rescue
        document = contents.documents.get(rescue.document_id) if rescue is not None else None
        if rescue is not None and document is not None and rescue.title != document.title:
            yield (
                f"Row {row.ordinal + 1}: the better source is called “{rescue.title[:80]}” in it and "
                f"“{document.title[:80]}” among the sources."
            )


def _decisions(contents: records.PackContents, report: records.StoredReport) -> Iterator[str]:
    """Faults of decisions. A decision holds its basis; where that is in the pack too, both must agree."""
    family = report.family or report.id
    items: dict[str, records.Finding | records.Claim] = {}
    keys = citation_keys(contents.findings, family)
    items |= {keys[row.id]: row for row in contents.findings}
    keys = claim_keys(contents.claims, {report.id: family})
    items |= {keys[claim.id]: claim for claim in contents.claims}
    people = {person.name for person in contents.people}
    for decision in contents.decisions:
        basis, name = decision.basis, f"Decision {decision.id}"
        item = items.get(decision.item)
        if basis.claim_hash != text_hash(basis.claim_text):
            yield f"{name}: the claim it rests on is not the one that its hash names."
        if item is not None and _words(item) != " ".join(basis.claim_text.split()):
            yield f"{name}: it rests on another claim than the row that it is about."
        if basis.report_id == report.id and basis.report_hash != report.content_hash:
            yield f"{name}: it rests on another text of the report."
        if decision.item_kind is ItemKind.CITATION:
            yield from _passage(decision, name, contents.documents, contents.texts)
        if decision.settles and people and decision.by not in people:
            yield f"{name}: {decision.by} settled a conflict and is not among the people."


def _passage(
    decision: records.Decision, name: str, documents: Mapping[str, records.Document], texts: Mapping[str, str]
) -> Iterator[str]:
    basis = decision.basis
    document = documents.get(basis.document_id or "")
    if document is None or basis.start is None or not basis.passage_hash or basis.source_hash != document.content_hash:
        return
    if text_hash(texts[document.id][basis.start : basis.end]) != basis.passage_hash:
        yield f"{name}: the passage it rests on does not stand in “{document.title[:80]}” where it says."


def _times(contents: records.PackContents, info: Mapping[str, object]) -> Iterator[str]:
    try:
        moment = datetime.fromisoformat(str(info.get("made")))
        latest = moment + _SLACK
        for decision in contents.decisions:
            if decision.at > latest:
                yield f"Decision {decision.id} is of {decision.at:%Y-%m-%d %H:%M}, after the pack was made."
        for row in contents.findings:
            if row.judged is not None and _aware(row.judged, moment) > latest:
                yield f"Row {row.ordinal + 1} was judged on {row.judged:%Y-%m-%d %H:%M}, after the pack was made."
    except (ValueError, OverflowError, TypeError):
        yield f"pack.json does not say when it was made ({str(info.get('made'))[:40]!r})."


def _aware(moment: datetime, like: datetime) -> datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=like.tzinfo)


def _words(item: records.Finding | records.Claim) -> str:
    return " ".join((item.claim_text if isinstance(item, records.Finding) else item.text).split())
