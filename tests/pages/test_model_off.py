"""Without a language model: every page that would offer one says where it is switched on, as people find it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from core.workbench.open_project import OpenProject
from tests.pages.conftest import texts

Visit = Callable[..., AppTest]


@pytest.mark.parametrize("page", ["queries", "ask", "usage"])
def test_the_way_to_switch_it_on_is_said_without_names_of_the_file(
    visit: Visit, filled: OpenProject, page: str
) -> None:
    at = visit(page, project="heat", q="Do heat pumps work?")
    assert not at.exception
    assert not at.error
    said = texts(at)
    assert "Settings → Language model" in said
    assert "llm." not in said
