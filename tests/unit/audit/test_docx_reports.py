"""DOCX reports: links as fields, raised styles, text boxes, struck words and tracked changes."""

from __future__ import annotations

import io

import docx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from core.audit.report import read_report
from core.audit.report_model import LeftoverKind, Report
from core.audit.rows import UNUSED, cases_of
from core.records import Fetched

NS = nsdecls("w") + (
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml"'
    ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
)


def run(words: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{words}</w:t></w:r>'


def field(instruction: str, words: str) -> str:
    return (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        f'<w:r><w:instrText xml:space="preserve">{instruction[:9]}</w:instrText></w:r>'
        f'<w:r><w:instrText xml:space="preserve">{instruction[9:]}</w:instrText></w:r>'
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{run(words)}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def box(words: str) -> str:
    inner = f"<w:txbxContent><w:p>{run(words)}</w:p></w:txbxContent>"
    return (
        f'<w:r><mc:AlternateContent><mc:Choice Requires="wps"><wps:txbx>{inner}</wps:txbx></mc:Choice>'
        f"<mc:Fallback><w:pict><v:textbox>{inner}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )


def report(*paragraphs: str, styles: str = "") -> Report:
    document = docx.Document()
    if styles:
        document.styles.element.append(parse_xml(styles.replace("<w:style ", f"<w:style {nsdecls('w')} ", 1)))
    for number, inner in enumerate(paragraphs):
        document.element.body.insert(number, parse_xml(f"<w:p {NS}>{inner}</w:p>"))
    for number in (1, 2, 3):
        document.add_paragraph(f"[{number}] Title {number}. https://a.example/{number}")
    body = io.BytesIO()
    document.save(body)
    return read_report(Fetched(body.getvalue(), "", filename="r.docx"))


def cited(read: Report) -> list[tuple[str | None, str]]:
    return [(case.row.url, case.claim.text) for case in cases_of(read) if case.row.style != UNUSED]


def test_links_as_fields_are_links() -> None:
    simple = f'<w:fldSimple w:instr=" HYPERLINK &quot;https://b.example/2&quot; ">{run("Shops")}</w:fldSimple>'
    read = report(
        run("Limes were planted (") + field(' HYPERLINK "https://b.example/1" \\o "tip"', "Limes") + run(")."),
        run("Takings rose (") + simple + run(")."),
        run("Rain fell, says ") + field(' HYPERLINK "https://b.example/3" \\l "part"', "the office") + run("."),
        run("See page ") + field(" PAGEREF _Toc1", "7") + run(" for more."),
    )
    assert cited(read) == [
        ("https://b.example/1", "Limes were planted"),
        ("https://b.example/2", "Takings rose"),
        ("https://b.example/3#part", "Rain fell, says the office."),
    ]


def test_a_field_within_a_field_and_one_without_an_end_keep_their_words() -> None:
    inner = run("Limes ") + field(" REF _Ref1", "stand") + run(" there")
    outer = field(' HYPERLINK "https://b.example/1"', "X").replace(run("X"), inner)
    read = report(outer + run("."), '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' + run("Elms fell [1]."))
    assert "[Limes stand there](https://b.example/1)." in read.text
    assert cited(read)[-1] == ("https://a.example/1", "Elms fell")


def test_a_style_that_raises_its_words_raises_numbers() -> None:
    styles = (
        '<w:style w:type="character" w:styleId="Cite"><w:name w:val="Cite"/>'
        '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>'
    )
    below = '<w:rStyle w:val="Cite"/>'
    read = report(
        run("Limes were planted.") + run("1", below),
        run("Takings rose.") + run("2", '<w:position w:val="8"/>'),
        run("It held 10") + run("3", below) + run(" cells."),
        run("Elms fell in 2019") + run(" 1", '<w:rStyle w:val="Cite"/><w:vertAlign w:val="baseline"/>') + run("."),
        styles=styles,
    )
    assert cited(read) == [("https://a.example/1", "Limes were planted."), ("https://a.example/2", "Takings rose.")]
    assert "10<sup>3</sup> cells" in read.text


def test_a_text_box_is_read_once_and_is_a_paragraph_of_its_own() -> None:
    read = report(run("Limes were planted [1].") + box("Takings rose [2]."), run("Elms fell [3]."))
    assert cited(read) == [
        ("https://a.example/1", "Limes were planted"),
        ("https://a.example/2", "Takings rose"),
        ("https://a.example/3", "Elms fell"),
    ]


def test_a_text_box_that_only_older_programs_show_is_read() -> None:
    inner = f"<w:txbxContent><w:p>{run('Takings rose [2].')}</w:p></w:txbxContent>"
    old = f"<mc:Fallback><w:pict><v:textbox>{inner}</v:textbox></w:pict></mc:Fallback>"
    for newer in ("", '<mc:Choice Requires="wps"/>', '<mc:Choice Requires="wpg"><wps:txbx/></mc:Choice>'):
        read = report(f"<w:r><mc:AlternateContent>{newer}{old}</mc:AlternateContent></w:r>" + run("Limes stand [1]."))
        assert cited(read) == [("https://a.example/1", "Limes stand"), ("https://a.example/2", "Takings rose")]


def test_struck_and_moved_words_are_not_audited() -> None:
    read = report(
        run("The city planted ") + run("900 oaks ", "<w:strike/>") + run("400 limes [1]."),
        run("Takings rose [2].", "<w:dstrike/>"),
        run("Elms ") + run("fell", '<w:strike w:val="0"/>') + run(" in May [3]."),
        f'<w:moveFrom w:id="1" w:author="a">{run("Planes stood [2].")}</w:moveFrom>' + run("End."),
    )
    assert cited(read) == [
        ("https://a.example/1", "The city planted 400 limes"),
        ("https://a.example/3", "Elms fell in May"),
    ]
    assert [item.kind for item in read.leftovers] == [LeftoverKind.STRUCK]


def test_hidden_runs_and_paragraphs_are_not_audited() -> None:
    styles = '<w:style w:type="character" w:styleId="Gone"><w:name w:val="Gone"/><w:rPr><w:vanish/></w:rPr></w:style>'
    read = report(
        run("The city planted ") + run("900 oaks ", "<w:vanish/>") + run("400 limes [1]."),
        run("Takings rose [2].", '<w:rStyle w:val="Gone"/>'),
        run("Elms ") + run("fell", '<w:rStyle w:val="Gone"/><w:vanish w:val="0"/>') + run(" in May [3]."),
        '<w:pPr><w:pStyle w:val="Gone"/></w:pPr>' + run("Planes stood [2]."),
        styles=styles,
    )
    assert cited(read) == [
        ("https://a.example/1", "The city planted 400 limes"),
        ("https://a.example/3", "Elms fell in May"),
    ]
    assert "900" not in read.text
