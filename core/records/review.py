"""People's decisions about claims and citations, and the basis of each decision."""

from dataclasses import dataclass, field
from datetime import datetime

from core.labels import DecisionKind, ItemKind, ItemState, Role


@dataclass(frozen=True, slots=True)
class DecisionBasis:
    """Everything a decision was based on, as it was then.

    ``report_hash`` and ``source_hash`` are the SHA-256 of the texts ("" where there is none), ``claim_hash`` that of
    ``claim_text``; ``start``/``end`` are the place of the deciding passage in the source and ``passage_hash`` the
    SHA-256 of its words. ``machine`` is the status (of a claim: the state of its verdict) that the machine gave,
    ``support`` its calibrated support, 0 to 1, ``threshold`` the support from which on it passed. ``fingerprint`` names
    the models and settings that judged. ``row_version`` is the version of the row that the person saw.
    """

    row_id: int
    row_version: int
    claim_text: str
    claim_hash: str
    report_id: int | None = None
    report_family: int | None = None
    report_hash: str = ""
    marker_text: str = ""
    reference_text: str = ""
    document_id: str | None = None
    source_hash: str = ""
    start: int | None = None
    end: int | None = None
    passage_hash: str = ""
    machine: str = ""
    reasons: tuple[str, ...] = ()
    support: float | None = None
    threshold: float | None = None
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """One entry of the log, never changed and never removed.

    ``id`` counts from 1 without gaps. ``item`` is the stable key of what was decided (``core.review.items``).
    ``reason`` is a code chosen by the person ("" for none). ``rewording`` belongs to ``reword``. ``target`` is the
    entry that an ``undo`` takes back or a ``redo`` brings back; ``settles`` are the entries that an adjudication
    settles. ``hash`` is the SHA-256 of the entry as canonical JSON with ``previous``, the hash of the entry before it
    ("" for the first): changing or leaving out one breaks every later one (``core.records.decision_chain``).
    """

    id: int
    item: str
    item_kind: ItemKind
    kind: DecisionKind
    by: str
    at: datetime
    basis: DecisionBasis
    reason: str = ""
    note: str = ""
    rewording: str = ""
    target: int | None = None
    settles: tuple[int, ...] = ()
    previous: str = ""
    hash: str = ""


@dataclass(frozen=True, slots=True)
class Redacted:
    """An entry of the log of which only its place in the chain is handed over, because the reader may not see the rest:
    number, hash of the entry before, own hash. Its content is not known, so its hash is taken at its word."""

    id: int
    previous: str
    hash: str


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who may look at or review this project. ``name`` is what their decisions carry."""

    name: str
    role: Role
    created: datetime


@dataclass(frozen=True, slots=True)
class ReviewPolicy:
    """The rules of review in a project. ``blind``: reviewers do not see each other's decisions before both decided.
    ``threshold``: support from which on a citation passes here, None for the setting of the installation;
    ``target_precision`` is what it was chosen for (0 to 1)."""

    blind: bool = False
    threshold: float | None = None
    target_precision: float | None = None


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """A claim or citation in the queue of one reviewer. ``worth`` is how much a look is worth, 0 to 1, ``worth_why``
    one line. ``version`` and ``seen`` (the newest entry of the log on this item that the reviewer may know, 0 for none)
    go back with a decision: it is refused when either has moved. ``decision`` is the one in force for this reviewer;
    ``stale_why`` says what changed since. ``takes_note``: the text of its source is not here, so accepting it takes a
    note that says where it was checked."""

    key: str
    kind: ItemKind
    row_id: int
    version: int
    seen: int
    text: str
    machine: str
    reasons: tuple[str, ...]
    support: float | None
    worth: float
    worth_why: str
    state: ItemState
    report_id: int | None = None
    document_id: str | None = None
    ordinal: int = 0
    decision: Decision | None = None
    stale_why: str = ""
    earlier: tuple[Decision, ...] = field(default=())
    takes_note: bool = False
