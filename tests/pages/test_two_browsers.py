"""What one tab shows after another one took away what it looks at."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.pages.conftest import button, texts

PARTS = """
import streamlit as st
from pages.research.sources import document_detail
from pages.shared import jobs
from pages.shared import address, notices, session

sources = st.Page(address.Page.SOURCES, url_path="sources")
st.navigation([st.Page(address.Page.PROJECTS, default=True), sources], position="hidden")
notices.show_notice()
if "kept" not in st.session_state:
    opened = session.current_project()
    st.session_state["kept"] = {kept}
else:
    kept = st.session_state["kept"]
    with session.guarded():
        {use}
"""
"""A part of a page that runs again alone, with what it was given when the whole page was painted."""


def part(kept: str, use: str) -> AppTest:
    at = AppTest.from_string(PARTS.format(kept=kept, use=use), default_timeout=60)
    at.query_params["project"] = "heat"
    return at.run()


def deleting() -> AppTest:
    """What deletes the first source, open."""
    return part("opened.sources.documents()[0]", "document_detail._delete(kept, st.rerun)").run()


def watching() -> AppTest:
    """The jobs, about to be looked at again."""
    return part("jobs._Seen(opened, [], [])", "kept.fresh = False; del st.session_state['kept']; jobs._look(kept)")


def confirm(at: AppTest) -> AppTest:
    return button(at, "Delete for good").click().run()  # type: ignore[attr-defined,no-any-return]


def test_a_source_deleted_by_another_one_meanwhile_is_a_clear_message(filled: OpenProject) -> None:
    first, second = deleting(), deleting()
    confirm(first)
    assert "was deleted" in texts(first)
    confirm(second)
    assert not second.exception
    assert [line for line in (one.value for one in second.error) if "may have been deleted" in line]
    assert len(filled.sources.documents()) == 2


@pytest.mark.parametrize("remade", [False, True])
def test_a_source_of_a_project_deleted_meanwhile_is_a_clear_message(
    filled: OpenProject, bench: Workbench, remade: bool
) -> None:
    at = deleting()
    bench.delete("heat", confirm="Heat")
    if remade:
        bench.create("Heat")
    confirm(at)
    assert not at.exception
    assert ("may have been deleted" if remade else "This project was deleted") in texts(at)
    assert [link.label for link in at.page_link] == ([] if remade else ["Projects"])


def test_the_watch_over_the_jobs_sees_that_the_project_was_deleted(filled: OpenProject, bench: Workbench) -> None:
    at = watching()
    bench.delete("heat", confirm="Heat")
    at.run()
    assert not at.exception
    assert not at.error
    assert "This project was deleted" in texts(at)


def test_the_watch_over_the_jobs_follows_a_project_made_anew(filled: OpenProject, bench: Workbench) -> None:
    at = watching()
    bench.delete("heat", confirm="Heat")
    bench.create("Heat")
    at.run()
    assert not at.exception
    assert not at.error
