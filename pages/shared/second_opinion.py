"""A language model's opinion on one citation or claim, beside the verdict and never in its place."""

import streamlit as st

from core.audit.wording import LABELS
from core.errors import WorkbenchError
from core.workbench.open_project import OpenProject
from pages.shared.safe import plain, show_badge
from pages.shared.session import leave_notice
from pages.shared.source_view import show_cited_passage
from pages.words.llm import about_words, agreement, estimate_words, job_line, opinion_words, page_words, stance_words

_SHOWN = 3


def show_opinion(opened: OpenProject, item: str) -> None:
    """The opinion on ``item`` ("finding:ID" or "claim:ID"), and the way to ask for one. Nothing at all where opinions
    are switched off and none was asked for before."""
    opinions = opened.opinions
    kind, _, number = item.partition(":")
    opinion, current = opinions.of_finding(int(number)) if kind == "finding" else opinions.of_claim(int(number))
    off = opinions.why_off()
    words, failed = job_line(opinions.job_of(item))
    if opinion is None and off and not words:
        return
    st.markdown("**A second opinion**")
    if opinion is not None:
        label, (stands, color) = LABELS[opinion.label], agreement(opinion)
        with st.container(horizontal=True, vertical_alignment="center"):
            show_badge(label.word.capitalize(), label.icon, label.color)
            st.badge(stands, color=color)  # type: ignore[arg-type]
            st.caption(plain(opinion_words(opinion)))
        st.text(opinion.why)
        if opinion.quotes:
            with st.expander("The words it points to", icon=":material/format_quote:", key=f"opinion-quotes-{number}"):
                for place, quote in enumerate(opinion.quotes[:_SHOWN]):
                    st.caption(plain(f"{stance_words(quote.stance).capitalize()}: {quote.why or 'no reason given'}"))
                    show_cited_passage(opened, quote.document_id, (quote.start, quote.end), f"opinion-{number}-{place}")
        st.caption(plain(about_words(opinion, current=current)))
    if words:
        (st.error if failed else st.caption)(plain(words))
    if off:
        st.caption(f":material/cloud_off: {plain(page_words(off))}")
    elif st.button(
        "Ask again for an opinion" if opinion else "Ask for a second opinion",
        key=f"ask-opinion-{number}",
        icon=":material/forum:",
    ):
        ask_for_opinion(opened, item)


@st.dialog("A second opinion of a language model")
def ask_for_opinion(opened: OpenProject, item: str) -> None:
    """The dialog that names what is sent and the most it costs, and asks once it is confirmed."""
    opinions = opened.opinions
    kind, _, number = item.partition(":")
    finding = kind == "finding"
    try:
        estimate = opinions.estimate_finding(int(number)) if finding else opinions.estimate_claim(int(number))
    except WorkbenchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.text(opinions.goes_out())
    st.text(estimate_words(estimate))
    if st.button("Ask", type="primary", icon=":material/send:", key="confirm-opinion"):
        try:
            if finding:
                opinions.ask_finding(int(number))
            else:
                opinions.ask_claim(int(number))
        except WorkbenchError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        leave_notice("A language model is being asked; its opinion appears here.")
        st.rerun()
