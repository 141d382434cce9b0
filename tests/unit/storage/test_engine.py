"""Without pysqlite3 the same contract holds over a rollback journal, and a project moves between the two."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import StorageError
from core.records import Filters
from storage.catalog import SqliteCatalog
from storage.database.engine import USES_WAL, translate
from tests.contract.builders import add

REPOSITORY = Path(__file__).resolve().parents[3]
_WITHOUT = "import sys; sys.modules['pysqlite3'] = sys.modules['pysqlite3.dbapi2'] = None\n"
_USE = """
import json, pathlib
import storage
from core.records import Filters
from tests.contract.builders import add
store = storage.open_catalog(pathlib.Path(sys.argv[1])).open(sys.argv[2])
add(store, "Written by the other library: herons.")
with store._db.read() as connection:
    (journal,) = connection.execute("PRAGMA journal_mode").fetchone()
print(json.dumps([journal, storage.engine_description(), len(store.lexical(["otter"], Filters(), 5))]))
store.close()
"""


@pytest.mark.parametrize("code", [10, 14, 8])
def test_a_file_that_cannot_be_used_names_every_likely_cause(code: int) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    found = translate(error, Path("p/project.db"))
    assert isinstance(found, StorageError)
    for cause in ("p/project.db", "moved", "read and written", "disk is not full"):
        assert cause in str(found)


def _python(code: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT + code, *arguments], cwd=REPOSITORY, text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_project_moves_between_the_two_libraries(catalog: SqliteCatalog) -> None:
    slug = catalog.create("Mover").slug
    store = catalog.open(slug)
    add(store, "Written here: otters.")
    store.close()
    journal, description, found = json.loads(_python(_USE, str(catalog.root), slug).splitlines()[-1])
    assert found == 1
    assert ("rollback journal" in description) is (journal == "delete")
    again = catalog.open(slug)
    assert len(again.lexical(["heron"], Filters(), 5)) == 1
    with again._db.read() as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal" if USES_WAL else "delete",)
    again.close()


@pytest.mark.slow
def test_the_contract_holds_with_the_standard_library() -> None:
    options = ["tests/contract/test_documents.py", "-q", "-x", "-k", "sqlite", "-p", "no:cacheprovider"]
    _python(f"import pytest\nsys.exit(pytest.main({options}))")
