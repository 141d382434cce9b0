"""Charts of use over time, each with its figures as a table. Series differ by shape and dash too, never by colour
alone."""

from typing import Any

import streamlit as st

from core.evaluate.usage import Usage
from pages.shared.keyed_table import show_table
from pages.words import usage as wording

HEIGHT = 220


def show_searches(usage: Usage) -> None:
    """Searches over time, and beside them the shares without a result and from memory."""
    st.subheader("Searches over time")
    rows = wording.slot_points(usage)
    left, right = st.columns(2, gap="medium")
    with left:
        st.caption(f"Searches in each {wording.STEP_WORDS[usage.step]}")
        st.altair_chart(
            _bars(rows), alt=f"Bars: searches in each {wording.STEP_WORDS[usage.step]}; the table below has them."
        )
    with right:
        st.caption("Of 100 searches, how many found nothing, and how many were answered from memory")
        shares = wording.share_points(usage)
        order = [row["slot"] for row in rows]
        st.altair_chart(
            _lines(shares, order, "share", "Of 100 searches", [0, 100]),
            alt="Lines: searches without a result and from memory, of 100; the table below has them.",
        )
    _table(usage)


def show_answers(usage: Usage) -> None:
    """The time of searches, over time."""
    points = wording.time_points(usage)
    if not points:
        return
    st.subheader("How long a search takes")
    st.caption("Milliseconds, without what was answered from memory")
    order = [wording.slot_words(slot.start, usage.step) for slot in usage.slots]
    st.altair_chart(
        _lines(points, order, "ms", "Milliseconds"),
        alt="Lines: milliseconds that half and 95 of 100 searches stay under, over time; the table above has them.",
    )


def show_stages(usage: Usage) -> None:
    points = wording.stage_points(usage.stages)
    if not points:
        return
    st.caption("Step by step: the bar ends where half of the searches are faster, the tick where 95 of 100 are")
    st.altair_chart(_steps(points), alt="Bars: milliseconds of each step; the table below has them.")
    show_table(wording.stage_rows(usage.stages), "Median and 95th percentile of each step's time.", wide=False)


def _table(usage: Usage) -> None:
    with st.expander("The same as a table", icon=":material/table:", key="usage-table"):
        show_table(wording.slot_rows(usage.slots, usage.step), "Searches over time, the newest first.")


def _slots(order: list[Any]) -> Any:
    import altair as alt

    return alt.X("slot:N", sort=order, title=None, scale=alt.Scale(domain=order), axis=alt.Axis(labelOverlap=True))


def _bars(rows: list[dict[str, Any]]) -> Any:
    import altair as alt
    import pandas as pd

    return (
        alt.Chart(pd.DataFrame(rows))
        .mark_bar()
        .encode(
            x=_slots([row["slot"] for row in rows]),
            y=alt.Y("searches:Q", title="Searches", axis=alt.Axis(format="d", tickMinStep=1)),
            tooltip=[alt.Tooltip("slot:N", title="When"), alt.Tooltip("searches:Q", title="Searches")],
        )
        .properties(height=HEIGHT)
    )


def _lines(
    rows: list[dict[str, Any]], order: list[Any], value: str, title: str, domain: list[int] | None = None
) -> Any:
    import altair as alt
    import pandas as pd

    legend = alt.Legend(orient="top", title=None)
    base = alt.Chart(pd.DataFrame(rows)).encode(
        x=_slots(order),
        y=alt.Y(f"{value}:Q", title=title, scale=alt.Scale(domain=domain) if domain else alt.Scale(domainMin=0)),
        color=alt.Color("what:N", legend=legend),
        tooltip=[
            alt.Tooltip("slot:N", title="When"),
            alt.Tooltip("what:N", title="What"),
            alt.Tooltip(f"{value}:Q", title=title, format=".1f"),
        ],
    )
    lines = base.mark_line(strokeWidth=2).encode(strokeDash=alt.StrokeDash("what:N", legend=legend))
    points = base.mark_point(filled=True, size=70, opacity=1).encode(shape=alt.Shape("what:N", legend=legend))
    return (lines + points).properties(height=HEIGHT)


def _steps(rows: list[dict[str, Any]]) -> Any:
    import altair as alt
    import pandas as pd

    order = [row["step"] for row in rows]
    base = alt.Chart(pd.DataFrame(rows)).encode(
        y=alt.Y("step:N", sort=order, title=None, axis=alt.Axis(labelLimit=220)),
        tooltip=[
            alt.Tooltip("step:N", title="Step"),
            alt.Tooltip("p50:Q", title="Half are faster than (ms)", format=".1f"),
            alt.Tooltip("p95:Q", title="95 of 100 are faster than (ms)", format=".1f"),
        ],
    )
    bars = base.mark_bar(height=14).encode(x=alt.X("p50:Q", title="Milliseconds"))
    ticks = base.mark_tick(thickness=3, size=22).encode(x=alt.X("p95:Q"))
    return (bars + ticks).properties(height=34 * len(rows) + 30)
