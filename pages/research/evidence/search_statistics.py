"""Statistics of a project's searches."""

from __future__ import annotations

import streamlit as st

from core.text.words import short, size_words, timing_names, when_words
from core.workbench.open_project import OpenProject
from pages.shared.session import now


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
            "Found by meaning": f"{numbers.encoded / max(1, numbers.passages):.0%}",
            "On disk": size_words(numbers.bytes_on_disk),
        }.items(),
        strict=True,
    ):
        column.metric(label, value)
    if numbers.latency:
        names = timing_names(numbers.latency)
        st.caption("How long a search takes, step by step, in milliseconds")
        st.dataframe(
            {
                "Step": list(names.values()),
                "Half are faster than": [round(numbers.latency[step][0], 1) for step in names],
                "95 of 100 are faster than": [round(numbers.latency[step][1], 1) for step in names],
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
