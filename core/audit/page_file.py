"""Writing ``09_qa/retrieval_audit.md`` into the project's folder."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from core.audit.audit_page import AuditedReport, audit_page
from core.errors import StorageError
from core.ports.store import ProjectStore
from core.text.files import write_whole

FOLDER = "09_qa"
NAME = "retrieval_audit.md"


def render_audit_page(store: ProjectStore, encoder: str, now: datetime) -> str:
    """The page from what the database holds now; ``encoder`` is the fingerprint that coverage is counted by."""
    reports = [AuditedReport(report, store.findings(report.id)) for report in store.reports()]
    return audit_page(store.project, store.statistics(encoder), store.documents(), store.acquisitions(), reports, now)


def write_audit_page(store: ProjectStore, encoder: str, now: datetime) -> str:
    """Render the page and put it in place of the one before, whole or not at all; returns its text.

    Nothing is written into the folder of a project that was deleted meanwhile.

    Raises:
        StorageError: the folder cannot be written to.
    """
    page = render_audit_page(store, encoder, now)
    if not store.detached():
        _replace(store.project.path / FOLDER / NAME, page.encode())
    return page


def _replace(path: Path, body: bytes) -> None:
    try:
        path.parent.mkdir(exist_ok=True)  # never its parents: a deleted project must not come back
        write_whole(path, body)
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written ({error.strerror}). Check the disk and the folder's rights."
        ) from error
