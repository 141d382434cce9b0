"""Pairs made from pairs: rule-made errors, same-document and look-alike passages, evidence among distractors."""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.text.sentences import sentence_spans
from core.verify.checks.mentions import mentions
from training.verifier.augment import seeded_error
from training.verifier.data import CONTRADICTS, NEUTRAL, NOT_SUPPORTED, SUPPORTS, Pair, coverage, words

RULES = ("number", "date", "entity", "quantifier")
TOO_CLOSE = 0.7
"""A passage with a larger share of the claim's words often does verify it: not used as a negative."""

UNRELATED = 0.3


def sentences(text: str) -> list[str]:
    """Sentences of a text."""
    return [text[start:end] for start, end in sentence_spans(text)]


class LookAlikes:
    """Passages that share rare words with a claim, found by an inverted index over the rarest words."""

    def __init__(self, passages: Sequence[str]) -> None:
        self._passages = passages
        self._frequency: Counter[str] = Counter()
        kept = [set(words(passage)) for passage in passages]
        for found in kept:
            self._frequency.update(found)
        self._posts: dict[str, list[int]] = defaultdict(list)
        for at, found in enumerate(kept):
            for word in found:
                if 2 <= self._frequency[word] <= 400 and len(word) > 3:
                    self._posts[word].append(at)

    def find(self, claim: str, gold: str, rng: random.Random) -> str | None:
        """A passage that shares the most rare words, is not the gold one and does not hold most of the claim."""
        scores: Counter[int] = Counter()
        for word in set(words(claim)):
            for at in self._posts.get(word, ()):
                scores[at] += 100 // self._frequency[word] + 10
        best = [at for at, _ in scores.most_common(6)]
        rng.shuffle(best)
        for at in best:
            passage = self._passages[at]
            if passage[:60] not in gold and gold[:60] not in passage and coverage(claim, passage) < TOO_CLOSE:
                return passage
        return None


def names(pairs: Sequence[Pair]) -> list[str]:
    """Names in the claims: the pool for swaps."""
    found = {pair.claim[m.start : m.end] for pair in pairs for m in mentions(pair.claim, pair.evidence) if m.sure}
    return sorted(found)


