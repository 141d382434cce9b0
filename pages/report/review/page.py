"""Review: a person decides on what the machine could not, or should not, decide alone."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.records import Person
from core.workbench.open_project import OpenProject
from pages.report.review.acts import QUEUE, SECTION
from pages.report.review.agreement import show_agreement
from pages.report.review.people import show_people
from pages.report.review.queue import show_queue
from pages.shared.reader import open_reader
from pages.shared.review_calibration import show_calibration
from pages.shared.reviewer import ask_reviewer, current_reviewer, show_reviewer
from pages.shared.session import current_project, guarded, page_heading

PARTS: dict[str, Callable[[OpenProject, Person], None]] = {
    QUEUE: show_queue,
    "Agreement": show_agreement,
    "Reliability": show_calibration,
    "People and settings": show_people,
}


def main() -> None:
    """The page; with ``?item=`` one item, with ``?report=`` only what belongs to that report."""
    opened = current_project()
    page_heading("Review", opened)
    name = current_reviewer(opened)
    question = st.empty()  # gone as soon as it is answered; else it would stand beside the first item for a while
    if not name:
        with question.container():
            ask_reviewer(opened)
        return
    with guarded("opening the source"):
        open_reader(opened)
    me = opened.reviews.people.me(name)
    show_reviewer(opened, me)
    for tab, (title, show) in zip(st.tabs(list(PARTS), key=SECTION, bind="query-params"), PARTS.items(), strict=True):
        if tab.open:  # only what is looked at is made; keys act on nothing that is out of sight
            with tab, guarded(f"showing “{title}”"):
                show(opened, me)


main()
