"""Pseudo-relevance feedback: the words of the passages that a first search finds.

RM3: Abdul-Jaleel, Allan, Croft, Diaz, Larkey, Li, Smucker & Wade, "UMass at TREC 2004: Novelty and HARD", TREC 2004, on
the relevance model RM1 of Lavrenko & Croft, "Relevance-Based Language Models", SIGIR 2001:

    P(w | R)  =  Σ over the passages D found of  P(w | D) · P(Q | D) / Σ over all D' found of P(Q | D')
    P'(w)     =  λ · P(w | Q)  +  (1 − λ) · P(w | R)

``P(w | D)`` and ``P(w | Q)`` are maximum likelihood estimates: the count of the stem over the length in stems, function
words left out. As in Anserini (Yang, Fang & Lin, JDIQ 2018) the score of the first search stands for ``P(Q | D)``, and
``P(w | R)`` is cut to its ``feedback_terms`` largest and brought to sum 1 before the two are mixed.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

from core.expand.question import MAX_QUESTION_CHARS, cut, same
from core.labels import QueryKind
from core.records import Variant
from core.text.terms import STOP_WORDS, fold, terms

MOST_REPEATS = 5
"""The most repeats of a word in the query. BM25 counts repeats, so they are how a text carries weights."""
_SHORTEST = 3


def relevance_model(passages: Sequence[tuple[str, float]]) -> dict[str, float]:
    """P(stem | R) of all stems of the ``passages`` (text, score ≥ 0), which sums to 1. Function words, numbers and
    stems under three letters are left out of the counts. Empty when no passage has a word."""
    counted = [(Counter(stem for stem, _ in _telling(text)), score) for text, score in passages]
    weighted = [(counts, score) for counts, score in counted if counts and score > 0]
    total = sum(score for _, score in weighted)
    model: dict[str, float] = defaultdict(float)
    for counts, score in weighted:
        length = sum(counts.values())
        for stem, count in counts.items():
            model[stem] += count / length * score / total
    return dict(model)


def rm3(
    question: str, passages: Sequence[tuple[str, float]], *, feedback_terms: int, weight: float
) -> dict[str, float]:
    """P'(stem), largest first, ties by stem; sums to 1 unless both parts are empty.

    Args:
        passages: what a first search found, best first, as (text, score).
        feedback_terms: how many stems of the relevance model are kept, at least 1.
        weight: λ, what the question weighs, in [0, 1].
    """
    model = relevance_model(passages)
    strongest = dict(sorted(model.items(), key=lambda item: (-item[1], item[0]))[:feedback_terms])
    mass = sum(strongest.values())
    own = Counter(stem for stem, _ in _telling(question)) or Counter(term.stem for term in terms(question))
    length = sum(own.values())
    mixed: dict[str, float] = defaultdict(float)
    for stem, count in own.items():
        mixed[stem] += weight * count / length
    for stem, chance in strongest.items():
        mixed[stem] += (1 - weight) * chance / mass
    return dict(sorted(mixed.items(), key=lambda item: (-item[1], item[0])))


def feedback(
    question: str, passages: Sequence[tuple[str, float]], *, feedback_terms: int, weight: float
) -> list[Variant]:
    """The question's own words and the most telling ones of the passages, each repeated by its weight; no variant when
    the passages bring no new word. A question in a script without spaces stays whole, with the new words behind it: its
    index terms are pairs of characters, and no words to read or to encode. Nothing of it goes to the web: the words
    come from the project's sources."""
    weights = {
        stem: share
        for stem, share in rm3(question, passages, feedback_terms=feedback_terms, weight=weight).items()
        if share > 0
    }
    own = list(terms(question))
    new = [stem for stem in weights if stem not in {term.stem for term in own}]
    if not new:
        return []
    words = _surface([question, *(text for text, _ in passages)])
    if any(after.start < before.end for before, after in pairwise(own)):
        text = cut(" ".join([question, *(words[stem] for stem in new)]), MAX_QUESTION_CHARS)
    else:
        text = _repeated({words[stem]: share for stem, share in weights.items()})
    brought = ", ".join(words[stem] for stem in new[:6])
    if same(text) == same(question):
        return []
    return [
        Variant(
            "feedback",
            QueryKind.FEEDBACK,
            text,
            why=f"words of the best passages: {brought}",
        )
    ]


def _repeated(weights: Mapping[str, float]) -> str:
    """Each word as often as its weight over the smallest one says, at most five times."""
    least = min(weights.values())
    words: list[str] = []
    length = 0
    for word, share in weights.items():
        times = max(1, min(MOST_REPEATS, round(share / least)))
        length += (len(word) + 1) * times
        if length > MAX_QUESTION_CHARS:
            break
        words.extend([word] * times)
    return " ".join(words)


def _telling(text: str) -> list[tuple[str, str]]:
    """Stems with the words they come from, function words, numbers and short ones left out."""
    pairs = []
    for term in terms(text):
        word = fold(text[term.start : term.end])
        if word not in STOP_WORDS and (len(word) >= _SHORTEST or not word.isascii()) and not word.isdigit():
            pairs.append((term.stem, word))
    return pairs


def _surface(texts: Sequence[str]) -> dict[str, str]:
    """The most frequent word of every stem, ties by the alphabet."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        for term in terms(text):
            counts[term.stem][fold(text[term.start : term.end])] += 1
    return {stem: min(of_stem.items(), key=lambda item: (-item[1], item[0]))[0] for stem, of_stem in counts.items()}
