"""Lists of references in whatever clothes: no entry is lost, and none of their addresses is a claim."""

from __future__ import annotations

import pytest

from core.audit.report import read_markdown
from core.audit.report_model import LeftoverKind
from core.audit.rows import UNUSED, cases_of
from core.text.reference_headings import glued_heading_end, is_reference_heading

BODY = "The city planted 400 limes [1]. Takings rose (Berg, 2020).\n\n"


def listed(text: str) -> list[tuple[str, str | None]]:
    """Label and address of each entry; nothing but the two citations of the body may be a row."""
    report = read_markdown(BODY + text)
    assert all(case.row.marker_text in ("[1]", "(Berg, 2020)") for case in cases_of(report) if case.row.style != UNUSED)
    return [(reference.label, reference.url) for reference in report.references]


ONE, TWO = ("1", "https://a.example/1"), ("2", "https://a.example/2")
NUMBERED = {
    "escaped brackets": "## References\n\n\\[1] Limes https://a.example/1\\\n\\[2] Shops https://a.example/2",
    "both brackets escaped, no heading": "\\[1\\] Limes https://a.example/1\\\n\\[2\\] Shops https://a.example/2",
    "a table": "## References\n\n| # | Source | URL |\n|---|---|---|\n| 1 | Limes | https://a.example/1 |\n| "
    "2 | Shops | https://a.example/2 |",
    "a table with bracketed numbers": "**Sources**\n\n| Nr | Where |\n|---|---|\n| [1] | "
    "[Limes](https://a.example/1) |\n| [2] | [Shops](https://a.example/2) |",
    "an HTML list": "## References\n\n<ol>\n<li>Limes. https://a.example/1</li>\n<li>Shops. https://a.example/2</li>\n</ol>",
    "an HTML list with blank "
    "lines": '## References\n\n<ol>\n\n<li>Limes. <a href="https://a.example/1">x</a></li>\n\n<li>Shops. https://a.example/2</li></ol>',
    "details with Markdown": "<details>\n<summary>Sources</summary>\n\n1. Limes. https://a.example/1\n2. Shops. https://a.example/2\n\n</details>",
    "details with HTML": "<details><summary><b>References</b></summary><ol><li>Limes. https://a.example/1<li>Shops. https://a.example/2</ol></details>",
    "an HTML table": "## References\n\n<table><tr><td>[1]</td><td>Limes "
    "https://a.example/1</td></tr><tr><td>[2]</td><td>Shops https://a.example/2</td></tr></table>",
    "an HTML heading": "<h2>References</h2>\n\n[1] Limes. https://a.example/1\n\n[2] Shops. https://a.example/2",
    "full-width brackets": "## \u5173\u952e\u5f15\u6587\n\n\u30101\u3011 Limes https://a.example/1\n\u30102\u3011 Shops https://a.example/2",
    "raised notes without a heading": "<sup>1</sup> Limes. https://a.example/1\n\n<sup>2</sup> Shops. https://a.example/2",
}


@pytest.mark.parametrize("text", NUMBERED.values(), ids=NUMBERED)
def test_a_numbered_list_in_other_clothes(text: str) -> None:
    assert listed(text) == [ONE, TWO]


LINES = {
    "one a line": "Berg, A. (2020). Limes. https://a.example/1\nLund, B. (2021). Shops. https://a.example/2",
    "with line breaks": "Berg, A. (2020). Limes. https://a.example/1\\\nLund, B. (2021). Shops. https://a.example/2",
    "with <br>": "Berg, A. (2020). Limes. https://a.example/1<br>Lund, B. (2021). Shops. https://a.example/2<br/>",
    "wrapped": "Berg, A. (2020). Limes of\nMill Lane. https://a.example/1\nLund, B., & Sato,\nC. (2021). "
    "Shops.\nNature, 9. https://a.example/2",
    "titles and addresses": "Limes of Mill Lane - https://a.example/1\nShops - https://a.example/2",
    "address below its title": "Limes of Mill Lane\nhttps://a.example/1\nShops and lanes\nhttps://a.example/2",
    "addresses alone": "https://a.example/1\nhttps://a.example/2",
    "links": "[Limes](https://a.example/1)\n[Shops](https://a.example/2)",
}


@pytest.mark.parametrize("text", LINES.values(), ids=LINES)
@pytest.mark.parametrize("heading", ["## References\n\n", "**Sources**\n"], ids=["heading", "label"])
def test_entries_on_lines_of_their_own_are_entries(heading: str, text: str) -> None:
    assert [url for _, url in listed(heading + text)] == ["https://a.example/1", "https://a.example/2"]


def test_one_entry_over_several_lines_stays_one() -> None:
    text = "## References\n\nVarga, I., Okonjo, T., &\nHalvorsen, R. (2023). Cooling.\nNature, 9, 1-4.\nhttps://doi.org/10.1234/a\n"
    assert [url for _, url in listed(text)] == ["https://doi.org/10.1234/a"]


