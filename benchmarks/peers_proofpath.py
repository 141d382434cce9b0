"""Run proofpath over one report; executed by the interpreter of its own environment, never imported by the product.

    python peers_proofpath.py REPORT RESULT [SERVICE]

Without SERVICE: as installed (indexes asked, models from its own cache or the hub). With the address of a JSON service:
its two models and the bibliographic indexes stand in, because none of them can be reached from an offline machine.
``/embed`` and ``/judge`` of the service answer for the models; an index answers nothing, so that a reference is read at
the address it prints, as proofpath does with one that no index covers. Reading, pairing, fetching, choice of the
passage, the rule for numbers and the thresholds are proofpath's own.
"""

from __future__ import annotations

import json
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
from proofpath.config import Config
from proofpath.resolve import Candidate, ResolveResult, State, find_url
from proofpath.verify import Engine, verify


class Remote:
    """Both models, answered by the service."""

    name = "stand-in"
    dim = 0

    def __init__(self, service: str) -> None:
        self._service = service
        self.dim = int(self.embed(["dimension"]).shape[1])

    def embed(self, texts: Any) -> np.ndarray:
        return self._call("/embed", list(texts))

    def score(self, pairs: Any) -> np.ndarray:
        """Of (passage, claim) pairs: supported, refuted, not enough information."""
        return self._call("/judge", [[claim, passage] for passage, claim in pairs])

    def _call(self, path: str, body: Any) -> np.ndarray:
        request = urllib.request.Request(self._service + path, json.dumps(body).encode())
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request) as answer:
            return np.array(json.loads(answer.read()), dtype=np.float32)


class NoIndex:
    """What the indexes say of works that they do not cover."""

    def resolve(self, raw: str) -> ResolveResult:
        url = find_url(raw)
        if url is None:
            return ResolveResult(State.NOT_INDEXED, None, [])
        best = Candidate(doi="", title="", first_author="", year=None, venue="", provider="url", url=url)
        return ResolveResult(State.NOT_INDEXED, best, [best])

    def retraction(self, doi: str) -> None:
        return None


def main(report: Path, result: Path, service: str = "") -> None:
    engine = Engine.default(Config(), interactive=False, browser=False)
    if service:
        remote = Remote(service)
        engine.embedder, engine.scorer = lambda: remote, lambda: remote
        engine.resolver = NoIndex()
        engine.__post_init__()
    started, worked = time.perf_counter(), time.process_time()
    out: dict[str, Any] = {"error": ""}
    with engine:
        try:
            answer = verify(report, engine)
        except Exception as error:  # what stops the peer is part of the result
            out["error"] = f"{type(error).__name__}: {error}"
        else:
            out |= _read(answer)
    out["seconds"], out["cpu"] = time.perf_counter() - started, time.process_time() - worked
    result.write_text(json.dumps(out, ensure_ascii=False), encoding="utf-8")


def _read(report: Any) -> dict[str, Any]:
    return {
        "results": [
            {
                "claim": result.claim.text,
                "line": result.claim.locator.line,
                "reference": result.reference,
                "label": result.verdict.label.value,
                "reason": result.verdict.reason,
                "score": result.verdict.score,
            }
            for result in report.results
        ],
        "sources": [
            {
                "reference": source.reference.number,
                "raw": source.reference.raw,
                "kind": source.text_kind,
                "state": source.state,
            }
            for source in report.sources
        ],
        "findings": [
            {
                "kind": finding.kind.value,
                "line": finding.locator.line,
                "title": finding.title,
                "state": finding.state,
                "claim": finding.claim.text if finding.claim else "",
                "detail": list(finding.detail),
            }
            for finding in report.findings
        ],
        "stages": [f"{stage.name}: {stage.summary}" for stage in report.stages],
        "models": dict(report.models),
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
