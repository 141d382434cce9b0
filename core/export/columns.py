"""The rows as columns of a table: names, headings, and what each cell holds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.export.content import NOTHING, Content
from core.export.rows import Row, SourcePassage
from core.records import Claim

Cell = str | int | float | None
"""Text (foreign unless the column is one of ours), a number, or nothing."""


@dataclass(frozen=True, slots=True)
class Column:
    """``name`` is the key (never changed once released), ``width`` in characters for sheets."""

    name: str
    width: int
    cell: Callable[[Row], Cell]


def _words(words: SourcePassage | None) -> str:
    return words.text if words else ""


def checks_line(row: Row) -> str:
    """The checks on one line each."""
    return "\n".join(
        f"{check.name} {'agree' if check.agrees else 'differ'}: {check.explanation}" for check in row.checks
    )


COLUMNS: Sequence[Column] = (
    Column("report", 24, lambda row: ""),  # filled by the caller: one value for all rows
    Column("ordinal", 8, lambda row: row.ordinal),
    Column("claim", 60, lambda row: row.claim),
    Column("marker", 12, lambda row: row.marker),
    Column("style", 14, lambda row: row.style),
    Column("reference", 40, lambda row: row.reference),
    Column("url", 30, lambda row: row.url),
    Column("doi", 20, lambda row: row.doi),
    Column("source_title", 36, lambda row: row.source_title),
    Column("source_grade", 8, lambda row: row.source_grade),
    Column("source_hash", 20, lambda row: row.source_hash),
    Column("status", 20, lambda row: row.status),
    Column("reasons", 22, lambda row: ", ".join(row.reasons)),
    Column("support", 9, lambda row: row.support),
    Column("contradiction", 9, lambda row: row.contradiction),
    Column("passage", 60, lambda row: _words(row.passage)),
    Column("passage_start", 9, lambda row: row.passage.start if row.passage else None),
    Column("passage_end", 9, lambda row: row.passage.end if row.passage else None),
    Column("page", 7, lambda row: row.passage.page if row.passage else None),
    Column("deciding_words", 50, lambda row: _words(row.deciding)),
    Column("explanation", 60, lambda row: row.explanation),
    Column("checks", 40, checks_line),
    Column("supported_part", 40, lambda row: row.supported_part),
    Column("other_source", 36, lambda row: row.other_source),
    Column("other_citation", 40, lambda row: row.other_citation),
    Column("judged", 20, lambda row: row.judged),
    Column("judged_by", 24, lambda row: row.judged_by),
    Column("decision", 14, lambda row: row.decision),
    Column("decided_by", 18, lambda row: row.decided_by),
    Column("decided", 20, lambda row: row.decided),
    Column("decision_reason", 18, lambda row: row.decision_reason),
    Column("note", 40, lambda row: row.note),
    Column("rewording", 40, lambda row: row.rewording),
    Column("stale", 24, lambda row: row.stale),
)


def cells(row: Row, report: str) -> list[Cell]:
    """The cells of a row in the order of ``COLUMNS``; ``report`` is what the report is called."""
    return [report, *(column.cell(row) for column in COLUMNS[1:])]


CLAIM_COLUMNS: Sequence[tuple[str, int]] = (
    ("claim", 60), ("type", 8), ("verdict", 14), ("independent_sources", 10), ("supporting", 40), ("against", 40),
    ("missing", 50), ("decision", 14), ("decided_by", 18), ("note", 40),
)  # fmt: skip


def claim_cells(claim: Claim, content: Content) -> list[Cell]:
    """The cells of a claim in the order of ``CLAIM_COLUMNS``."""
    verdict = claim.verdict
    titles = content.documents
    sides: dict[str, list[str]] = {"supports": [], "contradicts": []}
    for source in verdict.sources if verdict else ():
        document = titles.get(source.document_id)
        if source.counts and source.verdict.label.value in sides:
            sides[source.verdict.label.value].append(document.title if document else source.document_id)
    missing = "; ".join(requirement.text for requirement in verdict.checklist if not requirement.met) if verdict else ""
    standing = content.claim_standing.get(claim.id, NOTHING)
    decision = standing.decision
    return [
        claim.text, claim.type.value, verdict.state.value if verdict else "not checked",
        verdict.independent if verdict else None, "; ".join(sides["supports"]), "; ".join(sides["contradicts"]),
        missing, "conflict" if standing.conflict else decision.kind.value if decision else "",
        decision.by if decision else "", decision.note if decision else "",
    ]  # fmt: skip
