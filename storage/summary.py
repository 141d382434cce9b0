"""A line in the list of projects, whatever state the project is in."""

import os
from datetime import UTC, datetime
from pathlib import Path

from core.errors import WorkbenchError
from core.records import Project, ProjectSummary
from core.text.files import folder_bytes
from storage.database.codec import from_stamp
from storage.database.database import Database
from storage.database.engine import SqliteError
from storage.database.identity import free_slug, is_slug, project_from
from storage.database.layout import Layout
from storage.database.migrations import migrate

_LAST_USED = """SELECT max(at) FROM (SELECT max(at) AS at FROM queries UNION ALL SELECT max(created) FROM documents
    UNION ALL SELECT max(created) FROM jobs UNION ALL SELECT max(created) FROM reports)"""


def summarize(folder: Path) -> ProjectSummary:
    """Counts of the project in ``folder``. Never fails: what is wrong stands in ``problem``, and a project that
    cannot be read goes by its folder's name. A folder copied by hand may have a name that no link can carry: it
    is listed and its problem names a better one."""
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
        problem = None if is_slug(folder.name) else _rename(folder)
    except (WorkbenchError, SqliteError, OSError, ValueError, TypeError, KeyError) as error:
        return ProjectSummary(_unreadable(folder), bytes_on_disk=size, problem=str(error))
    return ProjectSummary(project, documents, passages, size, from_stamp(used) or project.created, problem)


def _rename(folder: Path) -> str:
    better = free_slug(folder.name, os.listdir(folder.parent))
    return (
        f"The folder's name {folder.name!r} cannot be used in links. Rename the folder, for example to {better!r}; "
        "lower-case letters a to z, digits and hyphens are allowed."
    )


def _unreadable(folder: Path) -> Project:
    created = datetime.fromtimestamp(folder.stat().st_mtime, UTC) if folder.exists() else datetime.now(UTC)
    return Project(id="", name=folder.name, slug=folder.name, path=folder, created=created)
