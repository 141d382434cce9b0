"""Words around a claim that say whose statement it is, join it to the sentence before, or cite: as reports have them.

Training claims are bare statements; of "The study found that …" a model taught on them alone doubts what it accepts
without these words (docs/decisions/0009). Words that claim nothing keep the label. A person's name does claim
something: it keeps the label where the evidence names the same person as the one who says it, and makes the claim
NOT_SUPPORTED where the evidence names another or nobody.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from training.verifier.data import CONTRADICTS, NOT_SUPPORTED, SUPPORTS, Pair

SOURCE = "words_around"
_VERBS = ("found", "reported", "showed", "noted", "said", "concluded", "stated", "observed", "wrote", "argued")
NOBODY = (
    "The study", "This study", "The report", "The authors", "The paper", "The article", "The researchers",
    "Researchers", "A study", "One study", "The review", "The analysis", "The source", "The survey",
)  # fmt: skip
_JOINS = (
    "However,", "For example,", "For instance,", "Overall,", "In addition,", "Moreover,", "Notably,", "Similarly,",
    "Furthermore,", "In particular,", "In fact,", "Finally,", "Still,", "Also,", "Meanwhile,", "Specifically,", "But",
    "And", "Yet", "Indeed,", "In short,", "By then,",
)  # fmt: skip
SURNAMES = (
    "Smith", "Jones", "Miller", "Garcia", "Chen", "Okafor", "Novak", "Larsen", "Kim", "Patel", "Rossi", "Dubois",
    "Whitfield", "Abe", "Moreau", "Haddad", "Silva", "Kowalski", "Nguyen", "Olsen", "Fischer", "Brandt", "Castillo",
    "Ivanov", "Mensah", "Tanaka", "Lindqvist", "O'Brien", "Yilmaz", "Schmidt", "Baker", "Hughes", "Fontaine", "Greer",
    "Varga", "Petrov", "Singh", "Adeyemi", "Romero", "Walsh", "Keller", "Sato", "Andersen", "Marsh", "Duarte", "Holm",
)  # fmt: skip
_FIRST = ("Anna", "John", "Maria", "David", "Li", "Sara", "Peter", "Amina", "James", "Elena", "Omar", "Ruth", "Ivan")
_LOWERED = frozenset((
    "the", "a", "an", "in", "on", "at", "by", "there", "it", "its", "this", "these", "those", "some", "many",
    "most", "all", "several", "for", "from", "during", "after", "before", "when", "while", "if", "as", "one", "two",
    "three", "both", "each", "no", "not", "he", "she", "they", "people", "patients", "women", "men", "children",
))  # fmt: skip


def worded(pairs: Sequence[Pair], share: float, seed: int) -> Iterator[Pair]:
    """Every pair, ``share`` of them with such words around the claim or a citation, or without its full stop."""
    rng = random.Random(seed)
    for pair in pairs:
        yield _changed(pair, rng) if rng.random() < share else pair


def _changed(pair: Pair, rng: random.Random) -> Pair:
    kind = rng.choices(("nobody", "join", "cited", "stop", "named", "both"), (28, 20, 10, 10, 16, 16))[0]
    bare = pair.claim.rstrip()
    if kind == "join":
        return _with(pair, f"{rng.choice(_JOINS)} {inside(bare)}")
    if kind == "stop":
        return _with(pair, bare[:-1] if bare.endswith(".") else f"{bare}.")
    if kind == "cited":
        return _with(pair, f"{bare.rstrip('.')} ({_person(rng)}, {rng.randint(1990, 2025)}).")
    if kind == "nobody":
        return _with(pair, frame(bare, rng.choice(NOBODY), rng))
    return _by_name(pair, bare, rng, in_evidence=kind == "both")


def _with(pair: Pair, claim: str, label: int | None = None) -> Pair:
    return replace(pair, claim=claim, label=pair.label if label is None else label, source=SOURCE)


def _by_name(pair: Pair, bare: str, rng: random.Random, *, in_evidence: bool) -> Pair:
    """The statement of a person: of the same one, of another, or of one of whom the evidence knows nothing."""
    who = _person(rng)
    label = NOT_SUPPORTED if pair.label in (SUPPORTS, CONTRADICTS) else pair.label
    if not in_evidence or pair.evidence.count(". ") > 1:
        return _with(pair, frame(bare, who, rng), label)
    other = who if rng.random() < 0.65 else _person(rng)
    kept = pair.with_evidence(frame(pair.evidence.rstrip(), other, rng))
    return _with(kept, frame(bare, who, rng), pair.label if other == who else label)


def _person(rng: random.Random) -> str:
    name = rng.choice(SURNAMES)
    return rng.choice(
        (name, name, f"{name} et al.", f"{name} and {rng.choice(SURNAMES)}", f"{rng.choice(_FIRST)} {name}",
         f"{rng.choice(_FIRST)} {name}")
    )  # fmt: skip


def frame(statement: str, who: str, rng: random.Random) -> str:
    """``statement`` as what ``who`` says."""
    verb, bare = rng.choice(_VERBS), statement.rstrip(".")
    lower = f"{who[0].lower()}{who[1:]}" if who.split()[0] in ("The", "This", "A", "One", "Researchers") else who
    return rng.choice(
        (
            f"{who} {verb} that {inside(bare)}.",
            f"{who} {verb} that {inside(bare)}.",
            f"According to {lower}, {inside(bare)}.",
            f"As {lower} {verb}, {inside(bare)}.",
            f"{bare}, {lower} {verb}.",
            f"{bare}, according to {lower}.",
        )
    )


def inside(sentence: str) -> str:
    """A sentence as it stands behind other words: a small letter where its first word is no name."""
    first = sentence.split(" ", 1)[0]
    return f"{sentence[0].lower()}{sentence[1:]}" if first.lower() in _LOWERED else sentence
