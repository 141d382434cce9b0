"""Decides on shared rows, one acknowledgement (id and hash) a line. Run by test_decision_kill.py."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from core.errors import RowMoved
from storage import open_catalog
from tests.contract.reviewed import decide


def main(root: str, slug: str, person: str, count: int) -> None:
    """Decide ``count`` times (0: without end) on a row drawn by chance; the note says which entry was the newest on it
    when it was looked at. When somebody was faster, look again."""
    store = open_catalog(Path(root)).open(slug)
    rows = store.findings(store.reports()[0].id)
    draw, done = random.Random(person), 0
    while not count or done < count:
        row = draw.choice(rows)
        item = decide(row).item
        newest = max((one.id for one in store.decisions(item=item)), default=0)
        try:
            (kept,) = store.append_decisions([decide(row, by=person, note=str(newest))], seen={item: newest})
        except RowMoved:
            print("moved", row.id, flush=True)
            continue
        print(kept.id, kept.hash, flush=True)
        done += 1
    store.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
