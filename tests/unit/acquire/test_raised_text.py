"""Raised text: powers stay powers, and the number of a note never becomes a digit of the figure before it."""

from __future__ import annotations

import io

import docx
import pytest

from core.acquire.docx_runs import Runs
from core.acquire.raised_text import Rise, written
from core.acquire.read_docx import read_docx
from core.acquire.read_html import read_html
from core.acquire.read_jats import read_jats
from core.acquire.read_markdown import read_markdown

REST = "The council planted four hundred lime trees on Mill Lane in spring and counted them again in autumn. " * 2

POWERS = [
    ("The lake held 10<sup>6</sup> cells per litre in May.", "The lake held 10^6 cells per litre in May."),
    ("It was 3.5 × 10<sup>−3</sup> mol.", "It was 3.5 × 10^-3 mol."),
    ("About 10<sup>12</sup> stars shine there.", "About 10^12 stars shine there."),
    ("The park covers 4 km<sup>2</sup> of land.", "The park covers 4 km² of land."),
    ("They yield 5 t ha<sup>−1</sup> a year.", "They yield 5 t ha⁻¹ a year."),
    ("The fit had R<sup>2</sup> of 0.8.", "The fit had R² of 0.8."),
    ("Levels of Ca<sup>2+</sup> rose.", "Levels of Ca²⁺ rose."),
    ("There are 2<sup>n</sup> ways.", "There are 2^n ways."),
]
NOTES = [
    ("Berg counted 40<sup>3</sup> herons there.", "Berg counted 40[3] herons there."),
    ("It opened in 2019<sup>12</sup> and closed in 2021.<sup>4,5</sup> All left.",
     "It opened in 2019[12] and closed in 2021.[4,5] All left."),
    ("Smith counted trees<sup>3</sup> on Mill Lane.", "Smith counted trees[3] on Mill Lane."),
    ("The mean was 0.05<sup>a</sup> there.", "The mean was 0.05[a] there."),
    ("They sold 110<sup>2</sup> tickets and 2,010<sup>7</sup> cards.", "They sold 110[2] tickets and 2,010[7] cards."),
    ("Both towns<sup>1–3</sup> agreed.", "Both towns[1-3] agreed."),
]  # fmt: skip
LEFT = [
    ("It was the 1<sup>st</sup> of May and the 22<sup>nd</sup> visit.", "It was the 1st of May and the 22nd visit."),
    ("In the XX<sup>e</sup> century.", "In the XXe century."),
    ("Water is H<sub>2</sub>O and gas is CO<sub>2</sub>.", "Water is H2O and gas is CO2."),
    ("They gave <sup>14</sup>C dates for it.", "They gave 14C dates for it."),
    ("Add 2<sup>1</sup>/<sub>2</sub> cups.", "Add 2 1/2 cups."),
    ("Marked<sup>[3]</sup> by hand.", "Marked[3] by hand."),
]


def pieces(markup: str) -> list[tuple[str, Rise]]:
    """The runs of a line that uses ``sup`` and ``sub``."""
    parts, rest = [], markup.replace("<sub>", "").replace("</sub>", "")
    while "<sup>" in rest:
        plain, _, rest = rest.partition("<sup>")
        raised, _, rest = rest.partition("</sup>")
        parts += [(plain, Rise.NONE), (raised, Rise.RAISED)]
    return [*parts, (rest, Rise.NONE)]


@pytest.mark.parametrize(("markup", "text"), POWERS + NOTES + LEFT)
def test_each_reader_writes_raised_text_alike(markup: str, text: str) -> None:
    assert written(pieces(markup)) == text
    assert text in read_html(f"<html><body><article><p>{REST}</p><p>{markup}</p><p>{REST}</p></article></body></html>",
                             name="p").text  # fmt: skip
    assert text in read_markdown(f"# Lake\n\n{REST}\n\n{markup}\n", name="m").text
    article = f"<article><body><sec><title>A</title><p>{REST}</p><p>{markup}</p></sec></body></article>"
    assert text in read_jats(article.encode(), name="j").text


