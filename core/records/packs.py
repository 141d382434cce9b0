"""An audit pack as it lies in its zip, before anything of it is believed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.records.audit import Finding, StoredReport
from core.records.sources import Document


@dataclass(frozen=True, slots=True)
class PackContents:
    """Records of a pack that kept to every rule of safe import.

    ``info`` is the body of ``pack.json``, ``page`` that of ``report.html`` (None where there is none);
    ``findings`` stand in the order of the zip; ``texts`` are the stored texts of ``documents`` by id.
    """

    info: bytes
    reports: tuple[StoredReport, ...]
    findings: tuple[Finding, ...]
    documents: Mapping[str, Document]
    texts: Mapping[str, str]
    page: bytes | None = None
    decisions: int = 0
    head: str = ""
