"""The one outcome of a report: of the machine's findings and people's decisions, by citation and in one sentence.

Pages, headlines and every export take it from here, so no two of them differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.audit.summary import is_citation
from core.audit.wording import missing_words
from core.labels import DecisionKind, Reason, Status
from core.records import Finding, Standing
from core.text.words import count_words


class Holding(StrEnum):
    """The outcome of a citation after the machine and the people."""

    HOLDS = "holds"
    UNSHOWN = "unshown"
    """Accepted by a person though the text of the source is not here."""
    FAILS = "fails"
    OPEN = "open"
    MISSING = "missing"
    WAITING = "waiting"


REFUTING = frozenset(
    {
        Reason.CONTRADICTED,
        Reason.QUOTE_ALTERED,
        Reason.NUMBER_MISMATCH,
        Reason.CHECK_FAILED,
        Reason.WRONG_SOURCE,
        Reason.SELF_REFERENCE,
        Reason.DANGLING_MARKER,
        Reason.LINK_NEVER_EXISTED,
    }
)
"""Deciding reasons for which there is something to show: other words in the source, or nothing that is pointed to.
For any other reason the machine only failed to find support, which a person may find."""

_NOT_READ = frozenset({Reason.ABSTRACT_ONLY, Reason.SOURCE_UNREADABLE})
_AGAINST = (DecisionKind.REJECT, DecisionKind.WRONG_SOURCE, DecisionKind.REWORD)


@dataclass(frozen=True, slots=True)
class Counts:
    """The citations of a report by outcome. ``decided``: those with a decision of people in force, ``changed`` since
    then, ``disputed`` among people; ``overruled``: where people say otherwise than the machine."""

    total: int
    by: Mapping[Holding, int]
    decided: int = 0
    changed: int = 0
    disputed: int = 0
    overruled: int = 0

    def of(self, holding: Holding) -> int:
        """The number of citations with this outcome."""
        return self.by.get(holding, 0)


def can_be_read(finding: Finding) -> bool:
    """A citation whose cited source is here as text, so that a person can read what it says."""
    return finding.document_id is not None and finding.status is not Status.SOURCE_NOT_INDEXED and not (
        _NOT_READ & set(finding.reasons)
    )  # fmt: skip


def machine_holding(finding: Finding) -> Holding:
    if finding.status is None:
        return Holding.WAITING
    if finding.status is Status.PASS:
        return Holding.HOLDS
    if finding.reasons and finding.reasons[0] in REFUTING:
        return Holding.FAILS
    return Holding.MISSING if finding.status is Status.SOURCE_NOT_INDEXED else Holding.OPEN


def holding_of(finding: Finding, standing: Standing | None) -> Holding:
    """The outcome of a citation. A decision in force counts more than the machine. People who disagree, or something
    that changed since they decided, leave it to a person again."""
    if standing is None or (standing.decision is None and not standing.conflict):
        return machine_holding(finding)
    if standing.conflict or standing.stale or standing.decision is None:
        return Holding.OPEN
    if standing.decision.kind is DecisionKind.ACCEPT:
        return Holding.HOLDS if can_be_read(finding) else Holding.UNSHOWN
    return Holding.FAILS if standing.decision.kind in _AGAINST else machine_holding(finding)


def holdings_of(findings: Sequence[Finding], standings: Mapping[int, Standing]) -> dict[int, Holding]:
    """The outcome of each citation, by id. References that nothing cites are left out."""
    return {finding.id: holding_of(finding, standings.get(finding.id)) for finding in findings if is_citation(finding)}


def counts_of(findings: Sequence[Finding], standings: Mapping[int, Standing]) -> Counts:
    """Counts over the citations of a report."""
    cited = [finding for finding in findings if is_citation(finding)]
    holdings = holdings_of(cited, standings)
    decided = [(finding, standings[finding.id]) for finding in cited if finding.id in standings]
    firm = [
        finding for finding, standing in decided if standing.decision and not standing.stale and not standing.conflict
    ]
    return Counts(
        total=len(cited),
        by=Counter(holdings.values()),
        decided=len(firm),
        changed=sum(bool(standing.stale) for _, standing in decided),
        disputed=sum(bool(standing.conflict) for _, standing in decided),
        overruled=sum(_overruled(finding, holdings[finding.id]) for finding in firm),
    )


def _overruled(finding: Finding, holding: Holding) -> bool:
    sides = (Holding.HOLDS, Holding.FAILS)
    return machine_holding(finding) in sides and holding in sides and holding is not machine_holding(finding)


def outcome_sentence(counts: Counts) -> str:
    """The outcome in one sentence: ``31 of 53 citations hold, 10 do not, 12 need a look.``"""
    total, holds = counts.total, counts.of(Holding.HOLDS)
    if not total:
        return "No citation was found in this report."
    if counts.of(Holding.WAITING) == total:
        return f"{count_words(total, 'citation')}, none checked yet."
    if not holds and (missing := counts.of(Holding.MISSING)):
        return missing_words(total, missing)
    if holds == total:
        return f"All {count_words(total, 'citation')} hold." if total > 1 else "The one citation holds."
    parts = [f"{holds:,} of {count_words(total, 'citation')} {'holds' if holds == 1 else 'hold'}"]
    for holding, (singular, many) in _CLAUSES.items():
        if number := counts.of(holding):
            parts.append(f"{number:,} {singular if number == 1 else many}")
    return ", ".join(parts) + "."


_CLAUSES: dict[Holding, tuple[str, str]] = {
    Holding.UNSHOWN: ("was accepted without its source here", "were accepted without their source here"),
    Holding.FAILS: ("does not", "do not"),
    Holding.OPEN: ("needs a look", "need a look"),
    Holding.MISSING: ("lacks its source", "lack their source"),
    Holding.WAITING: ("is not checked yet", "are not checked yet"),
}
