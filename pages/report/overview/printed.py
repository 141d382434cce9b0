"""What stands on paper only: every citation with its evidence, as a list. On the screen it is hidden."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.records import Finding
from core.text.words import count_words
from pages.report.overview.rows import Shown
from pages.shared.safe import Run, heading_html, runs_html
from pages.words.overview import HOLDINGS, SINGULAR, Holding
from pages.words.overview_rows import in_order

LONGEST = 400
"""Citations on paper at most; more are in the export."""

FAILING_FIRST = (Holding.FAILS,)
THE_REST = (Holding.OPEN, Holding.MISSING, Holding.WAITING, Holding.HOLDS)


def show_for_print(shown: Shown, title: str, wanted: Sequence[Holding]) -> None:
    """The citations that come to one of ``wanted``, in that order, each with its evidence."""
    found = [one for holding in wanted for one in in_order(shown.findings, shown.holdings, holding)]
    if not found:
        return
    blocks: list[tuple[str, list[Run]]] = []
    for finding in found[:LONGEST]:
        blocks += _blocks(shown, finding)
    if len(found) > LONGEST:
        left = count_words(len(found) - LONGEST, "more citation")
        blocks.append(("p", [Run(f"{left}: see the export of this report.")]))
    with st.container(key=f"on-paper-{wanted[0].value}"):
        st.html(heading_html(title, 2))
        st.html(runs_html(blocks))


def _blocks(shown: Shown, finding: Finding) -> list[tuple[str, list[Run]]]:
    row = shown.evidence(finding)
    words = HOLDINGS[row.holding]
    marker = f" · {row.marker}" if row.marker else ""
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
