"""Bare and bracketed digits of a report that numbers in no other way, and the menus of a saved page."""

from __future__ import annotations

import pytest

from core.audit.report import read_markdown, read_report
from core.audit.report_model import LeftoverKind
from core.audit.rows import UNUSED, cases_of
from core.records import Fetched

WORKS = "\n\n#### **Works cited**\n\n" + "\n".join(f"{n}. Title {n}, https://w.example/{n}" for n in range(1, 7))
HABIT = "Trust is low.1 Hope is lower.2 "


def marks(text: str) -> list[str]:
    return [marker.text for marker in read_markdown(HABIT + text + WORKS).markers][2:]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Low trust 3 erodes cohesion, and debt 4 became a burden.", ["3", "4"]),
        ("It is so.\n\n| What | Sources |\n|---|---|\n| Trust | 3 |\n| Hope | 4, 5 |", ["3", "4, 5"]),
        ("It is so.\n\n| What | Ref. |\n|---|---|\n| Trust | 3-5 |", ["3-5"]),
        ("It is so.\n\n| What | Streets |\n|---|---|\n| Trust | 3 |", []),
        ("It is so.\n\n| Sources | n |\n|---|---|\n| Trust | 3 |", []),
        ("Trust fell (3). Hope rose (4, 5), they say.", ["(3)", "(4, 5)"]),
        ("There are three ways: (3) trees, (4) lanes. See equation (5).", []),
        ("Some 3 people saw 4 trees in 5 streets. The city planted 3 limes.", []),
    ],
)
def test_digits(text: str, expected: list[str]) -> None:
    assert marks(text) == expected


def test_round_brackets_cite_a_short_list_too() -> None:
    text = "It rose (1). It fell (2).\n\n## References\n\n1. One. https://a.example/1\n2. Two. https://a.example/2\n"
    assert [marker.text for marker in read_markdown(text).markers] == ["(1)", "(2)"]
    assert read_markdown("It rose (1). It fell (2).").markers == ()


PAGE = """<html><body><ul><li><a href="https://m.example/a">Main page</a></li><li><a href="https://m.example/b">Contents</a></li>
<li><a href="https://m.example/c">Random article</a></li><li><a href="https://m.example/d">About us</a></li>
<li><a href="https://m.example/e">Donate</a></li></ul><h1>Limes</h1><p>The city planted 400 limes [1].</p>
<div><a href="https://de.example/x">Deutsch</a> <a href="https://fr.example/x">Fran\u00e7ais</a> |
<a href="https://es.example/x">Espa\u00f1ol</a> <a href="https://it.example/x">Italiano</a> <a href="https://pl.example/x">Polski</a></div>
<h2>References</h2><ol><li>One. https://a.example/1</li></ol></body></html>"""


def test_menus_of_a_saved_page_are_counted_and_are_no_rows() -> None:
    report = read_report(Fetched(PAGE.encode(), "text/html", filename="r.html"))
    assert [case.row.marker_text for case in cases_of(report)] == ["[1]"]
    assert [item.kind for item in report.leftovers] == [LeftoverKind.MENU] * 10


@pytest.mark.parametrize(
    "text",
    [
        "- [The city planted 400 limes](https://a.example/1)\n" * 5,
        "- [Limes](https://a.example/1)\n- [Oaks](https://a.example/2)\n",
        "- [Limes](https://a.example/1) were planted\n" * 6,
    ],
)
def test_lists_of_linked_statements_and_short_lists_are_no_menus(text: str) -> None:
    rows = [case for case in cases_of(read_markdown(text)) if case.row.style != UNUSED]
    assert len(rows) == text.count("](")
