"""Results of review: standing of items, progress, agreement of people, and the machine measured by decisions."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.labels import DecisionKind
from core.records.review import Decision, ReviewItem


@dataclass(frozen=True, slots=True)
class Standing:
    """People's decision about one row or claim, for whoever reads the result. ``decision`` is the one in force; None
    when nobody decided, or when people disagree (``conflict``: the opinions in force, oldest first). ``stale`` says
    what changed since the decision, "" when nothing did."""

    decision: Decision | None = None
    conflict: tuple[Decision, ...] = ()
    stale: str = ""


@dataclass(frozen=True, slots=True)
class ReportStanding:
    """``Standing`` by id of a finding and by id of a claim; what nobody looked at is left out."""

    findings: Mapping[int, Standing] = field(default_factory=dict)
    claims: Mapping[int, Standing] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReviewProgress:
    """The progress of one reviewer. ``total`` = ``decided`` + ``postponed`` + ``stale`` + ``conflicts`` + ``open``.
    ``today``: decisions of this person since midnight UTC. ``median_seconds`` lies between own decisions less than ten
    minutes apart; ``minutes_left`` is that for all that is not decided (both None before there are three)."""

    total: int
    decided: int
    postponed: int
    stale: int
    conflicts: int
    open: int
    today: int
    median_seconds: float | None = None
    minutes_left: float | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """An item on which people decided differently, with the newest decision of each."""

    item: ReviewItem
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of two people on what both decided. ``table[(kind of first, kind of second)]`` counts items.
    ``percent`` is the share (0 to 1) on which they agree. ``kappa`` is Cohen's (1960), ``low``/``high`` its 95 %
    interval with the standard error of Fleiss, Cohen & Everitt (1969); None, with the reason in ``note``, where they do
    not exist."""

    first: str
    second: str
    n: int
    percent: float
    kappa: float | None
    low: float | None
    high: float | None
    table: Mapping[tuple[DecisionKind, DecisionKind], int] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class Interval:
    """A share with its 95 % interval after Wilson (1927). ``k`` of ``n`` decisions; with none, ``share`` is None and
    the interval is 0 to 1. ``share`` differs from k / n where decisions carry weights."""

    k: int
    n: int
    share: float | None
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Decided citations whose support lies in [``start``, ``end``): mean support, share that people accepted."""

    start: float
    end: float
    n: int
    predicted: float | None
    accepted: Interval


@dataclass(frozen=True, slots=True)
class Reliability:
    """Support against people's decisions. ``ece`` is the expected calibration error (Naeini et al. 2015), None
    without decisions. ``note`` says in a sentence how far to trust it."""

    bins: tuple[ReliabilityBin, ...]
    n: int
    ece: float | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class ThresholdPreview:
    """The effect of demanding ``target`` precision of PASS. ``threshold`` is None when the decisions do not show that
    any keeps it; ``why`` says so, or why this one. ``precision`` is that of the rows passing at ``threshold`` (without
    one: at the present threshold ``current``). ``to_review`` and ``to_pass`` are ids of findings that would change."""

    target: float | None
    threshold: float | None
    current: float
    why: str
    precision: Interval
    to_review: tuple[int, ...] = ()
    to_pass: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedDecisions:
    """The effect of importing a log: entries added, known already, and added on items that are not here (now)."""

    added: int
    known: int
    unknown_items: int
