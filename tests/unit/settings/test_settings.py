"""Settings on disk: what is read, what is refused and in which words, and how they are changed."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from core.errors import RowMoved, SettingsError
from core.labels import JobKind
from core.settings.save import save_settings, set_aside
from core.settings.values import Settings, load_settings
from core.settings.view import Origin, checked_change, view_settings
from core.workbench.wiring import open_workbench

COMMENTED = """# Ours, do not touch
title_of = {note = "another tool reads this"}

[retrieval]
k = 20  # twenty is what the team agreed on
depth = 100

[another_tool]
colour = "blue"
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("WORKBENCH_SETTINGS", raising=False)
    return tmp_path


def write(root: Path, text: str) -> Path:
    path = root / "workbench.toml"
    path.write_text(text, "utf-8")
    return path


def revision(root: Path) -> str:
    return view_settings(root).revision


# ---------------------------------------------------------------- reading


def test_without_a_file_everything_is_the_default(root: Path) -> None:
    view = view_settings(root)
    assert {setting.origin for setting in view.settings} == {Origin.DEFAULT}
    assert (view.revision, view.problems, view.override) == ("", (), None)
    assert load_settings(root) == Settings()


def test_every_setting_of_the_models_is_shown_with_its_limits(root: Path) -> None:
    view = view_settings(root)
    names = {f"{section}.{name}" for section, values in Settings().model_dump().items() for name in values}
    assert {setting.key for setting in view.settings} == names
    size, mmr, timeout = (view.one(key) for key in ("chunking.size", "retrieval.mmr_lambda", "parsing.timeout_s"))
    assert (size.kind, size.low, size.high, size.value) == ("whole", 100, 5000, 500)
    assert (mmr.kind, mmr.low, mmr.high) == ("number", 0, 1)
    assert (timeout.low, timeout.above) == (0, True)
    assert view.one("claims.c1_min_grade").choices == ("A", "B", "C", "D", "E")
    assert view.one("fetching.allowed_hosts").kind == "list"


def test_a_later_file_wins_and_each_value_tells_where_it_is_from(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, "[retrieval]\nk = 20\ndepth = 50\n")
    named = root / "other.toml"
    named.write_text("[retrieval]\nk = 30\n")
    monkeypatch.setenv("WORKBENCH_SETTINGS", str(named))
    view = view_settings(root)
    assert (view.one("retrieval.k").value, view.one("retrieval.k").origin) == (30, Origin.OVERRIDE)
    assert (view.one("retrieval.depth").value, view.one("retrieval.depth").origin) == (50, Origin.FILE)
    assert view.one("retrieval.rrf_k").origin is Origin.DEFAULT
    assert view.override == named
    assert load_settings(root).retrieval.k == 30


def test_a_named_file_that_is_not_there_is_said(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_SETTINGS", str(root / "gone.toml"))
    assert "no such file" in view_settings(root).problems[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[retrieval]\nk = 0\n", "Setting 'retrieval.k' must be at least 1, not '0'."),
        ("[retrieval]\nk = 201\n", "Setting 'retrieval.k' must be at most 200, not '201'."),
        ("[retrieval]\nk = 1.5\n", "Setting 'retrieval.k' must be a whole number, not '1.5'."),
        ('[retrieval]\nmmr_lambda = "much"\n', "Setting 'retrieval.mmr_lambda' must be a number, not 'much'."),
        ("[parsing]\ntimeout_s = 0\n", "Setting 'parsing.timeout_s' must be more than 0, not '0'."),
        ('[claims]\nc1_min_grade = "F"\n', "Setting 'claims.c1_min_grade' must be 'A', 'B', 'C', 'D' or 'E', not"),
        (
            '[models]\nallow_downloads = "maybe"\n',
            "Setting 'models.allow_downloads' must be true or false without quotes, not 'maybe'.",
        ),
        ('[web]\nenabled = "yes"\n', "Setting 'web.enabled' must be true or false without quotes, not 'yes'."),
        ("[llm]\nenabled = 1\n", "Setting 'llm.enabled' must be true or false without quotes, not '1'."),
        ("[models]\nencoder = 3\n", "Setting 'models.encoder' must be text in quotes, not '3'."),
        ('[fetching]\nallowed_hosts = "a"\n', "Setting 'fetching.allowed_hosts' must be a list"),
        ("[retrieval]\nkk = 1\n", "There is no setting 'retrieval.kk'."),
        ("[retreival]\nk = 1\n", "There is no section [retreival] of settings. Is [retrieval] meant?"),
        (
            "[chunking]\noverlap = 400\n",
            "The settings [chunking] do not fit together: overlap 400 is over half of size",
        ),
        ("retrieval = 3\n", "'retrieval' must be a section"),
        ("[retrieval\n", "is not valid TOML"),
        (f"[retrieval]\nk = {'9' * 5000}\n", "is not valid TOML"),
        (f"[retrieval]\nk = {'[' * 5000}", "is not valid TOML"),
    ],
)
def test_a_fault_is_one_plain_sentence_at_start_and_on_the_page(root: Path, text: str, said: str) -> None:
    write(root, text)
    with pytest.raises(SettingsError) as caught:
        load_settings(root)
    assert said in str(caught.value)
    assert any(said in problem for problem in view_settings(root).problems)


