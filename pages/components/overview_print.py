"""What stands on paper only: every citation with its evidence, as a list. On the screen it is hidden."""

from __future__ import annotations

import streamlit as st

from core.audit.heat import is_citation
from core.model import Finding
from core.present import count_words
from core.present_overview import HOLDINGS, SINGULAR, Holding
from pages.components.overview_rows import Shown
from pages.components.safe import Run, runs_html

LONGEST = 400
"""Citations on paper at most; more are in the export."""

_FIRST = (Holding.FAILS, Holding.OPEN, Holding.MISSING, Holding.WAITING, Holding.HOLDS)


def show_for_print(shown: Shown) -> None:
    """The list of evidence: what does not hold first, what holds last."""
    cited = [one for one in shown.findings if is_citation(one)]
    ordered = sorted(cited, key=lambda one: _FIRST.index(shown.holdings[one.id]))
    blocks: list[tuple[str, list[Run]]] = []
    for finding in ordered[:LONGEST]:
        blocks += _blocks(shown, finding)
    if len(ordered) > LONGEST:
        left = count_words(len(ordered) - LONGEST, "more citation")
        blocks.append(("p", [Run(f"{left}: see the export of this report.")]))
    with st.container(key="overview-print"):
        st.html("<h2>The evidence</h2>")
        st.html(runs_html(blocks) or "<p></p>")


def _blocks(shown: Shown, finding: Finding) -> list[tuple[str, list[Run]]]:
    row = shown.evidence(finding)
    words = HOLDINGS[row.holding]
    marker = f" ({row.marker})" if row.marker else ""
    lines = [("h4", f"{row.ordinal}. {words.sign} {SINGULAR[row.holding].capitalize()}{marker}")]
    lines += [
        ("p", f"{name}{text}")
        for name, text in (
            ("The report: ", row.said), ("The source: ", row.words and f"“{row.words}”"), ("Cited: ", row.source),
            ("Why: ", row.why), ("Decision: ", row.decided),
        )
        if text
    ]  # fmt: skip
    return [(tag, [Run(text)]) for tag, text in lines]
