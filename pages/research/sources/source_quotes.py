"""Quotes of one source by a language model: the words that answer a question, or speak for or against a claim."""

import streamlit as st

from core.errors import WorkbenchError
from core.labels import Label
from core.opinion.quotes import Way
from core.records import Document
from core.workbench.open_project import OpenProject
from pages.shared.safe import plain
from pages.shared.session import SETTINGS, leave_notice
from pages.shared.source_view import show_cited_passage
from pages.words.llm import estimate_words, job_line, money_words, page_words, stance_words

_WAYS = {
    Way.PASSAGES: "The passages that answer a question",
    Way.EVIDENCE: "The words for and against a claim",
}


def show_quotes(opened: OpenProject, document: Document) -> None:
    """The form, the state of the newest request, and the quotes found last."""
    off = opened.quotations.why_off()
    st.caption(
        "A language model reads this source and names its words. Each is looked up in the stored text; what does not "
        "stand there is dropped, and said."
    )
    if off:
        st.info(plain(page_words(off)), icon=":material/cloud_off:")
        st.page_link(SETTINGS, label="Language model in the settings", icon=":material/settings:")
    else:
        _form(opened, document)
    words, failed = job_line(opened.quotations.job_of(document.id))
    if words:
        (st.error if failed else st.caption)(plain(words))
    _found(opened, document)


def _form(opened: OpenProject, document: Document) -> None:
    way = st.radio("What to look for", list(_WAYS), format_func=lambda key: _WAYS[key], key="quotes-way")
    text = st.text_area("Question or claim", key="quotes-text", height=80, max_chars=2000)
    if not (text or "").strip():
        return
    try:
        estimate = opened.quotations.estimate(document.id, text, Way(way))
        st.caption(plain(f"{estimate_words(estimate)} {opened.quotations.goes_out()}"))
        if st.button("Ask", type="primary", icon=":material/send:", key="quotes-ask"):
            opened.quotations.ask(document.id, text, Way(way))
            leave_notice("A language model is reading the source; what it finds appears here.")
            st.rerun()
    except WorkbenchError as error:
        st.error(plain(str(error)), icon=":material/error:")


def _found(opened: OpenProject, document: Document) -> None:
    reading = opened.quotations.found(document.id)
    if reading is None:
        return
    st.markdown(f"**{_WAYS[reading.way]}**")
    st.text(reading.text)
    if not reading.current:
        st.warning("The source was changed since; ask again.")
    if not reading.quotes:
        st.info(
            "Nothing was found in it." if not reading.dropped else "None of the words it named stands in the source."
        )
    for number, quote in enumerate(reading.quotes):
        stance = f"{stance_words(Label(quote.stance)).capitalize()}. " if quote.stance else ""
        st.caption(plain(f"{stance}{quote.why or 'No reason was given.'}"))
        show_cited_passage(opened, document.id, (quote.start, quote.end), f"quote-{number}")
    cost = f" It cost {money_words(reading.cost_usd)}." if reading.cost_usd is not None else ""
    st.caption(plain(f"Found by {reading.model}.{cost} {' '.join(reading.notes)}"))
    if reading.dropped:
        with st.expander("What was dropped", icon=":material/delete:", key="quotes-dropped"):
            for words_dropped in reading.dropped:
                st.text(words_dropped)
