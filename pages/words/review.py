"""Words for people about review: decisions, states, progress, what moved. Pure functions over records. Text is returned
as plain text, never as markup; every state has a sign or a word, so that none is told by its colour alone. The measures
of review (agreement, calibration) have their words in ``pages.words.measures``."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.audit.wording import REASONS, STATUS, Display, reason_words
from core.labels import DecisionKind, ItemKind, ItemState, Reason, Role, Status, VerdictState
from core.records import Decision, Person, ReviewItem, ReviewProgress
from core.text.words import count_words, when_words
from pages.words.claims import VERDICTS


@dataclass(frozen=True, slots=True)
class DecisionWords:
    """The words of a decision: the button and its key, its meaning, and its name afterwards."""

    word: str
    key: str
    icon: str
    color: str
    past: str
    help: str


DECISIONS: dict[DecisionKind, DecisionWords] = {
    DecisionKind.ACCEPT: DecisionWords(
        "Accept", "A", "check_circle", "green", "accepted it", "It holds: the source says this."
    ),
    DecisionKind.REJECT: DecisionWords(
        "Reject", "X", "cancel", "red", "rejected it", "It does not hold: the source does not say this."
    ),
    DecisionKind.WRONG_SOURCE: DecisionWords(
        "Wrong source", "S", "link_off", "orange", "said it cites the wrong source", "Another source should be cited."
    ),
    DecisionKind.REWORD: DecisionWords(
        "Reword", "W", "edit_note", "blue", "reworded it", "It holds when it is put differently. You write how."
    ),
    DecisionKind.POSTPONE: DecisionWords(
        "Postpone", "P", "schedule", "gray", "postponed it", "Not now. It comes back after all others."
    ),
    DecisionKind.NOTE: DecisionWords(
        "Note", "N", "sticky_note_2", "gray", "left a note", "Write something down, or say why you decide as you do."
    ),
    DecisionKind.UNDO: DecisionWords("Undo", "U", "undo", "gray", "took it back", "Take your last decision back."),
    DecisionKind.REDO: DecisionWords(
        "Redo", "Y", "redo", "gray", "brought it back", "Bring back the decision that you took back last."
    ),
}
"""Every entry of the log. ``C`` and ``R`` are keys of Streamlit itself."""

OFFERED = (
    DecisionKind.ACCEPT, DecisionKind.REJECT, DecisionKind.REWORD, DecisionKind.WRONG_SOURCE, DecisionKind.POSTPONE,
    DecisionKind.NOTE,
)  # fmt: skip
"""The decisions in the order of their buttons."""

_ANSWERS: dict[DecisionKind, str] = {
    DecisionKind.REJECT: "No",
    DecisionKind.REWORD: "Partly",
    DecisionKind.POSTPONE: "Later",
}

NEXT_KEY, BEFORE_KEY = "J", "K"

STATES: dict[ItemState, Display] = {
    ItemState.OPEN: Display("•", "radio_button_unchecked", "blue", "Open", "Nobody has decided on it yet."),
    ItemState.POSTPONED: Display("…", "schedule", "gray", "Postponed", "You put it off."),
    ItemState.STALE: Display(
        "↻", "update", "orange", "Changed since", "Something changed after the decision; it asks for another look."
    ),
    ItemState.CONFLICT: Display("≠", "compare_arrows", "red", "In conflict", "Two people decided differently."),
    ItemState.DECIDED: Display("✓", "check_circle", "green", "Decided", "A person has decided on it."),
}
"""Every state of an item."""

KINDS: dict[ItemKind, tuple[str, str, str]] = {
    ItemKind.CITATION: ("Citation", "Does the source say this?", "fact_check"),
    ItemKind.CLAIM: ("Claim", "Do the sources say this?", "rule"),
}
"""The kinds of items: the word, the question a person answers, the icon."""

ROLES: dict[Role, tuple[str, str]] = {
    Role.VIEWER: ("Viewer", "may look"),
    Role.REVIEWER: ("Reviewer", "may look and decide"),
    Role.OWNER: ("Owner", "may also say who takes part and how"),
}
"""Every role in a word, and what it allows."""

WHY: tuple[Reason, ...] = (
    Reason.CONTRADICTED,
    Reason.NUMBER_MISMATCH,
    Reason.QUOTE_ALTERED,
    Reason.NOT_MENTIONED,
    Reason.PARTIAL,
    Reason.WRONG_SOURCE,
    Reason.SOURCE_UNREADABLE,
    Reason.LINK_DEAD,
)
"""The reasons that a person can give for a decision."""


def answer_words(kind: DecisionKind, item: ItemKind | None) -> str:
    """A decision as an answer to the question on the page: ``Yes, it says so``, ``No``, ``Partly``."""
    if kind is DecisionKind.ACCEPT:
        return "Yes, they say so" if item is ItemKind.CLAIM else "Yes, it says so"
    return _ANSWERS.get(kind, DECISIONS[kind].word)


def strip(queue: Sequence[ReviewItem], key: str, most: int = 9) -> list[tuple[int, ReviewItem]]:
    """The items around the one looked at, at most ``most``, each with its place in the queue (from 1)."""
    at = place_of(queue, key) or 0
    first = max(0, min(at - most // 2, len(queue) - most))
    return list(enumerate(queue[first : first + most], first + 1))


def machine_words(item: ReviewItem) -> Display:
    """The machine's result for an item: the status of a citation, the verdict on a claim."""
    if item.kind is ItemKind.CITATION:
        return STATUS[Status(item.machine) if item.machine in set(Status) else None]
    return VERDICTS[VerdictState(item.machine) if item.machine in set(VerdictState) else None]


