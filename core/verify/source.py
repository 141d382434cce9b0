"""The verdict of one source on one claim: sentences chosen, windows judged and checked, the deciding sentence named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from core.labels import Label
from core.ports.store import CombiningEntailer, Entailer
from core.records import CheckResult, EvidenceSentence, SourceVerdict, Span
from core.settings.values import Verification
from core.verify.aggregate import Aggregate, Judged, aggregate, judgement
from core.verify.aligned.deciding import SideBySide
from core.verify.checks import run_checks
from core.verify.checks.rounding import as_the_evidence_writes
from core.verify.clauses import clauses
from core.verify.sentences import CitedSource
from core.verify.source_units import leans_back
from core.verify.speaker import attributions, speaker_check
from core.verify.statement import after_connective, attribution_note, fact_of, statement_of
from core.verify.windows import Window, window, windows_of
from core.verify.word_for_word import stated_at

CLAIM_WORDS = 160
"""Most words of a claim; a longer one is a text and is not judged."""
_PARTS = 3
"""Windows that each clause of a claim is judged against."""


def judge_in_source(
    claim: str,
    source: CitedSource,
    entailer: Entailer,
    settings: Verification,
    *,
    context: str = "",
    names: Sequence[str] | None = None,
) -> SourceVerdict:
    """The verdict of ``source`` on ``claim``. Never raises on any text.

    ``fingerprint`` is that of the entailer; ``notes`` are sentences for the user about data that was not used.

    Args:
        context: the text in front of the claim. It helps to find sentences for a claim that begins with a pronoun, and
            is not itself judged.
        names: authors and year of the source according to the report that cites it; None where it is not cited. An
            attribution of the claim to this source is not judged (``core.verify.statement``).

    Raises:
        ModelError: the entailer cannot be had.
    """
    begin = after_connective(claim)
    statement = statement_of(claim[begin:], source.document, names)
    verdict = _judge(statement.text, source, entailer, settings, context)

    def in_claim(span: Span) -> Span:
        start, end = statement.in_claim(span)
        return begin + start, begin + end

    checks = tuple(replace(check, claim_spans=tuple(map(in_claim, check.claim_spans))) for check in verdict.checks)
    whole = statement.text == claim[begin:]
    return replace(
        verdict,
        partial=verdict.partial and in_claim(verdict.partial),
        checks=checks,
        notes=verdict.notes if whole else (attribution_note(claim[begin:], statement), *verdict.notes),
    )


def _judge(claim: str, source: CitedSource, entailer: Entailer, settings: Verification, context: str) -> SourceVerdict:
    long = len(claim.split()) > CLAIM_WORDS
    query = " ".join(claim.split()[:CLAIM_WORDS])
    if context and leans_back(claim):
        query = f"{' '.join(context.split()[-40:])} {query}"
    chosen, notes = source.select_with_notes(query, settings.sentences)
    if not any(map(str.isalnum, claim)):
        return _undecided(source, chosen, entailer, [*notes, "The claim has no words."])
    if long:
        note = f"The claim has {len(claim.split())} words; at most {CLAIM_WORDS} are judged as one. Split it."
        return _undecided(source, chosen, entailer, [*notes, note])
    if not chosen:
        return _undecided(source, chosen, entailer, notes)
    units = [source.unit_at(sentence.start) for sentence in chosen]
    start, end = fact_of(claim)
    fact = claim[start:end]
    judged = judge_windows(fact, windows_of(source, units, settings), entailer, source.abbreviations)
    combination = entailer.combination if isinstance(entailer, CombiningEntailer) else None
    stated = _stated(fact, source, units, judged, entailer)
    result = aggregate(
        claim, source.text, _near(source, units), judged, settings, title=source.document.title,
        authors=source.document.authors, published=source.document.published, combination=combination, fact=fact,
        aside=_aside(claim[:start], judged, entailer), stated=stated, nearest=units[0],
        beside=(
            SideBySide(fact, [(at, source.unit_text(at)) for at in units], source.parser).check,
            lambda: _speaker(claim, source, units),
        ),
        defined=source.abbreviations,
    )  # fmt: skip
    undecided = result.label is Label.NEUTRAL and not result.vetoed
    rationale = _span(source, units[0]) if undecided else _rationale(fact, source, result, entailer)
    return SourceVerdict(
        document_id=source.document.id,
        label=result.label,
        supports=result.supports,
        contradicts=result.contradicts,
        best=result.best.judgement,
        against=result.against.judgement if result.against else None,
        rationale=rationale,
        passage_id=source.passage_at(*rationale),
        checks=result.checks,
        vetoed=result.vetoed,
        sentences=len(source.units),
        judged=len(judged),
        fingerprint=entailer.fingerprint,
        partial=_partial(claim, source, result, judged, entailer, settings),
        notes=(*notes, *result.notes),
    )


def _stated(
    claim: str, source: CitedSource, units: Sequence[int], judged: Sequence[Judged], entailer: Entailer
) -> Judged | None:
    """The chosen sentence that states the claim in its own words, as a judged window; None without one."""
    at = stated_at(claim, [source.unit_text(unit) for unit in units], source.document.title)
    if at is None:
        return None
    alone = next((view for view in judged if view.window.units == (units[at],)), None)
    return alone or judge_windows(claim, [window(source, [units[at]])], entailer, source.abbreviations)[0]


def _speaker(claim: str, source: CitedSource, units: Sequence[int]) -> CheckResult | None:
    """Whether the source has somebody else say it; None for a claim that names no speaker."""
    if next(attributions(claim), None) is None:
        return None
    return speaker_check(claim, [source.unit_text(at) for at in range(len(source.units))], units)


def _near(source: CitedSource, units: Sequence[int]) -> str:
    """The title and all chosen sentences in the order of the text."""
    return " ".join([f"{source.document.title}:", *(source.unit_text(at) for at in sorted(units))])


def judge_windows(
    claim: str, windows: Sequence[Window], entailer: Entailer, defined: Mapping[str, str] = MappingProxyType({})
) -> list[Judged]:
    """The model's probabilities for ``claim`` beside each window. Figures, and abbreviations that the source has
    ``defined``, are written as the window has them."""
    if not windows:
        return []
    answers = entailer.judge([_pair(claim, window.text, defined) for window in windows])
    return [Judged(window, judgement(window, row)) for window, row in zip(windows, answers.tolist(), strict=True)]


def _pair(claim: str, evidence: str, defined: Mapping[str, str]) -> tuple[str, str]:
    return as_the_evidence_writes(claim, evidence, defined), evidence


def _aside(comment: str, judged: Sequence[Judged], entailer: Entailer) -> float:
    """The least probability with which a view contradicts the comment in front of a fact; 0 without a comment."""
    views = [view.window.text for view in judged if view.window.view]
    if not comment.strip(" :"):
        return 0.0
    return float(entailer.judge([(comment.strip(" :"), text) for text in views])[:, 1].min())


def _rationale(claim: str, source: CitedSource, result: Aggregate, entailer: Entailer) -> Span:
    """The deciding sentence of the best window: without it the probability of the window is lowest."""
    units = result.best.window.units
    if len(units) == 1:
        return _span(source, units[0])
    column = 1 if result.label is Label.CONTRADICTS else 0
    without = [window(source, [other for other in units if other != at]) for at in units]
    left = entailer.judge([_pair(claim, rest.text, source.abbreviations) for rest in without])[:, column].tolist()
    return _span(source, min(zip(left, units, strict=True))[1])


def _span(source: CitedSource, at: int) -> Span:
    return source.units[at].start, source.units[at].end


def _partial(
    claim: str,
    source: CitedSource,
    result: Aggregate,
    judged: Sequence[Judged],
    entailer: Entailer,
    settings: Verification,
) -> Span | None:
    """The longest part of the claim that the source supports, where it does not support the whole."""
    if result.label is Label.SUPPORTS:
        return None
    parts = clauses(claim)
    if len(parts) < 2:
        return None
    nearest = sorted(judged, key=lambda window: -window.judgement.supports)[:_PARTS]
    pairs = [(span, window.window.text) for span in parts for window in nearest]
    answers = entailer.judge([_pair(claim[a:b], text, source.abbreviations) for (a, b), text in pairs])[:, 0].tolist()
    supported: set[Span] = set()
    for ((a, b), text), supports in zip(pairs, answers, strict=True):
        sure = supports >= settings.pass_support and (a, b) not in supported
        if sure and not any(check.veto for check in run_checks(claim[a:b], text)):
            supported.add((a, b))
    return max(_runs(parts, supported), key=lambda span: span[1] - span[0], default=None)


def _runs(parts: Sequence[Span], supported: set[Span]) -> list[Span]:
    """The supported parts; neighbours are joined, but never to the whole claim."""
    runs: list[Span] = []
    for place, span in enumerate(parts):
        if span not in supported:
            continue
        joined = runs and place and parts[place - 1] in supported and runs[-1][1] == parts[place - 1][1]
        if joined and not (place == len(parts) - 1 and runs[-1][0] == parts[0][0]):
            runs[-1] = (runs[-1][0], span[1])
        else:
            runs.append(span)
    return runs


def _undecided(
    source: CitedSource, chosen: Sequence[EvidenceSentence], entailer: Entailer, notes: Sequence[str]
) -> SourceVerdict:
    """A neutral verdict with the nearest sentence, if there is one."""
    at = source.unit_at(chosen[0].start) if chosen else None
    return SourceVerdict(
        document_id=source.document.id,
        label=Label.NEUTRAL,
        supports=0.0,
        contradicts=0.0,
        best=None if at is None else judgement(window(source, [at]), (0.0, 0.0, 1.0)),
        rationale=None if at is None else _span(source, at),
        passage_id=None if at is None else source.passage_at(*_span(source, at)),
        sentences=len(source.units),
        fingerprint=entailer.fingerprint,
        notes=tuple(notes),
    )
