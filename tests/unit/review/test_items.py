"""Keys that outlive versions, and what makes a decision stale."""

from __future__ import annotations

from dataclasses import replace

from core.labels import Status
from core.records import DecisionBasis, Finding
from core.review.items import citation_keys, plain_reference, same_evidence, why_stale

BASE = DecisionBasis(
    1, 1, "Otters swim", "c", machine="PASS", source_hash="s", fingerprint="m", threshold=0.7, support=0.8
)


def row(number: int, claim: str = "Otters swim", reference: str = "[1] Mill. Otters.", **given: object) -> Finding:
    made = Finding(number, 1, number, "numeric", "[1]", claim, reference_text=reference, status=Status.PASS)
    return replace(made, **given)  # type: ignore[arg-type]


def test_a_key_does_not_hang_on_where_a_citation_stands_or_how_references_are_numbered() -> None:
    before = citation_keys([row(5)], 1)[5]
    assert citation_keys([row(9, reference="[2] Mill.  Otters.", marker_text="[2]", version=7)], 1)[9] == before
    assert citation_keys([row(5)], 2)[5] != before
    assert citation_keys([row(5, claim="Otters swim fast")], 1)[5] != before
    assert citation_keys([row(5, url="https://a.example/")], 1)[5] != before


def test_equal_citations_have_keys_of_their_own() -> None:
    keys = citation_keys([row(1), row(2), row(3, claim="Other")], 1)
    assert len(set(keys.values())) == 3
    assert keys[2] == f"{keys[1]}:2"


def test_markers_that_point_nowhere_are_told_apart() -> None:
    keys = citation_keys([row(1, reference="", marker_text="[8]"), row(2, reference="", marker_text="[9]")], 1)
    assert ":2" not in keys[2]
    assert keys[1] != keys[2]


def test_a_number_in_front_of_a_reference_is_no_part_of_it() -> None:
    for text in ("[12] Mill (2020)", "12. Mill (2020)", "(12) Mill (2020)", "- [12]: Mill  (2020)", "¹² Mill (2020)"):
        assert plain_reference(text) == "Mill (2020)"
    assert plain_reference("2020 was a year. Mill") == "2020 was a year. Mill"


def test_what_changed_is_told() -> None:
    assert why_stale(BASE, BASE) == ""
    assert why_stale(BASE, replace(BASE, row_version=9, report_hash="other", support=0.9)) == ""
    assert "worded differently" in why_stale(BASE, replace(BASE, claim_hash="d"))
    assert why_stale(BASE, replace(BASE, source_hash="t")) == "The text of the source changed."
    assert why_stale(BASE, replace(BASE, source_hash="")) == "The source is not stored any more."
    assert "was not stored then" in why_stale(replace(BASE, source_hash=""), BASE)
    assert why_stale(BASE, replace(BASE, fingerprint="n")) == "Another model or other settings judged it."
    moved = why_stale(BASE, replace(BASE, machine="REVIEW", threshold=0.9))
    assert moved == "The machine said PASS then and says REVIEW now (the threshold went from 0.70 to 0.90)."


def test_another_threshold_leaves_the_evidence_the_same() -> None:
    assert same_evidence(BASE, replace(BASE, machine="REVIEW", threshold=0.9))
    assert not same_evidence(BASE, replace(BASE, fingerprint="n"))
