"""The project's own record, kept in its database."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from core.records import Project
from storage.database.codec import dump, to_stamp
from storage.database.database import Database


def read_project(database: Database, folder: Path) -> Project:
    """The project of an open database; its slug is the name of ``folder``."""
    with database.read() as connection:
        return project_from(connection, folder)


def project_from(connection: sqlite3.Connection, folder: Path) -> Project:
    """The same, inside a transaction."""
    (packed,) = connection.execute("SELECT value FROM meta WHERE key = 'project'").fetchone()
    value = json.loads(packed)
    return Project(
        id=value["id"],
        name=value["name"],
        slug=folder.name,
        path=folder,
        created=datetime.fromisoformat(value["created"]),
        archived=value["archived"],
        demo=value["demo"],
    )


def write_project(connection: sqlite3.Connection, project: Project) -> None:
    """Keep the record."""
    value = {
        "id": project.id,
        "name": project.name,
        "created": to_stamp(project.created),
        "archived": project.archived,
        "demo": project.demo,
    }
    connection.execute(
        "INSERT INTO meta VALUES('project', ?) ON CONFLICT DO UPDATE SET value = excluded.value", (dump(value),)
    )


def change_project(
    database: Database, folder: Path, *, name: str | None = None, archived: bool | None = None
) -> Project:
    """Rename or archive."""
    with database.write() as connection:
        project = project_from(connection, folder)
        changed = replace(
            project,
            name=project.name if name is None else name,
            archived=project.archived if archived is None else archived,
        )
        write_project(connection, changed)
    return changed
