"""A full disk: what is there can be read and deleted, and what cannot be written says so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from storage.catalog import SqliteCatalog
from storage.tables.base import utc_now
from tests.conftest import REPOSITORY
from tests.contract.builders import add

NAME = "Trees of the Town"
CHILD = """
import logging, resource, signal, sys
from pathlib import Path
from core.errors import StorageError
from core.records import Query, SearchRequest, StageSwitches
from core.workbench.wiring import open_workbench
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # not one byte more in any file, as on a full disk
sys.stdout.reconfigure(write_through=True)
logging.disable(logging.WARNING)  # that the search is not counted
WORDS = StageSwitches(dense=False, late_interaction=False, mmr=False)
workbench = open_workbench(Path(sys.argv[1]))
print([(row.project.name, row.documents, row.problem) for row in workbench.projects()])
project = workbench.open("trees-of-the-town")
(document,) = project.sources.documents()
print(project.sources.text(document.id))
print(len(project.search(SearchRequest((Query("limes"),), stages=WORDS)).passages))
try:
    project.sources.delete(document.id)
except StorageError as error:
    print("disk is not full" in str(error))
workbench.delete("trees-of-the-town", confirm="Trees of the Town")
print(workbench.projects())
"""


def test_on_a_full_disk_a_project_is_read_and_searched_refuses_to_change_and_is_deleted_by_its_name(
    tmp_path: Path,
) -> None:
    root = tmp_path / "root"
    catalog = SqliteCatalog(root, utc_now)
    store = catalog.open(catalog.create(NAME).slug)
    add(store, "Limes cool the air.")
    store.close()
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(root)], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [f"[({NAME!r}, 1, None)]", "Limes cool the air.", "1", "True", "[]"]
