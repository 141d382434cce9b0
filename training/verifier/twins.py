"""Twins: pairs with exactly one difference, each beside its untouched twin, made by rule from training pairs.

Two kinds of statement are changed. A *sentence* of the evidence of a training pair, which gives up to four pairs: S
says S, S says T, T says T, T says S; so neither the claim alone nor the evidence alone tells the label. And a supported
*claim* in other words than its evidence, which gives two. No evaluation set is read, and nothing that is held out.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from training.verifier.data import CONTRADICTS, NOT_SUPPORTED, SUPPORTS, Pair, coverage, held_out, read
from training.verifier.negatives import sentences
from training.verifier.twin_change import OPPOSITE, OTHER, STRONGER, Change, Rule, aims
from training.verifier.twin_direction import directions, sides, times
from training.verifier.twin_entity import siblings, symbols, symbols_of
from training.verifier.twin_forms import SAME, forms
from training.verifier.twin_scope import but_not, figures_exchanged, from_to, no_evidence, not_all, with_without
from training.verifier.twin_strength import bounds, causes, certainty, quantifiers, significance
from training.verifier.twin_wording import loosened
from training.verifier.units import Unit

CLAIMS = (
    "evidence_inference_tpl", "pubmedqa_conclusion", "scifact_train_rationale", "fever_train", "fever_dev", "fm2",
    "sufficient_facts", "begin", "entailment_bank", "boolq_dev_stmt", "exfever_test_expl", "scitail_dev",
)  # fmt: skip
SENTENCES = (
    "pubmedqa_conclusion", "evidence_inference_tpl", "scifact_train_abstract", "scifact_train_rationale", "fever_train",
    "begin", "entailment_bank", "boolq_dev_stmt", "feverous_s_dev", "sufficient_facts", "scitail_dev",
)  # fmt: skip
PAGED = frozenset(("sufficient_facts", "fm2", "feverous_s_dev"))
"""Sets whose evidence has "Page: " before each sentence."""
MOST_ROWS = 12000
"""Rows that are read of one set."""
CAP = 900
"""Units of one rule and kind of statement."""
FEWEST_WORDS, MOST_WORDS = 6, 38
_PAGE = re.compile(r"\A[^.:]{2,60}: ")
_BROKEN = re.compile(r"\A(?:And|But|Or|Which|Who|Because|\W)|[|{}#]|https?:|\.\.\.|[:;]\s*\Z|\A[a-z]\) |\. [a-z]|  ")


@dataclass(frozen=True, slots=True)
class Statement:
    """What can be changed: a sentence with ``before`` and ``after`` around it, or a claim (``sentence``) and its
    evidence (``evidence``; empty for a sentence)."""

    sentence: str
    before: str
    after: str
    evidence: str
    source: str
    id: str


def statements(folder: Path, seed: int) -> tuple[list[Statement], list[Statement]]:
    """Sentences and claims of the training sets, each shuffled."""
    rng = random.Random(seed)
    found: dict[str, Statement] = {}
    claims: list[Statement] = []
    for name in dict.fromkeys((*SENTENCES, *CLAIMS)):
        pairs = [pair for pair in read(folder, name) if not held_out(pair)]
        pairs = rng.sample(pairs, min(len(pairs), MOST_ROWS))
        if name in SENTENCES:
            for pair in pairs:
                found.update((one.sentence, one) for one in _of_evidence(pair))
        if name in CLAIMS:
            claims += [
                Statement(pair.claim, "", "", pair.evidence, pair.source, pair.id)
                for pair in pairs if pair.label == SUPPORTS and usable(pair.claim)
            ]  # fmt: skip
    return rng.sample(list(found.values()), len(found)), rng.sample(claims, len(claims))


def _of_evidence(pair: Pair) -> Iterator[Statement]:
    parts = sentences(pair.evidence)
    if pair.source in PAGED:
        parts = [_PAGE.sub("", part) for part in parts]
    for at, part in enumerate(parts):
        if usable(part):
            before, after = parts[at - 1] if at else "", parts[at + 1] if at + 1 < len(parts) else ""
            yield Statement(part, _apart(before, part), _apart(after, part), "", pair.source, pair.id)


def _apart(neighbour: str, sentence: str) -> str:
    """The neighbour, where it does not repeat the sentence: else a change of the one would meet the other unchanged."""
    return neighbour if coverage(sentence, neighbour) < 0.3 and len(neighbour.split()) < 45 else ""


def usable(sentence: str) -> bool:
    """Whether a sentence states something, as far as its form tells."""
    return (
        FEWEST_WORDS <= len(sentence.split()) <= MOST_WORDS
        and not aims(sentence)
        and not _BROKEN.search(sentence)
        and sentence.count("(") == sentence.count(")")
    )


def rules(seed: int, pool: Sequence[str]) -> dict[str, Rule]:
    """The rules that need no parse, by the name of their module's part."""
    return {
        "direction": directions, "side": sides, "time": times, "certainty": certainty, "cause": causes,
        "quantifier": quantifiers, "bound": bounds, "significance": significance,
        "sibling": lambda s: siblings(s, seed),
        "symbol": lambda s: symbols(s, pool, seed), "without": with_without, "not_all": not_all,
        "no_evidence": no_evidence, "but_not": but_not, "figures": figures_exchanged, "from_to": from_to,
        "form": lambda s: forms(s, seed),
    }  # fmt: skip


def changes(
    found: Sequence[Statement], told: dict[str, Rule], cap: int, seed: int
) -> Iterator[tuple[Statement, Change]]:
    """At most ``cap`` changed statements of each rule, one of a rule for each statement; rare rules first."""
    left = Counter(dict.fromkeys(told, cap))
    for one in found:
        rng = random.Random(f"{seed} {one.id} {one.sentence}")
        for name, rule in told.items():
            offered = list(rule(one.sentence)) if left[name] > 0 else []
            if offered:
                left[name] -= 1
                yield one, rng.choice(offered)


