"""Findings as SARIF 2.1.0 (OASIS), so that code-scanning views and editors show them beside the report's lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from core import __version__
from core.audit.audit_page import ADVICE
from core.labels import Reason, Status
from core.records import Finding, StoredReport

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
NOT_INDEXED = "source_not_indexed"
"""Rule of a citation whose source is not stored while nothing is known about why."""
_ERRORS = frozenset({
    Reason.CONTRADICTED, Reason.QUOTE_ALTERED, Reason.NUMBER_MISMATCH, Reason.WRONG_SOURCE, Reason.DANGLING_MARKER,
    Reason.LINK_NEVER_EXISTED,
})  # fmt: skip
_NOTES = frozenset({Reason.UNUSED_REFERENCE})
_TEXTS = ("text/markdown", "text/plain")


def sarif(report: StoredReport, text: str, findings: Sequence[Finding], uri: str) -> dict[str, object]:
    """A SARIF log with one result for each row that does not pass; ``ruleId`` is its deciding reason.

    ``uri`` is the address of the report's file (a URI reference). Regions count Unicode code points from 0
    (``charOffset``) and lines and columns from 1. Those of a DOCX, HTML or PDF report are places in the text that was
    read from it, which the log then holds (``artifacts[0].contents``).
    """
    rows = [row for row in findings if row.status is not None and row.status is not Status.PASS]
    rules = list(dict.fromkeys([rule_of(row) for row in rows]))
    lines = _Lines(text)
    artifact: dict[str, object] = {"location": {"uri": uri}, "mimeType": report.media_type}
    if report.media_type not in _TEXTS:
        artifact |= {"contents": {"text": text}, "description": {"text": "Regions are places in this text."}}
    else:
        artifact["encoding"] = "utf-8"
    run = {
        "tool": {"driver": _driver(rules)},
        "artifacts": [artifact],
        "columnKind": "unicodeCodePoints",
        "results": [_result(row, rules.index(rule_of(row)), lines, uri) for row in rows],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def rule_of(row: Finding) -> str:
    """The rule that a row breaks."""
    return row.reasons[0].value if row.reasons else NOT_INDEXED


def _driver(rules: Sequence[str]) -> dict[str, object]:
    return {"name": "evidence-workbench", "version": __version__, "rules": [_rule(name) for name in rules]}


def _rule(name: str) -> dict[str, object]:
    reason = None if name == NOT_INDEXED else Reason(name)
    title = name.replace("_", " ").capitalize()
    advice = "Add or fetch the cited source." if reason is None else ADVICE[reason]
    return {
        "id": name, "shortDescription": {"text": f"{title}."}, "help": {"text": advice},
        "defaultConfiguration": {"level": _level(reason)},
    }  # fmt: skip


def _level(reason: Reason | None) -> str:
    if reason in _ERRORS:
        return "error"
    return "note" if reason in _NOTES else "warning"


def _result(row: Finding, rule: int, lines: _Lines, uri: str) -> dict[str, object]:
    location: dict[str, object] = {"artifactLocation": {"uri": uri, "index": 0}}
    span = row.claim or row.marker or row.reference
    if span is not None:
        location["region"] = lines.region(*span)
    properties: dict[str, object] = {
        "status": row.status.value if row.status else None, "reasons": [reason.value for reason in row.reasons],
        "citation": row.marker_text, "reference": row.reference_text or row.url or row.reference_label,
    }  # fmt: skip
    if row.verdict is not None:
        properties |= {"supports": row.verdict.supports, "contradicts": row.verdict.contradicts}
    if row.rescue is not None:
        properties["suggestedCitation"] = row.rescue.citation
        properties["suggestedSupports"] = row.rescue.supports
    return {
        "ruleId": rule_of(row), "ruleIndex": rule, "level": _level(row.reasons[0] if row.reasons else None),
        "message": {"text": row.explanation or rule_of(row)}, "locations": [{"physicalLocation": location}],
        "properties": properties,
    }  # fmt: skip


class _Lines:
    """Lines of a text, for regions. A line ends with a line feed, a carriage return, or both."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        for at, letter in enumerate(text):
            if letter == "\n" or (letter == "\r" and text[at + 1 : at + 2] != "\n"):
                self._starts.append(at + 1)

    def region(self, start: int, end: int) -> dict[str, int]:
        first = bisect_right(self._starts, start) - 1
        last = bisect_right(self._starts, max(start, end - 1)) - 1
        return {
            "startLine": first + 1, "startColumn": start - self._starts[first] + 1, "endLine": last + 1,
            "endColumn": end - self._starts[last] + 1, "charOffset": start, "charLength": end - start,
        }  # fmt: skip
