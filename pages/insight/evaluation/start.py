"""The form of an evaluation: the judgements, the ways to search, the measures."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.evaluate.evaluations import MEASURES
from core.evaluate.job import COMBINATIONS, USUAL
from core.records import JudgedQueries
from core.text.words import count_words, short
from core.workbench.open_project import OpenProject
from pages.shared.notices import hint, rerun_with
from pages.shared.safe import plain
from pages.shared.session import guarded
from pages.words.insight import given_name, measure_help, measure_words

OWN_FILES = "My own files"
MORE_MEASURES = (*MEASURES, "ndcg@5", "recall@10", "precision@1", "precision@10")
UPLOAD_MB = 20
MOST_KEPT = 8
"""Sets that were given earlier and are offered again."""


def show_start(opened: OpenProject) -> None:
    """The form; a new evaluation is opened as soon as it is asked for."""
    offered = [judged for judged in (opened.evaluations.golden(), opened.evaluations.reviewed()) if judged is not None]
    ready = {judged.name: judged for judged in offered}
    for upload in opened.evaluations.uploaded()[-MOST_KEPT:]:
        ready[given_name(upload.name, ready)] = upload
    source = st.radio("What was judged", [*ready, OWN_FILES], format_func=plain, key="judged-source", horizontal=True)
    judged = ready.get(str(source))
    if judged is not None:
        st.caption(plain(_extent(judged)))
    else:
        judged = _uploaded(opened)
    if judged is None:
        return
    if judged.origin != "upload" and not judged.askable:
        hint("Nobody has accepted a citation yet, so no passage counts as relevant.")
        return
    ways = _ways(judged)
    measures = st.multiselect(
        "Measures",
        list(MORE_MEASURES),
        default=list(MEASURES[:4]),
        format_func=measure_words,
        key="measures",
        help=" ".join(f"{measure_words(name)}: {measure_help(name)}" for name in ("ndcg", "recall", "precision")),
    )
    baseline = _baseline(ways, judged)
    if ways:
        st.caption(plain(f"{count_words(len(judged.askable) * len(ways), 'search', 'searches')} to do."))
    if st.button("Measure", type="primary", icon=":material/straighten:", key="measure"):
        with guarded("asking for a measuring"):
            job = opened.evaluations.start(judged, ways, measures, baseline=baseline)
            st.query_params["measuring"] = str(job.id)
            rerun_with("It is being measured; the result stays here.")


def _uploaded(opened: OpenProject) -> JudgedQueries | None:
    st.caption(
        "Judgements in the form of TREC (query 0 document grade) or BEIR (query-id, corpus-id, score). A document is "
        "named by its id, web address, DOI, file name or title; a place in it as id:start-end."
    )
    left, right = st.columns(2, gap="large")
    with left:
        qrels = st.file_uploader("Judgements (qrels)", max_upload_size=UPLOAD_MB, key="qrels-file")
        queries = st.file_uploader(
            "Texts of the queries",
            max_upload_size=UPLOAD_MB,
            key="queries-file",
            help="BEIR's queries.jsonl, or lines of query, tab, text. Needed to search here.",
        )
    with right:
        runs = st.file_uploader(
            "Rankings made elsewhere (TREC run files)",
            max_upload_size=UPLOAD_MB,
            accept_multiple_files=True,
            key="run-files",
            help="They are measured beside the searches, on the same queries.",
        )
    if qrels is None:
        return None
    with guarded("reading the files"):
        judged = opened.evaluations.read(
            (qrels.name, qrels.getvalue()),
            (queries.name, queries.getvalue()) if queries else None,
            {run.name: run.getvalue() for run in runs or []},
        )
        st.caption(plain(_extent(judged)))
        if not judged.queries and not judged.runs:
            hint("Give the texts of the queries too, or a ranking made elsewhere.")
            return None
        return judged
    return None


def _extent(judged: JudgedQueries) -> str:
    words = f"{count_words(len(judged.qrels), 'query', 'queries')}, {count_words(judged.judgements, 'judgement')}"
    return f"{words}, {judged.relevant:,} of them relevant."


def _ways(judged: JudgedQueries) -> list[str]:
    if not judged.askable:
        st.caption("Without texts nothing can be searched; only the rankings made elsewhere are measured.")
        return []
    usual = ["words", "words_meaning", "three", USUAL]
    chosen = st.multiselect(
        "Ways to search",
        list(COMBINATIONS),
        default=usual,
        format_func=lambda key: COMBINATIONS[key].name,
        key="ways",
        help="Word by word over every passage, and close reading, are slow in large projects.",
    )
    return [key for key in COMBINATIONS if key in chosen]


def _baseline(ways: Sequence[str], judged: JudgedQueries) -> str:
    names: dict[str, Any] = {key: COMBINATIONS[key].name for key in ways}
    names |= {f"run:{name}": short(name, 60) for name in judged.runs}
    if not names:
        return ""
    return str(
        st.selectbox(
            "Compared with", list(names), format_func=lambda key: names.get(key, key), key=f"baseline-{len(names)}"
        )
    )
