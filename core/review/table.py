"""Rows and decisions of a project put together: each item as it stands for one reviewer."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from itertools import pairwise
from statistics import median

from core import records
from core.audit.outcome import can_be_read
from core.errors import ReviewError, RowMoved
from core.labels import DecisionKind, ItemKind, ItemState, Role
from core.review.items import Origin, Row, earlier_decisions, origin, why_stale
from core.review.rows import ReviewRows, Weighed
from core.review.state import Folded, standing_of

PAUSE_S = 600.0
"""Decisions of one person further apart than this had a pause between them."""
_LEAST_GAPS = 3
_WAITING = (ItemState.OPEN, ItemState.STALE, ItemState.POSTPONED)


class ReviewTable:
    """Items of some rows. ``blind``: reviewers do not see each other's decisions before both decided. Rows and log do
    not change under it, so each item is put together once for a person. ``before``: a table of the same rows and a
    shorter log, of which the items that nobody decided on since are taken over."""

    def __init__(self, rows: ReviewRows, folded: Folded, *, blind: bool, before: ReviewTable | None = None) -> None:
        self._rows, self._folded, self._blind = rows, folded, blind
        self._items: dict[tuple[str, Role], dict[str, records.ReviewItem | None]] = {}
        if before is not None and before._rows is rows and before._blind is blind:
            fresh = {entry.item for entry in folded.after(before._folded)}
            if fresh <= rows.weighed.keys():  # else what was decided on items that are gone is told elsewhere
                for person, items in list(before._items.items()):
                    self._items[person] = {key: entry for key, entry in dict(items).items() if key not in fresh}

    def is_of(self, rows: ReviewRows, folded: Folded, *, blind: bool) -> bool:
        """True when it was made of exactly these."""
        return self._rows is rows and self._folded is folded and self._blind is blind

    @property
    def keys(self) -> Sequence[str]:
        return list(self._rows.weighed)

    @property
    def folded(self) -> Folded:
        return self._folded

    def rows(self) -> Iterable[Row]:
        return self._rows.rows

    def row(self, key: str) -> Row:
        """The row of a key (RowMoved when it is not there any more)."""
        return self._weighed(key, RowMoved).row

    def key_of_finding(self, finding_id: int) -> str:
        return self._rows.by_finding[finding_id]

    def key_of_claim(self, claim_id: int) -> str:
        """Key of a claim."""
        key = self._rows.by_claim.get(claim_id)
        if key is None:
            raise ReviewError("This claim is of an older version of its report. Take claims out of the newest one.")
        return key

    def _weighed(self, key: str, error: type[ReviewError] | type[RowMoved]) -> Weighed:
        weighed = self._rows.weighed.get(key)
        if weighed is None:
            raise error(
                "This item is not there any more: its report was deleted or replaced, or its claim removed. Nothing "
                "was stored; reload the list."
            )
        return weighed

    def item(self, key: str, person: records.Person) -> records.ReviewItem:
        """One item as it stands for this person. Raises ReviewError: it is not there (any more)."""
        return self._item(self._weighed(key, ReviewError), person)

    def queue(
        self, person: records.Person, *, kinds: Sequence[ItemKind] = (), states: Sequence[ItemState] = ()
    ) -> list[records.ReviewItem]:
        """Items by worth; postponed ones last."""
        wanted = tuple(states) or _WAITING
        items = [item for item in self._reviewed(person, kinds) if item.state in wanted]
        return sorted(items, key=lambda item: (item.state is ItemState.POSTPONED, -item.worth, item.kind, item.ordinal))

    def progress(
        self, person: records.Person, now: datetime, *, kinds: Sequence[ItemKind] = ()
    ) -> records.ReviewProgress:
        """Counts by state, and the pace of this person."""
        count = Counter(item.state for item in self._reviewed(person, kinds))
        times = [
            entry.at
            for entry in self._folded.all_entries()
            if entry.by == person.name and (entry.kind.settles or entry.kind is DecisionKind.POSTPONE)
        ]
        gaps = [(after - before).total_seconds() for before, after in pairwise(times)]
        gaps = [gap for gap in gaps if 0 <= gap < PAUSE_S]
        pace = median(gaps) if len(gaps) >= _LEAST_GAPS else None
        left = sum(count[state] for state in _WAITING)
        return records.ReviewProgress(
            total=count.total(), decided=count[ItemState.DECIDED], postponed=count[ItemState.POSTPONED],
            stale=count[ItemState.STALE], conflicts=count[ItemState.CONFLICT], open=count[ItemState.OPEN],
            today=sum(at.date() == now.astimezone(at.tzinfo).date() for at in times), median_seconds=pace,
            minutes_left=pace * left / 60 if pace is not None else None,
        )  # fmt: skip

    def sees_others(self, key: str, person: records.Person) -> bool:
        """True when this person may know what others decided on an item."""
        return self._folded.sees_others(key, person.name, person.role, blind=self._blind)

    def conflicts(self, person: records.Person) -> list[records.Conflict]:
        """Items on which people disagree, as far as this person may see that."""
        disagreed = []
        for weighed in self._rows.weighed.values():
            key = weighed.row.key
            opinions = self._folded.opinions(key)
            if len({opinion.kind for opinion in opinions}) > 1 and self.sees_others(key, person):
                disagreed.append(records.Conflict(self._item(weighed, person), tuple(opinions)))
        return disagreed

    def _reviewed(self, person: records.Person, kinds: Sequence[ItemKind]) -> list[records.ReviewItem]:
        """Items that need a look, and those that one decided on anyway."""
        items = self._items.setdefault((person.name, person.role), {})
        for key, weighed in self._rows.weighed.items():
            if key not in items:
                items[key] = self._reviewed_item(weighed, person)
        reviewed = (items[key] for key in self._rows.weighed)
        return [item for item in reviewed if item is not None and (not kinds or item.kind in kinds)]

    def _reviewed_item(self, weighed: Weighed, person: records.Person) -> records.ReviewItem | None:
        if not weighed.needs and not self._folded.active(weighed.row.key):
            return None
        item = self._item(weighed, person)
        return item if weighed.needs or item.decision is not None else None

    def _item(self, weighed: Weighed, person: records.Person) -> records.ReviewItem:
        row, key = weighed.row, weighed.row.key
        stale = {entry.id: why_stale(entry.basis, row.basis) for entry in self._folded.active(key)}
        state, decision = self._folded.standing_for(key, person.name, person.role, blind=self._blind, stale=stale)
        seen = self._folded.newest(key, None if self.sees_others(key, person) else person.name)
        basis = row.basis
        return records.ReviewItem(
            key=key, kind=row.kind, row_id=basis.row_id, version=basis.row_version, seen=seen, text=_text_of(row),
            machine=basis.machine, reasons=basis.reasons, support=basis.support, worth=weighed.worth,
            worth_why=weighed.why, state=state, report_id=basis.report_id, document_id=basis.document_id,
            ordinal=row.ordinal, decision=decision, stale_why=stale.get(decision.id, "") if decision else "",
            earlier=() if decision is not None else self._earlier(row, person),
            takes_note=isinstance(row.item, records.Finding) and not can_be_read(row.item),
        )  # fmt: skip

    def _earlier(self, row: Row, person: records.Person) -> tuple[records.Decision, ...]:
        entries = [entry for entry in self._gone.get(origin(row.basis), ()) if self._may_see(entry, person)]
        return earlier_decisions(row, entries, self._rows.weighed) if entries else ()

    @cached_property
    def _gone(self) -> Mapping[Origin, list[records.Decision]]:
        """Decisions in force on items that have no row any more, by what they cited."""
        gone: dict[Origin, list[records.Decision]] = defaultdict(list)
        for item in self._folded.items:
            if item not in self._rows.weighed:
                for decision in self._folded.active(item):
                    gone[origin(decision.basis)].append(decision)
        return gone

    def _may_see(self, decision: records.Decision, person: records.Person) -> bool:
        return decision.by == person.name or self.sees_others(decision.item, person)

    def opinions(self, key: str) -> list[records.Decision]:
        """The decisions that count on an item, oldest first."""
        return self._folded.opinions(key)

    def standing(self) -> records.ReportStanding:
        """People's decision about each row."""
        findings: dict[int, records.Standing] = {}
        claims: dict[int, records.Standing] = {}
        for row in self._rows.rows:
            standing = standing_of(self._folded, row.key, blind=self._blind)
            if standing is not None:
                if standing.decision is not None:
                    standing = replace(standing, stale=why_stale(standing.decision.basis, row.basis))
                (findings if row.kind is ItemKind.CITATION else claims)[row.basis.row_id] = standing
        return records.ReportStanding(findings, claims)


def _text_of(row: Row) -> str:
    if isinstance(row.item, records.Claim):
        return row.item.text
    assert isinstance(row.item, records.Finding)
    return row.item.claim_text or row.item.marker_text