def rule_made(pairs: Sequence[Pair], count: int, alike: LookAlikes, seed: int) -> Iterator[Pair]:
    """About ``count`` pairs with one rule-made change in the claim.

    A changed number, date, name or quantifier is NOT_SUPPORTED. A negation makes a supported claim refuted and a
    refuted one supported; and a negated claim beside a passage that does not settle it is neutral, so that
    "not" in the claim
    says nothing by itself.
    """
    rng = random.Random(seed)
    order = [pair for pair in pairs if pair.label in (SUPPORTS, CONTRADICTS)]
    rng.shuffle(order)
    pool = names(order[:2500])
    left = dict.fromkeys(RULES, count // 7) | {"negation": count // 7, "denied": count // 7, "aside": count // 7}
    for pair in order:
        if not any(left.values()):
            return
        kinds = [*RULES, "negation", "aside"] if pair.label == SUPPORTS else ["denied"]
        kinds = [kind for kind in kinds if left[kind] > 0]
        rng.shuffle(kinds)
        for kind in kinds[:3]:
            error = seeded_error(pair.claim, pair.evidence, kind if kind in RULES else "negation", seed=seed, pool=pool)
            if error is None:
                continue
            made = _labelled(pair, kind, error.claim, alike, rng)
            if made is not None:
                left[kind] -= 1
                yield made
                break


def _labelled(pair: Pair, kind: str, claim: str, alike: LookAlikes, rng: random.Random) -> Pair | None:
    if kind in RULES:
        return pair.with_claim(claim, NOT_SUPPORTED, f"rule_{kind}")
    if kind == "aside":
        other = alike.find(claim, pair.evidence, rng)
        return other and pair.with_claim(claim, NEUTRAL, "rule_negation").with_evidence(other)
    return pair.with_claim(claim, CONTRADICTS if kind == "negation" else SUPPORTS, "rule_negation")


def look_alike(pairs: Sequence[Pair], count: int, alike: LookAlikes, seed: int) -> Iterator[Pair]:
    """Up to ``count`` claims beside another passage with many of their words: NEUTRAL."""
    rng = random.Random(seed)
    order = [pair for pair in pairs if pair.label in (SUPPORTS, CONTRADICTS)]
    rng.shuffle(order)
    for pair in order:
        if count <= 0:
            return
        other = alike.find(pair.claim, pair.evidence, rng)
        if other:
            count -= 1
            yield pair.with_evidence(other, NEUTRAL, "look_alike")


def unrelated(pairs: Sequence[Pair], share: float, seed: int) -> list[Pair]:
    """A claim beside the evidence of any other pair, ``share`` of the pairs: NEUTRAL.

    Without them the caption pairs of SNLI teach that whatever speaks of something else contradicts.
    """
    rng = random.Random(seed)
    made = []
    for _ in range(int(share * len(pairs))):
        one, other = rng.choice(pairs), rng.choice(pairs)
        if coverage(one.claim, other.evidence) < UNRELATED:
            made.append(one.with_evidence(other.evidence, NEUTRAL, "unrelated"))
    return made


def among_distractors(pair: Pair, alike: LookAlikes, rng: random.Random, *, room: int) -> Pair:
    """The evidence between other sentences, up to ``room`` words in all; the pair as it is where nothing fits."""
    room -= len(pair.evidence.split())
    other = alike.find(pair.claim, pair.evidence, rng)
    if other is None:
        return pair
    before: list[str] = []
    after: list[str] = []
    for sentence in sentences(other):
        room -= len(sentence.split())
        if room < 0:
            break
        (before if rng.random() < 0.5 else after).append(sentence)
    return pair.with_evidence(" ".join([*before, pair.evidence, *after]))


def best_window(claim: str, evidence: str, *, room: int) -> str:
    """The run of whole sentences of at most ``room`` words that shares the most words with the claim."""
    if len(evidence.split()) <= room:
        return evidence
    parts = sentences(evidence)
    mine = {word for word in words(claim) if len(word) > 3}
    best, chosen = -1.0, evidence
    for start in range(len(parts)):
        size, end = 0, start
        while end < len(parts) and (end == start or size + len(parts[end].split()) <= room):
            size += len(parts[end].split())
            end += 1
        text = " ".join(parts[start:end])
        score = len(mine & set(words(text))) + 0.001 * size
        if score > best:
            best, chosen = score, text
    return chosen


def scifact_windows(folder: Path, kept: Sequence[Pair], seed: int) -> Iterator[Pair]:
    """Windows of 1 to 5 sentences of the training abstracts: with a whole rationale the label, with none of it NEUTRAL.

    ``kept`` are the pairs of ``scifact_train_abstract``: claims and abstracts of the dev split are not among them.
    """
    rng = random.Random(seed)
    allowed = {tuple(pair.id.split("-")[:2]) for pair in kept}
    abstracts = {}
    with gzip.open(folder / "corpus_sentences.jsonl.gz", "rt", encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            abstracts[str(row["doc_id"])] = row["abstract"]
    labels = {"SUPPORT": SUPPORTS, "CONTRADICT": CONTRADICTS}
    for line in (folder / "claims_train.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for document in {str(d) for d in row["cited_doc_ids"]} | set(row["evidence"]):
            if (str(row["id"]), document) not in allowed:
                continue
            lines = abstracts[document]
            gold = [(set(r["sentences"]), labels[r["label"]]) for r in row["evidence"].get(document, [])]
            for _ in range(6):
                size = rng.randint(1, 5)
                start = rng.randint(0, max(0, len(lines) - size))
                window = set(range(start, min(len(lines), start + size)))
                whole = [label for rationale, label in gold if rationale <= window]
                if not whole and any(rationale & window for rationale, _ in gold):
                    continue
                text = " ".join(lines[at] for at in sorted(window))
                yield Pair(
                    row["claim"], text, whole[0] if whole else NEUTRAL, "scifact_windows", f"{row['id']}-{document}-w"
                )
            for rationale, label in gold:
                first, last = min(rationale), max(rationale)
                if last - first < 5:
                    a, b = max(0, first - rng.randint(0, 2)), min(len(lines), last + 1 + rng.randint(0, 2))
                    text = " ".join(lines[a:b])
                    yield Pair(row["claim"], text, label, "scifact_windows", f"{row['id']}-{document}-r")
