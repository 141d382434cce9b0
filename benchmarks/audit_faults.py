"""The faults that people reported (``../shared/faults/cases``) through the product: ``right`` is the share of cases
that end as they should, ``right_<kind>`` the same for verdicts, sources, reports, and the rest.

A case with ``source.txt`` is a claim and its source; its right end stands in ``FAULTS.md``. The right ends of all other
cases stand in ``labels/faults.json``.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.audit_bench import bench, work
from benchmarks.report import Row
from benchmarks.rows import row
from core.acquire.read_common import parse_date
from core.audit.summary import is_citation
from core.labels import Reason, Status
from core.records import Finding, Query, SearchRequest
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench

_LABELS = Path(__file__).with_name("labels") / "faults.json"
_RIGHT = re.compile(r"^- (\d{3}) .*→ right: (accept|reject);", re.MULTILINE)


def run(data: Path, shared: dict[str, Any]) -> list[Row]:
    """Measure every case. ``data`` is the folder ``faults``. Raises FileNotFoundError: it is not there."""
    cases = sorted(path for path in (data / "cases").iterdir() if path.is_dir())
    verdicts = dict(_RIGHT.findall((data / "FAULTS.md").read_text(encoding="utf-8")))
    labels: dict[str, dict[str, Any]] = json.loads(_LABELS.read_text(encoding="utf-8"))
    ended: dict[str, dict[str, bool]] = defaultdict(dict)
    with tempfile.TemporaryDirectory() as folder, bench(Path(folder)) as workbench:
        for case in cases:
            kind, right = _ended(workbench, case, labels.get(case.name, {}), verdicts.get(case.name, ""))
            ended[kind][case.name] = right
    digest = hashlib.sha256("".join(case.name for case in cases).encode() + _LABELS.read_bytes()).hexdigest()[:16]
    fingerprint = {**shared["fingerprint"], "data": digest}
    every = [right for kind in ended.values() for right in kind.values()]
    groups = {"right": every, **{f"right_{kind}": list(cases.values()) for kind, cases in sorted(ended.items())}}
    for kind, of_kind in ended.items():
        print(f"{kind}: wrong {', '.join(name for name, right in of_kind.items() if not right) or 'none'}")
    return [
        row("audit", "faults", "", "audit", metric, sum(group) / len(group), n=len(group),
            machine=shared["machine"], fingerprint=fingerprint)
        for metric, group in groups.items()
    ]  # fmt: skip


def _ended(workbench: Workbench, case: Path, label: Mapping[str, Any], verdict: str) -> tuple[str, bool]:
    """The kind of a case, and True when it ended as it should."""
    files = [path for path in sorted(case.iterdir()) if path.name not in ("sources.json", "source.txt")]
    file = files[0]
    if "date" in label:
        day = parse_date(file.read_text(encoding="utf-8"))
        return "lists", (day.isoformat() if day else None) in label["date"]
    opened = workbench.open(workbench.create(f"Case {case.name}").slug)
    if "urls" in label:
        read = opened.references.read_file(file.name, file.read_bytes())
        return "lists", sorted(reference.url for reference in read.usable) == label["urls"]
    if (case / "source.txt").exists():
        text = (case / "source.txt").read_text(encoding="utf-8")
        rows = _audited(opened, [("https://note.example/x", text)], file)
        return "verdicts", bool(rows) and all((row.status is Status.PASS) is (verdict == "accept") for row in rows)
    if (case / "sources.json").exists():
        rows = _audited(opened, json.loads((case / "sources.json").read_text(encoding="utf-8")), file)
        return "reports", _as_cited(opened, rows, label)
    opened.sources.add_files([(file.name, file.read_bytes(), "")])
    work(opened)
    return "sources", _as_read(opened, label)


def _audited(opened: OpenProject, sources: list[tuple[str, str]], report: Path) -> list[Finding]:
    """The citations of a report in a project that holds these sources."""
    opened.sources.add_snapshots([(url, text.encode(), _type_of(text)) for url, text in sources])
    work(opened)
    stored, _ = opened.audits.add(report.name, report.read_bytes(), "")
    work(opened)
    return [finding for finding in opened.audits.findings(stored.id) if is_citation(finding)]


def _type_of(text: str) -> str:
    return "text/html" if text.lstrip().startswith("<") else "text/plain"


def _as_cited(opened: OpenProject, rows: list[Finding], label: Mapping[str, Any]) -> bool:
    urls = {document.id: document.canonical_url or "" for document in opened.sources.documents()}
    cited = sorted((urls.get(row.document_id or "") or row.url or "").rsplit("/", 1)[-1] for row in rows)
    claims = " ".join(row.claim_text for row in rows)
    if not all(words in claims for words in label.get("claims", ())) or any(
        words in claims for words in label.get("never", ())
    ):
        return False
    if "dangling" in label:
        return [row.reasons[:1] for row in rows] == [(Reason.DANGLING_MARKER,)] * label["dangling"]
    if "found" in label:
        return len(rows) == label["found"] and all(row.document_id for row in rows)
    if "address" in label:
        return label["address"] in [row.url for row in rows]
    if label.get("more"):
        return all(cited.count(name) >= label["cites"].count(name) for name in label["cites"])
    return cited == label["cites"]


def _as_read(opened: OpenProject, label: Mapping[str, Any]) -> bool:
    documents = opened.sources.documents()
    if not documents:
        return bool(label.get("fails") or label.get("or_fails"))
    if "query" in label:
        return bool(opened.search(SearchRequest((Query(label["query"]),))).passages)
    text = opened.sources.text(documents[0].id)
    told = all(words in text for words in label.get("has", ()))
    return told and not label.get("fails") and not any(words in text for words in label.get("lacks", ()))
