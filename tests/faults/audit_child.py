"""Keeps reports, rewrites their rows and adds claims without end, one acknowledgement a line, until it is killed.
Run by test_audit_kill.py."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from storage import open_catalog
from tests.contract.judged import add_report, make_claim

ROWS = 150


def text_of(number: int) -> str:
    """The text of the report that is called ``number``."""
    return f"Otters swim [1]. Herons wait [2]. This is report number {number} about a mill."


def main(root: str, slug: str, first: int, count: int, shared: int) -> None:
    """Keep ``count`` reports (0: without end) from number ``first`` on; each time row 0 of report ``shared`` is
    changed as well, looking again when it moved."""
    store = open_catalog(Path(root)).open(slug)
    number = first
    while not count or number < first + count:
        report = add_report(store, text_of(number), rows=ROWS)
        print("report", report.id, flush=True)
        for turn in ("first", "second"):
            rows = store.findings(report.id)
            store.put_findings([replace(row, explanation=turn) for row in rows], expect_versions=True)
            print(turn, report.id, flush=True)
        claims = [make_claim(report_id=report.id, start=at, end=at + 1) for at in range(9)]
        store.add_claims(claims)
        print("claims", report.id, flush=True)
        if shared:
            row = store.findings(shared)[0]
            store.put_findings([replace(row, explanation=f"{number}")])
            print("shared", number, flush=True)
        number += 1
    store.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6]))
