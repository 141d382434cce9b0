"""Taking a project's zip apart and putting it together again, honestly or not."""

from __future__ import annotations

import hashlib
import json
import os
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.errors import HostileArchive
from storage.catalog import SqliteCatalog

Members = dict[str, bytes]


def members_of(path: Path) -> Members:
    """What is in a zip."""
    with zipfile.ZipFile(path) as opened:
        return {info.filename: opened.read(info) for info in opened.infolist()}


def rewrite(path: Path, members: Members, *, honest: bool = True) -> Path:
    """Write a zip of ``members``; ``honest`` makes the manifest fit them."""
    members = dict(members)
    if honest:
        manifest = json.loads(members["manifest.json"])
        manifest["members"] = {
            name: {"sha256": hashlib.sha256(body).hexdigest(), "size": len(body)}
            for name, body in members.items()
            if name != "manifest.json"
        }
        members["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, body in members.items():
            opened.writestr(name, body)
    return path


def refused(catalog: SqliteCatalog, path: Path, reason: str) -> None:
    """Import and verify both say why, and the root is as it was."""
    before = sorted(os.listdir(catalog.root))
    with pytest.raises(HostileArchive, match=reason):
        catalog.import_archive(path)
    assert sorted(os.listdir(catalog.root)) == before
    problems = catalog.verify_archive(path)
    assert problems
    assert any(re.search(reason, problem) for problem in problems)


def change_line(members: Members, name: str, change: Callable[[dict[str, Any]], None], line: int = 0) -> Members:
    """The members with one record of a list changed."""
    lines = members[name].split(b"\n")
    record = json.loads(lines[line])
    change(record)
    lines[line] = json.dumps(record).encode()
    return {**members, name: b"\n".join(lines)}
