"""Search results: hits by source with why each was found, and the waterfall of ranks over the steps."""

from collections.abc import Callable, Sequence

import streamlit as st

from core.acquire.injection import addresses_a_model
from core.errors import ModelError
from core.records import ScoredPassage, SearchResult
from core.text import words as text_words
from core.workbench.open_project import OpenProject
from pages.shared.keyed_table import show_table
from pages.shared.safe import plain, show_evidence, show_heading
from pages.shared.session import guarded
from pages.shared.source_view import grade_badge
from pages.words import evidence as wording

LINES = 10


def show_waterfall(result: SearchResult) -> None:
    """A chart of ranks over the steps, and the table with ranks and scores."""
    stages = text_words.stages_run(result)
    if len(stages) > 1:
        st.caption(
            "Each line is one passage. Left: its place in the single searches. Right: its place in the end. "
            "A line that is missing at a step was not among that step's candidates."
        )
        _chart(result)
    import pandas as pd

    st.dataframe(
        pd.DataFrame(text_words.waterfall(result)),
        hide_index=True,
        column_config={
            "rank": st.column_config.NumberColumn("Result", width=60),
            "title": st.column_config.TextColumn("Source", width=190),
            "section": st.column_config.TextColumn("Section", width=115),
            **{
                stage.value: st.column_config.TextColumn(
                    text_words.STAGE_NAMES[stage], width=100, help=text_words.STAGE_HELP[stage]
                )
                for stage in stages
            },
        },
        alt="Rank and score of every returned passage after each step.",
    )
    st.caption(
        "In each cell: the place at that step and, in brackets, its score. Scores of different steps do not compare."
    )


def _place(scored: ScoredPassage) -> str:
    return text_words.section_of(scored.passage, scored.document) or text_words.title_of(scored.document)


def _chart(result: SearchResult) -> None:
    import altair as alt
    import pandas as pd

    order = [text_words.STAGE_NAMES[stage] for stage in text_words.stages_run(result)]
    rows = [
        {
            "passage": f"{scored.rank}. {text_words.short(_place(scored), 40)}",
            "step": text_words.STAGE_NAMES[cell.stage],
            "rank": cell.rank,
            "score": round(cell.score, 4),
        }
        for scored in result.passages[:LINES]
        for cell in text_words.stage_cells(scored.trail).values()
    ]
    names = list(dict.fromkeys(str(row["passage"]) for row in rows))
    base = alt.Chart(pd.DataFrame(rows)).encode(
        x=alt.X("step:N", sort=order, title=None, axis=alt.Axis(labelAngle=0), scale=alt.Scale(padding=0.3)),
        y=alt.Y(
            "rank:Q",
            title="Rank",
            scale=alt.Scale(type="symlog", reverse=True, domainMin=1, nice=False),
            axis=alt.Axis(values=[1, 2, 3, 5, 10, 20, 50, 100], format="d"),
        ),
        color=alt.Color(
            "passage:N",
            sort=names,
            title="Passage",
            legend=alt.Legend(orient="right", labelLimit=320, symbolType="circle"),
        ),
        tooltip=[
            alt.Tooltip("passage:N", title="Passage"),
            alt.Tooltip("step:N", title="Step"),
            alt.Tooltip("rank:Q", title="Rank"),
            alt.Tooltip("score:Q", title="Score"),
        ],
    )
    st.altair_chart(
        (base.mark_line(strokeWidth=2) + base.mark_point(filled=True, size=70, opacity=1)).properties(height=340)
    )


def show_source(opened: OpenProject, number: int, hits: Sequence[ScoredPassage], result: SearchResult) -> None:
    """A bordered card for one source: its title once, then its ``hits``, best first."""
    with st.container(border=True, key=f"result-{number}", gap="xsmall"):
        _heading(number, hits[0])
        for scored in hits:
            show_hit(opened, scored, result, result.request.queries[0].text)


