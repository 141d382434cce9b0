"""Foreign text on the screen: shown letter for letter, running and loading nothing."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pages.shared.keyed_table import fit
from pages.shared.safe import Run, evidence_html, file_name, heading_html, plain, runs_html

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "![](http://evil.example/pixel.png)",
    "[click](javascript:alert(1))",
    "</mark><script>alert(1)</script>",
    "<svg/onload=alert(1)>",
    "&lt;script&gt;",
    "https://evil.example/ and www.evil.example and a@evil.example",
    ":material/delete: :red[text] $x$ `code` **bold** ~~gone~~",
    "a\u202egnp.exe\u2066x",
    "x" * 10_000,
    "# heading\n- list\n> quote\n| a | b |",
]


class Tags(HTMLParser):
    """Collects tags, attributes and text as a browser would see them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[object] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("text", HOSTILE)
def test_evidence_has_no_tag_but_ours_and_no_attribute(text: str) -> None:
    seen = Tags(evidence_html(text, [(0, 5)]))
    assert seen.tags <= {"p", "br", "mark"}
    assert not seen.attributes


def test_evidence_is_shown_letter_for_letter() -> None:
    text = "</mark><script>alert('&amp;')</script> ![](http://x)"
    assert Tags(evidence_html(text)).text == text


def test_marks_are_where_they_should_be_also_over_line_ends() -> None:
    assert (
        evidence_html("ab\ncd\n\nef", [(1, 4), (7, 9)])
        == "<p>a<mark>b</mark><br><mark>c</mark>d</p><p><mark>ef</mark></p>"
    )


def test_marks_beyond_the_text_do_no_harm() -> None:
    assert evidence_html("ab", [(-5, 1), (5, 9), (3, 1)]) == "<p><mark>a</mark>b</p>"


def test_marks_that_turn_the_direction_of_text_are_left_out() -> None:
    assert "\u202e" not in evidence_html("a\u202eb")
    assert "\u202e" not in plain("a\u202eb")


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(-5, 70), st.integers(-5, 70)), max_size=4))
def test_any_text_with_any_marks_stays_text(text: str, marks: list[tuple[int, int]]) -> None:
    seen = Tags(evidence_html(text, marks))
    assert seen.tags <= {"p", "br", "mark"}
    assert not seen.attributes


@pytest.mark.parametrize("text", HOSTILE)
def test_a_label_has_neither_link_nor_image_nor_markup(text: str) -> None:
    page = MarkdownIt("gfm-like", {"linkify": False}).render(plain(text))
    assert Tags(page).tags <= {"p"}
    # Streamlit's own rules look at the text after escapes are resolved.
    shown = Tags(page).text
    assert "://" not in shown
    assert "www." not in shown.lower()
    assert ":material/" not in shown


def test_a_label_reads_as_the_text_itself() -> None:
    shown = Tags(MarkdownIt().render(plain("50 % of *all* [cases] (2 < 3) & more"))).text
    assert shown.strip().replace("\u2060", "") == "50 % of *all* [cases] (2 < 3) & more"


def test_a_label_is_cut_with_an_ellipsis() -> None:
    assert plain("word " * 50, 20).endswith("…")


def test_a_heading_is_only_a_heading() -> None:
    assert heading_html("<b>x</b>\n\ny", 3) == "<h3>&lt;b&gt;x&lt;/b&gt; y</h3>"


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("../../etc/passwd", "etc-passwd.txt"),
        ("", "download.txt"),
        ("Wärme: eine Übersicht", "Wärme-eine-Übersicht.txt"),
    ],
)
def test_download_names_hold_no_path(title: str, name: str) -> None:
    assert file_name(title, ".txt") == name


@pytest.mark.parametrize("text", HOSTILE)
def test_a_run_of_a_report_shows_its_letters_and_brings_no_tag_or_attribute_of_its_own(text: str) -> None:
    run = Run(text, "failing", "!", "finding=3&q=%22%3E%3Cscript%3E", f'" onmouseover="x" {text}')
    seen = Tags(runs_html([("p", [run, Run(text)])]))
    assert seen.tags <= {"p", "a", "sup", "br"}
    assert all(str(name) in {"class", "href", "title"} for name, _ in seen.attributes)  # type: ignore[misc]
    wanted = "".join(one for one in text if one not in "\u202e\u2066\n")
    assert seen.text.replace("\n", "").count(wanted) == 2


def test_a_link_of_a_report_leads_nowhere_but_to_this_page() -> None:
    page = runs_html([("p", [Run("words", "failing", "!", "project=a&finding=3")])])
    assert page == '<p><a class="shade-failing" href="?project=a&amp;finding=3"><sup>!</sup>words</a></p>'
    assert 'href="?' in runs_html([("p", [Run("words", "failing", "", "javascript:alert(1)")])])


@pytest.mark.parametrize("width", [60, 150, 340])
@pytest.mark.parametrize("lines", [1, 3])
def test_what_does_not_fit_a_cell_ends_in_an_ellipsis(width: int, lines: int) -> None:
    text = "A rather long title about street trees and the heat of cities in summer " * 5
    cut = fit(text, width, lines)
    assert cut.endswith("…")
    assert text.startswith(cut[:-1])
    assert fit("Trees", width, lines) == "Trees"
    assert len(fit("木" * 500, width, lines)) < len(fit("i" * 500, width, lines))


def test_entries_that_follow_one_another_are_one_list() -> None:
    page = runs_html([("p", [Run("a")]), ("li", [Run("b")]), ("li", [Run("c")]), ("p", [Run("d")]), ("li", [Run("e")])])
    assert page == "<p>a</p><ul><li>b</li><li>c</li></ul><p>d</p><ul><li>e</li></ul>"
