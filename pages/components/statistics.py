"""Statistics of a project's searches."""

from __future__ import annotations

import streamlit as st

from core.labels import Stage
from core.opened import OpenProject
from core.present import STAGE_NAMES, short, size_words, when_words
from pages.components.session import now


def show_statistics(opened: OpenProject) -> None:
    """Counts, then time per step, then the latest searches."""
    numbers = opened.statistics()
    for column, (label, value) in zip(
        st.columns(6),
        {
            "Searches": f"{numbers.total_queries:,}",
            "Without a result": f"{numbers.zero_result_queries:,}",
            "Results a search": f"{numbers.avg_results_per_query:.1f}",
            "From memory": f"{numbers.cache_hit_rate:.0%}",
            "Ready by meaning": f"{numbers.encoded:,} of {numbers.passages:,}",
            "On disk": size_words(numbers.bytes_on_disk),
        }.items(),
        strict=True,
    ):
        column.metric(label, value)
    if numbers.latency:
        st.caption("Time a search takes, by step (milliseconds): half of the searches are faster than the median.")
        st.dataframe(
            {
                "Step": [_step_name(stage) for stage in numbers.latency],
                "Median": [round(median, 1) for median, _ in numbers.latency.values()],
                "Slowest twentieth": [round(high, 1) for _, high in numbers.latency.values()],
            },
            hide_index=True,
            width="content",
            alt="Median and 95th percentile of the time of each step.",
        )
    if numbers.recent:
        st.caption("Latest searches")
        st.dataframe(
            {
                "Question": [short(record.query, 120) for record in numbers.recent],
                "Results": [record.results for record in numbers.recent],
                "When": [when_words(record.at, now()) for record in numbers.recent],
            },
            hide_index=True,
            alt="The latest searches with their number of results.",
        )


def _step_name(stage: str) -> str:
    return STAGE_NAMES[Stage(stage)] if stage in list(Stage) else stage.replace("_", " ").capitalize()
