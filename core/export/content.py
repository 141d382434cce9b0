"""What is written out of a project about one report, gathered once, whatever the format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
        """What the report is called."""
        return self.report.title or self.report.name
