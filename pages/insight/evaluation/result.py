"""One evaluation: figures with intervals, differences with their chance, each query, and files."""

from contextlib import suppress
from typing import Any

import pandas as pd
import streamlit as st

from core.evaluate.evaluations import Evaluation, EvaluationDetail, system_name
from core.evaluate.trec import EvaluationFileError, format_qrels, format_queries, format_run
from core.labels import JobState
from core.text.words import short, when_words
from core.workbench.open_project import OpenProject
from pages.shared.address import number_in_url
from pages.shared.keyed_table import keyed_table, show_table
from pages.shared.safe import file_name, plain, show_heading
from pages.shared.session import guarded, now, this_project
from pages.words import insight as wording
from pages.words.insight import number as decimal


def show_measurings(measurings: list[Evaluation]) -> None:
    """The list of evaluations, newest first; a click opens one."""
    if len(measurings) > 1:
        keyed_table(
            "measurings",
            "measuring",
            [evaluation.job.id for evaluation in measurings],
            {
                "Measuring": [wording.evaluation_line(evaluation) for evaluation in measurings],
                "Judgements": [wording.ORIGINS.get(evaluation.origin, evaluation.origin) for evaluation in measurings],
                "When": [
                    when_words(evaluation.job.finished or evaluation.job.created, now()) for evaluation in measurings
                ],
            },
            {"Measuring": st.column_config.TextColumn(width=420)},
            "Measurings, newest first. A click on a row opens it below.",
        )


def chosen_measuring(measurings: list[Evaluation]) -> Evaluation | None:
    """The evaluation that the URL names, else the newest that is done, else the newest."""
    wanted = number_in_url("measuring")
    named = next((evaluation for evaluation in measurings if evaluation.job.id == wanted), None)
    done = next((evaluation for evaluation in measurings if evaluation.job.state is JobState.DONE), None)
    return named or done or (measurings[0] if measurings else None)


def show_measuring(opened: OpenProject, measuring: Evaluation) -> None:
    """The figures of one evaluation, or its state while it has none."""
    show_heading(measuring.name, 3)
    when = when_words(measuring.job.finished or measuring.job.created, now())
    st.caption(
        plain(
            f"{wording.evaluation_line(measuring)} · {wording.ORIGINS.get(measuring.origin, measuring.origin)} · {when}"
        )
    )
    if measuring.job.state is JobState.FAILED:
        st.error(plain(measuring.job.error or "It failed."), icon=":material/error:")
        return
    if measuring.job.state is JobState.CANCELLED:
        st.info("It was stopped, so there is no result. Measure again when you want it after all.")
        return
    if measuring.job.state is not JobState.DONE:
        st.info("It is being measured. The result appears here by itself.", icon=":material/hourglass_top:")
        return
    if verdict := wording.verdict_words(measuring):
        st.text(verdict)
    for line in wording.honesty_words(measuring):
        st.caption(f":material/info: {plain(line)}")
    _chart(measuring)
    st.dataframe(
        wording.score_rows(measuring),
        hide_index=True,
        column_config={
            wording.measure_words(name): st.column_config.TextColumn(help=wording.measure_help(name))
            for name in measuring.measures
        },
        alt="Each way to search with its measures and their 95 % intervals.",
    )
    st.caption(
        "In each cell: the mean over all queries and its 95 % interval. ▲ better, ▼ worse than what it is compared "
        "with (p below .05); without a sign the difference may be chance."
    )
    if len(measuring.systems) > 1:
        with st.expander("How likely each difference is chance", icon=":material/casino:", key="chances"):
            show_table(wording.chance_rows(measuring), "p-values of the differences.", wide=False)
            st.caption(
                "Two-sided paired randomisation test over the queries (Smucker and others 2007), adjusted for the "
                "number of comparisons (Holm 1979)."
            )
    _each_query(measuring)


