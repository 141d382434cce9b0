"""People's decisions as a measure of the judge of citations, and as judgements of passages. A citation that people
accepted holds; one that they rejected, gave another source or reworded does not. Decisions that are out of date, that
people disagree on, or that took no side stay out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from core import records
from core.labels import DecisionKind, Status
from core.ports.store import ProjectStore
from core.review.recalibrate import interval

MACHINE = {Status.PASS: True, Status.REVIEW: False}
"""Statuses by whether the citation holds; the others say nothing about the words of a source."""


@dataclass(frozen=True, slots=True)
class JudgeQuality:
    """Agreement of PASS and REVIEW with people on citations whose source was judged. ``counts`` are decisions, one
    each. The measures weigh each decision by the rows to a decision among those that the machine says the same of,
    because people look at what passed by lot only. ``rows`` and ``decided`` are by what the machine says; ``left_out``
    decisions are out of date or in conflict."""

    counts: Confusion
    accuracy: records.Interval
    balanced_accuracy: float | None
    macro_f1: float | None
    rows: Mapping[bool, int]
    decided: Mapping[bool, int]
    left_out: int


class DecidedCitations:
    """The citations of a project's reports (their newest versions) with what people decided."""

    def __init__(self, store: ProjectStore, standing: Callable[[int], records.ReportStanding]) -> None:
        self._store = store
        self._standing = standing

    def quality(self) -> JudgeQuality:
        """Agreement of the judge with people; measures are None where a kind of row has no decision."""
        rows = {True: 0, False: 0}
        decided = {True: 0, False: 0}
        pairs: list[tuple[bool, bool]] = []
        left_out = 0
        for finding, standing in self._findings():
            machine = MACHINE.get(finding.status) if finding.status is not None else None
            if machine is None:
                continue
            rows[machine] += 1
            holds = person_says(standing)
            left_out += holds is None and standing is not None and bool(standing.stale or standing.conflict)
            if holds is not None:
                decided[machine] += 1
                pairs.append((machine, holds))
        return _quality(rows, decided, pairs, left_out)

    def judgements(self) -> records.JudgedQueries | None:
        """Each decided claim as a query, the passage that decided as judged: 1 carries the claim, 0 does not. None
        while nothing is decided."""
        qrels: dict[str, dict[str, int]] = {}
        queries: dict[str, str] = {}
        for _, standing in self._findings():
            holds = person_says(standing)
            decision = standing.decision if standing is not None else None
            if holds is None or decision is None or decision.basis.document_id is None:
                continue
            queries[decision.item] = " ".join(decision.basis.claim_text.split())[: records.MAX_QUERY]
            qrels.setdefault(decision.item, {})[_passage(decision)] = int(holds)
        return records.JudgedQueries("Decisions of people", records.REVIEW, qrels, queries) if qrels else None

    def _findings(self) -> Iterator[tuple[records.Finding, records.Standing | None]]:
        for report in self._store.reports():
            if report.superseded_by is None:
                standing = self._standing(report.id)
                yield from _paired(self._store.findings(report.id), standing)


def _quality(
    rows: dict[bool, int], decided: dict[bool, int], pairs: list[tuple[bool, bool]], left_out: int
) -> JudgeQuality:
    """The measures of counted rows, decided rows and (machine, person) pairs."""
    weight = {machine: rows[machine] / decided[machine] if decided[machine] else 0.0 for machine in rows}
    weights = [weight[machine] for machine, _ in pairs]
    counted = confusion(pairs, weights)
    # Of rows of a kind that nobody looked at nothing is known, so nothing is said about all.
    measurable = all(decided[machine] or not rows[machine] for machine in rows) and bool(pairs)
    cases = [(machine is holds, each) for (machine, holds), each in zip(pairs, weights, strict=True)]
    unknown = records.Interval(sum(same for same, _ in cases), len(cases), None, 0.0, 1.0)
    return JudgeQuality(
        counts=confusion(pairs),
        accuracy=interval(cases) if measurable else unknown,
        balanced_accuracy=counted.balanced_accuracy() if measurable else None,
        macro_f1=counted.macro_f1() if measurable else None,
        rows=rows,
        decided=decided,
        left_out=left_out,
    )


def person_says(standing: records.Standing | None) -> bool | None:
    """True when people say that a citation holds; None when they do not say, disagree, or decided on something else."""
    if standing is None or standing.decision is None or standing.stale or not standing.decision.kind.settles:
        return None
    return standing.decision.kind is DecisionKind.ACCEPT


def _paired(
    findings: Iterable[records.Finding], standing: records.ReportStanding
) -> Iterator[tuple[records.Finding, records.Standing | None]]:
    for finding in findings:
        yield finding, standing.findings.get(finding.id)


def _passage(decision: records.Decision) -> str:
    basis = decision.basis
    assert basis.document_id is not None
    if basis.start is None or basis.end is None:
        return basis.document_id
    return records.place_name(basis.document_id, basis.start, basis.end)


@dataclass(frozen=True, slots=True)
class Confusion:
    """Weights of pairs (machine says it holds, person says it holds): ``holds_holds`` both say so, ``holds_fails`` the
    machine alone, ``fails_holds`` the person alone, ``fails_fails`` neither. Where people looked at some kinds of rows
    more often than at others, a decision counts for as many rows as there are to a decision (Horvitz & Thompson 1952).
    A measure that has nothing to divide by is None: an unknown is never shown as 0."""

    holds_holds: float
    holds_fails: float
    fails_holds: float
    fails_fails: float

    @property
    def n(self) -> float:
        """All pairs."""
        return self.holds_holds + self.holds_fails + self.fails_holds + self.fails_fails

    @property
    def agreed(self) -> float:
        """Pairs on which both say the same."""
        return self.holds_holds + self.fails_fails

    def accuracy(self) -> float | None:
        """Share of pairs on which both say the same."""
        return _share(self.agreed, self.n)

    def balanced_accuracy(self) -> float | None:
        """Mean of the shares found right among what holds and among what does not (Brodersen et al. 2010); needs both
        kinds."""
        holds = _share(self.holds_holds, self.holds_holds + self.fails_holds)
        fails = _share(self.fails_fails, self.fails_fails + self.holds_fails)
        return None if holds is None or fails is None else (holds + fails) / 2

    def macro_f1(self) -> float | None:
        """Mean of the F1 of "holds" and of "does not hold", 2 tp / (2 tp + fp + fn) each, over those that people gave;
        needs both kinds."""
        wrong = self.holds_fails + self.fails_holds
        holds = _share(2 * self.holds_holds, 2 * self.holds_holds + wrong)
        fails = _share(2 * self.fails_fails, 2 * self.fails_fails + wrong)
        both = (self.holds_holds + self.fails_holds) and (self.fails_fails + self.holds_fails)
        return None if not both or holds is None or fails is None else (holds + fails) / 2


def confusion(pairs: Iterable[tuple[bool, bool]], weights: Iterable[float] | None = None) -> Confusion:
    """Sum up pairs (machine, person); without weights each counts 1."""
    counts = {(True, True): 0.0, (True, False): 0.0, (False, True): 0.0, (False, False): 0.0}
    rows = list(pairs)
    for pair, weight in zip(rows, weights if weights is not None else [1.0] * len(rows), strict=True):
        counts[pair] += weight
    return Confusion(*counts.values())


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None
