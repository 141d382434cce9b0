"""Lines for people, the same in Markdown, DOCX and HTML: the outcome of a report, and each citation in words."""

from collections.abc import Sequence

from core import __version__
from core.audit.outcome import counts_of, outcome_sentence
from core.audit.wording import brief_words, rescue_words, share_words
from core.export.content import Content, gone_words, rows_without_source, withheld_words
from core.export.rows import CONFLICT, Row, SourcePassage
from core.labels import DecisionKind, Status


def fields(row: Row) -> list[tuple[str, str]]:
    """Name and value of what is known about a row, without its claim and passages; empty values are left out."""
    support = "" if row.support is None else f"{row.support:.2f} of 1"
    if row.support is not None and (row.contradiction or 0) >= 0.5:
        support += f", against {row.contradiction:.2f} of 1"
    named = [
        ("Cited as", row.marker),
        ("Reference", row.reference or row.url or row.doi),
        ("Source", _source(row)),
        ("Support", support),
        ("Why", row.explanation),
        *((check.name, f"{'agree' if check.agrees else 'differ'}. {check.explanation}") for check in row.checks),
        ("The source supports this part", row.supported_part),
        (f"Another source {rescue_words(bool(row.other_carries))}", row.other_source),
        ("Citation of the other source", row.other_citation),
        ("Decision", decision_line(row)),
        ("Reworded to", row.rewording),
        ("Note", row.note),
        ("Changed since the decision", row.stale),
    ]  # fmt: skip
    return [(name, value) for name, value in named if value.strip()]


def _source(row: Row) -> str:
    titled = row.source_id and row.source_title
    return f"{row.source_title} (grade {row.source_grade}; SHA-256 {row.source_hash})" if titled else ""


def passages(row: Row) -> list[tuple[str, SourcePassage, str]]:
    """Name, words and place of the passages of a row: the judged one, and that of another source."""
    named = [("Passage", row.passage), ("Passage of the other source", row.other_passage)]
    return [(name, words, place(words)) for name, words in named if words is not None and words.text.strip()]


def place(words: SourcePassage) -> str:
    """The place of a passage, in brackets."""
    page = f"page {words.page}, " if words.page is not None else ""
    return f" ({page}characters {words.start:,} to {words.end:,} of the stored text)"


def decision_line(row: Row) -> str:
    """The decision with its reason, person and time; "" when nobody decided."""
    if not row.decision:
        return ""
    if row.decision == CONFLICT:
        return f"reviewers disagree ({row.decided_by})"
    reason = f" ({row.decision_reason.replace('_', ' ')})" if row.decision_reason else ""
    return f"{row.decision.replace('_', ' ')}{reason}, by {row.decided_by}, {row.decided[:16].replace('T', ' ')}"


HOLDS = DecisionKind.ACCEPT.value
FAILS = (DecisionKind.REJECT.value, DecisionKind.WRONG_SOURCE.value, DecisionKind.REWORD.value)


def headline_of(content: Content) -> str:
    """The outcome of the report after the machine and the people, in one sentence."""
    return outcome_sentence(counts_of(content.findings, content.standing))


def facts(content: Content, rows: Sequence[Row]) -> list[tuple[str, str]]:
    """Counts with their names, and what the export rests on."""
    summary = content.summary
    lines = [("Citations", str(summary.citations))]
    names = {Status.PASS: "Pass", Status.REVIEW: "To review", Status.SOURCE_NOT_INDEXED: "Source missing"}
    lines += [(name, str(summary.by_status.get(status, 0))) for status, name in names.items()]
    if summary.waiting:
        lines.append(("Not checked yet", str(summary.waiting)))
    if any(row.cited and row.decision for row in rows):
        lines.append(("The machine alone", f"{brief_words(summary)}."))
    return [*lines, *remarks(content, rows), *grounds(content)]


def remarks(content: Content, rows: Sequence[Row]) -> list[tuple[str, str]]:
    """Remarks on the counts, with their names: measures, missing sources, parts left out, decisions of people."""
    summary, lines = content.summary, list[tuple[str, str]]()
    if summary.unused_references:
        lines.append(("References never cited", str(summary.unused_references)))
    lines += [("Measure", line) for line in share_words(summary)]
    if gone := gone_words(rows_without_source(content.findings, content.documents)):
        lines.append(("Missing", gone))
    if withheld := withheld_words(content.withheld):
        lines.append(("Left out", withheld))
    if people := decided_line([row for row in rows if row.cited]):
        lines.append(("Decided by people", people))
    return lines


def grounds(content: Content) -> list[tuple[str, str]]:
    """Grounds of the export, with their names: hashes, versions, models. Empty values are left out."""
    models = ", ".join(f"{role}: {name}" for role, name in content.models.items())
    lines = [
        ("Report", f"{content.report.name}, version {content.report.version}, SHA-256 {content.report.content_hash}"),
        ("Project", content.project), ("Made", f"{content.made:%Y-%m-%d %H:%M} UTC by workbench {__version__}"),
        ("Judged with", models),
        ("A citation passes from", "" if content.threshold is None else f"a support of {content.threshold:.2f} of 1"),
    ]  # fmt: skip
    return [(name, value) for name, value in lines if value]


def decided_line(rows: Sequence[Row]) -> str:
    """Counts of the rows that people decided; "" when they decided none."""
    holds = sum(row.decision == HOLDS for row in rows)
    fails = sum(row.decision in FAILS for row in rows)
    open_ = sum(row.decision == CONFLICT for row in rows)
    if not holds + fails + open_:
        return ""
    parts = [f"{holds} accepted", f"{fails} not accepted"]
    if open_:
        parts.append(f"{open_} where reviewers disagree")
    if stale := sum(bool(row.stale) for row in rows):
        parts.append(f"{stale} to look at again, because something has changed since")
    return ", ".join(parts)
