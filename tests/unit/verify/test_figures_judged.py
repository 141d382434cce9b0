"""Figures and quotations in the whole judgement with the real model: what differs never passes, what is equal does."""

from __future__ import annotations

import pytest

from core.labels import Label
from core.ports.engines import Engines
from core.settings.values import Verification
from core.verify.sentences import CitedSource
from core.verify.source import judge_in_source
from tests.contract.builders import make_document

REST = " The council planted limes on Mill Lane in spring. Buses ran late in the rain."


def _passes(claim: str, sentence: str, engines: Engines) -> bool:
    text = sentence + REST
    source = CitedSource(make_document(text), text)
    verdict = judge_in_source(claim, source, engines.entailer(), Verification(), names=())
    return verdict.label is Label.SUPPORTS and not verdict.vetoed


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        (
            "The committee voted for the new park bench by 7 to 2",
            "The committee voted for the new park bench by 2 to 7.",
        ),
        ("The fee went from 40 euros to 30 euros in May", "The fee went from 30 euros to 40 euros in May."),
        ("The scheme cut water use by up to 30 percent", "The scheme cut water use by at least 30 percent."),
        ("No more than 12 children may ride in the van", "No fewer than 12 children may ride in the van."),
        ("Nearly 500 trees died in the drought", "More than 500 trees died in the drought."),
        ("Rents doubled in the harbour district", "Rents tripled in the harbour district."),
        ("The bill was halved after the repair", "The bill was cut by a third after the repair."),
        ("The tram line cost US$5 million to repair", "The tram line cost A$5 million to repair."),
        ("The tram line cost 5 million Swiss francs", "The tram line cost 5 million euros."),
        ("It was the second strike of the drivers", "It was the first strike of the drivers."),
        ('The paper calls the new count "very precise"', "The paper calls the new count very rough."),
    ],
)
def test_what_differs_never_passes(claim: str, sentence: str, engines: Engines) -> None:
    assert not _passes(claim, sentence, engines)


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        (
            'The mayor said "[W]e will plant ten trees this year"',
            "The mayor said: \u201cWe will plant ten trees this year.\u201d",
        ),
        (
            'The mayor promised "ten new tree[s] in every street"',
            "The mayor promised \u201cten new trees in every street\u201d.",
        ),
        ('The paper calls the new count "very precise"', "The paper calls the new count very precise."),
        ("Rents doubled in the harbour district", "Rents doubled in the harbour district in May."),
        ("The scheme cut water use by at least 30 percent", "The scheme cut water use by at least 30 percent in May."),
    ],
)
def test_what_is_equal_passes(claim: str, sentence: str, engines: Engines) -> None:
    assert _passes(claim, sentence, engines)
