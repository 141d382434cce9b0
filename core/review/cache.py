"""Log and rows of a project as review has read them, kept until they change: every click needs all of them. Before
anything kept is used, the store is asked whether it still holds: the newest entry of the log (``decision_head``) and a
stamp of the rows (``review_stamp``), a few numbers each. So what another process decided or judged is seen at the next
call. Entries are never changed, so the log is only read on."""

import threading
from weakref import WeakKeyDictionary

from core.ports.context import ProjectContext
from core.ports.store import ProjectStore
from core.review.rows import ReviewRows
from core.review.state import Folded
from core.review.table import ReviewTable
from core.settings.values import Verification
from core.text.lru import Lru

SCOPES = 3
"""Reports of a project (or all of them) whose rows are kept at the same time."""

_Basis = tuple[tuple[int, ...], float, Verification]


class ReviewCache:
    """Log and rows of one project. Safe between threads; what it hands out does not change any more."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._head: tuple[int, str] = (0, "")
        self._folded = Folded(())
        self._rows: Lru[int | None, tuple[_Basis, ReviewRows]] = Lru(SCOPES)
        self._tables: dict[int | None, ReviewTable] = {}

    def folded(self, store: ProjectStore) -> Folded:
        with self._lock:
            return self._log(store)

    def table(
        self, store: ProjectStore, settings: Verification, threshold: float, report_id: int | None, *, blind: bool
    ) -> ReviewTable:
        """Rows of a report (None: of all) and decisions, as they are now (ReportNotFound)."""
        with self._lock:
            rows, folded = self._rows_of(store, settings, threshold, report_id), self._log(store)
            table = self._tables.get(report_id)
            if table is None or not table.is_of(rows, folded, blind=blind):
                table = self._tables[report_id] = ReviewTable(rows, folded, blind=blind, before=table)
            return table

    def _log(self, store: ProjectStore) -> Folded:
        head = store.decision_head()
        if head != self._head:
            fresh = [decision for decision in store.decisions(after=self._head[0]) if decision.id <= head[0]]
            self._folded, self._head = self._folded.extended(fresh), head
        return self._folded

    def _rows_of(
        self, store: ProjectStore, settings: Verification, threshold: float, report_id: int | None
    ) -> ReviewRows:
        # The stamp comes first: a change while rows are read makes the next call read them again.
        basis = (store.review_stamp(), threshold, settings)
        state = self._rows.get(report_id)
        if state is None or state[0] != basis:
            state = (basis, ReviewRows(store, settings, threshold, report_id=report_id))
        for scope in self._rows.put(report_id, state):
            self._tables.pop(scope, None)
        return state[1]


_CACHES: WeakKeyDictionary[ProjectStore, ReviewCache] = WeakKeyDictionary()
_CACHES_LOCK = threading.Lock()


def review_cache(store: ProjectStore) -> ReviewCache:
    """The log and rows kept of this store's project, for as long as the store is open somewhere."""
    with _CACHES_LOCK:
        cache = _CACHES.get(store)
        if cache is None:
            cache = _CACHES[store] = ReviewCache()
        return cache


class ReviewTables:
    """The rows and decisions of one project as they are now, read through what is kept of it."""

    def __init__(self, context: ProjectContext) -> None:
        self._store, self._settings = context.store, context.settings.verification
        self._cache = review_cache(context.store)

    def threshold(self) -> float:
        """The support from which on a citation passes in this project."""
        chosen = self._store.review_policy().threshold
        return self._settings.pass_support if chosen is None else chosen

    def log(self) -> Folded:
        return self._cache.folded(self._store)

    def of(self, report_id: int | None = None) -> ReviewTable:
        """Rows of a report (None: of all) with their decisions (ReportNotFound)."""
        blind = self._store.review_policy().blind
        return self._cache.table(self._store, self._settings, self.threshold(), report_id, blind=blind)
