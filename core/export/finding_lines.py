"""A row in words for people, the same in Markdown, DOCX and HTML."""

from __future__ import annotations

from core.audit.wording import rescue_words
from core.export.rows import CONFLICT, Row, SourcePassage


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
    """Name, words and place of the passages of a row: what was judged, and what another source says."""
    named = [("Passage", row.passage), ("Passage of the other source", row.other_passage)]
    return [(name, words, place(words)) for name, words in named if words is not None and words.text.strip()]


def place(words: SourcePassage) -> str:
    """The place of a passage, in brackets."""
    page = f"page {words.page}, " if words.page is not None else ""
    return f" ({page}characters {words.start:,} to {words.end:,} of the stored text)"


def decision_line(row: Row) -> str:
    """Who decided what, and when; empty when nobody did."""
    if not row.decision:
        return ""
    if row.decision == CONFLICT:
        return f"reviewers disagree ({row.decided_by})"
    reason = f" ({row.decision_reason.replace('_', ' ')})" if row.decision_reason else ""
    return f"{row.decision.replace('_', ' ')}{reason}, by {row.decided_by}, {row.decided[:16].replace('T', ' ')}"
