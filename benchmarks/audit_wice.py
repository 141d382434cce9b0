"""WiCE dev through the product's own path: page stored as a document, claim audited as the one citation of a report.

Each report is the Wikipedia passage before the claim (title, section, context), then the claim with ``[1]``, then a
list with one reference, the page. What is measured is the citation's row. Truth as in the published evaluations
(LLM-AggreFact, Tang et al. 2024): ``supported`` against ``partially_supported`` and ``not_supported``.

``balanced_accuracy``: mean of the shares of supported and of other claims that are told right, by the threshold on
the support that does best on the even rows (as ``benchmarks.verification_wice``); split ``dev_held_out`` is the odd
rows. ``balanced_accuracy_half``: with one half as the threshold; ``balanced_accuracy_pass``: with ``PASS`` for told
supported. ``auroc``: what the support tells, whatever the threshold. ``pass_precision``: share of
``PASS`` that are supported. ``review_share``: share of all sent to ``REVIEW``. ``claim_whole``: share of reports
whose row has the whole claim.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.audit_bench import bench, work
from benchmarks.classify import best_threshold
from benchmarks.report import Row
from benchmarks.rows import mean_row, row
from core.evaluate.measures import ci95
from core.labels import Status
from core.records import Finding
from core.workbench.open_project import OpenProject

FILE = Path("wice/claim_dev.jsonl.gz")
SEED = 20261128
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Case:
    """One claim with its page; ``supported`` is the truth."""

    key: str
    claim: str
    before: str
    page: str
    supported: bool

    @property
    def url(self) -> str:
        """The invented address of the page; equal pages share one."""
        return f"https://wice.example/{hashlib.sha256(self.page.encode()).hexdigest()[:16]}"

    @property
    def report(self) -> str:
        """The report of one citation."""
        claim = self.claim.strip()
        marked = f"{claim[:-1]} [1]{claim[-1]}" if claim.endswith((".", "!", "?")) else f"{claim} [1]."
        return f"{self.before}{marked}\n\n## References\n\n1. {self.title}. {self.url}\n"

    @property
    def title(self) -> str:
        """The page's title, where its first line gives one."""
        first = self.page.splitlines()[0] if self.page else ""
        return first.removeprefix("(meta data) TITLE:").strip()[:120] or "Page"


def load(data: Path, *, sample: int | None = None) -> list[Case]:
    """The claims of WiCE dev, or a seeded sample of them that has both kinds (if it is of two or more).

    Raises:
        FileNotFoundError: the folder of data lacks the set.
    """
    path = data / FILE
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing. Give the folder of data sets with --data.")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        cases = [_case(json.loads(line)) for line in lines]
    return cases if sample is None else _sample(cases, sample)


def _sample(cases: Sequence[Case], count: int) -> list[Case]:
    """As many of either kind as their share in all of them asks for, at least one."""
    chooser = random.Random(SEED)
    yes, no = ([case for case in cases if case.supported == kind] for kind in (True, False))
    first = min(len(yes), max(1, round(count * len(yes) / len(cases))))
    return chooser.sample(yes, first) + chooser.sample(no, min(len(no), max(1, count - first)))


def _case(record: dict[str, Any]) -> Case:
    meta = record["meta"]
    context = " ".join(str(meta.get("claim_context") or "").split())
    heading = f"# {meta['claim_title']}\n\n## {str(meta['claim_section']).rstrip('.')}\n\n"
    return Case(
        key=str(meta["id"]),
        claim=str(record["claim"]),
        before=heading + (f"{context} " if context else ""),
        page="\n\n".join(record["evidence"]),
        supported=record["label"] == "supported",
    )


def run(data: Path, cache: Path, shared: dict[str, Any], *, sample: int | None = None) -> list[Row]:
    """Audit every claim (or a sample) in a project of its own; wrong ``PASS`` go to standard error."""
    cases = load(data, sample=sample)
    with tempfile.TemporaryDirectory() as folder, bench(Path(folder), encoded=cache) as workbench:
        opened = workbench.open(workbench.create("WiCE").slug)
        pages = {case.url: case.page.encode() for case in cases}
        opened.sources.add_snapshots([(url, body, "text/plain; charset=utf-8") for url, body in pages.items()])
        work(opened)
        pairs = [(case, _audited(opened, case)) for case in cases]
    return score(pairs, shared)


