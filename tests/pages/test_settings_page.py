"""Settings: where values come from, changes with what they cause, and two tabs at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.settings.keys import Keys
from core.settings.values import Settings, load_settings
from core.workbench.workbench import Workbench
from pages.words.settings import WITHOUT_EFFECT
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
    assert "Without any key everything works on this machine" in texts(at)
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


def test_a_fault_of_the_settings_is_said_on_every_page(visit: Visit, file: Path) -> None:
    file.write_text("[retrieval]\nk = 0\n")
    at = visit("projects")
    assert [one.value for one in at.sidebar.warning if "retrieval.k" in one.value.replace("\\", "")]
    file.write_text("[retrieval]\nk = 11\n")
    assert not visit("projects").sidebar.warning


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
    opened.reviews.threshold.apply(0.9, by="Ada", target=0.95)
    from core.labels import Role

    opened.reviews.people.set_role("Ada", Role.OWNER, by="Ada")
    at = visit("settings", project="trees", reviewer="Bo")
    assert "above a support of 0.9, chosen by the owner of the project for 95% precision" in texts(at)
    assert at.button(key="installation-threshold").disabled
    at = visit("settings", project="trees", reviewer="Ada")
    at.button(key="installation-threshold").click().run()
    assert not at.error
    assert opened.reviews.people.policy().threshold is None


def test_every_setting_has_a_field_with_its_words(visit: Visit, file: Path) -> None:
    at = visit("settings")
    fields = {
        one.key for kind in (at.toggle, at.selectbox, at.text_area, at.number_input, at.text_input) for one in kind
    }
    for section in Settings.model_fields:
        for name in type(getattr(Settings(), section)).model_fields:
            if f"{section}.{name}" not in WITHOUT_EFFECT:
                assert f"set-{section}.{name}-0" in fields


def test_switching_a_language_model_on_says_what_goes_out(visit: Visit, file: Path) -> None:
    at = visit("settings")
    at.toggle(key="set-llm.enabled-0").set_value(True).run()
    at.toggle(key="set-web.enabled-0").set_value(True).run()
    said = texts(at)
    assert "the passages chosen for them will be sent to the API of Anthropic" in said
    assert "at most $5.00 in each project" in said
    assert "Questions will be sent to openalex, crossref" in said
    save(at)
    assert load_settings(file.parent).llm.enabled


@pytest.mark.parametrize("address", ["http://api.example.org", "ftp://x", "example.org", "https://"])
def test_an_address_that_is_not_safe_for_a_key_is_refused(visit: Visit, file: Path, address: str) -> None:
    at = visit("settings")
    at.text_input(key="set-llm.base_url-0").set_value(address).run()
    assert "'llm.base_url' cannot be used: the address must begin with https://" in texts(at)
    assert at.button(key="save-settings").disabled


def test_another_model_can_be_named_with_its_price(visit: Visit, file: Path) -> None:
    at = visit("settings")
    assert "claude-haiku-5-5" in at.selectbox(key="set-llm.model_answer-0").options
    at.text_area(key="set-llm.prices-0").set_value("house-model: cheap").run()
    assert "is not like claude-sonnet-5-5=2/10" in texts(at)
    at.text_area(key="set-llm.prices-0").set_value("house-model=1/2.5").run()
    save(at)
    assert load_settings(file.parent).llm.prices == ("house-model=1/2.5",)


# ---------------------------------------------------------------- keys

SECRET = "sk-ant-very-secret-1"


@pytest.fixture
def no_keys(file: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("ANTHROPIC_API_KEY", "TAVILY_API_KEY", "BRAVE_API_KEY", "SERPER_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return file.parent / "keys.toml"


def everything(at: AppTest) -> str:
    """All that goes to the browser, as text."""
    shown = [str(getattr(one, "proto", "")) for one in at.main]
    assert any("toml" in one for one in shown)
    return "\n".join([*shown, *(str(one.value) for one in at.text_input), str(at.session_state)])


def test_a_key_is_kept_and_never_shown_again(visit: Visit, no_keys: Path) -> None:
    at = visit("settings")
    assert "TAVILY_API_KEY" in [one.label for one in at.text_input]
    at.text_input(key="key-ANTHROPIC_API_KEY-0").set_value(f" {SECRET} ").run()
    at.button(key="keep-ANTHROPIC_API_KEY").click().run()
    assert not at.exception
    assert "The key for Anthropic is kept." in texts(at)
    assert Keys(no_keys.parent, {}).get("ANTHROPIC_API_KEY") == SECRET
    assert no_keys.stat().st_mode & 0o077 == 0
    assert SECRET not in everything(at)
    again = visit("settings")
    assert SECRET not in everything(again)
    assert "In keys.toml" in texts(again)
    assert "keys.toml in the data directory" in texts(again)


def test_a_key_is_removed(visit: Visit, no_keys: Path) -> None:
    Keys(no_keys.parent, {}).put("ANTHROPIC_API_KEY", SECRET)
    at = visit("settings")
    at.button(key="remove-ANTHROPIC_API_KEY").click().run()
    assert "The key for Anthropic was removed." in texts(at)
    assert Keys(no_keys.parent, {}).get("ANTHROPIC_API_KEY") is None


def test_a_key_of_the_environment_is_said_and_not_changed_here(
    visit: Visit, no_keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    at = visit("settings")
    assert "ANTHROPIC_API_KEY is set in the environment and wins" in texts(at)
    assert "ANTHROPIC_API_KEY" not in [one.label for one in at.text_input]
    assert SECRET not in everything(at)


@pytest.mark.parametrize(("typed", "said"), [("", "field is empty"), ("a\nb", "line break"), ("a b", "a space")])
def test_what_cannot_be_a_key_is_refused(visit: Visit, no_keys: Path, typed: str, said: str) -> None:
    at = visit("settings")
    at.text_input(key="key-ANTHROPIC_API_KEY-0").set_value(typed).run()
    at.button(key="keep-ANTHROPIC_API_KEY").click().run()
    assert said in texts(at)
    assert not no_keys.exists()


def test_a_broken_file_of_keys_is_explained_without_a_word_of_it(visit: Visit, no_keys: Path) -> None:
    no_keys.write_text(f'ANTHROPIC_API_KEY = "{SECRET}\n')
    at = visit("settings")
    assert not at.exception
    assert "keys.toml is not valid TOML" in texts(at)
    assert SECRET not in everything(at)


def test_a_file_of_keys_that_others_may_read_is_said(visit: Visit, no_keys: Path) -> None:
    Keys(no_keys.parent, {}).put("ANTHROPIC_API_KEY", SECRET)
    assert "can be read or changed by other users" not in texts(visit("settings"))
    no_keys.chmod(0o644)
    at = visit("settings")
    assert "can be read or changed by other users" in texts(at)
    assert "its mode is 644" in texts(at)
    assert SECRET not in everything(at)
