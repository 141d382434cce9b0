"""What a citation stands for, as it is judged: heads of cells, announcements, source lines, lists, quotations."""

from __future__ import annotations

import pytest

from core.audit.report import read_markdown
from core.audit.rows import UNUSED, cases_of

LIST = "\n\n## References\n\n" + "\n".join(
    f"[{n}] Berg{n}, A. (2020). Title. https://a.example/{n}" for n in range(1, 8)
)
TABLE = "| Street | Limes planted | Year |\n|---|---|---|\n"
LONG = "https://trees.example/a/very/long/address/that/goes/on/and/on/limes-of-mill-lane-2019.html"


def claims(text: str) -> list[str]:
    return [case.claim.text for case in cases_of(read_markdown(text + LIST)) if case.row.style != UNUSED]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TABLE + "| Mill Lane | 400 [1] | 2019 |", ["Mill Lane, Limes planted: 400"]),
        (TABLE + "| Mill Lane | 400 [1] | 2019 [2] |", ["Mill Lane, Limes planted: 400", "Mill Lane, Year: 2019"]),
        (TABLE + "| Mill Lane | | 2019 [2] |\n| Dock Street | 12 [3] "
            "| |", ["Mill Lane, Year: 2019", "Dock Street, Limes planted: 12"]),
        ("| A | B | Ref |\n|---|---|---|\n| Diesel | 0.374 kg | [1] |", ["Diesel, B: 0.374 kg"]),
        ("| Aspect | What is known |\n|---|---|\n| Trust | It is much lower in towns "
            "[1] |", ["Trust, It is much lower in towns"]),
        (TABLE + "| Mill Lane [1] | 400 | 2019 |", ["Mill Lane"]),
        (TABLE + "| Elm Row | 1 [1] | 2 |\n\n| Kind | Age |\n|---|---|\n| Elm | 9 "
            "[2] |", ["Elm Row, Limes planted: 1", "Elm, Age: 9"]),
        ("| Limes planted [1] | Year |\n|---|---|\n| 400 | 2019 |", ["Limes planted"]),
    ],
)  # fmt: skip
def test_a_cell_is_judged_with_its_heads(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The city planted:\n\n- 400 limes [1]\n- 300 oaks [2]",
            ["The city planted: 400 limes", "The city planted: 300 oaks"],
        ),
        (
            "**Trees planted in 2019:**\n\n1. 400 limes on Mill Lane [1]",
            ["Trees planted in 2019: 400 limes on Mill Lane"],
        ),
        ("The city planted:\n\n- Limes were set in May [1]", ["Limes were set in May"]),
        ("The city is green.\n\n- 400 limes [1]", ["400 limes"]),
    ],
)
def test_an_item_that_is_no_sentence_has_what_announces_its_list(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"The city planted 400 limes ([Limes]({LONG})). Oaks fell in May.", ["The city planted 400 limes"]),
        (f"The city planted 400 limes ([Limes]({LONG})). “Oaks” fell in May.", ["The city planted 400 limes"]),
        (f"Limes stood. The city planted oaks {LONG}. 36 elms fell.", ["The city planted oaks"]),
        (f"The city planted limes, says [a long report on limes and other trees]({LONG}). Oaks fell.",
         ["The city planted limes, says a long report on limes and other trees."]),
    ],
)  # fmt: skip
def test_what_follows_a_long_link_is_another_sentence(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The city planted 400 limes.\n\nSource: [Limes](https://a.example/x)", ["The city planted 400 limes."]),
        ("The city planted 400 limes. Source: [Limes](https://a.example/x)", ["The city planted 400 limes."]),
        ("The city planted 400 limes.\n\n*Sources: [A](https://a.example/x), "
            "[B](https://a.example/y)*", ["The city planted 400 limes."] * 2),
        ("The city planted 400 limes.\n\n**Source:** https://a.example/x", ["The city planted 400 limes."]),
        ("- The city planted 400 limes\n  - Source: [Limes](https://a.example/x)", ["The city planted 400 limes"]),
        ("The city planted 400 limes.\n\nQuelle: Amt [1]", ["The city planted 400 limes."]),
        ("The table shows trees.\n\n| A | B |\n|---|---|\n| x | y |\n\nSource: "
            "[Limes](https://a.example/x)", ["The table shows trees."]),
        ("The city planted 400 limes (source: [Limes](https://a.example/x)).", ["The city planted 400 limes"]),
        ("The city planted 400 limes (see [Limes](https://a.example/x)) in May.", ["The city planted 400 limes"]),
        ("The city planted 400 limes ([A](https://a.example/x), "
            "[B](https://a.example/y)).", ["The city planted 400 limes"] * 2),
        ("The city planted 400 limes ([A](https://a.example/x); see also [B](https://a.example/y)).", None),
        ("The source of the river was found by "
            "[Berg](https://a.example/x).", ["The source of the river was found by Berg."]),
    ],
)  # fmt: skip
def test_words_that_only_name_a_source_are_no_claim(text: str, expected: list[str] | None) -> None:
    assert expected is None or claims(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Berg1 (2020) planted oaks, limes, and elms in the town, while Berg2 (2020) planted none.",
         ["Berg1 planted oaks, limes, and elms in the town", "Berg2 planted none."]),
        ('Berg1 (2020) writes that "trees cool the air, and shade helps people" in towns [2].', None),
        ("Berg1 (2020) found that oaks, limes, and elms cooled the street [2].", None),
        ("Berg1 (2020) found it rose, and the auditor agrees with it "
            "[2].", ["Berg1 found it rose", "the auditor agrees with it"]),
    ],
)  # fmt: skip
def test_a_claim_is_not_cut_inside_a_list_or_a_quotation(text: str, expected: list[str] | None) -> None:
    if expected is None:
        assert not any(claim.startswith(("shade", "elms")) for claim in claims(text))
        assert "elms" in claims(text)[0] or "shade" in claims(text)[0]
    else:
        assert claims(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The city's street tree programme of the year 2015 [1] planted 400 limes.",
         ["The city's street tree programme of the year 2015 planted 400 limes."]),
        ("The largest garden on the whole of Dock Street [1] held 900 litres.",
         ["The largest garden on the whole of Dock Street held 900 litres."]),
        ("The programme planted 400 limes [1] and cooled the whole street [2].",
         ["The programme planted 400 limes", "cooled the whole street"]),
        ("PubLayNet [6] is the largest set.", ["PubLayNet is the largest set."]),
    ],
)  # fmt: skip
def test_a_noun_phrase_before_its_verb_is_no_claim(text: str, expected: list[str]) -> None:
    assert claims(text) == expected
