"""What a person does not see, or sees struck, is no text of a source."""

from __future__ import annotations

import io

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import RGBColor

from core.acquire.read_docx import read_docx
from core.acquire.read_html import read_html
from core.acquire.read_jats import read_jats
from core.acquire.read_markdown import read_markdown

REST = "The council planted four hundred lime trees on Mill Lane in spring and counted them again in autumn. " * 2
SECRET = "Seventy elms were felled in secret."


def page(body: str, head: str = "") -> str:
    return read_html(
        f"<html><head><title>T</title>{head}</head><body><article><p>{REST}</p>{body}<p>{REST}</p></article></body>"
        "</html>",
        name="p",
    ).text


def word(body: str) -> str:
    document = docx.Document()
    document.element.body.insert(0, parse_xml(f"<w:p {nsdecls('w')}>{body}</w:p>"))
    target = io.BytesIO()
    document.save(target)
    return read_docx(target.getvalue(), name="d").text


def run(words: str, look: str = "") -> str:
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{words}</w:t></w:r>'


@pytest.mark.parametrize(
    "struck",
    ["<s>3 March</s>", "<del>3 March</del>", "<strike>3 March</strike>", "<del><b>3</b> March</del>",
     '<span style="text-decoration: line-through">3 March</span>',
     '<b style="color:red;text-decoration-line:line-through">3 March</b>'],
)  # fmt: skip
def test_struck_words_of_a_page_are_left_out(struck: str) -> None:
    assert "The bridge opens on 9 March with a party." in page(
        f"<p>The bridge opens on {struck} 9 March with a party.</p>"
    )


def test_what_a_class_strikes_and_what_a_template_holds_is_left_out() -> None:
    text = page(
        "<style>.gone {text-decoration-line: line-through}</style><template><p>Secret elms.</p></template>"
        '<p>The bridge opens on <span class="gone">3 March</span> 9 March with a party.</p>'
    )
    assert "The bridge opens on 9 March with a party." in text
    assert "Secret" not in text


@pytest.mark.parametrize(
    "kept", ["<ins>9 March</ins>", "<u>9 March</u>", '<i style="text-decoration:none">9 March</i>']
)
def test_inserted_and_underlined_words_stay(kept: str) -> None:
    assert "opens on 9 March with" in page(f"<p>The bridge opens on {kept} with a party.</p>")


@pytest.mark.parametrize(
    ("source", "text"),
    [("Opens ~~3 March~~ 9 March.", "Opens 9 March."), ("Opens <del>3 March</del> 9 March.", "Opens 9 March."),
     ("~~Old **words** here~~\nNew words.", "New words."), ("About ~5 km and ~6 km.", "About ~5 km and ~6 km."),
     ("Write `~~x~~` for it.", "Write ~~x~~ for it.")],
)  # fmt: skip
def test_struck_words_of_markdown_are_left_out(source: str, text: str) -> None:
    assert read_markdown(source, name="m").text == text


def test_struck_words_of_jats_are_left_out() -> None:
    article = f"<article><body><p>{REST}</p><p>Opens <strike>3 March</strike> 9 March.</p></body></article>"
    assert "Opens 9 March." in read_jats(article.encode(), name="j").text


@pytest.mark.parametrize("look", ["<w:strike/>", "<w:dstrike/>", '<w:strike w:val="1"/>', '<w:dstrike w:val="true"/>'])
def test_struck_runs_of_a_word_document_are_left_out(look: str) -> None:
    assert word(run("It costs ") + run("50 euros ", look) + run("40 euros.")) == "It costs 40 euros."


@pytest.mark.parametrize(
    "look",
    ['<w:strike w:val="0"/>', '<w:vanish w:val="false"/>', "<w:webHidden/>", '<w:color w:val="FF0000"/>',
     '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="000000"/>', '<w:sz w:val="14"/>'],
)  # fmt: skip
def test_a_look_that_hides_nothing_changes_nothing(look: str) -> None:
    assert word(run("It costs ") + run("50 euros.", look)) == "It costs 50 euros."


@pytest.mark.parametrize(
    "look", ["<w:vanish/>", '<w:vanish w:val="on"/>', '<w:color w:val="FFFFFF"/>', '<w:sz w:val="2"/>']
)
def test_hidden_runs_of_a_word_document_are_left_out(look: str) -> None:
    assert word(run("The tram runs all night.") + run(f" {SECRET}", look)) == "The tram runs all night."


def test_runs_hidden_or_struck_by_their_style_are_left_out() -> None:
    document = docx.Document()
    document.styles.add_style("Ghost", 2).font.hidden = True
    document.styles.add_style("Shade", 2).base_style = document.styles["Ghost"]
    gone = document.styles.add_style("Gone", 1)
    gone.font.strike = True
    paragraph = document.add_paragraph("The tram runs. ")
    paragraph.add_run(SECRET, style="Shade")
    kept = paragraph.add_run("It is free.", style="Ghost")
    kept.font.hidden = False
    document.add_paragraph(SECRET, style="Gone")
    target = io.BytesIO()
    document.save(target)
    assert read_docx(target.getvalue(), name="d").text == "The tram runs. It is free."


def test_white_words_on_a_dark_table_stay() -> None:
    document = docx.Document()
    cell = document.add_table(rows=1, cols=1).cell(0, 0)
    cell.paragraphs[0].add_run("Trees").font.color.rgb = RGBColor(255, 255, 255)
    target = io.BytesIO()
    document.save(target)
    assert read_docx(target.getvalue(), name="d").text == "Trees"


