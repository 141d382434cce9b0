"""Equal in another unit or form: neither a veto nor an accusation rests on how a figure is written."""

from __future__ import annotations

import pytest

from core.labels import Label
from core.ports.engines import Engines
from core.settings.values import Verification
from core.verify.checks.intervals import dates
from core.verify.checks.rounding import as_the_evidence_writes
from core.verify.sentences import CitedSource
from core.verify.source import judge_in_source
from tests.contract.builders import make_document
from tests.helpers.comparing import vetoes

EQUAL = [
    ("The film lasts two hours", "The film lasts 120 minutes."),
    ("The strike lasted a fortnight", "The strike lasted two weeks."),
    ("The room was at 20 \u00b0C on average", "The room was at 68 \u00b0F on average."),
    ("The shop opens at 2 p.m.", "The shop opens at 14:00."),
    ("The bakery opened on 12 June 2021", "The bakery opened on 12.06.2021."),
    ("The bakery was sold in June 2021", "The bakery was sold in June \u201921."),
    ("The lake held 3.5 million cells per litre", "The lake held 3.5\u00d710\u2076 cells per litre."),
    # of our own
    ("The film lasts an hour and a half", "The film lasts 90 minutes."),
    ("The film lasts 90 minutes", "The film lasts 1 hour 30 minutes."),
    ("The strike lasted ten days", "The strike lasted 240 hours."),
    ("The strike lasted a decade", "The strike lasted ten years."),
    ("The lease runs for a century", "The lease runs for 100 years."),
    ("The baker sold half a dozen rolls", "The baker sold six rolls."),
    ("The baker sold two dozen rolls", "The baker sold 24 rolls."),
    ("The trip takes three quarters of an hour", "The trip takes 45 minutes."),
    ("The trip takes two and a half hours", "The trip takes 150 minutes."),
    ("The room was at 50 \u00b0F on average", "The room was at 10 \u00b0C on average."),
    ("The oven was set to 200 degrees Celsius", "The oven was set to 392 \u00b0F."),
    ("The street warmed by 2 \u00b0C in ten years", "The street warmed by 3.6 \u00b0F in ten years."),
    ("The shop opens at noon", "The shop opens at 12:00."),
    ("The shop shuts at half past five in the afternoon", "The shop shuts at 5.30 p.m."),
    ("The shop shuts at 17:30", "The shop shuts at 5:30pm."),
    ("The mast is 6 feet 2 inches tall", "The mast is 188 cm tall."),
    ("The bag weighs 2 kg", "The bag weighs 2,000 grams."),
    ("The bakery opened on 3 March 2019", "The bakery opened on 2019/03/03."),
    ("The bakery opened on 12 June 2021", "The bakery opened on 12-06-2021."),
    ("The bakery opened on 25 June 2021", "The bakery opened on 25/06/21."),
    ("The bakery opened on 12 June 2021", "The bakery opened on 12-Jun-2021."),
    ("The bakery opened in March 2020", "The bakery opened in 03/2020."),
    ("The bakery opened in 2019", "The bakery opened in \u201919."),
]


@pytest.mark.parametrize(("claim", "evidence"), EQUAL)
def test_equal_figures_in_another_form_are_not_vetoed(claim: str, evidence: str) -> None:
    assert vetoes(claim, evidence) == []


