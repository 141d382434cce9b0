"""The material of a second opinion: a claim, and the parts of its sources that bear on it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import ClaimError, DocumentNotFound, ReportError
from core.labels import Label, VerdictState
from core.ports.engines import Engines
from core.ports.store import ProjectStore
from core.records import Claim, Filters, Finding, Query, SearchRequest, SourceVerdict, StageSwitches
from core.retrieve import pipeline
from core.settings.values import Settings
from core.text.hashing import hex_digest

WHOLE_CHARS = 24_000
"""Most characters of a source that is read whole; of a longer one the parts that bear on the claim are read."""
AROUND_CHARS = 800
CLAIM_SOURCE_CHARS = 5_000
"""Most characters that are read of each source of a claim, as there are several."""
_FOUND = 12
_MOST_SOURCES = 8
_VERDICTS = {
    VerdictState.VERIFIED: Label.SUPPORTS,
    VerdictState.CONTRADICTED: Label.CONTRADICTS,
    VerdictState.INSUFFICIENT: Label.NEUTRAL,
}


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the text of a document."""

    document_id: str
    title: str
    start: int
    text: str


@dataclass(frozen=True, slots=True)
class Material:
    """The material of an opinion. ``verdict`` is the judge's present label, or None; ``basis`` is a hash of
    everything."""

    item: str
    claim: str
    context: str
    verdict: Label | None
    parts: tuple[Part, ...]
    basis: str


def finding_basis(store: ProjectStore, finding: Finding) -> str:
    """The hash of the words of a citation, its stored source and the judge's label."""
    label = finding.verdict.label if finding.verdict else None
    return _basis(store, finding.claim_text, [finding.document_id] if finding.document_id else [], label)


def claim_basis(store: ProjectStore, claim: Claim) -> str:
    """The hash of the words of a claim, its stored sources and the judge's verdict."""
    sources = [source.document_id for source in claim.verdict.sources] if claim.verdict else []
    return _basis(store, claim.text, sources, _VERDICTS.get(claim.verdict.state) if claim.verdict else None)


def of_finding(store: ProjectStore, engines: Engines, settings: Settings, finding: Finding) -> Material:
    """The claim of a citation, with the parts of its source. Raises ReportError: the citation has no stored source, or
    no words."""
    if finding.document_id is None:
        raise ReportError("The cited source is not here, so there is nothing to have an opinion on. Add it first.")
    if not finding.claim_text.strip():
        raise ReportError("No sentence of the report stands with this citation, so there is nothing to judge.")
    document = store.document(finding.document_id)
    text = store.text(finding.document_id)
    spans = [(0, len(text))]
    if len(text) > WHOLE_CHARS:
        spans = _merged(
            [*_deciding(finding.verdict), *_nearest(store, engines, settings, finding)], len(text), WHOLE_CHARS
        )
    parts = tuple(Part(document.id, document.title, start, text[start:end]) for start, end in spans)
    label = finding.verdict.label if finding.verdict else None
    basis = finding_basis(store, finding)
    return Material(f"finding:{finding.id}", finding.claim_text, "", label, parts, basis)


def of_claim(store: ProjectStore, claim: Claim) -> Material:
    """A claim, with the parts of the sources of its verdict. Raises ClaimError: the claim was not verified yet, or none
    of its sources is here."""
    if claim.verdict is None:
        raise ClaimError("The sources were not asked about this claim yet. Check it first.")
    parts: list[Part] = []
    for source in [source for source in claim.verdict.sources if source.verdict.best is not None][:_MOST_SOURCES]:
        try:
            document, text = store.document(source.document_id), store.text(source.document_id)
        except DocumentNotFound:  # deleted since it was judged
            continue
        for start, end in _merged(_deciding(source.verdict), len(text), CLAIM_SOURCE_CHARS):
            parts.append(Part(document.id, document.title, start, text[start:end]))
    if not parts:
        raise ClaimError("No source that is here bears on this claim, so there is nothing to have an opinion on.")
    label = _VERDICTS.get(claim.verdict.state)
    return Material(
        f"claim:{claim.id}", claim.text, claim.context or "", label, tuple(parts), claim_basis(store, claim)
    )


def _deciding(verdict: SourceVerdict | None) -> list[tuple[int, int]]:
    windows = [] if verdict is None else [verdict.best, verdict.against]
    return [(window.start, window.end) for window in windows if window is not None]


def _nearest(store: ProjectStore, engines: Engines, settings: Settings, finding: Finding) -> list[tuple[int, int]]:
    encoder, _ = engines.encoder_or_reason()
    stages = StageSwitches(dense=encoder is not None, late_interaction=False, mmr=False)
    filters = Filters(documents=(str(finding.document_id),))
    request = SearchRequest((Query(finding.claim_text[:2000]),), filters, stages, k=_FOUND)
    result = pipeline.search(request, store, encoder, settings.retrieval)
    return [(passage.passage.start, passage.passage.end) for passage in result.passages]


def _merged(spans: Sequence[tuple[int, int]], length: int, most: int) -> list[tuple[int, int]]:
    """The spans with the text around them, in the order of the text, without overlap. Where all are longer than
    ``most`` together, the first ones are kept."""
    widened: list[tuple[int, int]] = []
    total = 0
    for start, end in spans:
        wide = (max(0, start - AROUND_CHARS), min(length, end + AROUND_CHARS))
        total += wide[1] - wide[0]
        if widened and total > most:
            break
        widened.append(wide)
    merged: list[tuple[int, int]] = []
    for start, end in sorted(widened):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _basis(store: ProjectStore, claim: str, documents: Sequence[str], label: Label | None) -> str:
    contents: list[str] = []
    for key in documents:
        try:
            contents.append(store.document(key).content_hash)
        except DocumentNotFound:
            contents.append("gone")
    parts = [claim, contents, label.value if label else None]
    return hex_digest(json.dumps(parts))[:32]
