"""What became of each citation of a case, on one scale for product and peer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from benchmarks.audit_demo import match
from benchmarks.peers_cases import Case, Truth
from core.labels import Reason, Status
from core.records import Finding


class Outcome(StrEnum):
    """``PASSED``: told that the source says it. ``ACCUSED``: told that the source says otherwise. ``DOUBTED``: judged
    or looked at, and neither. ``UNREAD``: told that the source was not read. ``UNSEEN``: no word about the citation."""

    PASSED = "passed"
    ACCUSED = "accused"
    DOUBTED = "doubted"
    UNREAD = "unread"
    UNSEEN = "unseen"


_ACCUSING = {Reason.CONTRADICTED, Reason.NUMBER_MISMATCH, Reason.QUOTE_ALTERED, Reason.WRONG_SOURCE}
_WORD = re.compile(r"\w+")
_SAME = 0.6
_WITHOUT_REFERENCE = ("unresolved-marker", "ambiguous-reference")


def of_findings(case: Case, findings: Sequence[Finding]) -> dict[str, Outcome]:
    """The product's rows."""
    return {truth.key: _of_finding(_match(truth, findings)) for truth in case.truths}


def _match(truth: Truth, findings: Sequence[Finding]) -> Finding | None:
    expected = {"marker": {"start": truth.marker, "end": truth.marker + 1}, "reference": None}
    there = [finding for finding in findings if match(expected, [finding])]
    same = [finding for finding in there if finding.reference_label.strip("[].") == truth.label]
    return next(iter(same or there), None)


def _of_finding(finding: Finding | None) -> Outcome:
    if finding is None or finding.status is None:
        return Outcome.UNSEEN
    if finding.status is Status.PASS:
        return Outcome.PASSED
    if finding.status is Status.SOURCE_NOT_INDEXED:
        return Outcome.UNREAD
    return Outcome.ACCUSED if finding.reasons and finding.reasons[0] in _ACCUSING else Outcome.DOUBTED


def of_proofpath(case: Case, values: Mapping[str, Any]) -> dict[str, Outcome]:
    """proofpath's results: a judged claim counts for the citation whose words it holds, under the same reference.

    References are compared by the served address of their entry or, without one, by their number; a citation whose
    reference has no text is unread; a marker that the peer reports as having no entry is doubted.
    """
    if values["error"]:
        return {truth.key: Outcome.UNSEEN for truth in case.truths}
    return {truth.key: _of_proofpath(truth, case, values, _numbers(truth, case, values)) for truth in case.truths}


def _numbers(truth: Truth, case: Case, values: Mapping[str, Any]) -> set[int]:
    """Numbers under which the peer lists the reference: it numbers lists that have none of their own."""
    if truth.label.isdigit():
        return {int(truth.label)}
    line = re.search(rf"^{re.escape(truth.label)}:? .*$", case.text, re.MULTILINE) if truth.label else None
    url = re.search(r"https?://\S+", line[0]) if line else None
    return {source["reference"] for source in values["sources"] if url and url[0] in source["raw"]}


def _of_proofpath(truth: Truth, case: Case, values: Mapping[str, Any], numbers: set[int]) -> Outcome:
    labels = {
        result["label"]
        for result in values["results"]
        if (not numbers or result["reference"] in numbers) and _holds(result["claim"], truth.claim)
    }
    if labels:
        if "REFUTED" in labels:
            return Outcome.ACCUSED
        return Outcome.PASSED if "SUPPORTED" in labels else Outcome.DOUBTED
    there = case.text[truth.marker :]
    for finding in values["findings"]:
        if finding["kind"] in _WITHOUT_REFERENCE and any(text and there.startswith(text) for text in finding["detail"]):
            return Outcome.DOUBTED
    read = {source["reference"]: source["kind"] for source in values["sources"]}
    unread = [number for number in numbers if read.get(number) == "none"]
    return Outcome.UNREAD if unread else Outcome.UNSEEN


def _holds(text: str, claim: str) -> bool:
    mine, wanted = (Counter(word.lower() for word in _WORD.findall(sentence)) for sentence in (text, claim))
    return (mine & wanted).total() >= _SAME * max(1, wanted.total())


def shares(case: Case, outcomes: Mapping[str, Outcome]) -> dict[str, tuple[float, int]]:
    """Metric → (share, of how many), for citations that hold, that do not, and whose source cannot be had."""
    out: dict[str, tuple[float, int]] = {}
    for name, holds in (("good", True), ("bad", False), ("dead", None)):
        mine = [outcomes[truth.key] for truth in case.truths if truth.holds is holds]
        for outcome in Outcome if mine else ():
            out[f"{name}_{outcome}"] = (mine.count(outcome) / len(mine), len(mine))
    kinds = sorted({truth.kind for truth in case.truths if truth.holds is False})
    for kind in kinds:
        mine = [outcomes[truth.key] for truth in case.truths if truth.kind == kind and truth.holds is False]
        caught = sum(outcome in (Outcome.ACCUSED, Outcome.DOUBTED) for outcome in mine)
        out[f"caught_{kind}"] = (caught / len(mine), len(mine))
    return out
