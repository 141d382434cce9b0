"""Compound sentences come apart where that is safe, and stay whole where it is not."""

from __future__ import annotations

import pytest

from core.verify.compound import simple_statements


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        (
            "Production success rates vary widely; many implementations fail to deliver expected results.",
            ("Production success rates vary widely.", "Many implementations fail to deliver expected results."),
        ),
        (
            "The company introduced Autopilot in 2015, and the first fatal accident was reported in 2016.",
            ("The company introduced Autopilot in 2015.", "The first fatal accident was reported in 2016."),
        ),
        (
            "Canopy cover rose by 3 points in 2018 and fell by one point in 2019.",
            ("Canopy cover rose by 3 points in 2018.", "Canopy cover fell by one point in 2019."),
        ),
        (
            "The programme counted trees put into the ground, and it got what it counted.",
            ("The programme counted trees put into the ground.", "The programme got what it counted."),
        ),
        (
            "These compounds also occur in various foods but can be made on industrial scales.",
            ("These compounds also occur in various foods.", "These compounds can be made on industrial scales."),
        ),
        (
            "Both Google and Anthropic released a protocol in 2025.",
            ("Google released a protocol in 2025.", "Anthropic released a protocol in 2025."),
        ),
        (
            "It snowed in Oslo on Monday. The roads were closed by noon.",
            ("It snowed in Oslo on Monday.", "The roads were closed by noon."),
        ),
    ],
)
def test_clauses_with_verbs_of_their_own_become_statements(sentence: str, parts: tuple[str, ...]) -> None:
    assert simple_statements(sentence) == parts


@pytest.mark.parametrize(
    "sentence",
    [
        "Canopy cover rose by 3 points.",
        "If the trees die, the cooling stops and the streets heat up.",
        "Varga found that cover rose, and the auditor agreed with her.",
        'The mayor said "we planted, and we watered" in 2024.',
        "Either the trees died or the register was wrong.",
        "Chunking, embedding, and retrieval strategy matter for the result.",
        "They are found in teas, cocoa, grapes, apples, and various berries grow wild.",
        "The genus is one of the most frequently studied and recommended probiotics.",
        "These acids then regulate hormones and signals involved in appetite.",
        "It can digest what we cannot, but our gut can.",
        "Both Square and Shopify differ in price.",
        "The law has a framework that, while not perfect, will be able to adapt.",
        "About 25% of genes located near it, but only 5% of those far from it, become active.",
        "Fiber not only supports digestion but also plays a role in health.",
        "Prices and wages rose together in 2024.",
        "",
        "word " * 20_000,
    ],
)
def test_what_might_change_its_meaning_stays_whole(sentence: str) -> None:
    assert simple_statements(sentence) == ()