def reason_code_words(code: str) -> str:
    """A stored reason code in words; a code of another version stands as it is."""
    return reason_words(Reason(code)) if code in {reason.value for reason in REASONS} else code.replace("_", " ")


def support_line(item: ReviewItem) -> str:
    """The chance that the machine gives, one sentence; "" where it compared nothing."""
    if item.support is None:
        return ""
    return f"It puts the chance that the source says this at {item.support:.0%}."


def place_of(queue: Sequence[ReviewItem], key: str) -> int | None:
    """The place of an item in the queue, from 0; None when it is not in it."""
    return next((at for at, item in enumerate(queue) if item.key == key), None)


def neighbour_keys(queue: Sequence[ReviewItem], key: str) -> tuple[str | None, str | None]:
    """Keys of the items before and after this one; of one that is not in the queue, None and the first."""
    at = place_of(queue, key)
    if at is None:
        return None, queue[0].key if queue else None
    before = queue[at - 1].key if at else None
    return before, queue[at + 1].key if at + 1 < len(queue) else None


def place_words(queue: Sequence[ReviewItem], key: str) -> str:
    """``3 of 17 in the queue``, or that it is not in it; and how many of them are spot checks. Which ones is not said:
    what the machine found must not speak before the reader has looked."""
    at = place_of(queue, key)
    if at is None:
        return "not in the queue"
    drawn = sum(item.kind is ItemKind.CITATION and item.machine == Status.PASS.value for item in queue)
    lot = f", {count_words(drawn, 'spot check')} of passed citations among them" if drawn else ""
    return f"{at + 1:,} of {len(queue):,} in the queue{lot}"


def time_words(minutes: float | None) -> str:
    """Minutes left, coarse: ``under a minute``, ``9 minutes``, ``2 hours``."""
    if minutes is None:
        return ""
    if minutes < 1:
        return "under a minute"
    if minutes < 90:
        return count_words(round(minutes), "minute")
    return count_words(round(minutes / 60), "hour")


def progress_line(decided: int, total: int) -> str:
    if not total:
        return "Nothing to review yet"
    if decided >= total:
        return f"All {total:,} decided" if total > 1 else "The one item is decided"
    return f"{decided:,} of {total:,} decided"


def pace_line(progress: ReviewProgress) -> str:
    """The other counts, the pace, and the time left: one line, "" when there is nothing to show."""
    parts = []
    if progress.conflicts:
        parts.append(f"{progress.conflicts:,} in conflict")
    if progress.stale:
        parts.append(f"{progress.stale:,} changed since")
    if progress.postponed:
        parts.append(f"{progress.postponed:,} postponed")
    if progress.today:
        parts.append(f"{progress.today:,} by you today")
    if progress.median_seconds is not None:
        parts.append(f"about {max(1, round(progress.median_seconds)):,} s each")
    if left := time_words(progress.minutes_left):
        parts.append(f"{left} left")
    return " · ".join(parts)


