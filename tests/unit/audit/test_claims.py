"""The claim that a marker stands for."""

from __future__ import annotations

import pytest

from core.audit.pairing import pair
from core.audit.report import read_markdown
from core.audit.rows import UNUSED, cases_of

LIST = "\n\n## References\n\n" + "\n".join(
    f"[{n}] Smith{n}, A. (2020). Title. https://a.example/{n}" for n in range(1, 8)
)


def claims(text: str) -> list[str | None]:
    report = read_markdown(text + LIST)
    return [None if c.claim is None else report.text[c.claim.start : c.claim.end] for c in pair(report).citations]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One thing. It rose by 3.5 per cent [1]. Next.", ["It rose by 3.5 per cent"]),
        ("It rose. [1] Next thing.", ["It rose."]),
        ("Dr. Smith et al. saw it, e.g. in Fig. 2 [1]. Next.", ["Dr. Smith et al. saw it, e.g. in Fig. 2"]),
        ("It rose [1][2], [3].", ["It rose"] * 3),
        (
            "Livestock makes ten per cent of it [1], with a third coming from dairy herds [2].",
            ["Livestock makes ten per cent of it", "with a third coming from dairy herds"],
        ),
        (
            "We used sets from PubLayNet [1] and DocBank [2].",
            ["We used sets from PubLayNet", "We used sets from PubLayNet [1] and DocBank"],
        ),
        (
            "Reference sets such as PubLayNet [1] and DocBank provide their data in one format [2].",
            [
                "Reference sets such as PubLayNet [1] and DocBank provide their data in one format [2].",
                "Reference sets such as PubLayNet [1] and DocBank provide their data in one format",
            ],
        ),
        (
            "The yield was close to that in Ireland [1], different parts of Australia [2] and Uruguay [3].",
            [
                "The yield was close to that in Ireland",
                "The yield was close to that in Ireland [1], different parts of Australia",
                "The yield was close to that in Ireland [1], different parts of Australia [2] and Uruguay",
            ],
        ),
        ("The FIDDLE package [1] is the only one.", ["The FIDDLE package [1] is the only one."]),
        ("[1] shows that it rose.", ["shows that it rose."]),
        ('He was clear: "It is so" [1].', ['"It is so"']),
        ('As he said: "It is so. It stays so." [1] Next.', ['"It is so. It stays so."']),
        (
            "Smith1 (2020) found it rose, and the auditor agrees with it [2].",
            ["Smith1 (2020) found it rose", "the auditor agrees with it"],
        ),
        (
            "Firms [speak of five](https://x.example/1) and name none.",
            ["Firms [speak of five](https://x.example/1) and name none."],
        ),
        ("It rose in 2020. ([Paper](https://x.example/1)) Next.", ["It rose in 2020."]),
        ("- Item one rose [1]\n- Item two fell [2]", ["Item one rose", "Item two fell"]),
        ("> A quoted thing rose [1].", ["A quoted thing rose"]),
        ("这种风险会迅速扩散。[1] 银行很重要[2]。", ["这种风险会迅速扩散。", "银行很重要"]),
        ("| A | B | C |\n|---|---|---|\n| Diesel | 0.374 kg | [1] |", ["Diesel | 0.374 kg"]),
        ("| A | B |\n|---|---|\n| Trust | It is much lower in towns [1] |", ["It is much lower in towns"]),
    ],
)  # fmt: skip
def test_claim(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


def test_a_marker_with_nothing_before_it_has_no_claim() -> None:
    assert claims("# Title\n\n[1]") == [None]


def test_a_claim_in_a_quotation_of_several_lines_is_whole() -> None:
    text = "> Limes stand here. The long-\n> term plan was\n> made in 1902 [1].\n\n[1]: https://a.example/1\n"
    (case,) = [case for case in cases_of(read_markdown(text)) if case.row.style != UNUSED]
    assert case.claim.text == "The long-term plan was made in 1902"
