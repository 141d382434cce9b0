"""The budget holds between processes, not only between threads."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

from core.errors import BudgetReached
from storage.base import utc_now
from storage.catalog import SqliteCatalog
from storage.store import open_store
from tests.contract.asked import make_call

_CALLS, _EACH = 20, 0.05


def _begin_calls(folder: Path) -> int:
    """How many of the calls this process may make."""
    store = open_store(folder, utc_now)
    begun = 0
    for _ in range(_CALLS):
        try:
            store.begin_call(make_call(), reserve_usd=_EACH, budget_usd=1.0)
            begun += 1
        except BudgetReached:
            continue
    store.close()
    return begun


def test_two_processes_do_not_spend_the_same_cent(catalog: SqliteCatalog) -> None:
    slug = catalog.create("Shared").slug
    folder = catalog.root / slug
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        begun = pool.map(_begin_calls, [folder, folder], chunksize=1)
    assert sum(begun) == 20  # 40 were asked for; 20 cost 1.00
    store = catalog.open(slug)
    assert len(store.calls()) == 20
    assert abs(sum(store.spent()) - 1.0) < 1e-9
    store.close()
