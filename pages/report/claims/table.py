"""The claims of a project: filters, the table, and the matrix claims × sources."""

from collections.abc import Sequence

import streamlit as st

from core.claims.claims import ClaimMatrix
from core.records import Claim
from core.text.words import count_words
from pages.shared.keyed_table import fit, keyed_table
from pages.shared.notices import hint
from pages.shared.session import set_fields
from pages.words.claims import TYPES, VERDICTS, WORTH, cell_words, chosen_claims, claim_row, column_names

CLAIM_PX = 430
MOST_COLUMNS = 30


def show_filters(claims: Sequence[Claim]) -> list[Claim]:
    """The claims that pass the filters; every choice stands in the URL."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="claim-filters"):
        worth = st.segmented_control(
            "Check-worthy", list(WORTH), key="worth", bind="query-params", help="Nothing chosen: all of them."
        )
        types = st.segmented_control(
            "Type",
            [word for word, _ in TYPES.values()],
            selection_mode="multi",
            key="type",
            bind="query-params",
            help="Central claims need better sources, and more than one.",
        )
        verdicts = st.multiselect(
            "Verdict",
            [words.word for words in VERDICTS.values()],
            key="verdict",
            bind="query-params",
            placeholder="Any verdict",
            width=260,
        )
    shown = chosen_claims(claims, types, verdicts, worth)
    if len(shown) != len(claims):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"{count_words(len(shown), 'claim')} of {len(claims):,}", width="content")
            st.button("Show all", icon=":material/filter_alt_off:", type="tertiary", on_click=clear_filters)
    return shown


def clear_filters() -> None:
    set_fields({"worth": None, "type": [], "verdict": []})


def show_list(claims: Sequence[Claim]) -> None:
    """One row a claim; a click opens it."""
    if not claims:
        st.info("No claim passes these filters.", icon=":material/filter_alt_off:")
        return
    rows = [claim_row(claim) for claim in claims]
    text = st.column_config.TextColumn
    keyed_table(
        "claims",
        "claim",
        [row.id for row in rows],
        {
            "Verdict": [row.verdict for row in rows],
            "Claim": [fit(row.text, CLAIM_PX, 3) for row in rows],
            "Type": [row.type for row in rows],
            "For": [_number(row.supporting) for row in rows],
            "Against": [_number(row.against) for row in rows],
            "Worth checking": [fit(row.worth, 170, 3) for row in rows],
        },
        {
            "Verdict": text(width=125),
            "Claim": text(width=CLAIM_PX),
            "Type": text(width=95),
            "For": text(width=55, alignment="right", help="Sources that support it and count."),
            "Against": text(width=75, alignment="right", help="Sources that speak against it and count."),
            "Worth checking": text(width=170, help="Whether it says something that a source can confirm, and why."),
        },
        "Claims, one a row. A click on a row opens it.",
    )


def show_matrix(matrix: ClaimMatrix, claims: Sequence[Claim]) -> None:
    """Claims down, sources across; a click opens the claim."""
    wanted = {claim.id for claim in claims}
    rows = [claim for claim in matrix.claims if claim.id in wanted and claim.verdict is not None]
    if not rows or not matrix.documents:
        hint("Nothing to compare yet: check some claims first.")
        return
    documents = matrix.documents[:MOST_COLUMNS]
    names = column_names(documents, 15)
    columns: dict[str, list[object]] = {"Claim": [fit(claim.text, 300, 3) for claim in rows]}
    for name, document in zip(names, documents, strict=True):
        columns[name] = [cell_words(matrix.cells.get((claim.id, document.id))) for claim in rows]
    # Not pinned: Streamlit paints pinned cells in a grey that is too faint to read in the light theme.
    config = {"Claim": st.column_config.TextColumn(width=300)}
    config |= {
        name: st.column_config.TextColumn(width=120, help=" ".join(document.title.split())[:200].replace("[", "("))
        for name, document in zip(names, documents, strict=True)
    }
    keyed_table("matrix", "claim", [claim.id for claim in rows], columns, config, "Claims by sources.")
    st.caption(
        "✓ supports it, ✗ speaks against it, – says neither, with the probability; in brackets what does not count "
        "because the source's grade is too low; empty: not looked at. The letter before a source is its grade."
    )
    if len(matrix.documents) > MOST_COLUMNS:
        st.caption(f"The best {MOST_COLUMNS} of {len(matrix.documents):,} sources are shown.")


def _number(count: int | None) -> str:
    return "–" if count is None else f"{count:,}"