@pytest.mark.parametrize(("markup", "text"), POWERS + NOTES + LEFT)
def test_raised_runs_of_a_word_document_are_written_alike(markup: str, text: str) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph()
    for words, rise in pieces(markup):
        for part in (words[:1], words[1:]) if rise else (words,):  # Word cuts runs anywhere
            paragraph.add_run(part).font.superscript = bool(rise)
    assert Runs(document).words(paragraph._p) == text


def test_a_linked_number_is_a_note_even_behind_a_ten() -> None:
    page = f'<html><body><article><p>{REST}</p><p>Berg counted 10<sup><a href="#n3">3</a></sup> herons.</p></article>'
    assert "counted 10[3] herons" in read_html(page, name="p").text
    for mark in ("<sup><xref>3</xref></sup>", "<xref><sup>3</sup></xref>"):
        article = f"<article><body><p>{REST}</p><p>Berg counted 10{mark} herons.</p></body></article>"
        assert "counted 10[3] herons" in read_jats(article.encode(), name="j").text


def test_a_number_raised_by_its_style_is_raised() -> None:
    page = f'<article><p>{REST}</p><p>Berg counted 40<span style="vertical-align: super">3</span> herons.</p></article>'
    assert "counted 40[3] herons" in read_html(f"<html><body>{page}</body></html>", name="p").text
    document = docx.Document()
    document.styles.add_style("Mark", 2).font.superscript = True
    paragraph = document.add_paragraph("Berg counted 40")
    paragraph.add_run("3", style="Mark")
    paragraph.add_run(" herons.")
    target = io.BytesIO()
    document.save(target)
    assert read_docx(target.getvalue(), name="d").text == "Berg counted 40[3] herons."


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("<msup><mn>10</mn><mn>6</mn></msup>", "10^6"),
        ("<mrow><mn>3</mn><mo>×</mo><msup><mn>10</mn><mrow><mo>-</mo><mn>4</mn></mrow></msup></mrow>", "3 × 10^-4"),
        ("<msup><mrow><mo>(</mo><mi>a</mi><mo>+</mo><mi>b</mi><mo>)</mo></mrow><mn>2</mn></msup>", "(a+b)^2"),
        ("<mfrac><mn>3</mn><mn>4</mn></mfrac>", "3/4"),
        ("<mrow><mi>x</mi><mo>=</mo><msqrt><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow></msqrt></mrow>", "x = √(a+b)"),
        ("<semantics><msub><mi>CO</mi><mn>2</mn></msub><annotation>{\\rm CO}_2</annotation></semantics>", "CO2"),
    ],
)
def test_a_formula_is_kept_as_a_line(formula: str, text: str) -> None:
    math = f'<math xmlns="http://www.w3.org/1998/Math/MathML">{formula}</math>'
    hidden = f'<span style="display: none">{math}</span>'  # as Wikipedia writes it, beside a picture
    for markup in (math, hidden):
        page = f"<html><body><article><p>{REST}</p><p>It held {markup} cells in May.</p><p>{REST}</p></article></body>"
        assert f"It held {text} cells in May." in read_html(page, name="p").text
    article = (
        f"<article><body><p>{REST}</p><p>It held <inline-formula>{math}</inline-formula> cells.</p></body></article>"
    )
    assert f"It held {text} cells." in read_jats(article.encode(), name="j").text


def test_a_formula_given_twice_is_written_once() -> None:
    article = (
        f"<article><body><p>{REST}</p><p>It held <inline-formula><alternatives><tex-math>\\begin{{document}}$10^6$"
        "\\end{document}</tex-math><math><msup><mn>10</mn><mn>6</mn></msup></math></alternatives></inline-formula>"
        " cells.</p></body></article>"
    )
    assert "It held 10^6 cells." in read_jats(article.encode(), name="j").text
    katex = (
        '<span class="katex"><span class="katex-mathml"><math><msup><mn>10</mn><mn>6</mn></msup></math></span>'
        '<span class="katex-html" aria-hidden="true">106</span></span>'
    )
    page = f"<html><body><article><p>{REST}</p><p>It held {katex} cells.</p></article></body></html>"
    assert "It held 10^6 cells." in read_html(page, name="p").text
