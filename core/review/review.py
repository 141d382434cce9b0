"""Review of one open project: what pages and the command line may do with the decisions of people.

Every method asks the store whether what was read before still holds (``core.review.cache``), so all processes see the
same.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from core.errors import DocumentNotFound, ReviewError, RowMoved
from core.labels import DecisionKind, ItemKind, ItemState, Role
from core.ports.engines import Engines
from core.ports.store import Clock, ProjectStore
from core.records import (
    Agreement,
    Conflict,
    Decision,
    DecisionBasis,
    ImportedDecisions,
    Interval,
    Job,
    Person,
    Reliability,
    ReportStanding,
    ReviewItem,
    ReviewPolicy,
    ReviewProgress,
    ThresholdPreview,
)
from core.review.agreement import agreements
from core.review.cache import review_cache
from core.review.items import text_hash
from core.review.log import ReviewLog
from core.review.people import ReviewPeople
from core.review.state import Folded
from core.review.table import ReviewTable
from core.review.threshold import ReviewThreshold
from core.settings.values import Settings


class Reviewing:
    """The queue, decisions with undo, people, agreement, and what decisions say about the machine."""

    def __init__(
        self, store: ProjectStore, engines: Engines, settings: Settings, clock: Clock, schedule: Callable[..., Job]
    ) -> None:
        self._store = store
        self._settings = settings
        self._clock = clock
        self._cache = review_cache(store)
        self._people = ReviewPeople(store, clock)
        self._thresholds = ReviewThreshold(store, settings, schedule)
        self._log = ReviewLog(store, self._cache)

    # ------------------------------------------------------------ people

    def me(self, name: str) -> Person:
        """The person of this name with their role (``ReviewPeople``)."""
        return self._people.me(name)

    def people(self) -> list[Person]:
        """In the order in which they were added; empty while nobody was named."""
        return self._people.people()

    def set_role(self, name: str, role: Role, *, by: str) -> Person:
        """Add someone or change their role; owners only (NotAllowed, ReviewError)."""
        return self._people.set_role(name, role, by=by)

    def remove(self, name: str, *, by: str) -> None:
        """Take away someone's role; owners only (NotAllowed, ReviewError)."""
        self._people.remove(name, by=by)

    def policy(self) -> ReviewPolicy:
        """The rules of review in this project."""
        return self._people.policy()

    def set_policy(self, policy: ReviewPolicy, *, by: str) -> None:
        """Change it, all but the threshold; owners only (NotAllowed, ReviewError)."""
        self._people.set_policy(policy, by=by)

    # ------------------------------------------------------------ the queue

    def queue(
        self, by: str, *, report_id: int | None = None, kinds: Sequence[ItemKind] = (), states: Sequence[ItemState] = ()
    ) -> list[ReviewItem]:
        """The items that wait for this reviewer: those that are worth most first, postponed ones last.

        Citations that did not pass, claims that are not verified, and a few passed citations drawn by lot
        (``core.review.worth``). With ``states`` only items in those, decided ones too if asked for.

        Raises:
            ReportNotFound: no such report.
        """
        return self._table(report_id).queue(self.me(by), kinds=kinds, states=states)

    def item(self, key: str, by: str) -> ReviewItem:
        """One item as it stands for this reviewer, whether or not it is in the queue (ReviewError when it is gone)."""
        return self._table().item(key, self.me(by))

    def key_of_finding(self, finding_id: int) -> str:
        """Key of a row of a report (ReportNotFound)."""
        return self._table(self._store.finding(finding_id).report_id).key_of_finding(finding_id)

    def key_of_claim(self, claim_id: int) -> str:
        """Key of a claim (ClaimNotFound; ReviewError for one of an older version of its report)."""
        self._store.claim(claim_id)
        return self._table().key_of_claim(claim_id)

    def next_item(
        self, by: str, *, report_id: int | None = None, kinds: Sequence[ItemKind] = (), after: str = ""
    ) -> ReviewItem | None:
        """The first of the queue; with ``after`` the one that follows that item, or the first when it is last or
        gone. None when nothing else waits."""
        queue = self.queue(by, report_id=report_id, kinds=kinds)
        at = next((place for place, item in enumerate(queue) if item.key == after), -1)
        rest = [item for item in queue[at + 1 :] + queue[: at + 1] if item.key != after]
        return rest[0] if rest else None

    def progress(self, by: str, *, report_id: int | None = None, kinds: Sequence[ItemKind] = ()) -> ReviewProgress:
        """The progress of this reviewer, and the speed."""
        return self._table(report_id).progress(self.me(by), self._clock(), kinds=kinds)

    # ------------------------------------------------------------ deciding

    def decide(
        self, key: str, kind: DecisionKind, *, by: str, version: int, seen: int, reason: str = "", note: str = "",
        rewording: str = "",
    ) -> Decision:  # fmt: skip
        """Decide on an item as it was seen (``version`` and ``seen`` of the ``ReviewItem``).

        Raises:
            RowMoved: the row, or the decisions on it, changed since; nothing is written.
            NotAllowed: the person's role does not permit it.
            ReviewError: the kind does not fit the item, or what it takes (a note, a rewording) is missing.
        """
        person = self._people.require(by)
        table = self._table()
        entry = self._entry(table, key, kind, person, version, reason, note, rewording)
        others = table.sees_others(key, person)
        (stored,) = self._store.append_decisions([entry], seen={key: seen}, seen_by=None if others else person.name)
        return stored

    def undo(self, by: str) -> Decision | None:
        """Take this person's last decision back, any number of times; None when there is none. The log keeps both, so
        it works after a restart too."""
        return self._move(by, DecisionKind.UNDO)

    def redo(self, by: str) -> Decision | None:
        """Bring back the decision taken back last; a new decision clears the list of those."""
        return self._move(by, DecisionKind.REDO)

    def undoable(self, by: str) -> Decision | None:
        """The decision that ``undo`` would take back."""
        return self._folded.undoable(by.strip())

    def redoable(self, by: str) -> Decision | None:
        """The decision that ``redo`` would bring back."""
        return self._folded.redoable(by.strip())

    def history(self, key: str, by: str) -> list[Decision]:
        """Every entry of an item that this person may see, oldest first; undo and redo among them."""
        person = self.me(by)
        return self._folded.visible(key, person.name, person.role, blind=self.policy().blind)

    def _move(self, by: str, kind: DecisionKind) -> Decision | None:
        person = self._people.require(by)
        folded = self._folded
        target = folded.undoable(person.name) if kind is DecisionKind.UNDO else folded.redoable(person.name)
        if target is None:
            return None
        entry = Decision(
            0, target.item, target.item_kind, kind, person.name, self._clock(), target.basis, target=target.id
        )
        seen = {target.item: folded.newest(target.item, person.name)}
        (stored,) = self._store.append_decisions([entry], seen=seen, seen_by=person.name)
        return stored

    # ------------------------------------------------------------ several people

    def conflicts(self, by: str, *, report_id: int | None = None) -> list[Conflict]:
        """Items on which people decided differently, of those whose decisions ``by`` may see."""
        return self._table(report_id).conflicts(self.me(by))

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
        person = self._people.require(by, owner=True)
        table = self._table()
        opinions = table.opinions(key)
        if not kind.settles:
            raise ReviewError(f"{kind.value!r} settles no conflict. Accept, reject, or say what is wrong.")
        if len({opinion.kind for opinion in opinions}) < 2:
            raise ReviewError("There is no conflict on this item (any more). Reload the list.")
        at = table.row(key).basis.row_version if version is None else version
        entry = self._entry(table, key, kind, person, at, reason, note, rewording)
        settled = replace(entry, settles=tuple(opinion.id for opinion in opinions))
        (stored,) = self._store.append_decisions([settled], seen={key: seen})
        return stored

    def agreement(self, *, report_id: int | None = None) -> list[Agreement]:
        """The agreement of each two people, on what both decided before they could see each other's (adjudications left
        out)."""
        table, folded = self._table(report_id), self._folded
        items = table.keys if report_id is not None else folded.items
        decided = [folded.on_their_own(item) for item in items]
        return agreements([{by: decision.kind for by, decision in each.items()} for each in decided if len(each) > 1])

    def standing(self, report_id: int) -> ReportStanding:
        """People's decisions about the rows of a report, for whoever reads the result (exports, overview). In blind
        review what only one person decided stays out."""
        return self._table(report_id).standing()

    # ------------------------------------------------------------ the machine, by what people found

    def threshold(self) -> float:
        """The support from which on a citation passes in this project."""
        return self._thresholds.current

    def reliability(self) -> Reliability:
        """Support against the share that people accepted (``core.review.recalibrate``)."""
        return self._thresholds.reliability(self._table())

    def pass_precision(self, threshold: float | None = None) -> Interval:
        """The share of passing citations that hold, now or at another threshold."""
        return self._thresholds.precision(self._table(), threshold)

    def threshold_for(self, target: float) -> ThresholdPreview:
        """The lowest threshold that the decisions show to keep a precision, and what it would change (ReviewError:
        the target is not between 0 and 1)."""
        return self._thresholds.threshold_for(self._table(), target)

    def preview_threshold(self, value: float | None) -> ThresholdPreview:
        """The effect of a threshold; None for that of the settings (ReviewError: not between 0 and 1)."""
        return self._thresholds.preview(self._table(), value)

    def apply_threshold(self, value: float | None, *, by: str, target: float | None = None) -> int:
        """Keep another threshold for this project and decide its citations by it, without judging any again.

        Audits from now on use it; those asked for here look for other sources of what passes no more. None: the
        threshold of the settings again. Returns how many citations changed their status.

        Raises:
            NotAllowed: ``by`` is no owner.
            ReviewError: it is not between 0 and 1.
        """
        self._people.require(by, owner=True)
        return self._thresholds.apply(value, target)

    def catch_up(self) -> None:
        """Finish a change of the threshold that a crash broke off."""
        self._thresholds.catch_up()

    # ------------------------------------------------------------ the log

    def log(self) -> list[Decision]:
        """All entries in their order."""
        return self._store.decisions()

    def export_log(self, by: str = "") -> bytes:
        """The log as JSON Lines, oldest first; in blind review without what ``by`` may not see yet (``ReviewLog``)."""
        return self._log.export(self.me(by))

    def hidden_in_export(self, by: str) -> int:
        """The number of entries that ``export_log`` gives this person as hashes only, because review is blind."""
        return len(self._log.hidden_from(self.me(by)))

    def withheld(self, by: str) -> AbstractSet[int]:
        """Ids of the entries that an export for this person leaves out, as in ``export_log``; where nobody is named, as
        for a reviewer who decided on nothing."""
        return self._log.hidden_from(self.me(by) if by.strip() else Person("", Role.REVIEWER, self._clock()))

    def withheld_of(self, report_id: int, by: str) -> int:
        """The number of withheld entries about this report, or another version of it (ReportNotFound)."""
        report, hidden = self._store.report(report_id), self.withheld(by)
        family = report.family or report.id
        return (
            sum(decision.id in hidden and decision.basis.report_family == family for decision in self.log())
            if hidden
            else 0
        )

    def import_log(self, body: bytes, *, by: str) -> ImportedDecisions:
        """Add the decisions of another copy of this project; those that are here already are left alone.

        Raises:
            NotAllowed: ``by`` is no owner.
            ReviewError: it is no log, or its chain is broken; nothing is taken over.
        """
        self._people.require(by, owner=True)
        added, present = self._log.take_in(body)
        unknown = {entry.item for entry in added} - set(self._table().keys)
        return ImportedDecisions(len(added), present, len(unknown))

    # ------------------------------------------------------------ inner parts

    @property
    def _folded(self) -> Folded:
        return self._cache.folded(self._store)

    def _table(self, report_id: int | None = None) -> ReviewTable:
        judging, threshold = self._settings.verification, self.threshold()
        return self._cache.table(self._store, judging, threshold, report_id, blind=self.policy().blind)

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
        return Decision(
            0, key, row.kind, kind, person.name, self._clock(), self._with_passage(row.basis), reason=reason.strip(),
            note=note, rewording=rewording,
        )  # fmt: skip

    def _with_passage(self, basis: DecisionBasis) -> DecisionBasis:
        """The basis of a decision, with the hash of the words that decided; without it where the source is gone."""
        if basis.document_id is None or basis.start is None:
            return basis
        try:
            words = self._store.text(basis.document_id)[basis.start : basis.end]
        except DocumentNotFound:
            return basis
        return replace(basis, passage_hash=text_hash(words))


def _seen_text(text: str) -> str:
    """The typed text, without what no store keeps (NUL) and spaces around it; "" when nothing of it can be seen."""
    text = text.replace("\0", "").strip()
    return text if any(unicodedata.category(letter)[0] not in "CZ" for letter in text) else ""


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
