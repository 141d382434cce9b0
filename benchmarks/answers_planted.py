"""Grounding against planted errors: extractive answers get sentences that nothing supports, cited like the true ones.

Of every answer each sentence of the text (at most ``SENTENCES``) is changed once for each kind that it allows
(``training.verifier.augment``: number, date, negation, entity, quantifier; not the rules of the checks), and a sentence
of another document is put in its place (``foreign``). ``caught``: share of planted sentences that grounding marks as
unsupported. ``caught_answers``: share of answers that strict mode fails when one of their sentences is changed (drawn
by the place of the answer).

What is supported must stay so. ``false_alarm``: share of the answers' own sentences that are marked; 0 by construction,
because they stand in the passage word for word. ``false_alarm_judged``: the same with that short cut taken out, by the
judge alone. ``false_alarm_reworded``: sentences reworded by rule without changing what they say (``According to the
source``, ``per cent`` as ``%``, two of one passage joined by a semicolon).
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.answers_projects import CLAIMS, answers, demo_project, scifact_project
from benchmarks.audit_bench import bench
from benchmarks.report import Row
from benchmarks.rows import row
from core.answer.check import PassageCheck, worthy
from core.answer.draft import Draft, DraftClaim, Evidence, without_markers
from core.answer.grounding import ground
from core.labels import AnswerMode
from core.records import Answer
from core.verify.checks.mentions import mentions
from core.workbench.open_project import OpenProject
from training.verifier.augment import seeded_error

KINDS = ("number", "date", "negation", "entity", "quantifier")
SENTENCES = 6
SEED = 20261128
HELD_OUT = "scifact held out"
"""Claims that nobody had looked at when the rules of ``core.answer.altered`` were written."""


@dataclass(frozen=True)
class Planted:
    """A sentence in place of one of an answer: the words of it, which evidence it cites, and what was done."""

    kind: str
    text: str
    cited: Evidence


def run(shared: dict[str, Any], data: Path, cache: Path, *, quick: bool = False) -> list[Row]:
    """Demo and SciFact, and claims of SciFact that were held out."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder, bench(Path(folder), encoded=cache / "answers") as workbench:
        makers = {
            "demo": lambda: demo_project(workbench),
            "scifact": lambda: scifact_project(workbench, data),
            HELD_OUT: lambda: scifact_project(workbench, data, first=CLAIMS),
        }
        hits: dict[str, dict[str, list[bool]]] = {}
        for name, make in makers.items():
            opened, questions = make()
            written = [answer for answer in answers(opened, questions[:3] if quick else questions) if answer.text]
            hits[name] = _measure(opened, written)
            rows += _rows(name, hits[name], shared)
        del hits[HELD_OUT]
        keys = {key for outcomes in hits.values() for key in outcomes}
        together = {key: [value for outcomes in hits.values() for value in outcomes.get(key, [])] for key in keys}
        rows += _rows("demo and scifact", together, shared)
    return rows


def _rows(name: str, hits: Mapping[str, list[bool]], shared: dict[str, Any]) -> list[Row]:
    return [
        row("answers", name, "", "grounding", metric, sum(values) / len(values), n=len(values), **shared)
        for metric, values in sorted(hits.items())
        if values
    ]


