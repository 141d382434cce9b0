"""Sets of 29 November against measured weaknesses: exchanged roles, scope, comparison, several sentences, overclaim.

``data/train/INDEX.md`` (section "Added on 29 November") says where each is from and what reading twenty of it found.
Binary rows keep their twins beside them: pairs about the same words with different labels make one unit.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from training.verifier.data import NOT_SUPPORTED, Pair, Source, held_out, read, words
from training.verifier.units import Unit, together

_ALL = 10**9
NEW = (
    Source("paws_wiki_dev"),
    Source("paws_wiki_train_fewshot"),
    Source("hans_gen", (1500, 0, 0, 1500)),
    Source("role_swap_wiki_CONSTRUCTED", (500, 0, 0, 500)),
    Source("med"),
    Source("scone_train", (2200, 0, 2200, 0)),
    Source("ambient"),
    Source("clcd_comparative", (900, 900, 0, 0)),
    Source("fib", (_ALL, 0, 0, 1200)),
    Source("vitaminc_fewshot"),
    Source("taxinli_mnli_train", (1600, 1600, 1600, 0)),
    Source("boolq_dev_stmt"),
    Source("exfever_test_expl"),
    Source("folio"),
    Source("scitail_dev"),
    Source("expertqa_parts"),
    Source("q2_wow"),
)
_DETACHED = re.compile(r"\s+([.,;:?!])")
SAME_WORDS = {"paws_wiki_dev", "paws_wiki_train_fewshot", "hans_gen", "role_swap_wiki_CONSTRUCTED"}


def read_new(folder: Path, source: Source) -> list[Pair]:
    """Usable rows of one set, with the full stop where readers expect it."""
    return [
        pair.with_claim(_DETACHED.sub(r"\1", pair.claim), pair.label, pair.source).with_evidence(
            _DETACHED.sub(r"\1", pair.evidence)
        )
        for pair in read(folder, source.name)
    ]


def new_units(folder: Path, seed: int) -> tuple[list[Unit], list[Pair]]:
    """Units for training (in no order that matters) and held-out pairs, of all sets."""
    units: list[Unit] = []
    held: list[Pair] = []
    for source in NEW:
        pairs = read_new(folder, source)
        held += [pair for pair in pairs if held_out(pair)]
        kept = [pair for pair in pairs if not held_out(pair)]
        units += together(drawn(kept, source, seed), key_of(source.name))
    return units, held


def drawn(pairs: Sequence[Pair], source: Source, seed: int) -> list[Pair]:
    """At most the rows of each label that the source allows, drawn with ``seed``, in their order."""
    rng = random.Random(f"{seed} {source.name}")
    kept: set[int] = set()
    for label in range(NOT_SUPPORTED + 1):
        rows = [at for at, pair in enumerate(pairs) if pair.label == label]
        kept.update(rng.sample(rows, min(len(rows), source.caps[label])))
    return [pair for at, pair in enumerate(pairs) if at in kept]


def key_of(name: str) -> Callable[[Pair], str]:
    """What makes two pairs of a set belong together: the same evidence, or the same words in another order."""
    return _same_words if name in SAME_WORDS else _same_evidence


def _same_words(pair: Pair) -> str:
    return " ".join(sorted(words(pair.evidence)))


def _same_evidence(pair: Pair) -> str:
    return pair.evidence
