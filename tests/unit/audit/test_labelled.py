"""The hand labels over the real reports hold: pairing stays over what BENCH asks for."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from benchmarks import pairing
from benchmarks.pairing_count import count_markers

DATA = Path(__file__).resolve().parents[3] / "../shared/data"


@pytest.fixture(scope="module")
def values() -> dict[str, float]:
    if not (DATA / "reports").is_dir():
        if os.environ.get("CI"):
            pytest.fail(f"the real reports are missing under {DATA}")
        pytest.skip("the real reports are not here (shared/data/reports)")
    return {row["metric"]: row["value"] for row in pairing.run(DATA)}


@pytest.mark.parametrize(
    ("metric", "floor"),
    [
        ("pairing_numeric", 0.995),
        ("pairing_footnote", 0.995),
        ("pairing_author_year", 0.97),
        ("pairing_inline_link", 0.97),
        ("pairing_trailing_digits", 0.97),
    ],
)
def test_labelled_markers_are_paired(values: dict[str, float], metric: str, floor: float) -> None:
    assert values[metric] >= floor


@pytest.mark.parametrize(
    "style",
    ["numeric", "footnote", "inline_link", "pandoc", "trailing_digits", "author_year", "bare_url", "doi"],
)
def test_counts_agree_with_the_independent_counter(values: dict[str, float], style: str) -> None:
    assert values[f"count_difference_{style}"] <= 0.005


def test_another_version_of_a_report_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("changed", "utf-8")
    with pytest.raises(ValueError, match=r"a\.md"):
        pairing.check_versions(tmp_path, {"a.md": "0" * 64})


def test_the_counter_counts_the_words_of_a_link_once() -> None:
    text = "See [3 https://a.example](https://a.example/3), [Land and Sea 2018](https://b.example). Rose (A, 2020) [1]."
    counts: dict[str, Any] = count_markers(text)
    assert counts == {"inline_link": 2, "numeric": 1}


def test_the_counter_leaves_code_headings_and_lists_out() -> None:
    text = "# H [1]\n\nIt rose [2][^3].\n\n```\n[4]\n```\n\n## References\n\n[2] Two\n"
    counts: dict[str, Any] = count_markers(text)
    assert counts == {"numeric": 1, "footnote": 1}
