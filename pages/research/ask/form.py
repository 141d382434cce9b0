"""Asking for an answer: the question, how to answer it, and what would leave this computer."""

from collections.abc import Sequence

import streamlit as st

from core.answer.domains import AUTO, Template
from core.answer.prompts import most_it_costs
from core.errors import AnswerError
from core.labels import AnswerMode, LlmTask
from core.records import MAX_GUIDANCE, Document, Variant
from core.text.words import count_words, filter_words
from core.workbench.open_project import OpenProject
from pages.shared.address import Page, number_in_url, turn_to
from pages.shared.notices import rerun_with
from pages.shared.safe import plain
from pages.shared.search_form import filter_fields, question_box
from pages.shared.session import guarded, load_models_early, take_question
from pages.words.ask import domain_name
from pages.words.lab import question_title
from pages.words.llm import budget_words, page_words, price_label

WRITTEN, EXTRACTED = "Written by a model", "The sources' own sentences"


def show_form(opened: OpenProject, documents: Sequence[Document], *, folded: bool) -> None:
    """The whole form; an answer that was asked for is opened as soon as it is begun."""
    fill_in(opened)
    box, go_on = st.columns([6, 1], vertical_alignment="bottom")
    question = question_box(box, "Ask a question that the sources of this project should answer").strip()
    pressed = go_on.button(
        "Answer", type="primary", icon=":material/forum:", key="ask", disabled=not question, width="stretch"
    )
    mode = show_mode(opened)
    with st.expander("How to answer", icon=":material/tune:", key="panel"):
        left, right = st.columns(2, gap="large")
        with left:
            domain, guidance = show_template(opened, question, mode)
        with right:
            strict = st.toggle(
                "Strict",
                value=opened.settings.answering.strict,
                key="strict",
                help="One sentence that its sources do not support fails the whole answer.",
            )
            variants = show_variants_choice(opened)
            st.caption("Look only in")
            filters = filter_fields(documents)
    if active := filter_words(filters, {document.id: document.title for document in documents}):
        st.text("Looking only in: " + "; ".join(active))
    if not folded:
        load_models_early()
    if pressed:
        with guarded("asking"):
            answer, _ = opened.answers.ask(
                question,
                variants=variants,
                filters=filters,
                strict=strict,
                domain=domain,
                mode=mode,
                guidance=guidance,
            )
            turn_to("answer", str(answer.id))


def fill_in(opened: OpenProject) -> None:
    """Before the first widget: a question handed on, or a saved one that the URL names, gives its text."""
    take_question()
    wanted = number_in_url("question")
    if wanted is None or st.session_state.get("q") or st.query_params.get("q"):
        return
    try:
        st.session_state["q"] = opened.lab.question(wanted).text
    except AnswerError:
        st.query_params.pop("question", None)


def show_mode(opened: OpenProject) -> AnswerMode:
    """The choice of who writes the answer, and what leaves this computer with it."""
    status = opened.language_model.status()
    web = web_line(opened)
    if not status.on:
        st.caption(
            ":material/format_quote: Answers are made of the sources' own sentences, word for word, each with its "
            + ("source." if web else "source; nothing leaves this computer.")
        )
        with st.container(horizontal=True, vertical_alignment="center", key="ask-model-off"):
            st.caption(
                ":material/info: With a language model the answer would be written in one piece. "
                + plain(page_words(status.reason))
            )
            st.page_link(Page.SETTINGS, label="Settings", icon=":material/settings:")
        _show_web(web)
        return AnswerMode.EXTRACTIVE
    chosen = st.segmented_control(
        "Who writes", [WRITTEN, EXTRACTED], default=WRITTEN, required=True, key="writes", bind="query-params"
    )
    if chosen == EXTRACTED:
        st.caption(
            ":material/computer: No language model is asked." + ("" if web else " Nothing leaves this computer.")
        )
        _show_web(web)
        return AnswerMode.EXTRACTIVE
    price = price_label(most_it_costs(opened.language_model, opened.settings))
    model = status.models.get(LlmTask.ANSWER.value, "")
    cost = f"{status.goes_out} Model {model}, {price} for one answer. {budget_words(opened.language_model.spending())}"
    st.caption(f":material/smart_toy: {plain(cost)}")
    _show_web(web)
    return AnswerMode.GENERATED


def web_line(opened: OpenProject) -> str:
    """The line about the web: when it would be asked, and what would be sent; "" when it would not be."""
    crag = opened.settings.crag
    if not (crag.enabled and crag.use_web) or opened.web.why_off():
        return ""
    return f"Where the sources are not good enough, the web is asked too. {opened.web.would_send()}"


def _show_web(line: str) -> None:
    if line:
        st.caption(f":material/travel_explore: {plain(line)}")


def show_template(opened: OpenProject, question: str, mode: AnswerMode) -> tuple[str, str]:
    """The field of the question and what a model is told for it: (field, guidance in place of ours or "")."""
    default = opened.settings.answering.domain
    templates = {each.name: each for each in opened.answers.templates()}
    fields = [AUTO, *templates]
    domain = str(
        st.selectbox(
            "Field",
            fields,
            index=fields.index(default),
            format_func=lambda key: domain_name(key, templates),
            key="domain",
            bind="query-params",
        )
        or default
    )
    chosen = opened.answers.domain_of(question) if domain == AUTO else None
    template = templates[chosen.name if chosen else domain]
    if chosen and question:
        st.caption(plain(f"{template.title}. {chosen.why}"))
    guidance = st.text_area(
        f"What a model is told for “{template.title}”",
        value=template.guidance,
        key=f"guidance-{template.name}-{hash(template.guidance)}",
        height=170,
        max_chars=MAX_GUIDANCE,
        help="Used when a language model writes the answer; edit it for this question, or keep it for the project.",
    )
    if mode is AnswerMode.EXTRACTIVE:
        st.caption("It has no effect on an answer made of the sources' own sentences.")
    _keeping(opened, template, guidance or "")
    return domain, (guidance or "") if (guidance or "").strip() != template.guidance.strip() else ""


def _keeping(opened: OpenProject, template: Template, guidance: str) -> None:
    changed = guidance.strip() != template.guidance.strip()
    with st.container(horizontal=True), guarded("keeping the template"):
        if changed and st.button("Keep for this project", key="keep-guidance", icon=":material/save:"):
            opened.answers.set_guidance(template.name, guidance)
            rerun_with(f"Answers about “{template.title}” are asked for with your words from now on.")
        if template.edited and st.button("Back to the original", key="reset-guidance", icon=":material/undo:"):
            opened.answers.set_guidance(template.name, None)
            rerun_with(f"The original words for “{template.title}” hold again.")


def show_variants_choice(opened: OpenProject) -> tuple[Variant, ...]:
    """Variants of a saved question to search with."""
    saved = {question.id: question for question in opened.lab.questions()}
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
    question = saved.get(int(chosen or 0))
    if question is None:
        return ()
    on = tuple(variant for variant in question.variants if variant.on and variant.text.strip())
    st.caption(f"{count_words(len(on), 'variant')} are searched with.")
    return on
