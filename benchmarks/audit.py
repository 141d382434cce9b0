"""``python -m benchmarks audit``: pairing in real reports, check-worthiness, whole audits.

Whole audits are those of the demo, of WiCE, of the keyed citations and of SciFact; ``faults`` are the cases that people
reported; ``spans`` are the words that citations in real reports stand for.

``keyed_held`` runs only where it is named: the held half is opened once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.machine import machine
from benchmarks.report import Row
from core.errors import QueryError

PARTS = ("reports", "spans", "worthy", "demo", "faults", "wice", "keyed_open", "scifact_audit")
HELD = "keyed_held"
_QUICK = 30


def run(
    data: Path, cache: Path, only: Sequence[str] | None = None, *, quick: bool = False, limit: int | None = None
) -> list[Row]:
    """Measure the named parts (all when none is named); ``quick``: a seeded sample of WiCE and no timing. ``limit``: a
    sample of so many claims of WiCE, and of the demo report only the timed page.

    Raises:
        QueryError: an unknown part.
        FileNotFoundError: the folder of data lacks a set.
    """
    parts = list(only or PARTS)
    unknown = [name for name in parts if name not in (*PARTS, HELD)]
    if unknown:
        raise QueryError(f"There is no part {unknown[0]!r} of the audit benchmark. Parts: {', '.join(PARTS)}.")
    rows: list[Row] = []
    if "reports" in parts:
        from benchmarks import pairing

        rows += pairing.run(data)
    if "spans" in parts:
        from benchmarks import audit_spans

        rows += audit_spans.run(data)
    if "worthy" in parts:
        from benchmarks import check_worthy

        rows += check_worthy.run(data)
    if "demo" in parts:
        from benchmarks import audit_demo

        about = shared({"report": _digest_of_demo()})
        rows += audit_demo.run(about, quick=quick) if limit is None else audit_demo.run_page(about)
    if "faults" in parts:
        from benchmarks import audit_faults

        rows += audit_faults.run(data.parent / "faults", shared({}))
    if "wice" in parts:
        from benchmarks import audit_wice

        digest = hashlib.sha256((data / audit_wice.FILE).read_bytes()).hexdigest()[:16]
        rows += audit_wice.run(data, cache, shared({"data": digest}), sample=limit or (_QUICK if quick else None))
    for name in parts:
        if name in ("keyed_open", HELD, "scifact_audit"):
            from benchmarks import audit_keyed

            about = shared({"data": _digest_of_keyed(data, name)})
            rows += audit_keyed.run(data, cache, name, about, sample=limit or (_QUICK if quick else None))
    return rows


def shared(fingerprint: dict[str, object]) -> dict[str, Any]:
    """Machine and fingerprints (models, settings, and what is given) of the rows of one part."""
    from core.backends.resolve import load_entailer
    from core.settings.values import Settings

    settings = Settings()
    models = {"entailer": load_entailer(settings.models).fingerprint, "settings": settings.fingerprint()}
    return {"machine": machine(), "fingerprint": {**models, **fingerprint}}


def _digest_of_demo() -> str:
    from core import demo

    return hashlib.sha256(demo.report().encode()).hexdigest()[:16]


def _digest_of_keyed(data: Path, name: str) -> str:
    from benchmarks import keyed_set, verification_data

    if name == "scifact_audit":
        return verification_data.digest(data, "nli/scifact_abstract_dev.jsonl.gz")
    half = "choose" if name == "keyed_open" else "held"
    return hashlib.sha256((keyed_set.FOLDER / f"{half}.jsonl").read_bytes()).hexdigest()[:16]
