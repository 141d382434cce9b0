"""One answer: while it is written, and when it is done, with its figures, sources, and what can be done with it."""

from collections.abc import Sequence

import streamlit as st

from core.errors import AnswerError, DocumentNotFound
from core.labels import AnswerMode, AnswerState
from core.records import Answer, AnswerCitation
from core.text.words import count_words, site_of, when_words
from core.workbench.open_project import OpenProject
from pages.research.ask.answer_text import show_details, show_flags, show_growing, show_text
from pages.shared.address import Page, go, go_button, turn_to
from pages.shared.notices import leave_notice
from pages.shared.safe import plain, show_badge, show_evidence, show_heading
from pages.shared.session import guarded, now, this_project
from pages.shared.source_view import grade_badge, open_in_source
from pages.words import ask as wording
from pages.words.llm import money_words, page_words


def show_answer(opened: OpenProject, answer: Answer) -> None:
    show_heading(answer.question, 2)
    _badges(answer)
    if answer.state is AnswerState.WRITING:
        _writing(answer.id, answer.version)
        return
    if answer.state is AnswerState.FAILED:
        st.error(plain(answer.missing or "The answer could not be written."), icon=":material/error:")
    elif answer.state in (AnswerState.CANCELLED, AnswerState.INTERRUPTED):
        reason = answer.missing or "It was stopped before it was finished."
        st.info(plain(f"{reason} What stands below, if anything, was not checked."))
    elif answer.missing:
        st.warning(plain(answer.missing), icon=":material/search_off:")
    for note in answer.notes:
        st.caption(f":material/info: {plain(page_words(note))}")
    left, right = st.columns([3, 2], gap="large")
    with left:
        if answer.text or answer.bullets:
            with guarded("painting the answer"):
                show_text(opened, answer)
                _unsupported(answer)
        _actions(opened, answer)
    with right:
        if answer.state is AnswerState.DONE and answer.text:
            _figures(opened, answer)
        with guarded("showing the sources"):
            _citations(opened, answer)
    show_flags(opened, answer)
    with guarded("showing what was done"):
        show_details(answer)


def _badge(badge: wording.Badge) -> None:
    show_badge(badge.word, badge.icon, badge.color, badge.help)


def _badges(answer: Answer) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="answer-badges"):
        if answer.state is not AnswerState.DONE:
            _badge(wording.STATES[answer.state])
        if answer.text or answer.state is AnswerState.WRITING:
            _badge(wording.MODES[answer.mode])
        why = str(answer.fingerprint.get("domain_why") or "")
        st.badge(plain(f"Field: {wording.domain_name(answer.domain)}"), color="gray", help=plain(why) or None)
        if answer.strict:
            st.badge("Strict", icon=":material/gpp_good:", color="gray")
        parts = [when_words(answer.at, now())]
        if answer.model:
            parts.append(answer.model)
        if answer.cost_usd is not None:
            parts.append(money_words(answer.cost_usd))
        st.caption(plain(" · ".join(parts)))


@st.fragment(run_every="0.5s")
def _writing(answer_id: int, _version: int) -> None:
    """The stored answer, looked at twice a second; the whole page is painted anew when it is done."""
    with guarded("watching the answer"):
        opened = this_project()
        try:
            answer = opened.answers.get(answer_id)
        except AnswerError:
            st.rerun(scope="app")
        if answer.state is not AnswerState.WRITING:
            st.rerun(scope="app")
        with st.container(horizontal=True, vertical_alignment="center"):
            job = opened.answers.job_of(answer_id)
            message = (job.message if job is not None else "") or "Waiting for its turn"
            st.caption(plain(f"{message}. It goes on if you leave this page."))
            if st.button("Stop", key="stop-answer", icon=":material/stop_circle:"):
                opened.answers.cancel(answer_id)
                st.rerun(scope="app")
        show_growing(answer)