def _chart(measuring: Evaluation) -> None:
    import altair as alt

    name = measuring.measures[0]
    if len(measuring.measures) > 1:
        name = str(
            st.segmented_control(
                "Measure shown",
                list(measuring.measures),
                default=name,
                required=True,
                format_func=wording.measure_words,
                key=f"measure-{measuring.job.id}",
            )
            or name
        )
    rows = wording.score_points(measuring, name)
    order = [str(row["system"]) for row in rows]
    base = alt.Chart(pd.DataFrame(rows)).encode(
        y=alt.Y("system:N", sort=order, title=None, axis=alt.Axis(labelLimit=280)),
        tooltip=[
            alt.Tooltip("system:N", title="Way to search"),
            alt.Tooltip("mean:Q", title=wording.measure_words(name), format=".3f"),
            alt.Tooltip("low:Q", title="from", format=".3f"),
            alt.Tooltip("high:Q", title="to", format=".3f"),
        ],
    )
    scale = alt.Scale(domain=[0, 1])
    intervals = base.mark_rule(strokeWidth=3, color="#7a8594").encode(
        x=alt.X("low:Q", title=wording.measure_words(name), scale=scale), x2="high:Q"
    )
    points = base.mark_point(filled=True, size=90, opacity=1).encode(x=alt.X("mean:Q", scale=scale))
    st.altair_chart(
        (intervals + points).properties(height=46 * len(rows) + 40),
        alt=f"{wording.measure_words(name)} of each way to search, with its 95 % interval; the table below has them.",
    )


@st.fragment
def _each_query(measuring: Evaluation) -> None:
    panel = st.expander(
        "Each query, and files to take along", icon=":material/list:", key=f"each-{measuring.job.id}", on_change="rerun"
    )
    if panel.open:
        with panel, guarded("reading the details"):
            detail = this_project().evaluations.detail(measuring)
            if detail is None:
                st.caption("The values of each query are not kept any more.")
                return
            _queries(measuring, detail)
            _downloads(measuring, detail)


def _queries(measuring: Evaluation, detail: EvaluationDetail) -> None:
    name = measuring.measures[0]
    queries = list(detail.values[measuring.systems[0].key][name])
    columns: dict[str, list[str]] = {
        "Query": [short(detail.judged.queries.get(query) or query, 160) for query in queries],
        "Relevant": [f"{sum(grade > 0 for grade in detail.judged.qrels[query].values()):,}" for query in queries],
    }
    for at, system in enumerate(measuring.systems):
        column = system.name if system.name not in columns else f"{system.name} ({at})"
        columns[column] = [decimal(detail.values[system.key][name][query]) for query in queries]
    st.caption(plain(f"{wording.measure_words(name)} of each query"))
    show_table(pd.DataFrame(columns), f"{wording.measure_words(name)} of each query by way to search.")


def _downloads(measuring: Evaluation, detail: EvaluationDetail) -> None:
    with st.container(horizontal=True, key="evaluation-files"):
        show_downloads(detail.judged.qrels, detail.judged.queries, measuring.name, f"m{measuring.job.id}")
        for key, rankings in detail.rankings.items():
            rows = {
                query: [(name, 1.0 / rank) for rank, name in enumerate(names, 1)] for query, names in rankings.items()
            }
            try:
                text = format_run(rows, key.replace(":", "-").replace(" ", "-"))
            except EvaluationFileError:  # a name of the uploaded judgements has a space: the form has no room for it
                continue
            st.download_button(
                plain(f"Run: {short(system_name(key), 40)}"),
                text,
                file_name=file_name(f"{measuring.name}-{system_name(key)}", ".run.txt"),
                mime="text/plain",
                key=f"run-{measuring.job.id}-{key}",
                icon=":material/download:",
                on_click="ignore",
            )


def show_downloads(qrels: Any, queries: Any, name: str, key: str) -> None:
    """Judgements in both forms and the queries, as files."""
    files: dict[str, tuple[str, str]] = {}
    with suppress(EvaluationFileError):  # a name with a space: only the form with tabs has room for it
        files["Judgements (TREC)"] = (format_qrels(qrels), ".qrels.txt")
    files["Judgements (BEIR)"] = (format_qrels(qrels, beir=True), ".qrels.tsv")
    if queries:
        files["Queries (JSON lines)"] = (format_queries(queries), ".queries.jsonl")
    for label, (text, ending) in files.items():
        st.download_button(
            label,
            text,
            file_name=file_name(name, ending),
            mime="text/plain",
            key=f"{key}-{ending}",
            icon=":material/download:",
            on_click="ignore",
        )
