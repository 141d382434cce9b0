"""PDF: columns written row by row, turned pages, numbers in the margin, raised digits, hyphens at line ends."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfgen.canvas import Canvas

from core.acquire.read_pdf import read_pdf
from core.acquire.read_pdf_lines import HYPHEN
from core.acquire.read_pdf_write import join_lines

LEFT = [
    "The first garden was dug in",
    "spring beside the school and",
    "holds the rain of two roofs.",
    "Its soil was mixed by hand",
    "and planted with iris, so that",
    "bees came in the first year.",
]
RIGHT = [
    "The second garden lies at the",
    "river and is much larger than",
    "the first. It was paid for by",
    "three firms of the town, which",
    "also pay for the water that is",
    "needed in dry summers.",
]
PROSE = ["Rain gardens take in the water that runs off roofs and streets and let it",
         "sink into the ground, where plants and soil clean it before it reaches the",
         "river. They cost little and need no pipes, and people like to sit beside",
         "them in summer. The town has dug twelve of them since the flood, most of",
         "them on land that was a car park before. Each holds the rain of an hour,",
         "and the largest holds that of a day. More are planned for the next year,",
         "when the new school is built and its yard can be used for two of them."]  # fmt: skip


def pdf(draw: Callable[[Canvas], None], size: tuple[float, float] = A4) -> str:
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=size)
    canvas.setFont("Helvetica", 10)
    draw(canvas)
    canvas.save()
    return read_pdf(target.getvalue(), name="p.pdf").text


def flat(text: str) -> str:
    return " ".join(text.split())


def in_rows(canvas: Canvas, *columns: list[str], left: tuple[float, ...] = (72, 240, 408), top: float = 700) -> None:
    for at in range(max(map(len, columns))):
        for x, lines in zip(left, columns, strict=False):
            if at < len(lines):
                canvas.drawString(x, top - 14 * at, lines[at])


def test_columns_written_row_by_row_are_read_one_after_the_other() -> None:
    assert flat(pdf(lambda canvas: in_rows(canvas, LEFT, RIGHT))) == flat(" ".join(LEFT + RIGHT))


def test_columns_of_different_length_between_full_lines() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 740, "A line that goes over both columns of the page stands at its top.")
        in_rows(canvas, LEFT[:4], RIGHT)
        canvas.drawString(72, 600, "Another one that goes over both columns stands at the foot of it.")

    text = flat(pdf(draw))
    order = [text.index(words) for words in ("A line that", LEFT[0], LEFT[3], RIGHT[0], RIGHT[5], "Another one")]
    assert order == sorted(order)


def test_three_columns_are_read_one_after_the_other() -> None:
    third = [line.replace("garden", "meadow").replace("The second", "The third") for line in RIGHT]
    text = flat(pdf(lambda canvas: in_rows(canvas, LEFT, RIGHT, third)))
    assert text == flat(" ".join(LEFT + RIGHT + third))


@pytest.mark.parametrize(
    "columns",
    [
        (["Town", "Ash", "Elm", "Oak", "Fir"], ["People", "1,200", "3,400", "560", "7,800"]),
        (["Where", "School yard", "Mill Lane", "Dock Street", "Market"],
         ["What stands there", "Two rain gardens", "Four hundred limes", "One rain garden", "Nothing yet at all"]),
    ],
)  # fmt: skip
def test_a_table_stays_row_by_row(columns: tuple[list[str], list[str]]) -> None:
    text = flat(pdf(lambda canvas: in_rows(canvas, *columns, left=(72, 300))))
    assert text == flat(" ".join(f"{a} {b}" for a, b in zip(*columns, strict=True)))


def draw_prose(canvas: Canvas) -> None:
    for at, line in enumerate(PROSE):
        canvas.drawString(72, 500 - 14 * at, line)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_turned_page_begins_with_its_first_line(turn: int) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setPageRotation(turn)
        draw_prose(canvas)

    assert flat(pdf(draw)) == flat(" ".join(PROSE))


@pytest.mark.parametrize(("angle", "page_turn"), [(90, 0), (270, 0), (90, 90), (90, 270), (180, 180)])
def test_text_that_lies_on_its_side_is_read_from_its_first_line(angle: int, page_turn: int) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setPageRotation(page_turn)
        canvas.translate(300, 420)
        canvas.rotate(angle)
        for at, line in enumerate(PROSE):
            canvas.drawString(-200, 100 - 14 * at, line)

    assert flat(pdf(draw)) == flat(" ".join(PROSE))


def test_lines_written_from_the_foot_upwards_are_turned_round() -> None:
    def draw(canvas: Canvas) -> None:
        for at in reversed(range(len(PROSE))):
            canvas.drawString(72, 500 - 14 * at, PROSE[at])

    assert flat(pdf(draw, landscape(A4))) == flat(" ".join(PROSE))


@pytest.mark.parametrize(("first", "step", "apart"), [(1, 1, 40), (101, 1, 22), (5, 5, 40)])
@pytest.mark.parametrize("numbers_first", [True, False])
def test_numbers_of_lines_in_the_margin_are_no_text(first: int, step: int, apart: int, *, numbers_first: bool) -> None:
    lines = PROSE * (step * 2)

    def draw(canvas: Canvas) -> None:
        def numbers(at: int) -> None:
            if step == 1 or at % step == step - 1:
                canvas.drawRightString(
                    72 - apart + 10, 800 - 11 * at, str(first + (at if step == 1 else at - step + 1))
                )

        if numbers_first:
            for at in range(len(lines)):
                numbers(at)
        for at, line in enumerate(lines):
            if not numbers_first:
                numbers(at)
            canvas.drawString(72, 800 - 11 * at, line)

    assert flat(pdf(draw)) == flat(" ".join(lines))


def test_numbers_that_are_no_line_numbers_stay() -> None:
    def ranks(canvas: Canvas) -> None:
        for at, town in enumerate(["Ash", "Elm", "Oak", "Fir", "Yew", "Box", "Bay"]):
            canvas.drawString(60, 700 - 14 * at, str(at + 1))
            canvas.drawString(100, 700 - 14 * at, town)

    assert "7 Bay" in flat(pdf(ranks))

    def years(canvas: Canvas) -> None:
        for at, line in enumerate(PROSE):
            canvas.drawString(40, 700 - 14 * at, str(1990 + at * at))
            canvas.drawString(100, 700 - 14 * at, line)

    assert "1994" in flat(pdf(years))


def raised(canvas: Canvas, x: float, y: float, *pieces: str) -> None:
    """Pieces that stand on the line and, every second one, above it."""
    for at, piece in enumerate(pieces):
        size, rise = (6.5, 4) if at % 2 else (10, 0)
        canvas.setFont("Times-Roman", size)
        canvas.drawString(x, y + rise, piece)
        x += canvas.stringWidth(piece, "Times-Roman", size)
    canvas.setFont("Helvetica", 10)


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (("The lake held 10", "6", " cells in May, not 106."), "The lake held 10^6 cells in May, not 106."),
        (("It took 4.2 × 10", "-9", " s to do."), "It took 4.2 × 10^-9 s to do."),
        (("Berg counted 40", "3", " herons in 2019", "4,5", "."), "Berg counted 40[3] herons in 2019[4,5]."),
        (("All went home.", "12", " Nobody stayed."), "All went home.[12] Nobody stayed."),
        (("The park has 4 km", "2", " of meadows."), "The park has 4 km² of meadows."),
        (("On the 22", "nd", " of May in 2019 it rained 3 mm."), "On the 22nd of May in 2019 it rained 3 mm."),
    ],
)  # fmt: skip
def test_raised_digits_stay_apart(pieces: tuple[str, ...], text: str) -> None:
    assert flat(pdf(lambda canvas: raised(canvas, 72, 700, *pieces))) == text


def test_a_lowered_digit_is_not_raised() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "They measured CO")
        x = 72 + canvas.stringWidth("They measured CO", "Helvetica", 10)
        canvas.setFont("Helvetica", 6)
        canvas.drawString(x, 698, "2")

    assert "[2]" not in pdf(draw)


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        ([f"see https://a.example/very{HYPHEN}", "long/limes for it"], "see https://a.example/very-long/limes for it"),
        ([f"doi: 10.1000/abc{HYPHEN}", "def.5"], "doi: 10.1000/abc-def.5"),
        (["at https://doi.org/10.1234/", "js.2021.0045"], "at https://doi.org/10.1234/js.2021.0045"),
        (["at www.a.example/reports/", "limes and more"], "at www.a.example/reports/limes and more"),
        (["at https://a.example/find?q=", "limes"], "at https://a.example/find?q=limes"),
        (["https://doi.org/10.1016/j.cell.", "2021.04.005"], "https://doi.org/10.1016/j.cell.2021.04.005"),
        (["It is at https://a.example/.", "The lane is long."], "It is at https://a.example/. The lane is long."),
        (["from https://a.example/", "accessed in May"], "from https://a.example/ accessed in May"),
        (["either/", "or"], "either/ or"),
        ([f"a COVID{HYPHEN}", "19 ward"], "a COVID-19 ward"),
        ([f"from 2015{HYPHEN}", "2019 on"], "from 2015-2019 on"),
        ([f"by Smith{HYPHEN}", "Jones"], "by Smith-Jones"),
        ([f"an X{HYPHEN}", "ray of it"], "an X-ray of it"),
        ([f"the state-of{HYPHEN}", "the-art pump"], "the state-of-the-art pump"),
        ([f"pre{HYPHEN}", "and postwar"], "pre- and postwar"),
        ([f"INTRO{HYPHEN}", "DUCTION"], "INTRODUCTION"),
        ([f"the gar{HYPHEN}", "den of it"], "the garden of it"),
        (["the gar-", "den of it"], "the garden of it"),
        (["it was -", "as said"], "it was - as said"),
    ],
)  # fmt: skip
def test_a_hyphen_at_a_line_end_divides_words_and_belongs_to_addresses(lines: list[str], joined: str) -> None:
    assert join_lines(lines, set()) == joined


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        ("long", "term", "long-term"), ("large", "scale", "large-scale"), ("evidence", "based", "evidence-based"),
        ("well", "known", "well-known"), ("high", "level", "high-level"), ("mid", "term", "midterm"),
        ("cor", "related", "correlated"), ("dam", "aged", "damaged"), ("thresh", "old", "threshold"),
        ("under", "standing", "understanding"), ("pro", "tested", "protested"), ("every", "where", "everywhere"),
    ],
)  # fmt: skip
def test_a_compound_keeps_its_hyphen_at_a_line_end(first: str, second: str, joined: str) -> None:
    for sign in (HYPHEN, "-"):
        assert join_lines([f"a {first}{sign}", f"{second} of it"], set()) == f"a {joined} of it"
