"""The budget holds between processes, not only between threads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from storage.catalog import SqliteCatalog

_BEGIN = """
import sys
from pathlib import Path
from core.errors import BudgetReached
from storage.tables.base import utc_now
from storage.store import open_store
from tests.contract.asked import make_call
store, begun = open_store(Path(sys.argv[1]), utc_now), 0
for _ in range(20):
    try:
        store.begin_call(make_call(), reserve_usd=0.05, budget_usd=1.0)
        begun += 1
    except BudgetReached:
        continue
store.close()
print(begun)
"""


def test_two_processes_do_not_spend_the_same_cent(catalog: SqliteCatalog) -> None:
    slug = catalog.create("Shared").slug
    command = [sys.executable, "-c", _BEGIN, str(catalog.root / slug)]
    root = Path(__file__).resolve().parents[3]
    started = [subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    begun = [int(one.communicate(timeout=120)[0]) for one in started]
    assert sum(begun) == 20  # 40 were asked for; 20 cost 1.00
    store = catalog.open(slug)
    assert len(store.calls()) == 20
    assert abs(sum(store.spent()) - 1.0) < 1e-9
    store.close()
