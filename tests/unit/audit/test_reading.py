"""Reading reports: blocks, sentences, reference lists; HTML, DOCX and plain text say the same as Markdown."""

from __future__ import annotations

import io

import pytest

from core.audit.pairing import pair
from core.audit.report import read_extraction, read_markdown, read_report, read_text
from core.audit.report_model import BlockKind, ReferenceKind
from core.errors import UnreadableSource
from core.records import Extraction, Fetched, Heading

TEXT = """# Title

Dr. Smith measured 3.5 per cent, e.g. in Fig. 2 [1]. It fell.[2]

- First item. It has two sentences.
- Second item

| A | B |
|---|---|
| one \\| two | three |

> Quoted.

```
code. More.
```

## References

[1] One, A. (2020). Title one. https://a.example/1
[2] Two, B. (2021). Title two. https://a.example/2
"""


def test_sentences_have_exact_offsets_and_kinds() -> None:
    report = read_markdown(TEXT)
    shown = [(sentence.kind.value, TEXT[sentence.start : sentence.end]) for sentence in report.sentences]
    assert shown == [
        ("heading", "Title"),
        ("prose", "Dr. Smith measured 3.5 per cent, e.g. in Fig. 2 [1]."),
        ("prose", "It fell.[2]"),
        ("list_item", "First item."),
        ("list_item", "It has two sentences."),
        ("list_item", "Second item"),
        ("table_cell", "A"),
        ("table_cell", "B"),
        ("table_cell", "one \\| two"),
        ("table_cell", "three"),
        ("quote", "Quoted."),
        ("code", "```\ncode. More.\n```"),
        ("heading", "References"),
        ("reference", "[1] One, A. (2020). Title one. https://a.example/1"),
        ("reference", "[2] Two, B. (2021). Title two. https://a.example/2"),
    ]


def test_windows_line_ends_keep_the_offsets() -> None:
    text = TEXT.replace("\n", "\r\n")
    report = read_markdown(text)
    assert [text[m.start : m.end] for m in report.markers] == ["[1]", "[2]"]
    assert [r.text for r in report.references] == [r.text for r in read_markdown(TEXT).references]


@pytest.mark.parametrize(
    ("listed", "kind", "labels"),
    [
        ("## Sources\n\n1. One\n2. Two\n   - detail\n\n*Compiled in May.*", ReferenceKind.NUMBERED, ["1", "2"]),
        ("**Sources:**\n\n- One (2020)\n- Two (2021)", ReferenceKind.UNNUMBERED, ["One 2020", "Two 2021"]),
        ("参考文献：\n[1] https://a.example/1 - 一\n[2] https://a.example/2 - 二", ReferenceKind.NUMBERED, ["1", "2"]),
        ("## 参考文献[1] 一. 银行.[2] 二.[3] 三.", ReferenceKind.NUMBERED, ["1", "2", "3"]),
        (
            "## XI. References and Sources\n\n[1]: https://a.example\n\n- [1] One\n- [2] Two",
            ReferenceKind.NUMBERED,
            ["1", "2"],
        ),
        ("Last words.\n\n[1] https://a.example/1\n[2] https://a.example/2", ReferenceKind.NUMBERED, ["1", "2"]),
    ],
)
def test_lists_of_references(listed: str, kind: ReferenceKind | None, labels: list[str]) -> None:
    report = read_markdown(f"# T\n\nIt rose.\n\n{listed}\n")
    assert [reference.label for reference in report.references] == labels
    assert kind is None or {reference.kind for reference in report.references} == {kind}
    assert all(report.text[r.start : r.end] == r.text for r in report.references)


def test_an_entry_gives_its_parts() -> None:
    entry = read_markdown(
        "## References\n\n1. Varga, I., & Halvorsen, R. (2023). Cooling by trees. *Journal*, 9. doi:10.5555/Ju.1\n"
    ).references[0]
    assert (entry.authors, entry.year, entry.title, entry.doi) == (
        ("Varga", "Halvorsen"), "2023", "Cooling by trees", "10.5555/ju.1",
    )  # fmt: skip
    assert entry.url == "https://doi.org/10.5555/Ju.1"


