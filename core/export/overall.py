"""The outcome of a report in a few lines, the same in every format that people read."""

from __future__ import annotations

from collections.abc import Sequence

from core import __version__
from core.audit.wording import headline, share_words
from core.export.content import Content
from core.export.gone import gone_words, rows_without_source
from core.export.rows import CONFLICT, Row
from core.export.withheld import withheld_words
from core.labels import DecisionKind, Status

HOLDS = DecisionKind.ACCEPT.value
FAILS = (DecisionKind.REJECT.value, DecisionKind.WRONG_SOURCE.value, DecisionKind.REWORD.value)


def headline_of(content: Content) -> str:
    """How many citations hold, in one sentence."""
    return headline(content.summary)


def facts(content: Content, rows: Sequence[Row]) -> list[tuple[str, str]]:
    """Counts with their names, and what the export rests on."""
    summary = content.summary
    cited = [row for row in rows if row.cited]
    found = [("Citations", str(summary.citations))]
    names = {Status.PASS: "Pass", Status.REVIEW: "To review", Status.SOURCE_NOT_INDEXED: "Source missing"}
    found += [(name, str(summary.by_status.get(status, 0))) for status, name in names.items()]
    if summary.waiting:
        found.append(("Not checked yet", str(summary.waiting)))
    if summary.unused_references:
        found.append(("References never cited", str(summary.unused_references)))
    found += [("Share", line) for line in share_words(summary)]
    if gone := gone_words(rows_without_source(content.findings, content.documents)):
        found.append(("Missing", gone))
    if withheld := withheld_words(content.withheld):
        found.append(("Left out", withheld))
    if people := decided_line(cited):
        found.append(("Decided by people", people))
    models = ", ".join(f"{role}: {name}" for role, name in content.models.items())
    found += [
        ("Report", f"{content.report.name}, version {content.report.version}, SHA-256 {content.report.content_hash}"),
        ("Project", content.project), ("Made", f"{content.made:%Y-%m-%d %H:%M} UTC by workbench {__version__}"),
        ("Judged with", models),
        ("A citation passes from", "" if content.threshold is None else f"a support of {content.threshold:.2f} of 1"),
    ]  # fmt: skip
    return [(name, value) for name, value in found if value]


def decided_line(rows: Sequence[Row]) -> str:
    """How many rows people decided, and how; empty when they decided none."""
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