MIXED = {
    "paragraphs": "[1] Quist, A. (2019). Elms. https://a.example/1\n\nBerg, A. (2020). Limes. "
    "https://b.example/1\n\nLund, B. (2021). Shops. Press.",
    "lines": "[1] Quist, A. (2019). Elms. https://a.example/1\nBerg, A. (2020). Limes. https://b.example/1\n"
    "Lund, B. (2021). Shops. Press.",
    "bullets": "1. Quist. https://a.example/1\n\n- Berg, A. (2020). Limes. https://b.example/1\n- Lund, B. "
    "(2021). Shops. Press.",
    "title and address": "[1] Elms. https://a.example/1\n\nLimes of Mill Lane. https://b.example/1\n\nLund, "
    "B. (2021). Shops. Press.",
}


@pytest.mark.parametrize("text", MIXED.values(), ids=MIXED)
def test_entries_without_a_number_beside_numbered_ones_are_kept(text: str) -> None:
    assert [url for _, url in listed("## References\n\n" + text)] == [
        "https://a.example/1",
        "https://b.example/1",
        None,
    ]


def test_a_remark_in_a_list_is_no_entry_and_is_said() -> None:
    text = BODY + "## References\n\n[1] One. https://a.example/1\n\nAll pages were opened in May 2025.\n"
    report = read_markdown(text)
    assert len(report.references) == 1
    assert [(item.kind, text[item.start : item.end]) for item in report.leftovers] == [
        (LeftoverKind.ENTRY, "All pages were opened in May 2025.")
    ]


def test_a_paragraph_behind_a_labelled_list_is_text_again() -> None:
    text = "**Sources:**\n\n- [Limes](https://a.example/1)\n- [Shops](https://a.example/2)\n\n"
    report = read_markdown(f"It rose.\n\n{text}Elms fell, as [Sato](https://c.example/3) says, in May.\n")
    rows = [case.row.marker_text for case in cases_of(report) if case.row.style != UNUSED]
    assert rows == ["[Sato](https://c.example/3)"]


def test_a_table_or_an_html_list_elsewhere_is_no_list_of_references() -> None:
    text = "## Trees\n\n| # | Tree |\n|---|---|\n| 1 | Lime, see https://a.example/1 |\n\n<ol><li>Limes</li></ol>\n"
    report = read_markdown(text)
    assert report.references == ()
    assert [marker.text for marker in report.markers] == ["https://a.example/1"]


def test_keys_in_a_list_are_labels_and_words_in_brackets_are_not() -> None:
    text = "## References\n\n[Ber20] Berg. https://a.example/1\n\n[Online] Lund (2021). https://a.example/2\n"
    assert listed(text)[0] == ("Ber20", "https://a.example/1")
    assert listed(text)[1][1] == "https://a.example/2"
    assert listed(text)[1][0] != "Online"


@pytest.mark.parametrize(
    "heading",
    [
        "References", "XI. References and Sources", "Works cited", "Literatur- und "
            "Quellenverzeichnis", "Einzelnachweise",
        "R\u00e9f\u00e9rences "
            "bibliographiques", "Fuentes y referencias", "Bibliograf\u00eda consultada", "Riferimenti bibliografici",
        "Refer\u00eancias", "Bronnenlijst", "K\u00e4llor", "L\u00e4hteet", "\u0179r\u00f3d\u0142a", "Zdroje",
        "Kaynak\u00e7a", "Irodalomjegyz\u00e9k",
        "\u0421\u043f\u0438\u0441\u043e\u043a "
            "\u043b\u0438\u0442\u0435\u0440\u0430\u0442\u0443\u0440\u044b",
            "\u0414\u0436\u0435\u0440\u0435\u043b\u0430",
        "\u5173\u952e\u5f15\u6587", "\u4e3b\u8981\u53c2\u8003\u8d44\u6599", "\u53c2\u8003\u94fe\u63a5",
        "\u51fa\u5178", "\u53c2\u8003\u6587\u732e\u30ea\u30b9\u30c8",
        "\ucc38\uace0\ubb38\ud5cc", "\u0627\u0644\u0645\u0631\u0627\u062c\u0639",
    ],
)  # fmt: skip
def test_headings_of_lists_in_many_languages(heading: str) -> None:
    assert is_reference_heading(heading)


@pytest.mark.parametrize(
    "heading",
    [
        "Sources of error", "Literature review", "Data sources and methods", "Notes on method", "Energy sources",
        "Reference model", "Reading list of trees", "\u6587\u7ae0", "\u4fe1\u606f", "Quellen des Rheins",
        "\u5f15\u7528\u5206\u6790",
    ],
)  # fmt: skip
def test_headings_that_only_begin_so_announce_nothing(heading: str) -> None:
    assert not is_reference_heading(heading)


def test_a_heading_glued_to_its_first_entry_is_cut_from_it() -> None:
    assert glued_heading_end("\u5173\u952e\u5f15\u6587[1] x") == 4
    assert glued_heading_end("Results [1] x") is None


def test_a_report_called_notes_is_no_list_of_references() -> None:
    body = "The bakery opened on 12 June 2021 [1].\n\nThe film lasts two hours [2]."
    listed = "1. Bakeries. https://note.example/1\n2. Films. https://note.example/2\n"
    for title in ("Notes", "Sources", "References"):
        report = read_markdown(f"# {title}\n\n{body}\n\n## References\n\n{listed}")
        assert [marker.text for marker in report.markers] == ["[1]", "[2]"]
        assert (len(report.references), report.leftovers) == (2, ())
