"""The threshold of one project: its measure by decisions, and a change of it without judging anything again."""

from dataclasses import replace

from core.audit.redecide import redecide
from core.audit.status import may_pass
from core.errors import ReviewError
from core.labels import DecisionKind, JobKind, Status
from core.ports.context import ProjectContext
from core.records import Finding, Interval, Reliability, ThresholdPreview
from core.review.cache import ReviewTables
from core.review.items import Row, same_evidence
from core.review.people import ReviewPeople
from core.review.recalibrate import Judged, precision_at, preview, reliability, threshold_for
from core.review.table import ReviewTable

UNFINISHED = "threshold-unfinished"
"""Memo that stands while rows are not yet decided by the threshold of the policy."""


class ReviewThreshold:
    """Reads the decisions on citations, and keeps the threshold in the project's policy."""

    def __init__(self, context: ProjectContext, people: ReviewPeople, tables: ReviewTables) -> None:
        self._context, self._store, self._settings = context, context.store, context.settings.verification
        self._people, self._tables = people, tables

    def current(self) -> float:
        """The support from which on a citation passes in this project."""
        return self._tables.threshold()

    def reliability(self) -> Reliability:
        """Support against the share that people accepted (``core.review.recalibrate``)."""
        return reliability(_judged(self._tables.of()))

    def precision(self, threshold: float | None = None) -> Interval:
        """How often citations that pass hold, now or at another threshold."""
        return precision_at(_judged(self._tables.of()), self.current() if threshold is None else threshold)

    def lowest_for(self, target: float) -> ThresholdPreview:
        """The lowest threshold that the decisions show to keep a precision, and what it would change (ReviewError:
        the target is not between 0 and 1)."""
        _require_share("target", target)
        return threshold_for(_judged(self._tables.of()), self.current(), target)

    def preview(self, value: float | None) -> ThresholdPreview:
        """What a threshold would change; None for that of the settings (ReviewError: not between 0 and 1)."""
        at = self._settings.pass_support if value is None else value
        _require_share("threshold", at)
        why = f"{at:.2f} is the threshold of the settings." if value is None else ""
        return preview(_judged(self._tables.of()), self.current(), at, why=why)

    def apply(self, value: float | None, *, by: str, target: float | None = None) -> int:
        """Keep another threshold for this project and decide its citations by it, without judging any again. Audits
        from now on use it; those asked for here look for other sources of what passes no more. None: the threshold of
        the settings again. Returns how many citations changed their status. Raises NotAllowed (``by`` is no owner) or
        ReviewError (it is not between 0 and 1)."""
        self._people.require(by, owner=True)
        for what, share in (("threshold", value), ("target", target)):
            if share is not None:
                _require_share(what, share)
        policy = self._store.review_policy()
        self._store.set_memo(UNFINISHED, "yes")
        self._store.set_review_policy(replace(policy, threshold=value, target_precision=target))
        return self._finish()

    def catch_up(self) -> None:
        """Finish a change of the threshold that a crash broke off."""
        if self._store.memo(UNFINISHED):
            self._finish()

    def _finish(self) -> int:
        changed = 0
        for report in self._store.reports():
            count, waiting = redecide(self._store, self._settings, report.id)
            changed += count
            if waiting:
                self._context.schedule(JobKind.AUDIT, {"report": report.id, "findings": []}, unique=True)
        self._store.set_memo(UNFINISHED, "")
        return changed


def _require_share(what: str, value: float) -> None:
    if not 0.0 <= value <= 1.0:
        raise ReviewError(f"The {what} {value} is not between 0 and 1. 0.9 stands for 90 %.")


def _judged(table: ReviewTable) -> list[Judged]:
    return [
        Judged(
            row.item.id, row.basis.support, may_pass(row.item.verdict), row.item.status is Status.PASS,
            _holds(table, row),
        )
        for row in table.rows()
        if isinstance(row.item, Finding) and row.item.verdict is not None and row.basis.support is not None
    ]  # fmt: skip


def _holds(table: ReviewTable, row: Row) -> bool | None:
    """True when a citation holds, by the people who decided on this very evidence; None when they do not agree."""
    opinions = [opinion for opinion in table.opinions(row.key) if same_evidence(opinion.basis, row.basis)]
    answers = {opinion.kind is DecisionKind.ACCEPT for opinion in opinions}
    return answers.pop() if len(answers) == 1 else None
