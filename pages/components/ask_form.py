"""Asking for an answer: the question, how to answer it, and what would leave this computer."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.errors import AnswerError
from core.labels import AnswerMode
from core.model import Document, Filters, Question, Variant
from core.opened import OpenProject
from core.present import count_words, filter_words
from core.present_ask import DOMAINS
from core.present_lab import question_title
from core.present_llm import budget_words
from pages.components.safe import plain
from pages.components.search_form import filter_fields
from pages.components.session import SETTINGS, go, guarded, load_models_early, number_in_url

WRITTEN, EXTRACTED = "Written by a model", "The sources' own sentences"


def show_form(opened: OpenProject, documents: Sequence[Document], *, folded: bool) -> None:
    """The whole form; an answer that was asked for is opened as soon as it is begun."""
    fill_in(opened)
    question = st.text_input(
        "Question",
        key="q",
        bind="query-params",
        placeholder="Ask a question that the sources of this project should answer",
    )
    mode = show_mode(opened)
    with st.expander("How to answer", icon=":material/tune:", key="panel", expanded=False):
        left, right = st.columns(2, gap="large")
        with left:
            domain, template = show_template(opened)
            strict = st.toggle(
                "Strict",
                value=opened.settings.answering.strict,
                key="strict",
                help="One sentence that its sources do not support fails the whole answer.",
            )
            variants = show_variants_choice(opened)
        with right:
            st.caption("Look only in")
            filters = filter_fields(documents)
    if active := filter_words(filters, {one.id: one.title for one in documents}):
        st.text("Looking only in: " + "; ".join(active))
    pressed = st.button(
        "Answer", type="primary", icon=":material/forum:", key="ask", disabled=not (question or "").strip()
    )
    if not folded:
        load_models_early()
    if pressed:
        with guarded("asking"):
            ask(opened, (question or "").strip(), variants, filters, strict, domain, template, mode)


def fill_in(opened: OpenProject) -> None:
    """Before the first widget: a saved question in the URL gives its text."""
    wanted = number_in_url("question")
    if wanted is None or st.session_state.get("q") or st.query_params.get("q"):
        return
    try:
        st.session_state["q"] = opened.lab.question(wanted).text
    except AnswerError:
        st.query_params.pop("question", None)


def ask(
    opened: OpenProject,
    question: str,
    variants: Sequence[Variant],
    filters: Filters,
    strict: bool,
    domain: str,
    template: str,
    mode: AnswerMode,
) -> None:
    """Begin an answer and open it."""
    answer, _ = opened.asking.ask(question, variants=variants, filters=filters, strict=strict, domain=domain, mode=mode)
    st.query_params["answer"] = str(answer.id)
    st.rerun()


def show_mode(opened: OpenProject) -> AnswerMode:
    """Who writes, and what that means for what leaves this computer."""
    status = opened.llm.status()
    if not status.on:
        with st.container(horizontal=True, vertical_alignment="center", key="ask-model-off"):
            st.badge("The sources' own sentences", icon=":material/format_quote:", color="blue")
            st.caption(
                "The answer is made of the sentences that answer best, word for word, each with its source. With a "
                f"language model it would be written in one piece. {plain(status.reason)}"
            )
            st.page_link(SETTINGS, label="Settings", icon=":material/settings:")
        return AnswerMode.EXTRACTIVE
    chosen = st.segmented_control(
        "Who writes", [WRITTEN, EXTRACTED], default=WRITTEN, required=True, key="writes", bind="query-params"
    )
    if chosen == EXTRACTED:
        st.caption(":material/computer: Nothing leaves this computer.")
        return AnswerMode.EXTRACTIVE
    model = status.models.get("answer", "")
    st.caption(
        plain(f"{status.goes_out} Model: {model}. {budget_words(opened.llm.spending())}"),
    )
    return AnswerMode.GENERATED


def show_template(opened: OpenProject) -> tuple[str, str]:
    """The kind of answer, and what a model is told for it."""
    default = opened.settings.answering.domain
    domain = st.selectbox(
        "Field",
        list(DOMAINS),
        index=list(DOMAINS).index(default),
        format_func=lambda one: DOMAINS[one],
        key="domain",
        bind="query-params",
        help="What a model is told to watch for: units and populations in medicine, versions in computing, and so on.",
    )
    return str(domain or default), ""


def show_variants_choice(opened: OpenProject) -> tuple[Variant, ...]:
    """Variants of a saved question to search with."""
    saved = {one.id: one for one in opened.lab.questions()}
    if not saved:
        return ()
    wanted = number_in_url("question")
    options = [0, *saved]
    chosen = st.selectbox(
        "Search with the variants of",
        options,
        index=options.index(wanted) if wanted in saved else 0,
        format_func=lambda key: "The question alone" if not key else question_title(saved[key], 70),
        key="ask-variants",
    )
    one: Question | None = saved.get(int(chosen or 0))
    if one is None:
        return ()
    on = tuple(variant for variant in one.variants if variant.on and variant.text.strip())
    st.caption(f"{count_words(len(on), 'variant')} are searched with.")
    return on


def again(question: str) -> None:
    """The form anew, filled with a question that was asked before."""
    from pages.components.session import ASK

    go(ASK, q=question)