def _unsupported(answer: Answer) -> None:
    marked = wording.unsupported(answer)
    if not marked:
        return
    label = f"{count_words(len(marked), 'sentence')} without support"
    with st.expander(label, icon=":material/report:", key="unsupported"):
        for sentence, why in marked:
            show_evidence(sentence)
            if why:
                st.caption(plain(why))


def _figures(opened: OpenProject, answer: Answer) -> None:
    level = wording.LEVELS.get(answer.confidence_level, wording.LEVELS["low"])
    quoted = answer.mode is AnswerMode.EXTRACTIVE  # grounded by construction: a figure would say nothing
    with st.container(horizontal=True, key="answer-figures"):
        st.metric("Confidence", f"{answer.confidence} of 100", help=wording.CONFIDENCE_HELP)
        if not quoted:
            st.metric("Sentences supported", wording.grounding_value(answer), help=wording.GROUNDING_HELP)
    with st.container(horizontal=True, vertical_alignment="center"):
        show_badge(level.word, level.icon, level.color)
        if answer.grounding_score is not None and not quoted:
            word, icon, color = (
                ("Grounded", "verified", "green") if answer.grounded else ("Not grounded", "gpp_maybe", "red")
            )
            show_badge(word, icon, color)
    st.caption(plain(wording.grounding_line(answer, opened.settings.answering.grounding)))


def _citations(opened: OpenProject, answer: Answer) -> None:
    if not answer.citations:
        return
    st.subheader("Sources cited")
    for cited in wording.by_document(answer):
        with st.container(border=True, key=f"citation-{cited[0].marker}", gap="xsmall"):
            _cited(opened, cited)


def _cited(opened: OpenProject, cited: Sequence[AnswerCitation]) -> None:
    try:
        document = opened.sources.document(cited[0].document_id)
    except DocumentNotFound:
        document = None
    show_heading(cited[0].title, 4)
    if document is None:
        st.caption("This source was deleted since; its words are kept here as they were cited.")
    else:
        with st.container(horizontal=True, vertical_alignment="center", key=f"quiet-citation-{cited[0].marker}"):
            grade_badge(document)
            st.text(site_of(document), width="content")
    for citation in cited:
        with st.container(gap=None):
            show_evidence(f"[{citation.marker}] {wording.cut_excerpt(citation.excerpt)}")
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption(f"relevance {citation.relevance:.0%}")
                if document is not None and st.button(
                    "Open in the source",
                    key=f"open-cited-{citation.marker}",
                    icon=":material/article:",
                    type="tertiary",
                ):
                    open_in_source(opened, citation.document_id, (citation.start, citation.end))


def _actions(opened: OpenProject, answer: Answer) -> None:
    with st.container(horizontal=True, key="answer-actions"), guarded("working with the answer"):
        if (
            answer.text
            and answer.citations
            and st.button(
                "Turn into a report and audit it",
                key="as-report",
                icon=":material/fact_check:",
                help="The answer becomes a report of this project, and each of its citations is checked in its source.",
            )
        ):
            job = opened.answers.as_report(answer.id)
            leave_notice("The answer became a report; its citations are being checked.")
            report = job.payload.get("report")
            go(Page.CITATIONS, **({"report": str(report)} if report is not None else {}))
        go_button("Ask again", Page.ASK, key="ask-again", icon=":material/refresh:", text=answer.question)
        if answer.state is AnswerState.DONE and not answer.citations:
            go_button("Add sources", Page.SOURCES, icon=":material/add:")
            go_button("Try other wordings", Page.QUERIES, icon=":material/science:", text=answer.question)
        if st.button("Delete", key="delete-answer", icon=":material/delete:", type="tertiary"):
            delete_answer(answer)


@st.dialog("Delete this answer")
def delete_answer(answer: Answer) -> None:
    st.text(answer.question[:2000])
    st.write("The answer is deleted; its sources stay, and so does a report made of it.")
    if st.button("Delete", type="primary", icon=":material/delete_forever:"):
        with guarded("deleting"):
            this_project().answers.delete(answer.id)
            leave_notice("The answer was deleted.")
            turn_to("answer", "")
