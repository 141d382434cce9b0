"""The sentences of a report that was read, as claim extraction takes them: with their section and place in it."""

from __future__ import annotations

from core.audit.report_model import BlockKind, Report
from core.claims.extract import Statement

_MARKS = " *_#`"


def statements_of(report: Report) -> list[Statement]:
    """Sentences in the order of the report. A section is named by the headings above it, without the report's title."""
    found: list[Statement] = []
    path: list[tuple[int, str]] = []
    first = True
    title = (report.title or "").strip(_MARKS)
    for sentence in report.sentences:
        text = report.text[sentence.start : sentence.end]
        if sentence.kind is BlockKind.HEADING:
            level, name = report.blocks[sentence.block].level, text.strip(_MARKS)
            path = [one for one in path if one[0] < level]
            if name != title:
                path.append((level, name))
            first = True
        is_first = first and sentence.kind is BlockKind.PROSE
        section = " \u203a ".join(name for _, name in path)
        found.append(
            Statement(
                text, sentence.start, sentence.end, sentence.kind.value, section, first=is_first and bool(path),
                lead=not path,
            )
        )  # fmt: skip
        first = first and not is_first
    return found
