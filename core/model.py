"""Frozen records that carry everything between the stages.

Offsets are code points into the stored text of a document, half-open ``[start, end)``.
Scores: larger is better. Ranks start at 1. Times are aware UTC.
"""

from __future__ import annotations

from core.records.jobs import Job
from core.records.projects import Project, ProjectSummary
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

__all__ = [
    "Acquisition",
    "Assessment",
    "Document",
    "Excerpt",
    "Extraction",
    "Fetched",
    "Filters",
    "GradeChange",
    "GradeReason",
    "Heading",
    "Hit",
    "Job",
    "PageSpan",
    "Passage",
    "Project",
    "ProjectSummary",
    "QuantizedTokens",
    "Query",
    "QueryRecord",
    "ScoredPassage",
    "SearchRequest",
    "SearchResult",
    "StageRank",
    "StageSwitches",
    "Statistics",
    "TokenMatrix",
    "Vector",
    "WordMatch",
]