def test_every_fault_is_told_at_once_and_the_rest_keeps_its_value(root: Path) -> None:
    write(root, "[retrieval]\nk = 0\ndepth = 9000\nrrf_k = 7\n")
    view = view_settings(root)
    assert len(view.problems) == 2
    assert view.one("retrieval.k").problem
    assert (view.one("retrieval.k").value, view.one("retrieval.rrf_k").value) == (10, 7)


def test_a_section_of_another_tool_is_left_alone_and_named(root: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(root, "[another_tool]\ncolour = 1\n")
    assert load_settings(root) == Settings()
    assert "another_tool" in caplog.text
    assert view_settings(root).unknown == ("another_tool",)


# ---------------------------------------------------------------- changing


def test_a_change_keeps_comments_order_and_sections_of_others(root: Path) -> None:
    path = write(root, COMMENTED.replace("title_of", "[title_of]\nx"))
    settings = save_settings(
        root,
        {"retrieval.k": 25, "fetching.allowed_hosts": ("wiki.local", "a b"), "models.allow_downloads": True},
        revision=revision(root),
    )
    assert (settings.retrieval.k, settings.fetching.allowed_hosts) == (25, ("wiki.local", "a b"))
    assert load_settings(root) == settings
    text = path.read_text()
    assert "# Ours, do not touch" in text
    assert "k = 25  # twenty is what the team agreed on" in text
    assert '[another_tool]\ncolour = "blue"' in text
    assert text.index("[retrieval]") < text.index("[another_tool]") < text.index("[fetching]")


def test_none_goes_back_to_the_default(root: Path) -> None:
    write(root, "[retrieval]\nk = 20\n")
    assert save_settings(root, {"retrieval.k": None, "claims.c1_sources": None}, revision=revision(root)) == Settings()
    assert view_settings(root).one("retrieval.k").origin is Origin.DEFAULT


def test_the_first_change_makes_the_file(root: Path) -> None:
    save_settings(root, {"verification.pass_support": 0.85}, revision="")
    assert (root / "workbench.toml").read_text() == "[verification]\npass_support = 0.85\n"


@pytest.mark.parametrize(
    "changes",
    [{"retrieval.k": 0}, {"chunking.size": 100, "chunking.overlap": 90}, {"retrieval.kk": 1}, {"nonsense": 1}],
)
def test_a_refused_change_writes_nothing(root: Path, changes: dict[str, object]) -> None:
    path = write(root, COMMENTED.replace("title_of", "[title_of]\nx"))
    before = path.read_bytes()
    with pytest.raises(SettingsError):
        save_settings(root, changes, revision=revision(root))
    assert path.read_bytes() == before
    assert {one.name for one in root.iterdir()} <= {"workbench.toml", ".settings.lock"}


def test_the_second_of_two_tabs_is_told_and_changes_nothing(root: Path) -> None:
    seen = revision(root)
    save_settings(root, {"retrieval.k": 20}, revision=seen)
    with pytest.raises(RowMoved, match="another tab"):
        save_settings(root, {"retrieval.k": 30}, revision=seen)
    assert load_settings(root).retrieval.k == 20


def test_of_many_at_once_exactly_one_is_saved(root: Path) -> None:
    outcomes: list[str] = []

    def save(k: int) -> None:
        try:
            save_settings(root, {"retrieval.k": k}, revision="")
            outcomes.append(f"saved {k}")
        except RowMoved:
            outcomes.append("told")

    threads = [threading.Thread(target=save, args=(k,)) for k in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    saved = [one for one in outcomes if one.startswith("saved")]
    assert len(outcomes) == 8
    assert saved == [f"saved {load_settings(root).retrieval.k}"]


def test_what_the_environment_holds_cannot_be_changed_here(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = root / "other.toml"
    named.write_text("[retrieval]\nk = 30\n")
    monkeypatch.setenv("WORKBENCH_SETTINGS", str(named))
    with pytest.raises(SettingsError, match="environment"):
        save_settings(root, {"retrieval.k": 5}, revision="")
    assert not (root / "workbench.toml").exists()


def test_a_broken_file_is_not_overwritten_but_can_be_put_aside(root: Path) -> None:
    write(root, "[retrieval\nk = 5\n")
    with pytest.raises(SettingsError, match="not valid TOML"):
        save_settings(root, {"retrieval.k": 5}, revision=revision(root))
    with pytest.raises(RowMoved):
        set_aside(root, revision="old")
    kept = set_aside(root, revision=revision(root))
    assert kept.read_text() == "[retrieval\nk = 5\n"
    assert load_settings(root) == Settings()


def test_a_link_stays_a_link(root: Path) -> None:
    real = root / "kept"
    real.mkdir()
    (real / "mine.toml").write_text("[retrieval]\nk = 20\n")
    (root / "workbench.toml").symlink_to(real / "mine.toml")
    save_settings(root, {"retrieval.k": 21}, revision=revision(root))
    assert (root / "workbench.toml").is_symlink()
    assert (real / "mine.toml").read_text() == "[retrieval]\nk = 21\n"


def test_a_folder_that_cannot_be_written_is_said(root: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be written"):
        save_settings(root / "gone", {"retrieval.k": 5}, revision="")


def test_a_change_can_be_tried_before_it_is_saved(root: Path) -> None:
    view = view_settings(root)
    tried, faults = checked_change(view, {"chunking.size": 800, "retrieval.k": None})
    assert (tried.chunking.size if tried else 0, faults) == (800, {})
    tried, faults = checked_change(view, {"chunking.overlap": 400})
    assert tried is None
    assert list(faults) == ["chunking"]


# ---------------------------------------------------------------- taken over by what runs


def test_a_running_workbench_takes_a_change_over_with_its_open_projects(root: Path) -> None:
    bench = open_workbench(root)
    try:
        opened = bench.open(bench.create("Heat").slug)
        assert bench.refresh() is False
        extractor = bench.engines.extractor()
        save_settings(root, {"retrieval.k": 20, "chunking.size": 800}, revision="")
        assert bench.refresh() is True
        assert (bench.settings.retrieval.k, opened.settings.retrieval.k) == (20, 20)
        assert bench.open("heat") is opened
        assert bench.engines.extractor() is extractor  # parsing did not change
        assert opened.job_context().settings.chunking.size == 800
        opened.catch_up()
        assert [job.kind for job in opened.jobs.all()] == []  # nothing was cut under other settings yet
        save_settings(root, {"parsing.timeout_s": 30.0}, revision=revision(root))
        assert bench.refresh() is True
        assert bench.engines.extractor() is not extractor
    finally:
        bench.close()


def test_passages_are_cut_anew_after_a_change_of_their_size(root: Path) -> None:
    bench = open_workbench(root)
    try:
        opened = bench.open(bench.create("Heat").slug)
        opened.catch_up()
        save_settings(root, {"chunking.size": 800}, revision="")
        bench.refresh()
        opened.catch_up()
        assert [job.kind for job in opened.jobs.all()] == [JobKind.RECHUNK]
    finally:
        bench.close()


def test_a_broken_change_leaves_the_earlier_settings_in_force_and_says_why(root: Path) -> None:
    bench = open_workbench(root)
    try:
        path = write(root, "[retrieval]\nk = 0\n")
        assert bench.refresh() is False
        assert "retrieval.k" in bench.settings_problem
        assert bench.settings.retrieval.k == 10
        path.write_text("[retrieval]\nk = 11\n")
        assert bench.refresh() is True
        assert (bench.settings_problem, bench.settings.retrieval.k) == ("", 11)
        path.unlink()
        assert bench.refresh() is True
        assert bench.settings == Settings()
    finally:
        bench.close()


@pytest.mark.parametrize(
    "address",
    [
        "https://user:hunter2@llm.example/v1",
        "https://hunter2@llm.example",
        "http://:hunter2@localhost:8000",
        "//a:hunter2@b",
    ],
)
def test_an_address_with_a_password_in_it_is_refused_without_a_word_of_it(root: Path, address: str) -> None:
    write(root, f'[llm]\nbase_url = "{address}"\n')
    with pytest.raises(SettingsError, match=r"llm\.base_url") as told:
        load_settings(root)
    assert "hunter2" not in str(told.value)


@pytest.mark.parametrize(
    "address", ["", "https://llm.example/v1", "http://localhost:8000", "https://llm.example/@team"]
)
def test_an_address_without_a_password_is_kept(root: Path, address: str) -> None:
    write(root, f'[llm]\nbase_url = "{address}"\n')
    assert load_settings(root).llm.base_url == address