def _measure(opened: OpenProject, written: list[Answer]) -> dict[str, list[bool]]:
    documents = {document.id: document for document in opened.sources.documents()}
    check = PassageCheck(opened.job_context().engines, opened.settings.verification, documents)
    cited = [_evidence(opened, answer) for answer in written]
    pool = [name for answer in written for citation in answer.citations for name in _names(citation.excerpt)]
    hits: dict[str, list[bool]] = defaultdict(list)
    for place, answer in enumerate(written):
        print(f"  answer {place + 1} of {len(written)}", file=sys.stderr, flush=True)
        others = [citation.excerpt for other in written[place + 1 :] + written[:place] for citation in other.citations]
        planted = list(_planted(answer, cited[place], pool, others))
        for sentence in planted:
            caught = not _supported(sentence, check)
            hits["caught"].append(caught)
            hits[f"caught_{sentence.kind}"].append(caught)
            if not caught:
                print(f"    missed {sentence.kind}: {sentence.text!r}", file=sys.stderr)
        if planted:
            hits["caught_answers"].append(not _supported(planted[place % len(planted)], check))
        for sentence in _true(answer, cited[place]):
            hits["false_alarm"].append(not _supported(sentence, check, verbatim=True))
            hits["false_alarm_judged"].append(not _supported(sentence, check))
        for sentence in _reworded(answer, cited[place]):
            alarm = not _supported(sentence, check)
            hits["false_alarm_reworded"].append(alarm)
            if alarm:
                print(f"    false alarm {sentence.kind}: {sentence.text!r}", file=sys.stderr)
    return dict(hits)


def _supported(sentence: Planted, check: PassageCheck, *, verbatim: bool = False) -> bool:
    text = f"{sentence.text} [1]"
    draft = Draft(mode=AnswerMode.EXTRACTIVE, text=text, claims=(DraftClaim(0, len(text), (1,)),))
    grounded = ground(
        draft, {1: sentence.cited}, check, worthy, threshold=1.0, verbatim=verbatim or sentence.kind != "true"
    )
    return grounded.sentences[0].supported


def _evidence(opened: OpenProject, answer: Answer) -> dict[int, Evidence]:
    """The passage behind each marker, as the job has it."""
    evidence = {}
    for citation in answer.citations:
        [passage] = [p for p in opened.sources.passages(citation.document_id) if p.id == citation.passage_id]
        evidence[citation.marker] = Evidence(
            citation.marker, passage.id, citation.document_id, citation.title, passage.start, passage.end, passage.text
        )
    return evidence


def _true(answer: Answer, cited: Mapping[int, Evidence]) -> list[Planted]:
    own = [sentence for sentence in answer.sentences if sentence.bullet is None and sentence.markers]
    return [
        Planted("true", without_markers(answer.text[sentence.start : sentence.end]), cited[sentence.markers[0]])
        for sentence in own[:SENTENCES]
    ]


def _planted(answer: Answer, cited: Mapping[int, Evidence], pool: list[str], others: list[str]) -> Iterator[Planted]:
    for place, sentence in enumerate(_true(answer, cited)):
        for kind in KINDS:
            error = seeded_error(sentence.text, sentence.cited.text, kind, seed=SEED, pool=pool)
            if error is not None:
                yield Planted(kind, error.claim, sentence.cited)
        foreign = [text for text in others if text not in sentence.cited.text]
        if foreign:
            yield Planted("foreign", " ".join(foreign[place * 7 % len(foreign)].split()), sentence.cited)


def _reworded(answer: Answer, cited: Mapping[int, Evidence]) -> Iterator[Planted]:
    true = _true(answer, cited)
    for sentence in true:
        first = sentence.text.split()[0]
        if first in _PLAIN:
            yield Planted(
                "according", f"According to the source, {sentence.text[0].lower()}{sentence.text[1:]}", sentence.cited
            )
        shorter = re.sub(r"(\d) per cent\b", r"\1%", sentence.text)
        if shorter != sentence.text:
            yield Planted("percent", shorter, sentence.cited)
    for sentence, other in pairwise(true):
        if sentence.cited.passage_id == other.cited.passage_id and other.text.split()[0] in _PLAIN:
            joined = f"{sentence.text.rstrip('.')}; {other.text[0].lower()}{other.text[1:]}"
            yield Planted("joined", joined, replace(sentence.cited))


_PLAIN = frozenset(
    "The A An In At On Of By For Over Most Many Some These Those This That It Its We Our".split()  # noqa: SIM905
)


def _names(text: str) -> list[str]:
    return [text[mention.start : mention.end] for mention in mentions(text)]
