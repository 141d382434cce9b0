"""A label before a statement names its topic: it is no name that the source would have to have."""

from __future__ import annotations

import pytest

from core.labels import Label
from core.settings.values import Verification
from core.verify.aggregate import Judged, aggregate, judgement
from core.verify.claim_label import label_end
from core.verify.windows import Window

_SOURCE = "Hamburg Port opened the tram line in 1902."
_STATEMENT = "the tram line was opened in 1902"


def label_of(claim: str) -> Label:
    window = Window((0,), _SOURCE, ((0, len(_SOURCE)),), True)
    judged = Judged(window, judgement(window, (0.9, 0.0, 0.1)))
    return aggregate(claim, _SOURCE, "", [judged], Verification(pass_support=0.7, contradiction=0.6)).label


@pytest.mark.parametrize(
    "label",
    ["Origin & Definition:", "Early History:", "Public Transport:", "Network Effects \u2013", "Regulatory Landscape:"],
)
def test_a_label_of_common_words_accuses_nobody(label: str) -> None:
    assert label_end(f"{label} {_STATEMENT}") == len(label) + 1
    assert label_of(f"{label} {_STATEMENT}") is Label.SUPPORTS


@pytest.mark.parametrize(
    "claim",
    [
        "Anna Lund: the tram line was opened in 1902",
        "Rotterdam Harbour: the tram line was opened in 1902",
        "Early History: the tram line was opened in 1902 by Anna Lund",
    ],
)
def test_a_name_in_front_or_behind_a_label_is_still_compared(claim: str) -> None:
    assert label_of(claim) is Label.NEUTRAL


@pytest.mark.parametrize(
    "claim", ["Karl Berg: designed the tram line", "Berlin: the line was opened", "In 1902: it began"]
)
def test_a_subject_before_a_colon_is_no_label(claim: str) -> None:
    assert label_end(claim) == 0