def decided_words(decision: Decision, now: datetime, me: str = "") -> str:
    """A decision with its person and its age: ``You rejected it, 5 minutes ago``."""
    who = "You" if decision.by == me else decision.by
    words = DECISIONS[decision.kind].past
    if decision.settles:
        words = f"settled a conflict: {words}"
    if decision.target is not None:
        words = f"took entry {decision.target} back" if decision.kind is DecisionKind.UNDO else words
        words = f"brought entry {decision.target} back" if decision.kind is DecisionKind.REDO else words
    return f"{who} {words}, {when_words(decision.at, now)}"


def decision_details(decision: Decision) -> list[str]:
    """The reason, note and wording of a decision and what it rested on, a line each."""
    lines = []
    if decision.reason:
        lines.append(f"Reason: {reason_code_words(decision.reason)}")
    if decision.note:
        lines.append(f"Note: {decision.note}")
    if decision.rewording:
        lines.append(f"Better: {decision.rewording}")
    basis = decision.basis
    if basis.machine and decision.kind not in (DecisionKind.UNDO, DecisionKind.REDO):
        sure = "" if basis.support is None else f", support {basis.support:.2f} of 1"
        lines.append(f"The machine said then: {_machine(basis.machine)}{sure}")
    return lines


def _machine(value: str) -> str:
    if value in set(Status):
        return STATUS[Status(value)].word
    return VERDICTS[VerdictState(value)].word if value in set(VerdictState) else value


def undone_ids(history: Sequence[Decision]) -> set[int]:
    """Ids of the entries that stand taken back at the end of this history."""
    undone: set[int] = set()
    for entry in history:
        if entry.kind is DecisionKind.UNDO and entry.target is not None:
            undone.add(entry.target)
        elif entry.kind is DecisionKind.REDO and entry.target is not None:
            undone.discard(entry.target)
    return undone


def done_line(decision: Decision, text: str) -> str:
    """The line below the buttons after a decision."""
    words = {
        DecisionKind.ACCEPT: "Accepted",
        DecisionKind.REJECT: "Rejected",
        DecisionKind.WRONG_SOURCE: "Marked as citing the wrong source",
        DecisionKind.REWORD: "Reworded",
        DecisionKind.POSTPONE: "Postponed",
        DecisionKind.NOTE: "Note kept",
        DecisionKind.UNDO: "Taken back; here it is again",
        DecisionKind.REDO: "Brought back",
    }[decision.kind]
    return f"{words}: {text}" if text else words


def moved_line(seen: ReviewItem | None, now_is: ReviewItem | None) -> str:
    """The change of an item between the look and the decision. ``now_is`` is None when it is gone."""
    nothing = "Nothing was written."
    if now_is is None:
        return (
            f"This item is gone: its report was deleted, checked again, or replaced while you looked at it. {nothing}"
        )
    decision = now_is.decision
    if decision is not None and (seen is None or seen.decision is None or seen.decision.id != decision.id):
        words = DECISIONS[decision.kind].past
        return f"While you looked at it, {decision.by} {words}. {nothing} This is how it stands now; decide again."
    if seen is not None and seen.version != now_is.version:
        old, new = machine_words(seen).word, machine_words(now_is).word
        change = f" The machine said {old} and says {new} now." if old != new else ""
        return f"It was checked again while you looked at it.{change} {nothing} Look again, then decide."
    return f"Something about it changed while you looked at it. {nothing} This is how it stands now; decide again."


def person_line(person: Person) -> str:
    """A person's role in words."""
    word, may = ROLES[person.role]
    return f"{word}: {may}"


def may_decide(person: Person) -> bool:
    """True when this person may decide. Only for what is shown: the core enforces it."""
    return person.role in (Role.REVIEWER, Role.OWNER)


def cannot_decide_line(people: Sequence[Person]) -> str:
    """The hint for someone who may only look."""
    owners = [person.name for person in people if person.role is Role.OWNER]
    whom = " or ".join(owners[:3]) or "the owner of this project"
    return f"You may look, not decide. {whom} can let you review, under “People and settings”."
