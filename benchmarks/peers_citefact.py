"""citefact on the demo report: it reads author–year citations of a BibTeX list and PDF sources; claims need a key."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.machine import machine
from benchmarks.peers_env import CITEFACT, environment, last_line
from benchmarks.peers_env import run as run_peer
from benchmarks.report import Row
from benchmarks.rows import row
from core import demo
from core.audit.report import read_markdown
from core.audit.report_model import Reference

_COMPARED = ("quote_verified", "quote_modified", "quote_not_found", "quote_page_mismatch")


def run(cache: Path) -> list[Row]:
    """Its two keyless checks, and what it says when asked for the third."""
    peer = environment(cache, CITEFACT)
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder)
        given = _given(state)
        keyless = run_peer(
            [peer.command("citefact"), "check", *given, "--skip-claims", "--json", "--quiet"], state=state
        )
        with_claims = run_peer([peer.command("citefact"), "check", *given, "--quiet"], state=state)
    report: dict[str, Any] = json.loads(keyless.stdout) if keyless.stdout.startswith("{") else {}
    remarks = {"keyless": last_line_of_error(keyless.stderr), "with claims": last_line(with_claims)}
    print(f"demo, {CITEFACT}: {remarks}", file=sys.stderr)
    about: dict[str, Any] = {"machine": machine(), "fingerprint": {"said": remarks}}
    findings = report.get("findings", [])
    values = {
        "citations_seen": len(report.get("citations", [])),
        "sources_read": sum(bool(source.get("converted")) for source in report.get("sources", [])),
        "quotes_compared": sum(finding["type"] in _COMPARED for finding in findings),
        "claims_judged": sum(finding["level"] == "claims" for finding in findings),
    }
    markers = len(demo.key()["citations"])
    return [
        row("peers", "demo", "files", f"{CITEFACT} without a key", metric, value, n=markers, **about)
        for metric, value in values.items()
    ]


def last_line_of_error(text: str) -> str:
    """The last line that a program wrote to its error output, or ""."""
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")


def _given(state: Path) -> list[str | Path]:
    report, bibliography, sources = state / "report.md", state / "references.bib", state / "sources"
    text = demo.report()
    report.write_text(text, encoding="utf-8")
    listed = [reference for reference in read_markdown(text).references if reference.authors and reference.year]
    bibliography.write_text("\n".join(_entry(at, reference) for at, reference in enumerate(listed)), encoding="utf-8")
    sources.mkdir()
    for source in demo.sources():
        if source.media_type == "application/pdf":
            (sources / source.filename).write_bytes(source.body)
    return [report, "--bib", bibliography, "--pdfs", sources]


def _entry(at: int, reference: Reference) -> str:
    authors = " and ".join(reference.authors)
    title = reference.title or reference.text
    return f"@misc{{r{at}, author={{{authors}}}, year={{{reference.year}}}, title={{{title}}}}}"