def test_a_text_box_is_read_once_wherever_it_stands() -> None:
    def box(inner: str) -> str:
        content = f"<w:txbxContent>{inner}</w:txbxContent>"
        return (
            '<w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
            f'<mc:Choice Requires="wps"><w:drawing>{content}</w:drawing></mc:Choice>'
            f"<mc:Fallback><w:pict>{content}</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
        )

    inner = box(f"<w:p>{run('Inner words.')}</w:p>")
    nested = box(f"<w:p>{run('Outer words.')}{inner}</w:p>")
    assert word(run("Body.") + nested) == "Body.\n\nOuter words.\n\nInner words."
    document = docx.Document()
    document.add_table(rows=1, cols=1).cell(0, 0)._tc.append(
        parse_xml(f"<w:p {nsdecls('w')}>{run('Cell.')}{inner}</w:p>")
    )
    target = io.BytesIO()
    document.save(target)
    assert read_docx(target.getvalue(), name="d").text == "Cell.\n\nInner words."


@pytest.mark.parametrize(
    "attributes",
    ["hidden", 'hidden=""', 'style="display:none"', 'style="visibility: hidden"', 'style="font-size:0"',
     'style="position:absolute;left:-9999px"', 'style="text-indent:-9999px"', 'style="opacity:0"',
     'style="color:#fff;background-color:#fff"', 'style="color:white;background:#FFFFFF"',
     'style="color:transparent"', 'style="font-size: 0px !important"',
     'style="position:absolute;clip:rect(0 0 0 0)"', 'style="height:0;overflow:hidden"', 'class="gone"', 'id="void"'],
)  # fmt: skip
def test_hidden_words_of_a_page_are_left_out(attributes: str) -> None:
    sheet = "<style>/* a */ .gone{visibility:hidden} #void { position: absolute; left: -5000px }</style>"
    text = page(
        f"<p>The tram runs all night. <span {attributes}>{SECRET}</span></p><p {attributes}>{SECRET}</p>", sheet
    )
    assert SECRET not in text
    assert "The tram runs all night." in text


@pytest.mark.parametrize(
    "attributes",
    ['hidden="until-found"', 'style="font-size:12px"', 'style="color:#fff;background:#000"', 'style="left:-3px"',
     'style="opacity:0.5"', 'style="display:block"', 'class="printed"', 'class="tab"', 'class="extra"',
     'style="color:transparent;-webkit-background-clip:text;background-image:linear-gradient(red,blue)"'],
)  # fmt: skip
def test_words_that_are_or_may_be_seen_stay(attributes: str) -> None:
    sheet = (
        "<style>@media print { .printed { display: none } } .tab{visibility:hidden} .tab.on{visibility:visible} "
        ".extra{visibility:hidden}</style><script>document.querySelector('.extra').classList.remove('extra')</script>"
    )
    assert SECRET in page(f"<p {attributes}>{SECRET}</p>", sheet)


def test_words_inside_that_are_shown_anew_stay() -> None:
    assert SECRET in page(f'<div style="font-size:0"><p style="font-size:14px">{SECRET}</p></div>')


def test_a_page_that_a_script_reveals_is_read() -> None:
    text = read_html(
        f'<html><body><div style="opacity:0"><p>{REST}</p><p>{SECRET}</p></div></body></html>', name="p"
    ).text
    assert SECRET in text


def test_hidden_words_in_markdown_are_left_out() -> None:
    source = f"The tram runs <span style='display:none'>{SECRET}</span>all night.\n\n<p hidden>{SECRET}</p>\n\n{REST}"
    text = read_markdown(source, name="m").text
    assert SECRET not in text
    assert "The tram runs all night." in text


def test_a_date_in_a_time_element_stays_in_its_sentence() -> None:
    assert "opens on 9 March with" in page(
        '<p>The bridge opens on <time datetime="2024-03-09">9 March</time> with us.</p>'
    )


@pytest.mark.parametrize(
    "element",
    ["<p>It held <output>411</output> trees.</p>", "<p>It held <label>411</label> trees.</p>",
     "<center>It held 411 trees.</center>", "<fieldset><p>It held 411 trees.</p></fieldset>",
     "<table><tr><th>Tree</th><th>Count</th></tr><tr><td>Lime</td><td>411</td></tr></table>",
     "<figure><table><tr><td>Lime</td><td>411</td></tr><tr><td>Elm</td><td>7</td></tr></table></figure>"],
)  # fmt: skip
def test_figures_of_an_article_are_kept(element: str) -> None:
    assert "411" in page(element)


def test_a_table_that_is_left_out_is_said() -> None:
    table = "<table><tr><td>Lime</td><td>411</td></tr><tr><td>Elm</td><td>73</td></tr></table>"
    body = f"<article><p>{REST * 5}</p></article>"
    beside = read_html(f"<html><body>{body}<div class='comments'>{table}</div></body></html>", name="p")
    assert "411" not in beside.text
    assert beside.warnings[0].startswith("A table with figures was left out")
    for markup in (f"{body}<nav>{table}</nav>", f"<article><p>{REST * 5}</p>{table}</article>", body):
        assert read_html(f"<html><body>{markup}</body></html>", name="p").warnings == ()
