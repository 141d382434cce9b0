"""Review of one open project: what pages and the command line may do with the decisions of people. Every method asks
the store whether what was read before still holds (``core.review.cache``), so all processes see the same."""

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from core.audit.outcome import can_be_read
from core.errors import DocumentNotFound, NoteMissing, ReviewError, RowMoved
from core.labels import DecisionKind, ItemKind, ItemState
from core.ports.context import ProjectContext
from core.records import (
    Agreement,
    Conflict,
    Decision,
    DecisionBasis,
    Finding,
    Person,
    ReportStanding,
    ReviewItem,
    ReviewProgress,
)
from core.review.agreement import agreements
from core.review.cache import ReviewTables
from core.review.items import text_hash
from core.review.log import ReviewLog
from core.review.people import ReviewPeople
from core.review.table import ReviewTable
from core.review.threshold import ReviewThreshold


class Reviews:
    """The queue, decisions with undo, and agreement. ``people`` are those who review here, ``log`` is the log of
    decisions, ``threshold`` what decisions say about the machine."""

    def __init__(self, context: ProjectContext) -> None:
        self._store, self._clock = context.store, context.clock
        self._tables = ReviewTables(context)
        self.people = ReviewPeople(context)
        self.log = ReviewLog(context, self.people, self._tables)
        self.threshold = ReviewThreshold(context, self.people, self._tables)

    def queue(
        self, by: str, *, report_id: int | None = None, kinds: Sequence[ItemKind] = (), states: Sequence[ItemState] = ()
    ) -> list[ReviewItem]:
        """The items that wait for this reviewer: those worth a look most come first, postponed ones last. Citations
        that did not pass, claims that are not verified, and a few passed citations drawn by lot (``core.review.rows``).
        With ``states`` only items in those, decided ones too if asked for. Raises ReportNotFound: no such report."""
        return self._tables.of(report_id).queue(self.people.me(by), kinds=kinds, states=states)

    def item(self, key: str, by: str) -> ReviewItem:
        """One item as it stands for this reviewer, whether or not it is in the queue (ReviewError when it is gone)."""
        return self._tables.of().item(key, self.people.me(by))

    def key_of_finding(self, finding_id: int) -> str:
        """Key of a row of a report (ReportNotFound)."""
        return self._tables.of(self._store.finding(finding_id).report_id).key_of_finding(finding_id)

    def key_of_claim(self, claim_id: int) -> str:
        """Key of a claim (ClaimNotFound; ReviewError for one of an older version of its report)."""
        self._store.claim(claim_id)
        return self._tables.of().key_of_claim(claim_id)

    def progress(self, by: str, *, report_id: int | None = None, kinds: Sequence[ItemKind] = ()) -> ReviewProgress:
        """Counts by state, and the pace of this reviewer."""
        return self._tables.of(report_id).progress(self.people.me(by), self._clock(), kinds=kinds)

    def decide(
        self, key: str, kind: DecisionKind, *, by: str, version: int, seen: int, reason: str = "", note: str = "",
        rewording: str = "",
    ) -> Decision:  # fmt: skip
        """Decide on an item as it was seen (``version`` and ``seen`` of the ``ReviewItem``).

        Raises:
            RowMoved: the row, or the decisions on it, changed since; nothing is written.
            NotAllowed: the person's role does not permit it.
            NoteMissing: the source of an accepted citation is not here, and no note says where it was checked.
            ReviewError: the kind does not fit the item, or what it takes (a note, a rewording) is missing.
        """
        person = self.people.require(by)
        table = self._tables.of()
        entry = self._entry(table, key, kind, person, version, reason, note, rewording)
        others = table.sees_others(key, person)
        (decision,) = self._store.append_decisions([entry], seen={key: seen}, seen_by=None if others else person.name)
        return decision

    def undo(self, by: str) -> Decision | None:
        """Take this person's last decision back, any number of times; None when there is none. The log keeps both, so
        it works after a restart too."""
        return self._move(by, DecisionKind.UNDO)

    def redo(self, by: str) -> Decision | None:
        """Bring back the decision taken back last; a new decision clears the list of those."""
        return self._move(by, DecisionKind.REDO)

    def undoable(self, by: str) -> Decision | None:
        """The decision that ``undo`` would take back."""
        return self._tables.log().undoable(by.strip())

    def redoable(self, by: str) -> Decision | None:
        """The decision that ``redo`` would bring back."""
        return self._tables.log().redoable(by.strip())

    def history(self, key: str, by: str) -> list[Decision]:
        """Every entry of an item that this person may see, oldest first; undo and redo among them."""
        person = self.people.me(by)
        return self._tables.log().visible(key, person.name, person.role, blind=self._store.review_policy().blind)

    def _move(self, by: str, kind: DecisionKind) -> Decision | None:
        person = self.people.require(by)
        folded = self._tables.log()
        target = folded.undoable(person.name) if kind is DecisionKind.UNDO else folded.redoable(person.name)
        if target is None:
            return None
        entry = Decision(
            0, target.item, target.item_kind, kind, person.name, self._clock(), target.basis, target=target.id
        )
        seen = {target.item: folded.newest(target.item, person.name)}
        (decision,) = self._store.append_decisions([entry], seen=seen, seen_by=person.name)
        return decision

    def conflicts(self, by: str, *, report_id: int | None = None) -> list[Conflict]:
        """Items on which people decided differently, of those whose decisions ``by`` may see."""
        return self._tables.of(report_id).conflicts(self.people.me(by))

    def adjudicate(
        self, key: str, kind: DecisionKind, *, by: str, seen: int, version: int | None = None, reason: str = "",
        note: str = "", rewording: str = "",
    ) -> Decision:  # fmt: skip
        """Settle a conflict; what was decided before stays in the history and counts no more.

        Args:
            seen: ``seen`` of the conflict's item; with ``version`` the row too must be as it was seen.

        Raises:
            RowMoved: somebody decided since; nothing is written.
            NotAllowed: ``by`` is no owner.
            ReviewError: there is no conflict on it, or the kind settles nothing.
        """
        person = self.people.require(by, owner=True)
        table = self._tables.of()
        opinions = table.opinions(key)
        if not kind.settles:
            raise ReviewError(f"{kind.value!r} settles no conflict. Accept, reject, or say what is wrong.")
        if len({opinion.kind for opinion in opinions}) < 2:
            raise ReviewError("There is no conflict on this item (any more). Reload the list.")
        at = table.row(key).basis.row_version if version is None else version
        entry = self._entry(table, key, kind, person, at, reason, note, rewording)
        settled = replace(entry, settles=tuple(opinion.id for opinion in opinions))
        (decision,) = self._store.append_decisions([settled], seen={key: seen})
        return decision

    def agreement(self, *, report_id: int | None = None) -> list[Agreement]:
        """The agreement of each two people, on items that both decided before they could see each other's decision
        (adjudications left out)."""
        table, folded = self._tables.of(report_id), self._tables.log()
        items = table.keys if report_id is not None else folded.items
        decided = [folded.on_their_own(item) for item in items]
        return agreements([{by: decision.kind for by, decision in each.items()} for each in decided if len(each) > 1])

    def standing(self, report_id: int) -> ReportStanding:
        """The decisions of people about the rows of a report, for readers of the result (exports, overview). In blind
        review the decision of a single person stays out."""
        return self._tables.of(report_id).standing()

    def _entry(
        self, table: ReviewTable, key: str, kind: DecisionKind, person: Person, version: int, reason: str, note: str,
        rewording: str,
    ) -> Decision:  # fmt: skip
        row = table.row(key)
        if row.basis.row_version != version:
            raise RowMoved(
                f"It was changed meanwhile (version {row.basis.row_version}, you saw {version}). Nothing was stored; "
                "look at it again, then decide."
            )
        note, rewording = _seen_text(note), _seen_text(rewording)
        _require_fitting(row.kind, kind, note, rewording)
        if kind is DecisionKind.ACCEPT and not note and isinstance(row.item, Finding) and not can_be_read(row.item):
            raise NoteMissing(
                "The text of the cited source is not in this project, so nothing here shows that it holds. Say in the "
                "note where it was checked, such as “checked elsewhere: the printed edition, page 12”."
            )
        return Decision(
            0, key, row.kind, kind, person.name, self._clock(), self._with_passage(row.basis), reason=reason.strip(),
            note=note, rewording=rewording,
        )  # fmt: skip

    def _with_passage(self, basis: DecisionBasis) -> DecisionBasis:
        """The basis of a decision with the hash of the words that decided; without it where the source is gone."""
        if basis.document_id is None or basis.start is None:
            return basis
        try:
            words = self._store.text(basis.document_id)[basis.start : basis.end]
        except DocumentNotFound:
            return basis
        return replace(basis, passage_hash=text_hash(words))


def _seen_text(text: str) -> str:
    """The typed text without NUL, which no store keeps, and spaces around it; "" when nothing of it is visible."""
    typed = text.replace("\0", "").strip()
    return typed if any(unicodedata.category(letter)[0] not in "CZ" for letter in typed) else ""


def _require_fitting(item: ItemKind, kind: DecisionKind, note: str, rewording: str) -> None:
    if kind in (DecisionKind.UNDO, DecisionKind.REDO):
        raise ReviewError("Undo and redo are asked for by themselves, not decided on an item.")
    if kind is DecisionKind.WRONG_SOURCE and item is ItemKind.CLAIM:
        raise ReviewError("A claim cites no source, so it cannot cite the wrong one. Accept, reject or reword it.")
    if kind is DecisionKind.NOTE and not note:
        raise ReviewError("The note is empty. Write something down, or decide.")
    if kind is DecisionKind.REWORD and not rewording:
        raise ReviewError("The new wording is missing. Write how the claim should read.")
    if rewording and kind is not DecisionKind.REWORD:
        raise ReviewError("Only a decision to reword carries a wording. Choose reword, or leave it out.")
