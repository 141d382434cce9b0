"""A line in the list of projects, whatever state the project is in."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from core.errors import WorkbenchError
from core.model import Project, ProjectSummary
from storage.codec import from_stamp
from storage.database import Database
from storage.engine import SqliteError
from storage.files import folder_bytes
from storage.identity import project_from
from storage.layout import Layout
from storage.migrations import migrate

_LAST_USED = """SELECT max(at) FROM (SELECT max(at) AS at FROM queries UNION ALL SELECT max(created) FROM documents
    UNION ALL SELECT max(created) FROM jobs)"""


def summarize(folder: Path) -> ProjectSummary:
    """Counts of the project in ``folder``. Never fails: what is wrong stands in ``problem``, and the project
    then goes by its folder's name."""
    size = folder_bytes(folder)
    try:
        database = Database(Layout(folder).database)
        try:
            migrate(database)
            with database.read() as connection:
                project = project_from(connection, folder)
                (documents,) = connection.execute(
                    "SELECT count(*) FROM documents WHERE superseded_by IS NULL"
                ).fetchone()
                (passages,) = connection.execute("SELECT count(*) FROM word_index_docsize").fetchone()
                (used,) = connection.execute(_LAST_USED).fetchone()
        finally:
            database.close()
    except (WorkbenchError, SqliteError, OSError, ValueError, TypeError, KeyError) as error:
        return ProjectSummary(_unreadable(folder), bytes_on_disk=size, problem=str(error))
    return ProjectSummary(project, documents, passages, size, from_stamp(used) or project.created)


def _unreadable(folder: Path) -> Project:
    created = datetime.fromtimestamp(folder.stat().st_mtime, UTC) if folder.exists() else datetime.now(UTC)
    return Project(id="", name=folder.name, slug=folder.name, path=folder, created=created)
