"""Evidence selection: are the sentences that people marked among the first five?

``recall@5`` of a claim = the largest share, over the sets of sentences that people marked as sufficient, of a set's
sentences that lie among the five sentences that ``CitedSource.select`` puts first. (WiCE gives several alternative
sets for a claim, SciFact several rationales: any one of them is enough.) Claims for which nothing was marked are left
out. In SciFact an abstract has nine sentences, in WiCE a page has 119 and a set about three.

The constants of ``core.verify.sentences`` were chosen on SciFact train and on the even rows of WiCE dev; split
``dev_held_out`` of WiCE is the odd rows, ``dev`` all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.report import Row
from benchmarks.rows import mean_row
from benchmarks.verification_data import CitedPage
from benchmarks.verification_pages import Pages, sentence_numbers
from core.records import EvidenceSentence, SourceVerdict
from core.verify.sentences import CitedSource

DEEP = 12


def run(pages: Pages, name: str, cited: Sequence[CitedPage], split: str, **rest: Any) -> list[Row]:
    """Rows ``recall@5`` by words alone and as the product does it, and ``hit@12``: a whole set is among the sentences
    that are looked at closely."""
    with_gold = [page for page in cited if page.gold]
    systems: dict[str, Callable[[CitedPage], CitedSource]] = {
        "bm25": Pages(pages.store, None).source,
        "verifier": pages.source,
    }
    rows = []
    for system, source_of in systems.items():
        rankings = [sentence_numbers(page, source_of(page).select(page.claim, DEEP)) for page in with_gold]
        at_5 = [recall(numbers[:5], page) for numbers, page in zip(rankings, with_gold, strict=True)]
        whole = [float(recall(numbers, page) == 1) for numbers, page in zip(rankings, with_gold, strict=True)]
        rows.append(mean_row("verification", name, split, system, "recall@5", at_5, **rest))
        rows.append(mean_row("verification", name, split, system, "hit@12", whole, **rest))
    return rows


def shown(name: str, cited: Sequence[CitedPage], verdicts: Sequence[SourceVerdict], split: str, **rest: Any) -> Row:
    """Row ``rationale@1``: the sentence that is shown for the verdict is one that people marked, whatever the label."""
    with_gold = [(page, verdict.rationale) for page, verdict in zip(cited, verdicts, strict=True) if page.gold]
    return mean_row("verification", name, split, "verifier", "rationale@1", [_hit(*pair) for pair in with_gold], **rest)


def _hit(page: CitedPage, rationale: tuple[int, int] | None) -> float:
    if rationale is None:
        return 0.0
    (number,) = sentence_numbers(page, [EvidenceSentence(*rationale, text="", score=0.0)])
    return float(any(number in gold for gold in page.gold))


def recall(numbers: Sequence[int], page: CitedPage) -> float:
    """Largest share of a marked set that ``numbers`` hold."""
    chosen = set(numbers)
    return max(len(chosen & gold) / len(gold) for gold in page.gold)
