"""Raised numbers: citations behind whatever stands before them, and exponents, isotopes and charges that are none."""

from __future__ import annotations

import pytest

from core.audit.pairing import pair
from core.audit.report import read_markdown, read_report
from core.audit.report_model import LeftoverKind, PairingState
from core.audit.rows import UNUSED, cases_of
from core.records import Fetched

LIST = "\n\n## References\n\n" + "\n".join(f"{n}. Title {n}. https://a.example/{n}" for n in range(1, 19))


def cited(sentence: str) -> list[int | None]:
    return [citation.target.number for citation in pair(read_markdown(sentence + LIST)).citations]


@pytest.mark.parametrize(
    ("sentence", "numbers"),
    [
        ("The city planted limes between 2015 and 2019¹. Takings rose².", [1, 2]),
        ("It began in 1998.² It ended in 2004³, they say.", [2, 3]),
        ("It ended in 2019<sup>4</sup>.", [4]),
        ("It grew by 40<sup>[4]</sup> in 3<sup>\\[5\\]</sup> years.", [4, 5]),
        ("It rose¹. Berg counted 403² herons.", [1, 2]),
        ("It rose by 4 per cent³ and 5%⁴ (in May)⁵.", [3, 4, 5]),
        ("He said “so”⁶ and left⁷⁻⁹.", [6, 7, 8, 9]),
        ("The programme<sup>1;3</sup> grew.", [1, 3]),
    ],
)
def test_raised_numbers_that_cite(sentence: str, numbers: list[int]) -> None:
    assert cited(sentence) == numbers


@pytest.mark.parametrize(
    "words",
    [
        "3 × 10⁻²", "5 kg ha⁻¹", "10⁶ cells", "2.5×10³", "10<sup>3</sup>", "10<sup>-3</sup>", "m<sup>2</sup>", "5 km²",
        "9.8 m s⁻²", "R² of 0.9", "χ² = 4", "E = mc²", "2¹⁰", "x^2^", "sin²", "(x + y)²", "12²",
        "¹⁴C", "¹³C/¹²C", "δ¹⁸O", "[¹⁸F]FDG", "<sup>14</sup>C", "<sup>13</sup>C-NMR", "carbon (¹⁴C)", "²H",
        "Ca²⁺", "SO₄²⁻", "Ca<sup>2+</sup>", "Fe<sup>3</sup>+", "Cl⁻", "Mg²+ ions", "log²",
    ],
)  # fmt: skip
def test_exponents_isotopes_and_charges_are_no_citations(words: str) -> None:
    text = f"The sample of {words} was dated to the time of the Romans [1]."
    report = read_markdown(text + LIST)
    rows = [case for case in cases_of(report) if case.row.style != UNUSED]
    assert [case.row.marker_text for case in rows] == ["[1]"]
    plain = words.replace("<sup>", "").replace("</sup>", "").replace("^", "")
    assert plain in rows[0].claim.text.replace("^", "")


def test_a_raised_number_behind_a_number_that_may_be_a_power_is_counted() -> None:
    report = read_markdown("Berg counted 403² herons." + LIST)
    assert report.markers == ()
    assert [item.kind for item in report.leftovers] == [LeftoverKind.RAISED]


def test_a_raised_number_behind_a_small_number_is_counted_and_never_a_row() -> None:
    report = read_markdown("It rose.¹ Lund planted 12² trees." + LIST)
    assert [marker.text for marker in report.markers] == ["¹"]
    assert [item.kind for item in report.leftovers] == [LeftoverKind.RAISED]


def test_a_raised_number_without_an_entry_dangles() -> None:
    pairing = pair(read_markdown("It rose.⁴⁴ It fell<sup>55</sup>." + LIST))
    assert [c.state for c in pairing.citations] == [PairingState.DANGLING] * 2


def test_notes_of_a_page_are_cited_behind_a_year() -> None:
    page = (
        "<html><body><h1>R</h1><p><span>Limes were planted between 2015 and 2019</span><sup><a href='#f1'>[1]</a></sup>"
        "<span>. Takings rose by 4</span><sup><a href='#f2'>2</a></sup>.</p><hr><p><a href='#r1'>[1]</a> Limes. "
        "https://a.example/1</p><p><a href='#r2'>[2]</a> Shops. https://a.example/2</p></body></html>"
    )
    report = read_report(Fetched(page.encode(), "text/html", filename="r.html"))
    assert [case.row.url for case in cases_of(report)] == ["https://a.example/1", "https://a.example/2"]
