"""Rows of the table of citations: their words and their order. Pure functions over records; plain text, no markup."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.audit.layout import readable
from core.audit.outcome import Holding
from core.audit.outcome_words import HOLDINGS, SINGULAR
from core.audit.wording import reason_words, source_words
from core.records import Finding
from core.text.words import short

NEVER_CITED = "never cited"


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One line of the table, in whole words. ``sure`` is the support, 0 to 1 with two digits, or a dash."""

    id: int
    outcome: str
    claim: str
    why: str
    source: str
    sure: str


COLUMNS: Mapping[str, str] = {
    "place": "Citation",
    "outcome": "Outcome",
    "why": "Why",
    "source": "Cited source",
    "sure": "Support",
}
"""Columns by the name under which the address sorts by them; "place" is the order of the report."""


def outcome_words(holding: Holding | None) -> str:
    """The outcome of one citation with its sign; None is an entry of the list that nothing cites."""
    return f"{HOLDINGS[holding].sign} {SINGULAR[holding]}" if holding else NEVER_CITED


def audit_row(finding: Finding, holding: Holding | None, titles: Mapping[str, str]) -> AuditRow:
    """A finding as a line of the table; ``titles`` by document id."""
    return AuditRow(
        id=finding.id,
        outcome=outcome_words(holding),
        claim=short(finding.claim_text or finding.reference_text, 600) or "–",
        why="; ".join(reason_words(reason) for reason in finding.reasons) or "–",
        source=readable(source_words(finding, titles, 200)),
        sure=f"{finding.verdict.supports:.2f}" if finding.verdict else "–",
    )


def in_order(
    findings: Sequence[Finding], holdings: Mapping[int, Holding], titles: Mapping[str, str], sort: str
) -> list[Finding]:
    """The findings by a column of the table ("-" in front: backwards); by their place in the report within equals, and
    for a name that is no column."""
    worst = {holding: place for place, holding in enumerate(_WORST_FIRST)}
    keys: dict[str, Callable[[Finding], object]] = {
        "outcome": lambda finding: worst.get(holdings.get(finding.id), len(worst)),  # type: ignore[arg-type]
        "why": lambda finding: audit_row(finding, None, titles).why,
        "source": lambda finding: source_words(finding, titles, 200).casefold(),
        "sure": lambda finding: finding.verdict.supports if finding.verdict else -1.0,
        "place": lambda finding: finding.ordinal,
    }
    ordered = sorted(findings, key=lambda finding: finding.ordinal)
    key = keys.get(sort.removeprefix("-"), keys["place"])
    return sorted(ordered, key=key, reverse=sort.startswith("-"))  # type: ignore[arg-type]


_WORST_FIRST = (Holding.FAILS, Holding.OPEN, Holding.MISSING, Holding.UNSHOWN, Holding.WAITING, Holding.HOLDS)
