"""Powers of ten and currencies."""

from __future__ import annotations

import pytest

from core.verify.checks.numbers import check
from core.verify.checks.numerals import numerals
from core.verify.checks.outcomes import Outcome
from core.verify.checks.quantities import quantities
from core.verify.checks.text import flat
from tests.helpers.comparing import vetoes


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3.5\u00d710\u2076", 3.5e6),
        ("3.5 \u00d7 10^6", 3.5e6),
        ("3.5x10^6", 3.5e6),
        ("3.5 * 10**6", 3.5e6),
        ("3.5\u00b710\u2076", 3.5e6),
        ("10^6", 1e6),
        ("10\u2076", 1e6),
        ("1e6", 1e6),
        ("2.5E-3", 2.5e-3),
        ("4 \u00d7 10\u207b\u00b3", 4e-3),
        ("4 \u00d7 10\u22123", 4e-3),
        ("10^{9}", 1e9),
        ("five lakh", 5e5),
        ("2 crore", 2e7),
        ("1'234'567", 1234567),
        ("12,34,567", 1234567),
    ],
)
def test_powers_of_ten_are_one_number(text: str, value: float) -> None:
    assert [number.value for number in numerals(flat(text))] == pytest.approx([value])


@pytest.mark.parametrize("text", ["\u0663\u0661 trees", "3 1/\u0660 m", "1" * 400 + " trees", "10^999", "9e999"])
def test_odd_digits_and_boundless_numbers_harm_nothing(text: str) -> None:
    assert check(text, text).outcome is not Outcome.FAILED
    assert all(abs(number.value) < float("inf") for number in numerals(text))


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The lake held 3.5 million cells per litre.", "The lake held 3.5\u00d710\u2076 cells per litre."),
        ("The lake held a million cells.", "The lake held 10^6 cells."),
        ("The lake held 3.5\u00d710\u2076 cells.", "The lake held 3,500,000 cells."),
        ("The dose was 0.002 g.", "The dose was 2 \u00d7 10\u207b\u00b3 g."),
        ("There are two billion grains.", "There are 2e9 grains."),
        ("P was below 0.0001.", "P < 10^-4."),
        ("It cost 5 lakh rupees.", "It cost 500,000 rupees."),
        ("The 4 x 100 m relay was run.", "The 4 \u00d7 100 m relay was run in May."),
    ],
)
def test_equal_powers_are_not_vetoed(claim: str, evidence: str) -> None:
    assert vetoes(claim, evidence) == []


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The lake held 3.5 million cells per litre.", "The lake held 3.5\u00d710\u2079 cells per litre."),
        ("The lake held 3.5\u00d710\u2076 cells.", "The lake held 3.5\u00d710\u2078 cells."),
        ("The lake held 10^6 cells.", "The lake held 10^9 cells."),
        ("The lake held 3.5 \u00d7 10^6 cells.", "The lake held 3.5 billion cells."),
        ("The dose was 2 \u00d7 10\u207b\u00b3 g.", "The dose was 2 \u00d7 10\u207b\u2076 g."),
        ("There are 2e9 grains in it.", "There are 2e6 grains in it."),
        ("It cost 5 lakh rupees.", "It cost 5 crore rupees."),
    ],
)
def test_other_powers_are_vetoed(claim: str, evidence: str) -> None:
    assert vetoes(claim, evidence) == ["numbers"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("US$5 million", "US dollar"),
        ("A$5", "Australian dollar"),
        ("HK$ 5", "Hong Kong dollar"),
        ("C$5m", "Canadian dollar"),
        ("CA$5m", "Canadian dollar"),
        ("NZ$5m", "New Zealand dollar"),
        ("S$5m", "Singapore dollar"),
        ("R$5m", "Brazilian real"),
        ("AUD 5 million", "Australian dollar"),
        ("5 million CHF", "Swiss franc"),
        ("5 million Swiss francs", "Swiss franc"),
        ("5 Danish kroner", "Danish krone"),
        ("\u20a95,000", "South Korean won"),
        ("$5", "dollar"),
        ("5 dollars", "dollar"),
        ("\u00a35", "British pound"),
        ("5 euros", "euro"),
    ],
)
def test_the_currency_of_an_amount(text: str, kind: str) -> None:
    (amount,) = quantities(text)
    assert amount.unit.kind == kind


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The tram line cost US$5 million to repair.", "The tram line cost A$5 million to repair."),
        ("The tram line cost HK$5 million to repair.", "The tram line cost US$5 million to repair."),
        ("The tram line cost C$40 to ride.", "The tram line cost NZ$40 to ride."),
        ("The hall cost S$3m.", "The hall cost A$3m."),
        ("The hall cost 3 million Swiss francs.", "The hall cost 3 million euros."),
        ("The hall cost CHF 3 million.", "The hall cost USD 3 million."),
        ("The hall cost \u00a33 million.", "The hall cost $3 million."),
        ("The hall cost 300 Danish kroner.", "The hall cost 300 Swedish kronor."),
        ("The hall cost 3 million Australian dollars.", "The hall cost 3 million US dollars."),
        ("The hall cost R$3 million.", "The hall cost US$3 million."),
        ("The hall cost 3 million yen.", "The hall cost 3 million won."),
    ],
)
def test_another_currency_is_vetoed(claim: str, evidence: str) -> None:
    assert "numbers" in vetoes(claim, evidence)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The hall cost $3 million.", "The hall cost A$3 million."),
        ("The hall cost A$3 million.", "The hall cost 3 million dollars."),
        ("The hall cost US$3 million.", "The hall cost 3 million U.S. dollars."),
        ("The hall cost AUD 3 million.", "The hall cost A$3 million."),
        ("The hall cost 3 million Swiss francs.", "The hall cost CHF 3m."),
        ("The hall cost 3 million francs.", "The hall cost 3 million Swiss francs."),
        ("The hall cost \u00a33 million.", "The hall cost GBP 3 million."),
        ("The hall cost 3 million pounds.", "The hall cost \u00a33 million."),
        ("The hall cost 50 cents a seat.", "The hall cost 50 cents a seat."),
        ("The hall cost \u20ac3 million.", "The hall cost EUR 3,000,000."),
        ("The hall cost 300 crowns.", "The hall cost 300 crowns."),
        ("TOP 5 pupils came.", "The top 5 pupils came."),  # TOP is the pa'anga
        ("Route A 5 is shut.", "Route A 5 is shut."),
    ],
)
def test_the_same_money_is_not_vetoed(claim: str, evidence: str) -> None:
    assert vetoes(claim, evidence) == []
