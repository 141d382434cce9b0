"""The generated files are what the script makes, and it makes the same bytes every time."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import demo
from tools.demo.report import strip_tags
from tools.make_demo_files import make_sources, make_text


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folders = tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("second")
    for folder in folders:
        make_text(folder)
        make_sources(folder)
    return folders


def test_report_key_and_questions_are_up_to_date(twice: tuple[Path, Path]) -> None:
    committed = Path(demo.__file__).parent
    for name in ("report.md", "key.json", "questions.json"):
        assert (twice[0] / name).read_bytes() == (committed / name).read_bytes(), "run: python -m tools.make_demo_files"


def test_two_runs_give_the_same_bytes(twice: tuple[Path, Path]) -> None:
    first, second = twice
    names = sorted(path.name for path in first.iterdir())
    assert len(names) == 10
    assert all((first / name).read_bytes() == (second / name).read_bytes() for name in names)


def test_tags_become_exact_offsets() -> None:
    plain, spans = strip_tags("{c:1}Ünder {m:1}[1]{/m:1}{/c:1}.")
    assert plain == "Ünder [1]."
    assert spans["m", "1"] == {"start": 6, "end": 9, "text": "[1]"}
    assert spans["c", "1"]["text"] == "Ünder [1]"


@pytest.mark.parametrize("broken", ["{c:1}a", "{c:1}a{/c:1}{c:1}b{/c:1}"])
def test_a_broken_tag_is_refused(broken: str) -> None:
    with pytest.raises(ValueError, match="tag"):
        strip_tags(broken)
