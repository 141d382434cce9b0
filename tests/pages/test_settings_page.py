"""Settings: where values come from, changes with what they cause, and two tabs at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.settings import load_settings
from core.workbench import Workbench
from tests.pages.conftest import texts

Visit = Callable[..., AppTest]
DEPTH = "set-retrieval.depth-0"


def table(at: AppTest, column: str) -> Any:
    return next(frame.value for frame in at.dataframe if column in frame.value)


def shown(at: AppTest, key: str) -> dict[str, str]:
    """The line of one setting in the table of effective values."""
    rows = table(at, "In the file")
    return dict(rows[rows["In the file"] == key].iloc[0])


def save(at: AppTest) -> AppTest:
    return at.button(key="save-settings").click().run()


@pytest.fixture
def file(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("WORKBENCH_SETTINGS", raising=False)
    return bench.root / "workbench.toml"


def test_every_value_shows_with_its_origin_and_range(visit: Visit, file: Path) -> None:
    file.write_text("[retrieval]\ndepth = 50\n")
    at = visit("settings")
    assert not at.exception
    assert not at.error
    depth = shown(at, "retrieval.depth")
    assert (depth["Value"], depth["From"], depth["Range"], depth["Default"]) == (
        "50",
        "workbench.toml",
        "From 1 to 1,000",
        "100",
    )
    assert shown(at, "retrieval.rrf_k")["From"] == "default"
    assert "No provider of models over the network is built in yet" in texts(at)
    assert str(file.parent) in [one.value for one in at.code]
    assert "Not saved yet" not in texts(at)


def test_a_change_is_previewed_saved_and_in_force_at_once(visit: Visit, file: Path, bench: Workbench) -> None:
    file.write_text("# ours\n[retrieval]\ndepth = 50  # tried\n")
    at = visit("settings")
    at.number_input(key=DEPTH).set_value(60).run()
    assert "Searches are answered anew" in texts(at)
    assert "nothing needs a restart" in texts(at)
    assert table(at, "Now")["Now"].tolist() == ["50"]
    assert file.read_text() == "# ours\n[retrieval]\ndepth = 50  # tried\n"
    save(at)
    assert not at.exception
    assert file.read_text() == "# ours\n[retrieval]\ndepth = 60  # tried\n"
    assert "The settings were saved." in texts(at)
    assert "Not saved yet" not in texts(at)
    visit("settings")
    assert bench.settings.retrieval.depth == 60


def test_what_is_costly_is_said_with_its_extent(visit: Visit, file: Path, filled: object) -> None:
    at = visit("settings")
    at.number_input(key="set-chunking.size-0").set_value(800).run()
    said = texts(at)
    assert "All sources are cut anew: 3 sources with" in said
    assert "in 1 project" in said


def test_values_that_do_not_fit_together_cannot_be_saved(visit: Visit, file: Path) -> None:
    at = visit("settings")
    at.number_input(key="set-chunking.overlap-0").set_value(400).run()
    assert "overlap 400 is over half of size 500" in texts(at)
    assert at.button(key="save-settings").disabled
    assert not file.exists()


def test_an_empty_name_of_a_model_is_shown_as_not_there(visit: Visit, file: Path) -> None:
    at = visit("settings")
    at.selectbox(key="set-models.reranker-0").set_value("heuristic").run()
    at.button(key="look-for-models").click().run()
    rows = table(at, "Task")
    assert rows[rows["Task"] == "Reads closely"]["Here"].tolist() == ["✓ yes"]


def test_a_section_goes_back_to_its_defaults(visit: Visit, file: Path) -> None:
    file.write_text("[retrieval]\ndepth = 50\nrrf_k = 10\n\n[other_tool]\nx = 1\n")
    at = visit("settings")
    at.button(key="defaults-retrieval").click().run()
    assert "100 (default)" in table(at, "Then")["Then"].tolist()
    save(at)
    assert load_settings(file.parent).retrieval.depth == 100
    assert file.read_text() == "[retrieval]\n\n[other_tool]\nx = 1\n"
    assert "kept and not used: [other_tool]" in texts(at)


def test_a_change_can_be_discarded(visit: Visit, file: Path) -> None:
    at = visit("settings")
    at.number_input(key=DEPTH).set_value(60).run()
    at.button(key="discard-settings").click().run()
    assert "Not saved yet" not in texts(at)
    assert at.number_input(key="set-retrieval.depth-1").value == 100


def test_the_second_of_two_tabs_is_told_keeps_what_was_typed_and_overwrites_nothing(visit: Visit, file: Path) -> None:
    one, two = visit("settings"), visit("settings")
    one.number_input(key=DEPTH).set_value(60).run()
    two.number_input(key=DEPTH).set_value(70).run()
    save(one)
    save(two)
    assert not two.exception
    assert load_settings(file.parent).retrieval.depth == 60
    assert "changed in another tab or program. retrieval.depth is 60 now." in texts(two)
    assert two.number_input(key=DEPTH).value == 70
    assert two.button(key="save-settings").disabled
    two.button(key="show-moved").click().run()
    assert two.number_input(key="set-retrieval.depth-1").value == 60
    two.number_input(key="set-retrieval.depth-1").set_value(70).run()
    save(two)
    assert load_settings(file.parent).retrieval.depth == 70


def test_what_the_environment_holds_is_read_only(
    visit: Visit, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = tmp_path / "held.toml"
    named.write_text("[retrieval]\ndepth = 30\n")
    monkeypatch.setenv("WORKBENCH_SETTINGS", str(named))
    at = visit("settings")
    held = at.number_input(key=DEPTH)
    assert (held.value, held.disabled) == (30, True)
    assert shown(at, "retrieval.depth")["From"] == "held by WORKBENCH_SETTINGS"
    assert not at.number_input(key="set-retrieval.rrf_k-0").disabled
    assert "held by WORKBENCH_SETTINGS; change it there." in texts(at)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[retrieval\n", "is not valid TOML"),
        ("[retrieval]\ndepth = 0\n", "'retrieval.depth' must be at least 1"),
        ("[retreival]\nk = 1\n", "Is [retrieval] meant?"),
        ("[retrieval]\nkk = 1\n", "no setting 'retrieval.kk'"),
        ("[chunking]\noverlap = 400\n", "overlap 400 is over half"),
    ],
)
def test_a_broken_file_is_explained_and_can_be_put_aside(
    visit: Visit, file: Path, bench: Workbench, text: str, said: str
) -> None:
    file.write_text(text)
    at = visit("settings")
    assert not at.exception
    assert said in texts(at)
    at.button(key="set-aside").click().run()
    assert not at.exception
    assert not file.exists()
    assert [one.read_text() for one in file.parent.glob("*.bak")] == [text]
    assert bench.settings.retrieval.depth == 100


@pytest.mark.parametrize(
    "text", ["[retrieval]\ndepth = 0\nrrf_k = 7\n", "[retrieval]\nrrf_k = 7\n\n[chunking]\noverlap = 400\n"]
)
def test_a_faulty_value_in_the_file_is_mended_by_the_form(visit: Visit, file: Path, text: str) -> None:
    file.write_text(text)
    at = visit("settings")
    assert "(default)" in table(at, "Then")["Then"].tolist()[0]
    save(at)
    settings = load_settings(file.parent)
    assert (settings.retrieval.rrf_k, settings.retrieval.depth, settings.chunking.overlap) == (7, 100, 50)


def test_a_default_that_stands_in_the_file_is_no_change(visit: Visit, file: Path) -> None:
    file.write_text("[retrieval]\ndepth = 100\n")
    at = visit("settings")
    assert "Not saved yet" not in texts(at)
    assert shown(at, "retrieval.depth")["From"] == "workbench.toml"


def test_hosts_are_typed_one_a_line(visit: Visit, file: Path) -> None:
    at = visit("settings")
    at.text_area(key="set-fetching.allowed_hosts-0").set_value(" wiki.local\n\nwiki.local\nb.local").run()
    save(at)
    assert load_settings(file.parent).fetching.allowed_hosts == ("wiki.local", "b.local")


def test_the_threshold_of_a_project_is_its_owners(visit: Visit, file: Path, audited: object, bench: Workbench) -> None:
    opened = bench.open("trees")
    at = visit("settings", project="trees")
    assert "passes above a support of 0.7: the threshold of this installation" in texts(at)
    opened.reviews.apply_threshold(0.9, by="Ada", target=0.95)
    from core.labels import Role

    opened.reviews.set_role("Ada", Role.OWNER, by="Ada")
    at = visit("settings", project="trees", reviewer="Bo")
    assert "above a support of 0.9, chosen by the owner of the project for 95% precision" in texts(at)
    assert at.button(key="installation-threshold").disabled
    at = visit("settings", project="trees", reviewer="Ada")
    at.button(key="installation-threshold").click().run()
    assert not at.error
    assert opened.reviews.policy().threshold is None
