"""Scoring of audits: rows against the demo's key, claims of WiCE, and outcomes of product and peer on one scale."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks import audit_spans, audit_wice, peers_table
from benchmarks.audit_demo import match, page, score
from benchmarks.audit_wice import Case as WiceCase
from benchmarks.audit_wice import auroc, balanced
from benchmarks.peers_cases import Case, Truth, alter, demo_case, paraphrase
from benchmarks.peers_outcomes import Outcome, of_findings, of_proofpath, shares
from core import demo
from core.audit.pairing import pair
from core.audit.report import read_markdown
from core.labels import Reason, Status
from core.records import Finding

REPOSITORY = Path(__file__).resolve().parents[3]
SHARED: dict[str, Any] = {"machine": "test", "fingerprint": {}}


def _perfect(one: dict[str, Any], ordinal: int) -> Finding:
    entry = one["reference"]
    return Finding(
        id=ordinal,
        report_id=1,
        ordinal=ordinal,
        style=one["style"],
        marker_text=one["marker"]["text"],
        claim_text=one["claim"]["text"],
        marker=(one["marker"]["start"], one["marker"]["end"]),
        reference_label=entry["label"] if entry else "",
        reference=(entry["start"], entry["end"]) if entry else None,
        status=Status(one["status"]),
        reasons=(Reason(one["reason"]),) if one["reason"] else (),
    )


def _values(findings: list[Finding]) -> dict[str, float]:
    return {row["metric"]: row["value"] for row in score(findings, demo.key(), SHARED)}


@pytest.mark.parametrize(
    ("words", "exact", "right", "glued"),
    [
        ("Trees cool the air [1] and roofs heat it", True, True, False),
        ("and roofs heat it", False, True, False),
        ("Trees cool the air", False, False, False),
        ("Rain fell. Trees cool the air [1] and roofs heat it", False, False, True),
    ],
)
def test_a_span_counts_by_its_words_and_is_glued_when_it_holds_the_end_of_another_sentence(
    words: str, exact: bool, right: bool, glued: bool
) -> None:
    text = "Rain fell. Trees cool the air [1] and roofs heat it [2]. Next."

    def place(part: str) -> tuple[int, int]:
        return text.index(part), text.index(part) + len(part)

    label = {
        "style": "numeric",
        "claim": place("Trees cool the air [1] and roofs heat it"),
        "or": [place("roofs heat it")],
    }
    outcome = audit_spans.judge(text, label, place(words))
    assert (outcome.exact, outcome.right, outcome.glued) == (exact, right, glued)
    assert not audit_spans.judge(text, label, None).right


def test_rows_that_equal_the_key_score_one_everywhere_but_for_the_unused_reference() -> None:
    values = _values([_perfect(one, at) for at, one in enumerate(demo.key()["citations"])])
    assert values.pop("unused_references_found") == 0
    assert set(values.values()) == {1.0}


def test_an_audit_that_passes_everything_finds_no_fault() -> None:
    rows = [_perfect({**one, "status": "PASS", "reason": None}, at) for at, one in enumerate(demo.key()["citations"])]
    values = _values(rows)
    assert values["faults_found"] == 0
    assert values["clean_passed"] == 1


def test_a_marker_of_several_references_is_matched_by_its_entry() -> None:
    citations = demo.key()["citations"]
    rows = [_perfect(one, at) for at, one in enumerate(citations)]
    found = [match(one, rows) for one in citations]
    assert [row.ordinal for row in found if row] == list(range(len(citations)))


def test_the_page_of_the_time_measurement_cites_seven_references_that_all_pair() -> None:
    report = read_markdown(page())
    pairing = pair(report)
    assert len({one.reference for one in pairing.citations}) == 7
    assert not pairing.unused


def test_balanced_accuracy_weighs_both_sides_alike() -> None:
    assert balanced([True, False, False, False], [True, True, False, False]) == pytest.approx((1 + 2 / 3) / 2)


def test_support_that_tells_nothing_has_an_area_of_one_half() -> None:
    assert auroc([True, False, False], [0.9, 0.1, 0.2]) == 1
    assert auroc([True, False], [0.5, 0.5]) == 0.5


def test_the_claim_of_a_wice_report_is_paired_with_its_page() -> None:
    case = WiceCase("x", "The library holds 260,000 volumes.", "# Tozzer\n\n## Holdings\n\nIt is old. ", "Page", True)
    report = read_markdown(case.report)
    pairing = pair(report)
    (citation,) = pairing.citations
    assert citation.claim is not None
    assert report.text[citation.claim.start : citation.claim.end] == "The library holds 260,000 volumes"
    assert citation.reference is not None
    assert pairing.references[citation.reference].url == case.url


def test_markers_keep_their_places_when_addresses_change() -> None:
    case = demo_case(lambda name, body, media_type: "text")
    served = case.at({url: f"http://127.0.0.{at}:80/source" for at, url in enumerate(case.pages, start=2)})
    texts = {one["id"]: one["marker"]["text"] for one in demo.key()["citations"]}
    numbered = [truth for truth in served.truths if texts[truth.key].startswith("[") and "http" not in texts[truth.key]]
    assert len(numbered) > 20
    assert all(served.text.startswith(texts[truth.key], truth.marker) for truth in numbered)


def test_altered_sentences_say_another_thing_and_paraphrases_keep_their_numbers() -> None:
    sentence = "Canopy cover increased from 18.6 percent in 2018, which is important"
    assert "38.2 percent" in alter(sentence)
    assert paraphrase(sentence).endswith("canopy cover raised from 18.6 per cent in 2018, which is weighty")
    assert alter("Trees are alive") == "Trees are not alive"
    assert alter("Trees live long") == ""


CASE = Case(
    "case",
    "Trees are alive [1]. Nobody waters them [7].\n\n## References\n\n1. A list. http://127.0.0.2/source\n",
    {},
    (
        Truth("a", "Trees are alive", 16, "1", "clean", True),
        Truth("b", "Nobody waters them", 40, "", "dangling", False),
    ),
)


def _told(**given: Any) -> dict[str, Any]:
    return {"error": "", "results": [], "sources": [], "findings": [], **given}


def test_a_peers_results_count_for_the_citation_whose_words_they_hold() -> None:
    result = {"claim": "Trees are alive.", "reference": 1, "label": "SUPPORTED"}
    marker = {"kind": "unresolved-marker", "detail": ["[7]"]}
    outcomes = of_proofpath(CASE, _told(results=[result], findings=[marker]))
    assert outcomes == {"a": Outcome.PASSED, "b": Outcome.DOUBTED}
    assert shares(CASE, outcomes)["caught_dangling"] == (1.0, 1)


def test_a_reference_that_a_peer_could_not_read_leaves_its_citations_unread() -> None:
    outcomes = of_proofpath(CASE, _told(sources=[{"reference": 1, "raw": "", "kind": "none", "state": "blocked"}]))
    assert outcomes == {"a": Outcome.UNREAD, "b": Outcome.UNSEEN}


def test_rows_of_the_product_are_told_apart_by_status_and_reason() -> None:
    row = Finding(0, 1, 0, "numeric", "[1]", "Trees are alive", (16, 19), reference_label="1", status=Status.REVIEW)
    told = of_findings(CASE, [row])
    assert told == {"a": Outcome.DOUBTED, "b": Outcome.UNSEEN}


def test_the_table_of_peers_is_that_of_the_results() -> None:
    page = (REPOSITORY / "docs" / "peers.md").read_text("utf-8")
    table = peers_table.table(REPOSITORY / "benchmarks" / "results")
    assert page.split(peers_table.BEGIN)[1].split(peers_table.END)[0].strip() == table


def test_a_sample_of_wice_has_claims_of_both_kinds() -> None:
    cases = [audit_wice.Case(str(at), "C.", "", f"P{at}", at % 50 == 0) for at in range(200)]
    for count in (2, 5, 30):
        sample = audit_wice._sample(cases, count)
        assert len(sample) == count
        assert {case.supported for case in sample} == {True, False}
