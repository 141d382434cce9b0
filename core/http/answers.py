"""The answers of the service: the engine's records, and how a client makes them from the answers again."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from core import records
from core.retrieve.serialize import FoundPassages


class _Answer(BaseModel):
    # Unknown fields are left out: a client of this version reads the answers of a later one.
    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64", extra="ignore")


class SearchAnswer(FoundPassages):
    """What a search found, best first (``core.records.SearchResult``); each document stands here once. ``generation``
    counts the changes of the project that can change an answer: equal requests at an equal generation have equal
    answers. It is null when the project changed while this search ran."""

    project: str
    generation: int | None

    @classmethod
    def of(cls, project: str, generation: int | None, result: records.SearchResult) -> SearchAnswer:
        return cls.form_of(result, project=project, generation=generation)


class StatsAnswer(_Answer):
    """Counts, query statistics and latencies of a project."""

    project: str
    name: str
    generation: int
    statistics: records.Statistics


class SourceAnswer(_Answer):
    """A stored document. ``mended`` names what a person corrected; ``accepted`` is false for a page that only an answer
    rests on."""

    project: str
    document: records.Document


class JobAnswer(_Answer):
    """A job and, when it has ended, what came of it: the ``sources`` that it was to bring in, the ``claims`` that it
    was to verify, or the ``report`` that it audited with ``summary`` and ``findings``."""

    project: str
    job: records.Job
    sources: tuple[records.Acquisition, ...] = ()
    claims: tuple[records.Claim, ...] = ()
    report: records.StoredReport | None = None
    summary: records.AuditSummary | None = None
    findings: tuple[records.Finding, ...] = ()


class VerdictAnswer(_Answer):
    """What one document says about a claim."""

    project: str
    claim: str
    verdict: records.SourceVerdict


class HealthAnswer(_Answer):
    """Whether the server and its worker are alive; ``worker`` is null where none was asked for."""

    server: str
    worker: bool | None
