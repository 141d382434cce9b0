"""Quality floors: every row of ``floors.json`` must be in the results and not under its floor."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchmarks.report import KEYS, key, read

HERE = Path(__file__).resolve().parent


def problems(floors: Path, results: Path) -> list[str]:
    """What is wrong, one sentence each; empty when every floor holds.

    A floor is ``{bench, data, split, system, metric, floor}``, optionally with ``ceiling`` where a value must
    not be above something either. A floor may be raised freely and lowered only with a reason in docs/decisions.
    """
    measured = {key(row): row["value"] for row in read(results)}
    faults = []
    for rule in json.loads(floors.read_text("utf-8")):
        name = " ".join(str(rule[part]) for part in KEYS)
        value = measured.get(tuple(str(rule[part]) for part in KEYS))
        if value is None:
            faults.append(f"{name}: no result. Run `python -m benchmarks {rule['bench']}` and commit its results.")
        elif value < rule.get("floor", float("-inf")):
            faults.append(f"{name}: {value:.4f} is under its floor {rule['floor']:.4f}.")
        elif value > rule.get("ceiling", float("inf")):
            faults.append(f"{name}: {value:.4f} is over its ceiling {rule['ceiling']:.4f}.")
    return faults


def main() -> int:
    """Print what is wrong; exit status 1 when anything is."""
    faults = problems(HERE / "floors.json", HERE / "results")
    for problem in faults:
        print(problem, file=sys.stderr)
    if not faults:
        print("Every floor holds.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
