"""Everything that the exports of a report need, out of the store."""

from __future__ import annotations

from datetime import datetime

from core.auditing import Auditing
from core.engines import Engines
from core.errors import ModelError
from core.export.content import Content, Standing
from core.export.standing import standings
from core.judging import Judge
from core.labels import ItemKind
from core.model import Decision, Job
from core.ports import ProjectStore
from core.settings import Settings


def gather(
    store: ProjectStore, engines: Engines, settings: Settings, now: datetime, report_id: int, *, sources: bool = True
) -> Content:
    """The content of one report as it stands now.

    Raises:
        ReportNotFound: no such report.
        ReportError: this version of the reader finds another text in it.
    """
    audits = Auditing(store, engines, settings, lambda: now, _never)
    report, findings = store.report(report_id), store.findings(report_id)
    policy = store.review_policy()
    if policy.threshold is not None:
        passing = settings.verification.model_copy(update={"pass_support": policy.threshold})
        settings = settings.model_copy(update={"verification": passing})
    decisions = store.decisions()
    stand = standings(decisions, blind=policy.blind)
    rows, claims = _by_row(decisions, stand, report_id)
    return Content(
        project=store.project.name, report=report, read=audits.read(report_id), findings=findings,
        summary=audits.summary(report_id), heat=audits.heat(report_id), made=now, sources=sources,
        documents={one.id: one for one in store.documents(superseded=True)}, text_of=store.text,
        claims=store.claims(report_id=report_id), standing=rows, claim_standing=claims,
        decisions=[one for one in decisions if one.item in stand and one.basis.report_id == report_id],
        settings=settings.model_dump(mode="json"), models=models_of(store, engines, settings),
    )  # fmt: skip


def models_of(store: ProjectStore, engines: Engines, settings: Settings) -> dict[str, str]:
    """Fingerprints of what judges here; a model that cannot be had is left out."""
    found: dict[str, str] = {}
    try:
        found["entailer"] = engines.entailer().fingerprint
        found["judge"] = Judge(store, engines, settings).fingerprint
    except ModelError:
        pass
    if encoder := engines.encoder_fingerprint():
        found["encoder"] = encoder
    return found


def _by_row(
    decisions: list[Decision], stand: dict[str, Standing], report_id: int
) -> tuple[dict[int, Standing], dict[int, Standing]]:
    """Standings by id of the row that the newest decision on an item saw; of citations, and of claims."""
    newest = {one.item: one for one in decisions if one.item in stand}
    rows: dict[int, Standing] = {}
    claims: dict[int, Standing] = {}
    for item, one in newest.items():
        if one.item_kind is ItemKind.CLAIM:
            claims[one.basis.row_id] = stand[item]
        elif one.basis.report_id == report_id:
            rows[one.basis.row_id] = stand[item]
    return rows, claims


def _never(*_arguments: object, **_options: object) -> Job:
    raise AssertionError("gathering asks for no work")
