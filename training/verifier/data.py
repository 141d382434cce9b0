"""Training pairs: which sets the shipped model may see, how many rows of each, and their labels as numbers.

Only the classes ``permissive``, ``SA`` and ``mixed`` (without its topicalchat rows) of the collection are read, and not
the rows of SAMSum inside SummEdits (non-commercial). See docs/model_card_verifier.md.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

SUPPORTS, CONTRADICTS, NEUTRAL, NOT_SUPPORTED = range(4)
"""Class numbers. The model has the first three outputs; NOT_SUPPORTED rows are known not to be SUPPORTS, no more."""

LABELS = {"SUPPORTS": SUPPORTS, "REFUTES": CONTRADICTS, "NEI": NEUTRAL, "NOT_SUPPORTED": NOT_SUPPORTED}
ALLOWED = frozenset({"permissive", "SA", "mixed"})
_DROPPED = re.compile(r"samsum-|.*_tc-")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim and its evidence; ``label`` is one of the four class numbers."""

    claim: str
    evidence: str
    label: int
    source: str
    id: str

    def with_claim(self, claim: str, label: int, source: str) -> Pair:
        """The same evidence with another claim."""
        return replace(self, claim=claim, label=label, source=source)

    def with_evidence(self, evidence: str, label: int | None = None, source: str | None = None) -> Pair:
        """The same claim with other evidence."""
        return replace(
            self, evidence=evidence, label=self.label if label is None else label, source=source or self.source
        )


@dataclass(frozen=True, slots=True)
class Source:
    """Which rows of a set are used. ``caps`` bounds the rows by label, ``repeat`` counts rows that often."""

    name: str
    caps: tuple[int, int, int, int] = (10**9,) * 4
    repeat: int = 1


_ALL = 10**9
SOURCES = (
    Source("scifact_train_abstract", repeat=4),
    Source("scifact_train_rationale", repeat=4),
    Source("evidence_inference_tpl", (2800, 2800, 1700, 0)),
    Source("pubmedqa_conclusion"),
    Source("factcheck_gpt", (_ALL, _ALL, 1300, 0)),
    Source("sufficient_facts"),
    Source("fm2"),
    Source("feverous_s_dev"),
    Source("fever_train", (24000, 24000, 0, 0)),
    Source("fever_dev", (5000, 5000, 0, 0)),
    Source("fever_train_nei_bm25", (0, 0, 14000, 0)),
    Source("mnli_train_pada", (4200, 4200, 4200, 0)),
    Source("mnli_dev_matched", (3000, 3000, 3000, 0)),
    Source("semi_auto_wiki", (4600, 4600, 4600, 0)),
    Source("conjnli_dev"),
    Source("conjnli_adv_train", (1200, 1200, 1200, 0)),
    Source("negation_nli"),
    Source("snli_cad", (2700, 2700, 2700, 0)),
    Source("snli_dev", (1700, 1700, 1700, 0)),
    Source("breaking_nli", (500, 800, 47, 0)),
    Source("entailment_bank", (3500, 0, 0, 0)),
    Source("entailment_bank_partial", (0, 0, 3500, 0)),
    Source("negation_rte", (_ALL, 0, 0, 700)),
    Source("begin", (1600, 0, 0, 2400)),
    Source("summedits", (1500, 0, 0, 2000)),
    Source("bump"),
    Source("defacto", (1500, 0, 0, 1500)),
    Source("factcg_cg2c_doc"),
    Source("wice_partial_train", repeat=3),
)


def read(folder: Path, name: str) -> list[Pair]:
    """Every usable row of one set.

    Raises:
        ValueError: the licence class of the set does not allow it in a shipped model.
        FileNotFoundError: the collection is not there.
    """
    classes = json.loads((folder / "CLASSES.json").read_text())
    if classes[name]["class"] not in ALLOWED:
        raise ValueError(f"{name} is of class {classes[name]['class']!r}: not for a model that is shipped")
    pairs = []
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            if not _DROPPED.match(row["id"]):
                pairs.append(Pair(row["hypothesis"], row["premise"], LABELS[row["label"]], name, row["id"]))
    return pairs


def held_out(pair: Pair, share: float = 0.02) -> bool:
    """Whether a pair belongs to validation: decided by its document (SciFact) or premise, so neither is in both."""
    document = pair.id.split("-")[1] if pair.source.startswith("scifact") else pair.evidence[:200]
    return int(hashlib.sha256(document.encode()).hexdigest()[:8], 16) < share * 2**32


def words(text: str) -> list[str]:
    """Words in lower case."""
    return _WORD.findall(text.lower())


def coverage(claim: str, evidence: str) -> float:
    """Share of the distinct words of the claim (longer than 3 letters) that the evidence has."""
    mine = {word for word in words(claim) if len(word) > 3}
    return len(mine & set(words(evidence))) / max(1, len(mine))


def iter_dev(folder: Path, name: str) -> Iterator[Pair]:
    """Rows of an evaluation set of ``nli/``, three classes."""
    labels = {"supports": SUPPORTS, "contradicts": CONTRADICTS, "neutral": NEUTRAL}
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            yield Pair(row["claim"], row["evidence"], labels[row["label"]], row["dataset"], str(row["id"]))
