"""Frozen records that carry everything between the stages.

Offsets are code points into the stored text of a document, half-open ``[start, end)``.
Scores: larger is better. Ranks start at 1. Times are aware UTC.
"""

from __future__ import annotations

from core.records.audit import AuditSummary, Finding, HeatSentence, Rescue, StoredReport
from core.records.claims import Claim, ClaimSource, ClaimVerdict, Cluster, Requirement
from core.records.jobs import Job
from core.records.projects import Project, ProjectSummary
from core.records.review import Decision, DecisionBasis, Person, ReviewItem, ReviewPolicy
from core.records.review_results import (
    Agreement,
    Conflict,
    ImportedDecisions,
    Interval,
    Reliability,
    ReliabilityBin,
    ReportStanding,
    ReviewProgress,
    Standing,
    ThresholdPreview,
)
from core.records.search import (
    Excerpt,
    Filters,
    Hit,
    QuantizedTokens,
    Query,
    QueryRecord,
    ScoredPassage,
    SearchRequest,
    SearchResult,
    StageRank,
    StageSwitches,
    Statistics,
    TokenMatrix,
    Vector,
    WordMatch,
)
from core.records.sources import (
    Acquisition,
    Assessment,
    Document,
    Extraction,
    Fetched,
    GradeChange,
    GradeReason,
    Heading,
    PageSpan,
    Passage,
)
from core.records.verify import CheckResult, EvidenceSentence, Judgement, Outcome, SourceVerdict, Span

__all__ = [
    "Acquisition",
    "Agreement",
    "Assessment",
    "AuditSummary",
    "CheckResult",
    "Claim",
    "ClaimSource",
    "ClaimVerdict",
    "Cluster",
    "Conflict",
    "Decision",
    "DecisionBasis",
    "Document",
    "EvidenceSentence",
    "Excerpt",
    "Extraction",
    "Fetched",
    "Filters",
    "Finding",
    "GradeChange",
    "GradeReason",
    "Heading",
    "HeatSentence",
    "Hit",
    "ImportedDecisions",
    "Interval",
    "Job",
    "Judgement",
    "Outcome",
    "PageSpan",
    "Passage",
    "Person",
    "Project",
    "ProjectSummary",
    "QuantizedTokens",
    "Query",
    "QueryRecord",
    "Reliability",
    "ReliabilityBin",
    "ReportStanding",
    "Requirement",
    "Rescue",
    "ReviewItem",
    "ReviewPolicy",
    "ReviewProgress",
    "ScoredPassage",
    "SearchRequest",
    "SearchResult",
    "SourceVerdict",
    "Span",
    "StageRank",
    "StageSwitches",
    "Standing",
    "Statistics",
    "StoredReport",
    "ThresholdPreview",
    "TokenMatrix",
    "Vector",
    "WordMatch",
]