def _audited(opened: OpenProject, case: Case) -> Finding | None:
    report, _ = opened.audits.add(f"{case.key}.md", case.report.encode(), "text/markdown")
    work(opened)
    cited = [finding for finding in opened.audits.findings(report.id) if finding.marker_text.strip("[]") == "1"]
    return cited[0] if cited else None


def score(pairs: Sequence[tuple[Case, Finding | None]], shared: dict[str, Any]) -> list[Row]:
    """The rows over claims and what became of each; a claim without a row is told unsupported."""
    truth = [case.supported for case, _ in pairs]
    passed = [finding is not None and finding.status is Status.PASS for _, finding in pairs]
    likely = [bool(finding and finding.verdict and finding.verdict.supports >= _HALF) for _, finding in pairs]
    review = [finding is not None and finding.status is Status.REVIEW for _, finding in pairs]
    whole = [finding is not None and _same(finding.claim_text, case.claim) for case, finding in pairs]
    _print_false_passes(pairs)
    right_passes = [right for right, passes in zip(truth, passed, strict=True) if passes]
    support = [_support(finding) for _, finding in pairs]
    threshold = best_threshold(support[0::2], truth[0::2])
    chosen = [value >= threshold for value in support]
    print_ = {**shared, "fingerprint": {**shared["fingerprint"], "threshold": round(threshold, 4)}}
    rows = [
        _balanced("balanced_accuracy", truth, chosen, print_),
        _balanced("balanced_accuracy", truth[1::2], chosen[1::2], print_, split="dev_held_out"),
        _balanced("balanced_accuracy_half", truth, likely, shared),
        _balanced("balanced_accuracy_pass", truth, passed, shared),
        mean_row("audit", "wice", "dev", "audit", "review_share", review, **shared),
        mean_row("audit", "wice", "dev", "audit", "claim_whole", whole, **shared),
    ]
    rows.append(row("audit", "wice", "dev", "audit", "auroc", auroc(truth, support), n=len(truth), **shared))
    if right_passes:
        rows.append(mean_row("audit", "wice", "dev", "audit", "pass_precision", right_passes, **shared))
    return rows


def _print_false_passes(pairs: Sequence[tuple[Case, Finding | None]]) -> None:
    for case, finding in pairs:
        if finding and finding.status is Status.PASS and finding.verdict and not case.supported:
            print(f"wice {case.key}: PASS {finding.verdict.supports:.2f}: {case.claim[:120]!r}", file=sys.stderr)


def _support(finding: Finding | None) -> float:
    """The support of a claim; 0 without a verdict or with one that a check has vetoed."""
    verdict = finding.verdict if finding else None
    return verdict.supports if verdict and not verdict.vetoed else 0.0


def balanced(truth: Sequence[bool], answers: Sequence[bool]) -> float:
    """Mean of the shares answered right among the true and among the others; both must be there."""
    sides = []
    for side in (True, False):
        mine = [answer == side for right, answer in zip(truth, answers, strict=True) if right == side]
        sides.append(sum(mine) / len(mine))
    return sum(sides) / 2


def auroc(truth: Sequence[bool], support: Sequence[float]) -> float:
    """Chance that a true one has more support than another one, ties one half (Mann & Whitney 1947)."""
    yes = [value for right, value in zip(truth, support, strict=True) if right]
    no = [value for right, value in zip(truth, support, strict=True) if not right]
    won = sum((score > other) + (score == other) / 2 for score in yes for other in no)
    return won / (len(yes) * len(no))


def _balanced(
    metric: str, truth: Sequence[bool], answers: Sequence[bool], shared: dict[str, Any], *, split: str = "dev"
) -> Row:
    # Weighted so that the mean over claims is the balanced accuracy: the interval is then the usual one of a mean.
    count = {side: sum(right == side for right in truth) for side in (True, False)}
    weighed = [
        (answer == right) * len(truth) / (2 * count[right]) for right, answer in zip(truth, answers, strict=True)
    ]
    value = balanced(truth, answers)
    return row("audit", "wice", split, "audit", metric, value, n=len(truth), interval=ci95(weighed), **shared)


def _same(text: str, expected: str) -> bool:
    return "".join(text.split()).rstrip(".!?") == "".join(expected.split()).rstrip(".!?")
