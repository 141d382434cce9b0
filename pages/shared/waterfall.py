"""The waterfall: where each returned passage stood after each step."""

from __future__ import annotations

import streamlit as st

from core.records import ScoredPassage, SearchResult
from core.text.words import STAGE_HELP, STAGE_NAMES, section_of, short, stage_cells, stages_run, title_of, waterfall

LINES = 10


def show_waterfall(result: SearchResult) -> None:
    """A chart of ranks over the steps, and the table with ranks and scores."""
    stages = stages_run(result)
    if len(stages) > 1:
        st.caption(
            "Each line is one passage. Left: its place in the single searches. Right: its place in the end. "
            "A line that is missing at a step was not among that step's candidates."
        )
        _chart(result)
    import pandas as pd

    st.dataframe(
        pd.DataFrame(waterfall(result)),
        hide_index=True,
        column_config={
            "rank": st.column_config.NumberColumn("Result", width=60),
            "title": st.column_config.TextColumn("Source", width=190),
            "section": st.column_config.TextColumn("Section", width=115),
            **{
                stage.value: st.column_config.TextColumn(STAGE_NAMES[stage], width=100, help=STAGE_HELP[stage])
                for stage in stages
            },
        },
        alt="Rank and score of every returned passage after each step.",
    )
    st.caption(
        "In each cell: the place at that step and, in brackets, its score. Scores of different steps do not compare."
    )


def _place(scored: ScoredPassage) -> str:
    return section_of(scored.passage, scored.document) or title_of(scored.document)


def _chart(result: SearchResult) -> None:
    import altair as alt
    import pandas as pd

    order = [STAGE_NAMES[stage] for stage in stages_run(result)]
    rows = [
        {
            "passage": f"{scored.rank}. {short(_place(scored), 40)}",
            "step": STAGE_NAMES[cell.stage],
            "rank": cell.rank,
            "score": round(cell.score, 4),
        }
        for scored in result.passages[:LINES]
        for cell in stage_cells(scored.trail).values()
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