LABELS = {OPPOSITE: (CONTRADICTS, CONTRADICTS), OTHER: (NOT_SUPPORTED, NOT_SUPPORTED),
          STRONGER: (NOT_SUPPORTED, SUPPORTS), SAME: (SUPPORTS, SUPPORTS)}  # fmt: skip
"""By kind: the label of "S says T" and of "T says S"."""


def of_sentence(one: Statement, change: Change, rng: random.Random) -> Unit | None:
    """Two to four pairs of a sentence S and its changed form T."""
    seed = f"{one.id} {one.sentence}"
    claims = loosened(one.sentence, seed), loosened(change.text, seed)
    if claims[0] == claims[1]:
        return None
    around = (one.before if rng.random() < 0.45 else "", one.after if rng.random() < 0.45 else "")
    texts = [" ".join(part for part in (around[0], text, around[1]) if part) for text in (one.sentence, change.text)]
    name, (crossed, back) = f"twin_{change.rule}", LABELS[change.kind]

    def pair(claim: int, text: int, label: int) -> Pair:
        return Pair(claims[claim], texts[text], label, name, one.id)

    whole = (pair(0, 0, SUPPORTS), pair(1, 0, crossed), pair(1, 1, SUPPORTS), pair(0, 1, back))
    if change.kind == SAME:
        return (pair(1, 0, SUPPORTS), pair(0, 1, SUPPORTS))
    return whole if rng.random() < 0.6 else whole[:2]


WEAK = {
    "certainty": re.compile(r"\b(?:may|might|could|suggest|likely|probabl|appear|seem|potential|possib|expect|thought|"
                            r"believ|plan|propos|nominat|report|alleg|attempt|tried|hope|accus|charg|promis)"),
    "cause": re.compile(r"\b(?:associat|correlat|link|contribut|role|risk factor|implicat|coincid|follow)"),
    "quantifier": re.compile(r"\b(?:most|many|some|several|often|usual|sometimes|frequent|general|common|typical|main|"
                             r"primar|part|rare|almost|near|majority|few|select|approx|about|half|one of|subset)"),
}  # fmt: skip
"""By rule: what the evidence of a claim must have for the stronger claim to go beyond it."""


def of_claim(one: Statement, change: Change) -> Unit | None:
    """The claim beside its changed form; None where the evidence has the words that were put in."""
    if change.new and re.search(rf"(?<!\w){re.escape(change.new)}(?!\w)", one.evidence, re.IGNORECASE):
        return None
    if change.rule == "bound" and re.search(r"\b(?:at (?:least|most)|up to)\b", f"{one.sentence} {change.text}"):
        return None  # of exactly three, both "at least three" and "at most three" are true
    weak = WEAK.get(change.rule)
    if weak is not None and not weak.search(one.evidence):
        return None
    if change.rule == "figures" and not set(re.findall(r"\d[\d.]*\d|\d", one.sentence)) <= set(
        re.findall(r"\d[\d.]*\d|\d", one.evidence)
    ):
        return None  # the evidence does not say whose figures these are
    if change.new == "won" and re.search(r"\b(?:receiv|won|win|award|earn)", one.evidence.replace("Award", "")):
        return None
    name, label = f"twin_{change.rule}", LABELS[change.kind][0]
    true = Pair(one.sentence, one.evidence, SUPPORTS, name, one.id)
    return true, true.with_claim(change.text, label, name)


def twin_units(folder: Path, seed: int, cap: int = CAP) -> list[Unit]:
    """All twins, in the order of their making."""
    rng = random.Random(seed)
    lines, claims = statements(folder, seed)
    told = rules(seed, symbols_of([one.sentence for one in lines if one.source.startswith(("pubmed", "scifact"))]))
    made: list[Unit | None] = [of_sentence(one, change, rng) for one, change in changes(lines, told, cap, seed)]
    made += [of_claim(one, change) for one, change in changes(claims, told, cap, seed)]
    made += list(_parsed(lines, claims, cap, seed, rng))
    return [unit for unit in made if unit is not None]


def _parsed(lines: Sequence[Statement], claims: Sequence[Statement], cap: int, seed: int,
            rng: random.Random) -> Iterator[Unit | None]:  # fmt: skip
    """Exchanged roles; the parser reads only as many statements as they need."""
    from training.verifier.twin_roles import parsed, parser, roles

    nlp = parser()
    for found, most in ((lines, 4 * cap), (claims, 2 * cap)):
        used: Counter[str] = Counter()
        for one, doc in zip(found, parsed([one.sentence for one in found[: 12 * cap]], nlp), strict=False):
            offered = [change for change in roles(doc) if used[change.rule] < most]
            if not offered:
                continue
            change = rng.choice(offered)
            used[change.rule] += 1
            yield of_sentence(one, change, rng) if not one.evidence else of_claim(one, change)


def samples(units: Sequence[Unit], count: int, seed: int, cut: int = 200) -> Iterator[str]:
    """``count`` units of each rule as text, for reading."""
    groups: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        groups[unit[0].source].append(unit)
    letters = {SUPPORTS: "S", CONTRADICTS: "C", NOT_SUPPORTED: "-", 2: "N"}
    for name, rows in sorted(groups.items()):
        yield f"== {name}: {len(rows)} units"
        for unit in random.Random(seed).sample(rows, min(count, len(rows))):
            yield f"   E {unit[0].evidence[:cut]}" if unit[0].claim not in unit[0].evidence else "   E ..."
            yield from (f"     {letters[pair.label]} {pair.claim}" for pair in unit[:2])
