"""Judging one claim inside one source: choose sentences, judge windows of them, check, say which sentence decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.labels import Label
from core.ports.store import CombiningEntailer, Entailer
from core.records import EvidenceSentence, SourceVerdict, Span
from core.settings.values import Verification
from core.verify.aggregate import Judged, Opinion, judgement, opinion
from core.verify.attribution import left_out, statement_of
from core.verify.checks import run_checks
from core.verify.checks.rounding import as_the_evidence_writes
from core.verify.clauses import clauses
from core.verify.comment import fact_of
from core.verify.connective import after_connective
from core.verify.sentences import CitedSource
from core.verify.source_units import leans_back
from core.verify.windows import Window, window, windows_of
from core.verify.word_for_word import stated_at

CLAIM_WORDS = 160
"""A longer claim is a text, not a claim: it is not judged as one."""
_PARTS = 3
"""Windows that each part of a claim is judged against."""


def judge_in_source(
    claim: str,
    source: CitedSource,
    entailer: Entailer,
    settings: Verification,
    *,
    context: str = "",
    names: Sequence[str] | None = None,
) -> SourceVerdict:
    """What ``source`` says about ``claim``.

    ``context`` is the text in front of the claim: it helps to find sentences for a claim that begins with a pronoun,
    and is not itself judged. ``names``: authors and year of the source according to the report that cites it (None: it
    is not cited); words of the claim that only say that it says so are not judged either (``core.verify.attribution``).
    ``fingerprint`` is that of the entailer; ``notes`` say in plain sentences what was left out or not used. Never
    raises on any text.

    Raises:
        ModelError: the entailer cannot be had.
    """
    begin = after_connective(claim)
    start, end = (begin + at for at in statement_of(claim[begin:], source.document, names))
    found = _judge(claim[start:end], source, entailer, settings, context)
    partial = found.partial and (found.partial[0] + start, found.partial[1] + start)
    checks = tuple(replace(check, claim_spans=_shifted(check.claim_spans, start)) for check in found.checks)
    told = () if (start, end) == (begin, len(claim)) else (left_out(claim[begin:], start - begin, end - begin),)
    return replace(found, partial=partial, checks=checks, notes=(*told, *found.notes))


def _shifted(spans: Sequence[Span], by: int) -> tuple[Span, ...]:
    return tuple((start + by, end + by) for start, end in spans)


def _judge(claim: str, source: CitedSource, entailer: Entailer, settings: Verification, context: str) -> SourceVerdict:
    long = len(claim.split()) > CLAIM_WORDS
    query = " ".join(claim.split()[:CLAIM_WORDS])
    if context and leans_back(claim):
        query = f"{' '.join(context.split()[-40:])} {query}"
    chosen, notes = source.select_with_notes(query, settings.sentences)
    if not any(map(str.isalnum, claim)):
        return _undecided(source, chosen, entailer, [*notes, "The claim has no words."])
    if long:
        told = f"The claim has {len(claim.split())} words; at most {CLAIM_WORDS} are judged as one. Split it."
        return _undecided(source, chosen, entailer, [*notes, told])
    if not chosen:
        return _undecided(source, chosen, entailer, notes)
    units = [source.unit_at(one.start) for one in chosen]
    start, end = fact_of(claim)
    asked = claim[start:end]
    judged = ask(asked, windows_of(source, units, settings), entailer)
    combination = entailer.combination if isinstance(entailer, CombiningEntailer) else None
    stated = _stated(asked, source, units, judged, entailer)
    found = opinion(
        claim, source.text, _near(source, units), judged, settings, title=source.document.title,
        authors=source.document.authors, published=source.document.published, combination=combination, asked=asked,
        aside=_aside(claim[:start], judged, entailer), stated=stated, nearest=units[0],
    )  # fmt: skip
    undecided = found.label is Label.NEUTRAL and not found.vetoed
    rationale = _span(source, units[0]) if undecided else _rationale(asked, source, found, entailer)
    return SourceVerdict(
        document_id=source.document.id,
        label=found.label,
        supports=found.supports,
        contradicts=found.contradicts,
        best=found.best.judgement,
        against=found.against.judgement if found.against else None,
        rationale=rationale,
        passage_id=source.passage_at(*rationale),
        checks=found.checks,
        vetoed=found.vetoed,
        sentences=len(source.units),
        judged=len(judged),
        fingerprint=entailer.fingerprint,
        partial=_partial(claim, found, judged, entailer, settings),
        notes=(*notes, *found.notes),
    )


def _stated(
    claim: str, source: CitedSource, units: Sequence[int], judged: Sequence[Judged], entailer: Entailer
) -> Judged | None:
    """The sentence among the chosen ones that states the claim in its own words, as a window."""
    at = stated_at(claim, [source.unit_text(unit) for unit in units], source.document.title)
    if at is None:
        return None
    alone = next((one for one in judged if one.window.units == (units[at],)), None)
    return alone or ask(claim, [window(source, [units[at]])], entailer)[0]


def _near(source: CitedSource, units: Sequence[int]) -> str:
    """The title and all chosen sentences in the order of the text."""
    return " ".join([f"{source.document.title}:", *(source.unit_text(at) for at in sorted(units))])


def ask(claim: str, windows: Sequence[Window], entailer: Entailer) -> list[Judged]:
    """What the model says of ``claim`` beside each window, rounded figures written as the window has them."""
    if not windows:
        return []
    answers = entailer.judge([_pair(claim, window.text) for window in windows])
    return [Judged(window, judgement(window, row)) for window, row in zip(windows, answers.tolist(), strict=True)]


def _pair(claim: str, evidence: str) -> tuple[str, str]:
    return as_the_evidence_writes(claim, evidence), evidence


def _aside(comment: str, judged: Sequence[Judged], entailer: Entailer) -> float:
    """How much every view of the source contradicts the comment in front of a fact; 0 where there is none."""
    views = [one.window.text for one in judged if one.window.view]
    if not comment.strip(" :"):
        return 0.0
    return float(entailer.judge([(comment.strip(" :"), text) for text in views])[:, 1].min())


def _rationale(claim: str, source: CitedSource, found: Opinion, entailer: Entailer) -> Span:
    """The sentence of the best window that decides: without it the window says least of what it said."""
    units = found.best.window.units
    if len(units) == 1:
        return _span(source, units[0])
    column = 1 if found.label is Label.CONTRADICTS else 0
    without = [window(source, [other for other in units if other != at]) for at in units]
    left = entailer.judge([_pair(claim, one.text) for one in without])[:, column].tolist()
    return _span(source, min(zip(left, units, strict=True))[1])


def _span(source: CitedSource, at: int) -> Span:
    return source.units[at].start, source.units[at].end


def _partial(
    claim: str, found: Opinion, judged: Sequence[Judged], entailer: Entailer, settings: Verification
) -> Span | None:
    """The longest part of the claim that the source supports, when it does not support (or only seems to support)
    the whole."""
    if found.label is Label.SUPPORTS:
        return None
    parts = clauses(claim)
    if len(parts) < 2:
        return None
    nearest = sorted(judged, key=lambda judged: -judged.judgement.supports)[:_PARTS]
    pairs = [(span, one.window.text) for span in parts for one in nearest]
    answers = entailer.judge([_pair(claim[a:b], text) for (a, b), text in pairs])[:, 0].tolist()
    held: set[Span] = set()
    for ((a, b), text), supports in zip(pairs, answers, strict=True):
        sure = supports >= settings.pass_support and (a, b) not in held
        if sure and not any(result.veto for result in run_checks(claim[a:b], text)):
            held.add((a, b))
    return max(_runs(parts, held), key=lambda span: span[1] - span[0], default=None)


def _runs(parts: Sequence[Span], held: set[Span]) -> list[Span]:
    """Supported parts; neighbours joined, but never to the whole claim."""
    runs: list[Span] = []
    for place, span in enumerate(parts):
        if span not in held:
            continue
        joined = runs and place and parts[place - 1] in held and runs[-1][1] == parts[place - 1][1]
        if joined and not (place == len(parts) - 1 and runs[-1][0] == parts[0][0]):
            runs[-1] = (runs[-1][0], span[1])
        else:
            runs.append(span)
    return runs


def _undecided(
    source: CitedSource, chosen: Sequence[EvidenceSentence], entailer: Entailer, notes: Sequence[str]
) -> SourceVerdict:
    """Neutral, with the nearest sentence if there is one."""
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
