"""The check of what a project stores, from the settings page: a job that can be stopped, with a result that stays."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from core.workbench.open_project import OpenProject
from tests.pages.conftest import texts, work

Visit = Callable[..., AppTest]


def _checked(visit: Visit) -> AppTest:
    at = visit("settings", project="heat")
    at.button(key="check-stored").click().run()
    assert not at.exception
    return at


def test_a_whole_project_is_told_to_be_whole_also_after_a_reload(visit: Visit, filled: OpenProject) -> None:
    assert "It was not checked yet." in texts(visit("settings", project="heat"))
    at = _checked(visit)
    assert "It is being checked." in texts(at)
    assert at.button(key="check-stored").disabled
    assert "Checking what is stored" in "".join(str(bar.proto.text) for bar in at.get("progress"))
    work(filled)
    assert "Everything is as it was stored." in texts(visit("settings", project="heat"))


def test_what_changed_is_named_with_what_to_do(visit: Visit, filled: OpenProject) -> None:
    with sqlite3.connect(filled.project.path / "project.db") as connection:
        connection.execute("UPDATE passage_texts SET text = 'Otters fly.' WHERE id = 1")
    _checked(visit)
    work(filled)
    words = texts(visit("settings", project="heat"))
    assert "What is stored is damaged in 1 place." in words
    assert "Passage 1 of document" in words
    assert "Add the source again." in words


def test_a_check_that_is_stopped_says_that_not_everything_was_looked_at(visit: Visit, filled: OpenProject) -> None:
    at = _checked(visit)
    newest = filled.check.newest()
    assert newest is not None
    at.button(key=f"stop-{newest.id}").click().run()
    work(filled)
    assert "The last check was stopped" in texts(visit("settings", project="heat"))
