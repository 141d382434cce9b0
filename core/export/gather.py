"""Everything that the exports of a report need, out of the store."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime

from core.audit.reports import Audits
from core.audit.status import passing
from core.errors import ModelError
from core.export.content import Content
from core.ports.context import ProjectContext
from core.ports.engines import Engines
from core.ports.store import ProjectStore
from core.records import Decision, ReportStanding, Standing
from core.review.review import Reviews
from core.settings.values import Settings
from core.verify.judge import Judge


def gather(
    store: ProjectStore, engines: Engines, settings: Settings, now: datetime, report_id: int, *,
    sources: bool = True, models: Mapping[str, str] | None = None, by: str | None = None,
) -> Content:  # fmt: skip
    """The content of one report as it stands now. ``models`` stand as those that judged, in place of those here.
    ``by``: who asked; in blind review what they may not see yet is left out ("": nobody is named), None: nothing is.
    Raises ReportNotFound (no such report) or ReportError (this version of the reader finds another text in it)."""
    context = ProjectContext(store, engines, settings, lambda: now)
    audits, reviews = Audits(context), Reviews(context)
    report, findings = store.report(report_id), store.findings(report_id)
    hidden = frozenset() if by is None else reviews.log.withheld(by)
    standing = _seen(reviews.standing(report_id), hidden)
    return Content(
        project=store.project.name, report=report, read=audits.read(report_id), findings=findings,
        summary=audits.summary(report_id), heat=audits.heat(report_id), made=now, sources=sources,
        documents={document.id: document for document in store.documents(superseded=True)}, text_of=store.text,
        claims=store.claims(report_id=report_id), standing=standing.findings, claim_standing=standing.claims,
        decisions=_counting([*standing.findings.values(), *standing.claims.values()]),
        settings=settings.model_dump(mode="json", include=JUDGED_BY),
        threshold=passing(settings.verification, store.review_policy()).pass_support,
        models=models_of(store, engines, settings) if models is None else models,
        hidden=hidden, withheld=0 if by is None else reviews.log.withheld_of(report_id, by),
    )  # fmt: skip


JUDGED_BY = {"chunking", "parsing", "retrieval", "models", "verification", "claims"}
"""Sections of the settings on which outcomes rest; the others (addresses of hosts, language models, money) are nobody
else's business."""


def models_of(store: ProjectStore, engines: Engines, settings: Settings) -> dict[str, str]:
    """Fingerprints of what judges here; a model that cannot be had is left out."""
    fingerprints: dict[str, str] = {}
    try:
        fingerprints["entailer"] = engines.entailer().fingerprint
        fingerprints["judge"] = Judge(store, engines, settings).fingerprint
    except ModelError:
        pass
    if encoder := engines.encoder_fingerprint():
        fingerprints["encoder"] = encoder
    return fingerprints


def _seen(standing: ReportStanding, hidden: AbstractSet[int]) -> ReportStanding:
    """The standing without the items on which something is hidden."""

    def seen(of: Mapping[int, Standing]) -> dict[int, Standing]:
        return {
            number: standing for number, standing in of.items()
            if hidden.isdisjoint(entry.id for entry in (standing.decision, *standing.conflict) if entry is not None)
        }  # fmt: skip

    return replace(standing, findings=seen(standing.findings), claims=seen(standing.claims))


def _counting(standings: Iterable[Standing]) -> list[Decision]:
    """The decisions that standings rest on, in the order of the log."""
    entries = {
        entry.id: entry for stand in standings for entry in (stand.decision, *stand.conflict) if entry is not None
    }
    return [entries[number] for number in sorted(entries)]
