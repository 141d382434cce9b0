"""Every citation of the demonstration report is found where the key says, with the reference that the key names."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import core.demo
from core.audit.pairing import pair
from core.audit.report import read_markdown
from core.audit.report_model import Citation, PairingState

DEMO = Path(core.demo.__file__).parent
KEY = json.loads((DEMO / "key.json").read_text("utf-8"))
REPORT = read_markdown((DEMO / "report.md").read_text("utf-8"))
PAIRING = pair(REPORT)
AT: dict[tuple[int, int], list[Citation]] = defaultdict(list)
for _citation in PAIRING.citations:
    _marker = REPORT.markers[_citation.marker]
    AT[_marker.start, _marker.end].append(_citation)
STYLES = {"numeric_list": "numeric", "numeric_range": "numeric"}
WIDER_CLAIM = {"k52"}
"""The key gives a relative clause alone; the parser gives the sentence."""


@pytest.mark.parametrize("entry", KEY["citations"], ids=lambda entry: entry["id"])
def test_marker_reference_and_claim_are_those_of_the_key(entry: dict[str, Any]) -> None:
    found = AT[entry["marker"]["start"], entry["marker"]["end"]]
    assert found, "the marker was not found at its offsets"
    marker = REPORT.markers[found[0].marker]
    assert marker.text == entry["marker"]["text"]
    assert marker.style == STYLES.get(entry["style"], entry["style"])
    expected = entry["reference"]
    if expected is None:
        labels = [PAIRING.references[number].label for number in found[0].candidates]
        assert labels == [candidate["label"] for candidate in entry["candidates"]]
        assert found[0].state is (PairingState.AMBIGUOUS if labels else PairingState.DANGLING)
    else:
        cited = [PAIRING.references[c.reference] for c in found if c.reference is not None]
        assert (expected["label"], expected["start"], expected["end"]) in [(r.label, r.start, r.end) for r in cited]
    claim = found[0].claim
    assert claim is not None
    if entry["id"] in WIDER_CLAIM:
        assert claim.start <= entry["claim"]["start"]
        assert claim.end >= entry["claim"]["end"]
    else:
        assert REPORT.text[claim.start : claim.end] == entry["claim"]["text"]


def test_nothing_else_is_taken_for_a_citation() -> None:
    assert len(PAIRING.citations) == len(KEY["citations"])
    assert {(e["marker"]["start"], e["marker"]["end"]) for e in KEY["citations"]} == set(AT)


def test_unused_reference_is_the_one_of_the_key() -> None:
    assert [PAIRING.references[number].label for number in PAIRING.unused] == [
        entry["label"] for entry in KEY["unused_references"]
    ]
