"""Review: a person decides on what the machine could not, or should not, decide alone."""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.labels import ItemKind, ItemState, JobKind
from core.records import Person
from core.text.words import count_words
from core.workbench.open_project import OpenProject
from pages.report.review.acts import QUEUE, SECTION, dialog_kind, pick
from pages.report.review.agreement import show_agreement
from pages.report.review.buttons import show_bar, show_dialog
from pages.report.review.item import show_item
from pages.report.review.people import show_people
from pages.shared.address import Page, go, go_button, number_in_url, put_in_url
from pages.shared.in_view import bring_into_view
from pages.shared.jobs import show_jobs
from pages.shared.notices import hint, show_notice
from pages.shared.reports import report_title
from pages.shared.review_calibration import show_calibration
from pages.shared.reviewer import ask_reviewer, current_reviewer, say_who_may_decide, show_reviewer
from pages.shared.safe import plain, show_heading
from pages.shared.session import current_project, guarded, page_heading, set_fields
from pages.shared.source_view import open_reader
from pages.words.review import KINDS, STATES, may_decide, pace_line, progress_line

_REPORT = "review-report"

# Streamlit loads what draws buttons when the first of them is painted, and listens to their keys a moment later. Until
# then the item is not shown (in_view.html says when): a key that nothing hears would be lost, and nobody presses one
# before there is something to decide on. Should that script not run, the item is shown all the same, after a while.
_NOT_BEFORE_ITS_KEYS = """<style>
html:not([data-keys-heard]) .st-key-review-item { visibility: hidden; animation: review-item 0s linear 10s forwards; }
@keyframes review-item { to { visibility: visible; } }
</style>"""


def show_queue(opened: OpenProject, me: Person, head: DeltaGenerator) -> None:
    """One item at a time, those most worth a look first. ``head`` is the line at the top of the page."""
    st.html(_NOT_BEFORE_ITS_KEYS)
    reviews = opened.reviews
    with head:
        report_id, kinds, states = _filters(opened)
        with guarded("counting"):
            _progress(opened, me, report_id)
    queue = reviews.queue(me.name, report_id=report_id, kinds=kinds, states=states)
    item = pick(opened, queue, me.name, (report_id, kinds, states))
    covered = dialog_kind(item) is not None or bool(st.query_params.get("passage"))
    if item is None:
        _nothing(opened, me, report_id, filtered=bool(kinds or states))
    else:
        with st.container(key="review-item", gap="xsmall"):
            show_item(opened, item, queue, me.name)
    show_bar(opened, item, queue, me.name, may=may_decide(me), covered=covered)
    if item is not None:
        bring_into_view(("review", item.key))
        show_dialog(item)


def _progress(opened: OpenProject, me: Person, report_id: int | None) -> None:
    now = opened.reviews.progress(me.name, report_id=report_id)
    with st.container(key="review-progress", width="content"):
        line = " · ".join(filter(None, (progress_line(now.decided, now.total), pace_line(now))))
        st.caption(line, width="content")


def _filters(opened: OpenProject) -> tuple[int | None, list[ItemKind], list[ItemState]]:
    """The filters of the queue; every choice stands in the URL."""
    reports = {report.id: report_title(report, 80) for report in opened.audits.reports()}
    wanted = number_in_url("report")
    if wanted is not None and wanted not in reports:
        st.query_params.pop("report", None)
        wanted = None
    with st.popover("Filter", icon=":material/filter_alt:"):
        st.session_state[_REPORT] = wanted or 0
        st.selectbox(
            "Report",
            [0, *reports],
            format_func=lambda key: plain(reports.get(key, "")) or "All reports, and claims typed by hand",
            key=_REPORT,
            on_change=_keep_report,
        )
        kinds = st.pills(
            "Kind",
            [word for word, _, _ in KINDS.values()],
            selection_mode="multi",
            key="kind",
            bind="query-params",
        )
        states = st.pills(
            "State",
            [words.word for words in STATES.values()],
            selection_mode="multi",
            key="state",
            bind="query-params",
            help="Nothing chosen: everything that waits for you.",
        )
        st.button("Clear", icon=":material/filter_alt_off:", type="tertiary", on_click=clear_filters)
    return (
        wanted,
        [kind for kind, (word, _, _) in KINDS.items() if word in kinds],
        [state for state, words in STATES.items() if words.word in states],
    )


def _keep_report() -> None:
    put_in_url("report", str(st.session_state[_REPORT] or ""))


def clear_filters() -> None:
    """Callback: no filter, in the form and in the URL."""
    put_in_url("report", "")
    set_fields({"kind": [], "state": []})


def _nothing(opened: OpenProject, me: Person, report_id: int | None, *, filtered: bool) -> None:
    """The hint in place of an item, and the next step."""
    show_jobs(opened, ended=(JobKind.AUDIT, JobKind.CITED_SOURCES, JobKind.VERIFY))
    waiting = len(opened.reviews.queue(me.name))
    if filtered and waiting:
        st.info("Nothing waits that passes this filter.", icon=":material/filter_alt_off:")
        st.button("Show everything that waits", on_click=clear_filters, type="primary", key="clear-empty")
        return
    if not opened.audits.reports() and not opened.claims.all():
        hint("Nothing is here to review yet. Give a report to the citation audit; what needs a look then waits here.")
        go_button("Check a report", Page.CITATIONS, type="primary", icon=":material/fact_check:")
        return
    now = opened.reviews.progress(me.name, report_id=report_id)
    done = now.total and now.decided >= now.total
    st.success(progress_line(now.decided, now.total) if done else "Nothing waits for you.", icon=":material/task_alt:")
    of = {"report": str(report_id)} if report_id else {}
    with st.container(horizontal=True):
        if st.button("Overview", type="primary", icon=":material/summarize:"):
            go(Page.OVERVIEW, **of)
        if st.button("Export", icon=":material/ios_share:"):
            go(Page.EXPORT, **of)
        if waiting:
            label = f"{count_words(waiting, 'item')} of other reports"
            st.button(label, icon=":material/how_to_reg:", on_click=clear_filters)


PARTS: dict[str, Callable[[OpenProject, Person], None]] = {
    "Agreement": show_agreement,
    "Reliability": show_calibration,
    "People and settings": show_people,
}


def main() -> None:
    """The page; with ``?item=`` one item, with ``?report=`` only what belongs to that report."""
    opened = current_project()
    name = current_reviewer(opened)
    question = st.empty()  # gone as soon as it is answered; else it would stand beside the first item for a while
    if not name:
        with question.container():
            page_heading("Review", opened)
            ask_reviewer(opened)
        return
    with guarded("opening the source"):
        open_reader(opened)
    me = opened.reviews.people.me(name)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="review-top"):
        show_heading("Review", 1)
        section = st.selectbox(
            "Part of the page",
            [QUEUE, *PARTS],
            key=SECTION,
            bind="query-params",
            label_visibility="collapsed",
            width=190,
        )
        head = st.container(horizontal=True, vertical_alignment="center", gap="small", width="content")
        st.space("stretch")
        show_reviewer(opened, me)
    show_notice()
    say_who_may_decide(opened, me)
    with guarded(f"showing “{section}”"):
        if section in PARTS:
            PARTS[section](opened, me)
        else:
            show_queue(opened, me, head)


main()