def show_card(
    opened: OpenProject,
    scored: ScoredPassage,
    result: SearchResult,
    question: str,
    beside: Callable[[], None] | None = None,
    below: Callable[[], None] | None = None,
) -> None:
    """A bordered card for one hit; details open inside it. ``beside`` paints what else a page shows beside the button,
    ``below`` what under it."""
    with st.container(border=True, key=f"result-{scored.rank}", gap="xsmall"):
        _heading(scored.rank, scored)
        show_hit(opened, scored, result, question, beside, below)


def _heading(number: int, scored: ScoredPassage) -> None:
    document = scored.document
    with st.container(horizontal=True, vertical_alignment="center"):
        show_heading(f"{number}. {text_words.title_of(document, 160)}", 2, fill=True)
        grade_badge(document)
    flagged = " · holds text that addresses a language model" if addresses_a_model(document) else ""
    with st.container(key=f"quiet-source-{number}"):
        st.text(wording.source_line(document) + flagged)


def show_hit(
    opened: OpenProject,
    scored: ScoredPassage,
    result: SearchResult,
    question: str,
    beside: Callable[[], None] | None = None,
    below: Callable[[], None] | None = None,
) -> None:
    """Three lines of a hit, where it stands and how well it matches, and what can be done with it."""
    passage = scored.passage
    with st.container(key=f"hit-{scored.rank}", gap="xxsmall"):
        place = " · ".join(filter(None, (wording.place_words(scored), wording.match_words(scored, result))))
        with st.container(key=f"quiet-where-{scored.rank}"):
            st.text(place)
        show_evidence(*wording.lines_of(scored))
        with st.container(horizontal=True, vertical_alignment="center"):
            if st.button("Open at the passage", key=f"open-{passage.id}", icon=":material/article:", type="tertiary"):
                st.query_params["doc"] = passage.document_id
                st.query_params["passage"] = str(passage.id)
                st.rerun(scope="app")
            with st.popover(
                "Copy with citation", key=f"copy-{passage.id}", icon=":material/format_quote:", type="tertiary"
            ):
                st.code(wording.citation_words(scored), language=None, wrap_lines=True)
            why = st.popover(
                "Why this passage", key=f"why-{passage.id}", icon=":material/help:", type="tertiary", on_change="rerun"
            )
            if beside is not None:
                beside()
        if below is not None:
            below()
        if why.open:
            with why, guarded("explaining"):
                _show_why(opened, scored, question)


def _show_why(opened: OpenProject, scored: ScoredPassage, question: str) -> None:
    cells = text_words.stage_cells(scored.trail)
    if cells:
        st.caption(
            f"Found by {text_words.found_by(scored)}." if text_words.found_by(scored) else "Its way through the search:"
        )
        show_table(
            {
                "Step": [text_words.STAGE_NAMES[stage] for stage in cells],
                "Rank": [cell.rank for cell in cells.values()],
                "Score": [f"{cell.score:.4f}" for cell in cells.values()],
            },
            f"Rank of result {scored.rank} after each step of the search.",
            wide=False,
        )
    try:
        matches = opened.explain(question, scored.passage)
    except ModelError as error:
        st.caption(plain(f"Which words answered which cannot be shown: {error}"))
        return
    passage = scored.passage
    st.caption("Which word of the passage came closest to each word of the question (closeness in context, 1 at most):")
    show_table(
        {
            "Question": [match.query_word for match in matches],
            "Answered by": [match.word + (" (in the title)" if match.in_context else "") for match in matches],
            "Closeness": [round(match.similarity, 2) for match in matches],
        },
        "Words of the question and the words that answered them.",
        wide=False,
    )
    inside = [match for match in matches if not match.in_context]
    st.caption(f"The whole passage with {text_words.count_words(len(inside), 'answering word')} marked:")
    show_evidence(passage.text, [(match.start - passage.start, match.end - passage.start) for match in inside])