def test_a_list_without_numbers_is_counted_when_the_report_cites_numbers() -> None:
    report = read_markdown("It rose [2].\n\n## References\n\n- One. 2019.\n- Two. 2020.\n")
    assert [(r.number, r.implied) for r in report.references] == [(1, True), (2, True)]
    assert pair(report).citations[0].reference == 1


def test_a_second_list_that_only_adds_addresses_is_joined() -> None:
    text = (
        "It rose [1].\n\n## References\n\n[1] One\n[2] Two\n\n"
        "Citations:\n[1] https://a.example/1\n[2] https://a.example/2\n"
    )
    report = read_markdown(text)
    assert [(r.title, r.url, len(r.also)) for r in report.references] == [
        ("One", "https://a.example/1", 1), ("Two", "https://a.example/2", 1),
    ]  # fmt: skip


HTML = """<html><head><title>x</title></head><body><nav>[9] menu</nav><h1>Title</h1>
<p>It rose by <b>3.5</b> per cent<sup><a href="#r1">1</a></sup>. See <a href="https://x.example/s">the study</a>.</p>
<table><tr><th>A</th><th>B</th></tr><tr><td>one</td><td>two <a href="#r2">[2]</a></td></tr></table>
<pre>code [1]</pre>
<h2>References</h2><ol><li id="r1">One, A. (2020). First. https://a.example/1</li><li>Two, B. (2021). Second.</li></ol>
</body></html>"""


def test_html_keeps_links_raised_numbers_and_numbered_lists() -> None:
    report = read_report(Fetched(HTML.encode(), "text/html"))
    pairing = pair(report)
    shown = [
        (m.style.value, pairing.references[c.reference or 0].label)
        for c in pairing.citations
        for m in [report.markers[c.marker]]
    ]
    assert shown == [("superscript", "1"), ("inline_link", "https://x.example/s"), ("numeric", "2")]


def test_docx_keeps_headings_lists_links_and_raised_numbers() -> None:
    docx = pytest.importorskip("docx")
    document = docx.Document()
    document.add_heading("Title", 1)
    paragraph = document.add_paragraph("It rose by 3.5 per cent")
    paragraph.add_run("1").font.superscript = True
    paragraph.add_run(". It fell [2].")
    document.add_heading("References", 2)
    document.add_paragraph("One, A. (2020). First. https://a.example/1", style="List Number")
    document.add_paragraph("Two, B. (2021). Second.", style="List Number")
    body = io.BytesIO()
    document.save(body)
    report = read_report(Fetched(body.getvalue(), "", filename="r.docx"))
    pairing = pair(report)
    assert [(report.markers[c.marker].style.value, c.reference) for c in pairing.citations] == [
        ("superscript", 0), ("numeric", 1),
    ]  # fmt: skip


def test_plain_text_and_an_extraction_are_read_as_they_stand() -> None:
    text = (
        "Title of it\n\nIt rose [1]. It fell [2].\n\n"
        "References\n\n[1] One, A. (2020). First.\n[2] Two, B. (2021). Second.\n"
    )
    assert [c.reference for c in pair(read_text(text)).citations] == [0, 1]
    heading = text.index("References")
    extraction = Extraction(
        text, "application/pdf", "pdfium", headings=(Heading(2, heading, heading + 10, "References"),)
    )
    report = read_extraction(extraction)
    assert [c.reference for c in pair(report).citations] == [0, 1]
    assert report.media_type == "application/pdf"


def test_an_empty_report_is_refused_by_name() -> None:
    with pytest.raises(UnreadableSource, match=r"r\.txt"):
        read_report(Fetched(b"  \n ", "text/plain", filename="r.txt"))


def test_front_matter_is_no_text() -> None:
    report = read_markdown("---\ntitle: My report\n---\nIt rose.\n")
    assert report.title == "My report"
    assert [block.kind for block in report.blocks] == [BlockKind.FRONT_MATTER, BlockKind.PROSE]
