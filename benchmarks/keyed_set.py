"""Citations with a key, written by hand before any run: does the cited text say the sentence?

``load("choose")`` is for choosing models, features and thresholds; ``load("held")`` is opened once, at the end, and
``benchmarks/labels/keyed/README.md`` says when. ``python -m benchmarks.keyed_set`` checks both halves against the
folder of public data (``benchmarks.keyed_check``) and prints the counts, never a claim of the held half.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from benchmarks.keyed_sources import SourceRef, missing, text_of

FOLDER = Path(__file__).resolve().parent / "labels" / "keyed"
DEFAULT_DATA = Path(__file__).resolve().parents[1] / "../shared/data"
HALVES = ("choose", "held")
KINDS = ("abstract", "encyclopaedic", "law", "news", "technical")
NEEDS = ("one_sentence", "context", "two_facts")
ATTRIBUTED = (None, "front", "behind", "brackets")
FAULTS = (
    "entity",
    "lower_entity",
    "number",
    "group",
    "direction",
    "antonym",
    "modality",
    "causation",
    "quantifier",
    "negation_scope",
    "with_without",
    "time",
    "role",
    "wrong_source",
    "quote",
    "attribution",
    "not_mentioned",
    "partial",
)
Half = Literal["choose", "held"]


@dataclass(frozen=True, slots=True)
class Keyed:
    """One citation: a report's sentence, the text it cites, and whether that text says it.

    ``fault`` names the one difference of a claim that does not hold; ``twin`` is its true sibling. ``units`` are the
    passages of the text that decide, word for word. ``attributed`` says where the claim names its source or speaker.
    """

    id: str
    kind: str
    source: SourceRef
    claim: str
    holds: bool
    fault: str | None
    twin: str | None
    units: tuple[str, ...]
    needs: str
    attributed: str | None
    note: str


def load(half: Half) -> tuple[Keyed, ...]:
    """The citations of one half, in the order of the file.

    Raises:
        ValueError: a line is not as this module wants it; the message names the line.
    """
    path = FOLDER / f"{half}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(_item(line, f"{path.name}:{number}") for number, line in enumerate(lines, 1))


def text(item: Keyed, data: Path = DEFAULT_DATA) -> str:
    """The whole text that the item cites, without its title."""
    return text_of(data, item.source)


def counts(items: Sequence[Keyed]) -> dict[str, Counter[str]]:
    """Counters over the items: of faults, kinds of text, what is needed to decide, and where the claim attributes."""
    return {
        "fault": Counter(item.fault or ("right" if item.needs == "one_sentence" else "right_more") for item in items),
        "kind": Counter(item.kind for item in items),
        "needs": Counter(f"{'right' if item.holds else 'wrong'}_{item.needs}" for item in items),
        "attributed": Counter(f"{'right' if item.holds else 'wrong'}_{item.attributed or 'no'}" for item in items),
    }


def _item(line: str, where: str) -> Keyed:
    try:
        row: dict[str, Any] = json.loads(line)
        return Keyed(**{**row, "source": SourceRef(**row["source"]), "units": tuple(row["units"])})
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{where}: {error}") from error


def main(data: Path = DEFAULT_DATA) -> int:
    """Exit code of the check: prints what is wrong, or the counts of both halves."""
    from benchmarks.keyed_check import problems

    halves = {half: load(half) for half in HALVES}
    faults = problems(halves, data, with_texts=not missing(data))
    if absent := missing(data):
        print(f"Texts not checked, {data} lacks: {', '.join(absent)}")
    for problem in faults:
        print(problem)
    for half, items in halves.items():
        print(half, len(items), *(f"\n  {name}: {dict(sorted(c.items()))}" for name, c in counts(items).items()))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
