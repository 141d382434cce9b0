"""Where everything of a project lies, relative to its folder. Beside it the project's own record, kept in its database,
its name, and the name of its folder."""

import json
import re
import sqlite3
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from slugify import slugify

from core.errors import InvalidName
from core.records import Project
from storage.database.codec import dump, to_stamp
from storage.database.database import Database


@dataclass(frozen=True, slots=True)
class Layout:
    """Paths inside one project folder ``root``. ``database`` is the truth; ``late`` (token matrices) and
    ``index_metadata`` are derived from it and can be made again. ``blobs`` holds fetched bytes, one file a SHA-256."""

    root: Path

    @property
    def database(self) -> Path:
        """Documents, passages, word index, dense vectors, jobs, statistics."""
        return self.root / "project.db"

    @property
    def late(self) -> Path:
        """int8 token matrices."""
        return self.root / "late.db"

    @property
    def blobs(self) -> Path:
        """Bytes as received, compressed: ``blobs/<first two hex digits>/<sha256>.zst``."""
        return self.root / "blobs"

    @property
    def graph(self) -> Path:
        """Folder of the index files."""
        return self.root / "10_graph"

    @property
    def index_metadata(self) -> Path:
        return self.graph / "index_metadata.json"

    @property
    def quality(self) -> Path:
        return self.root / "09_qa"

    @property
    def lock(self) -> Path:
        """Lock file of the derived files; its content means nothing."""
        return self.root / ".lock"

    def make_folders(self) -> None:
        """Create the folders of a new project. Later code never creates ``root`` again, so that a project
        deleted by another process does not come back as a half-empty folder."""
        for folder in (self.blobs, self.graph, self.quality):
            folder.mkdir(parents=True, exist_ok=True)


def read_project(database: Database, folder: Path) -> Project:
    """The project of an open database; its slug is the name of ``folder``."""
    with database.read() as connection:
        return project_from(connection, folder)


def project_from(connection: sqlite3.Connection, folder: Path) -> Project:
    """The project of an open transaction; its slug is the name of ``folder``."""
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
    """Store the record, in place of an earlier one."""
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
    with database.write() as connection:
        project = project_from(connection, folder)
        changed = replace(
            project,
            name=project.name if name is None else name,
            archived=project.archived if archived is None else archived,
        )
        write_project(connection, changed)
    return changed


MAX_NAME = 200
_MAX_SLUG = 60
SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?")
# https://learn.microsoft.com/windows/win32/fileio/naming-a-file
_RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))})


def clean_name(name: str) -> str:
    """A name as it is kept: NFC, control characters and runs of white space become one space, ends trimmed. Raises
    InvalidName: nothing is left, or more than 200 characters are."""
    cleaned = "".join(" " if unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") else sign for sign in name)
    cleaned = " ".join(unicodedata.normalize("NFC", cleaned).split())
    if not any(unicodedata.category(sign)[0] not in "CZ" for sign in cleaned):
        raise InvalidName("The project's name is empty. Give it at least one visible character.")
    if len(cleaned) > MAX_NAME:
        raise InvalidName(
            f"The project's name has {len(cleaned)} characters; at most {MAX_NAME} are allowed. Shorten it."
        )
    return cleaned


def free_slug(name: str, taken: Iterable[str]) -> str:
    """A folder name for ``name`` that is safe on every system and differs from all ``taken``, also where
    upper and lower case are the same. It never starts with a dot and never is a reserved device name."""
    base = slugify(name, max_length=_MAX_SLUG, word_boundary=True).strip("-") or "project"
    if base in _RESERVED:
        base = f"{base}-project"
    occupied = {slug_taken.casefold() for slug_taken in taken}
    slug, number = base, 1
    while slug in occupied:
        number += 1
        slug = f"{base}-{number}"
    return slug


def is_slug(text: str) -> bool:
    """Whether ``text`` can be the folder of a project; keeps path tricks out of every path we build."""
    return SLUG.fullmatch(text) is not None
