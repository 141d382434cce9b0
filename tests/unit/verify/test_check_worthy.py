"""Which sentences are worth checking, and that the reason names the kind of what is not."""

from __future__ import annotations

import pytest

from core.verify.check_worthy import check_worthy

FACTS = [
    ("Canopy cover rose from 18.6 per cent in 2018 to 21.3 per cent in 2024 [2].", "a date"),
    ("Nitrogen dioxide in these streets rose by 9 per cent [5].", "a figure"),
    ("Reflective roofs stay cooler in summer than dark ones.", "a comparison"),
    ("Probiotic foods reduce inflammation in the gut.", "a cause"),
    ("Researchers reported that the plants carry bacterial genes.", "a finding"),
    ("The programme is run by Shade Coalition from an office in the port.", "a name"),
    ("The rest is mostly water.", "a statement of fact"),
    ("Trees cool streets.", "too general"),
    ("**Compliance staff**: $100,000-$150,000 a year per person [16]", "a figure"),
    ("Maintains a connection with servers and handles routing", "a statement of fact"),
]


@pytest.mark.parametrize(("sentence", "states"), [case for case in FACTS if case[1] != "too general"])
def test_a_statement_of_fact_is_worth_checking_and_says_what_it_states(sentence: str, states: str) -> None:
    kind = "list_item" if sentence.startswith(("**", "Maintains")) else "prose"
    worthy, reason = check_worthy(sentence, kind=kind)
    assert worthy, reason
    assert states in reason


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Why do trees cool at all?", "question"),
        ("**Safety trade-offs:** Whether the release compromised the evaluation", "question"),
        ("This briefing sets out what is known and what is disputed.", "report itself"),
        ("The remainder of this paper is structured as follows.", "report itself"),
        ("Below is a detailed list of makers and their devices.", "report itself"),
        ("We define the index as the ratio of both quantities.", "own terms"),
        ("I think the city should have planted more.", "opinion"),
        ("Members may wish to put four questions to their officers.", "opinion"),
        ("Talk to your doctor about screening if you are at risk.", "instruction"),
        ("Consumers should be aware that systems differ.", "recommendation"),
        ("**Stay hydrated**: Drink plenty of water throughout the day.", "instruction"),
        ("The best strategy is to eat plenty of vegetables.", "recommendation"),
        ("In conclusion,", "transition"),
        ("Key benefits of the programme include:", "announces"),
        ("**Table 2: Occupations by impact (Liu et al., 2024)**", "caption"),
        ("Single-agent, multi-agent, and hierarchical architectures", "fragment"),
        ("Other remedies exist.", "too general"),
        ("Regulation will shape how these markets develop over the coming decade.", "forecast"),
        ("$$\\langle C, K \\rangle = \\mathbb{E}[\\nabla \\log p \\cdot \\nabla \\log q]$$", "formula"),
        ("", "no words"),
        ("31,640 [2]", "no words"),
    ],
)
def test_what_is_no_statement_of_fact_is_left_out_with_its_kind(sentence: str, reason: str) -> None:
    worthy, said = check_worthy(sentence)
    assert not worthy
    assert reason in said


@pytest.mark.parametrize(
    ("kind", "reason"), [("heading", "heading"), ("code", "code"), ("reference", "reference list")]
)
def test_headings_code_and_references_hold_no_claims(kind: str, reason: str) -> None:
    assert check_worthy("Cover rose by 9 per cent in 2024.", kind=kind) == (False, check_worthy("x", kind=kind)[1])
    assert reason in check_worthy("x", kind=kind)[1]


def test_a_table_cell_needs_a_sentence_of_its_own() -> None:
    assert not check_worthy("31,640", kind="table_cell")[0]
    assert not check_worthy("Medium term growth outlook", kind="table_cell")[0]
    assert check_worthy("The city planted 31,640 trees between 2018 and 2024.", kind="table_cell")[0]


@pytest.mark.parametrize(
    ("sentence", "worthy"),
    [
        ("2020年全国房地产贷款余额为49.6万亿元，占总贷款余额28.1%。[10]", True),
        ("银行类机构主要是风险接收者，而证券类机构多为风险传播者。", True),
        ("在系统性风险评估方面，研究者开发了多种方法，包括：", False),
        ("本文将从三个方面分析系统性风险。", False),
        ("应加强对金融机构的监管。", False),
        ("如何防范系统性风险？", False),
        ("机构层面", False),
    ],
)
def test_chinese_sentences_follow_the_same_rules(sentence: str, worthy: bool) -> None:
    assert check_worthy(sentence)[0] is worthy


@pytest.mark.parametrize(
    "sentence",
    [
        "The river floods 40 houses a year",
        "Bats roost in the old mill.",
        "Cows graze the slopes above the lake",
        "The canal silts up by 4 cm a year",
        "The council bans cars from the square",
        "The glacier calves into the fjord",
    ],
)
def test_a_verb_that_is_not_common_makes_a_statement_too(sentence: str) -> None:
    assert check_worthy(sentence)[0]


@pytest.mark.parametrize(
    "words",
    ["River floods in the valley", "Flood walls near the towns", "The parks of the city"],
)
def test_nouns_that_may_be_verbs_make_none(words: str) -> None:
    assert check_worthy(words) == (False, "a fragment without a verb")


@pytest.mark.parametrize(
    "line",
    [
        "By Anna Berg and Karl Lund, 3 March 2021",
        "*Anna Berg \u00b7 3 March 2021 \u00b7 5 min read*",
        "Prepared by the Parks Office, May 2021",
        "Report by Anna Berg, published 2021",
        "Dr. Anna Berg, Institute of Botany, University of Lindau, 12 June 2020",
        "Posted on March 3, 2021 by Anna Berg",
    ],
)
def test_a_byline_needs_no_citation(line: str) -> None:
    assert check_worthy(line) == (False, "a byline")


@pytest.mark.parametrize(
    "sentence",
    [
        "By 2020 the town had 40 limes.",
        "By Anna Berg's count, 40 limes stand there.",
        "Anna Berg is a reporter at the Lindau Herald.",
        "Published in 2019, the plan named 40 streets.",
    ],
)
def test_a_sentence_that_begins_like_a_byline_is_one_still(sentence: str) -> None:
    assert check_worthy(sentence)[0]
