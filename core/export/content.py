"""The content of an export: everything about one report, gathered once, whatever the format."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime

from core.audit.report_model import Report
from core.records import AuditSummary, Claim, Decision, Document, Finding, HeatSentence, Standing, StoredReport

PRODUCT = "evidence-workbench"


NOTHING = Standing()


@dataclass(frozen=True, slots=True)
class Content:
    """One audited report with all that its exports may need.

    ``read`` is the report with its blocks, ``heat`` every sentence with its shade. ``documents`` by id, older versions
    too; ``text_of`` gives the stored text of one (DocumentNotFound). ``standing`` goes by id of a finding,
    ``claim_standing`` by id of a claim. ``models`` names what judged. ``settings`` is the plain form of the settings
    in effect. ``sources`` False leaves the words of the sources out. ``threshold`` is the support from which on a
    citation passes in this project. ``hidden`` are ids of the entries of the log that whoever asked may not see yet
    (blind review), ``withheld`` how many of them are about this report.
    """

    project: str
    report: StoredReport
    read: Report
    findings: Sequence[Finding]
    summary: AuditSummary
    heat: Sequence[HeatSentence]
    documents: Mapping[str, Document]
    text_of: Callable[[str], str]
    made: datetime
    claims: Sequence[Claim] = ()
    standing: Mapping[int, Standing] = field(default_factory=dict)
    claim_standing: Mapping[int, Standing] = field(default_factory=dict)
    decisions: Sequence[Decision] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)
    sources: bool = True
    threshold: float | None = None
    hidden: AbstractSet[int] = frozenset()
    withheld: int = 0

    @property
    def title(self) -> str:
        """The name of the report for people."""
        return self.report.title or self.report.name


def withheld_words(count: int) -> str:
    """The sentence that says so; "" where nothing is left out. ``count``: entries of the log about this report."""
    if not count:
        return ""
    which = "1 entry of somebody else is" if count == 1 else f"{count:,} entries of others are"
    return (
        f"Review is blind in this project: {which} left out here (a pack has their hashes only), because whoever asked "
        "for this export has not decided on those items yet. An owner of the project can export everything."
    )


_LISTED = 10


def rows_without_source(findings: Iterable[Finding], documents: Collection[str]) -> list[int]:
    """Numbers (from 1) of the rows whose source, or better source, is not among ``documents`` (ids) any more."""
    present = {None, *documents}
    return [
        row.ordinal + 1
        for row in findings
        if {row.document_id, row.verdict and row.verdict.document_id, row.rescue and row.rescue.document_id} - present
    ]


def gone_words(rows: Sequence[int], *, pack: bool = False) -> str:
    """A sentence on the missing sources, "" where none is missing; ``pack``: of an audit pack, which then fails its
    check."""
    if not rows:
        return ""
    listed = ", ".join(map(str, rows[:_LISTED])) + (" and more" if len(rows) > _LISTED else "")
    which = f"row {listed} was" if len(rows) == 1 else f"rows {listed} were"
    if pack:
        outcome = "so a check of this pack will fail"
    else:
        outcome = "so its title and grade are missing; the words that were judged are kept"
    return (
        f"A source by which {which} judged is not in the project any more, {outcome}. "
        "Audit the report again, or add the source again, then export."
    )