@pytest.mark.parametrize(("claim", "evidence"), EQUAL)
def test_the_model_is_asked_with_the_figure_as_the_evidence_writes_it(claim: str, evidence: str) -> None:
    asked = as_the_evidence_writes(claim, evidence)
    assert asked.casefold().rstrip(".") == evidence.casefold().rstrip(".").replace("\u2019", "\u2019")


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The film lasts two hours.", "The film lasts 150 minutes."),
        ("The strike lasted a fortnight.", "The strike lasted three weeks."),
        ("The strike lasted a decade.", "The strike lasted six years."),
        ("The room was at 20 \u00b0C on average.", "The room was at 86 \u00b0F on average."),
        ("The street warmed by 20 \u00b0C.", "The street warmed by 68 \u00b0F."),
        ("The shop opens at 2 p.m.", "The shop opens at 15:00."),
        ("The shop opens at 2 p.m.", "The shop opens at 2 a.m."),
        ("The shop opens at noon.", "The shop opens at midnight."),
        ("The shop shuts at half past five.", "The shop shuts at 6:30."),
        ("The baker sold half a dozen rolls.", "The baker sold twelve rolls."),
        ("The film lasts an hour and a half.", "The film lasts 60 minutes."),
        ("The bakery opened on 12 June 2021.", "The bakery opened on 13.06.2021."),
        ("The bakery was sold in June 2021.", "The bakery was sold in June \u201920."),
        ("The bakery opened on 5 March 2021.", "The bakery opened on 04/03/2021."),
        ("The bakery opened in March 2020.", "The bakery opened in 04/2020."),
        ("The mast is 6 feet 2 inches tall.", "The mast is 198 cm tall."),
        ("The bag weighs 2 kg.", "The bag weighs 200 grams."),
    ],
)
def test_other_figures_in_another_form_are_vetoed_and_stay(claim: str, evidence: str) -> None:
    assert vetoes(claim, evidence)
    assert as_the_evidence_writes(claim, evidence) == claim


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The shop opens at 2:30.", "The shop opens at 14:30."),
        ("The bakery opened on 5 March 2021.", "The bakery opened on 05/03/2021."),
        ("The bakery opened on 3 May 2021.", "The bakery opened on 05/03/2021."),
        ("The call is at 2 p.m. UTC.", "The call is at 10:00 EDT."),
        ("It sells 20 loaves an hour.", "It sells 20 loaves per hour, and has done for 3 hours."),
        ("The worst flood in a decade came in May.", "The worst flood in ten years came in May."),
        ("The verse is John 3:16.", "The verse is John 3:16, read at 18:00."),
        ("It lies 2 m from the wall.", "It lies 2 m from the wall at 14:00."),
        ("She ran it in 2:05:30.", "She ran it in 2:05:30, from 9:00 on."),
        ("He was born in the \u201990s.", "He was born in 1994."),
        ("The bus comes at ten to three.", "The bus comes at 14:50."),
    ],
)
def test_what_may_be_equal_is_not_vetoed(claim: str, evidence: str) -> None:
    assert vetoes(claim, evidence) == []


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("on 12.06.2021", 20210612, 20210612),
        ("on 12. 6. 2021", 20210612, 20210612),
        ("on 12.6.21", 20210612, 20210612),
        ("on 2021/06/12", 20210612, 20210612),
        ("on 2021.06.12", 20210612, 20210612),
        ("on 25/06/21", 20210625, 20210625),
        ("on 12-06-2021", 20210612, 20210612),
        ("on 12-Jun-2021", 20210612, 20210612),
        ("on 12 June \u201921", 20210612, 20210612),
        ("on June 12, \u201921", 20210612, 20210612),
        ("in June \u201921", 20210600, 20210699),
        ("in June '98", 19980600, 19980699),
        ("in \u201998", 19980000, 19989999),
        ("in 2021-06", 20210600, 20210699),
        ("in 06/2021", 20210600, 20210699),
    ],
)
def test_other_forms_of_dates(text: str, first: int, last: int) -> None:
    (date,) = dates(text)
    assert (date.first, date.last) == (first, last)


@pytest.mark.parametrize(
    "text",
    [
        "version 2.6.21", "host 192.168.10.21", "paragraph 12.6.2", "a 5-10-20 split", "the class of 30", "'21 Jump'",
        "section 3.2021", "32.13.2021", "room 45-99", "$12.6.21",
    ],
)  # fmt: skip
def test_what_is_no_date(text: str) -> None:
    assert dates(text) == []


REST = " The council planted limes on Mill Lane in spring. Buses ran late in the rain."


@pytest.mark.parametrize(("claim", "evidence"), EQUAL)
def test_equal_figures_in_another_form_pass_with_the_real_model(claim: str, evidence: str, engines: Engines) -> None:
    text = evidence + REST
    verdict = judge_in_source(
        claim, CitedSource(make_document(text), text), engines.entailer(), Verification(), names=()
    )
    assert (verdict.label, verdict.vetoed) == (Label.SUPPORTS, False)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The film lasts two hours", "The film lasts 150 minutes."),
        ("The room was at 20 \u00b0C on average", "The room was at 86 \u00b0F on average."),
        ("The shop opens at 2 p.m.", "The shop opens at 15:00."),
        ("The bakery was sold in June 2021", "The bakery was sold in June \u201920."),
        ("The lake held 3.5 million cells per litre", "The lake held 3.5\u00d710\u2079 cells per litre."),
    ],
)
def test_other_figures_in_another_form_never_pass(claim: str, evidence: str, engines: Engines) -> None:
    text = evidence + REST
    verdict = judge_in_source(
        claim, CitedSource(make_document(text), text), engines.entailer(), Verification(), names=()
    )
    assert verdict.label is not Label.SUPPORTS
