"""Claims as reports write them: with words that say whose statement they are.

Every claim of SciFact dev gets one of ``FRAMES`` in front or behind, in turn, and is looked up in its abstract, whose
authors are named to the judge as the reference of a report names them. ``scifact_attributed``: the frame names these
authors, or the source without a name; it should be judged like the claim alone (``scifact_found``).
``scifact_misattributed``: it names others, of whom the abstract says nothing; ``passed`` should be near 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks import verification_labels
from benchmarks.report import Row
from benchmarks.rows import mean_row
from benchmarks.verification_data import CitedPage, LabelledPair
from benchmarks.verification_pages import Pages
from core.labels import Label
from core.ports.store import Entailer
from core.records import SourceVerdict
from core.settings.values import Verification
from core.verify.source import judge_in_source

AUTHORS = ("Smith", "Jones", "2019")
FRAMES = (
    "Smith and Jones found that {}",
    "According to the study, {}",
    "The authors report that {}",
    "A 2019 study by Smith et al. showed that {}",
    "The report notes that {}",
    "{}, according to Jones",
)
OTHERS = (
    "Miller and Brown found that {}",
    "According to Miller, {}",
    "The mayor reports that {}",
    "A study by Brown et al. showed that {}",
    "{}, according to Miller",
)
_JOINING = frozenset({"the", "a", "an", "in", "there", "it", "this", "these"})


def framed(claim: str, frame: str) -> str:
    """The claim inside the frame, its first letter small where it is a word of grammar."""
    claim = claim.rstrip(" .")
    first = claim.split(maxsplit=1)[0] if claim.strip() else ""
    small = first.lower() in _JOINING and not frame.startswith("{")
    return frame.format(claim[:1].lower() + claim[1:] if small else claim) + "."


def run(
    pages: Pages,
    labelled: Sequence[LabelledPair],
    cited: Sequence[CitedPage],
    entailer: Entailer,
    settings: Verification,
    **rest: Any,
) -> list[Row]:
    """Rows of both readings."""

    def verdicts(frames: Sequence[str]) -> list[SourceVerdict]:
        return [
            judge_in_source(
                framed(page.claim, frames[at % len(frames)]), pages.source(page), entailer, settings, names=AUTHORS
            )
            for at, page in enumerate(cited)
        ]

    rows = verification_labels.found(labelled, verdicts(FRAMES), "scifact_attributed", **rest)
    passed = [float(verdict.label is Label.SUPPORTS) for verdict in verdicts(OTHERS)]
    rows.append(mean_row("verification", "scifact_misattributed", "dev", "product", "passed", passed, **rest))
    return rows
