"""Results on disk, and the table in ``benchmarks/README.md``. Standard library only: the gate runs uninstalled."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]
BEGIN, END = "<!-- results: begin (python -m benchmarks table) -->", "<!-- results: end -->"
KEYS = ("bench", "data", "split", "system", "metric")


def key(row: Row) -> tuple[str, ...]:
    """What a row measures; one value each in a results folder."""
    return tuple(str(row[name]) for name in KEYS)


def read(folder: Path) -> list[Row]:
    """All rows of a results folder.

    Raises:
        ValueError: a file is not a list of rows; the message names it.
    """
    rows: list[Row] = []
    for path in sorted(folder.glob("*.json")):
        try:
            values = json.loads(path.read_text("utf-8"))
        except json.JSONDecodeError as error:
            raise ValueError(f"{path} is not JSON: {error}") from error
        if not isinstance(values, list) or any(not set(KEYS) | {"value"} <= set(row) for row in values):
            raise ValueError(f"{path} is not a list of results with {', '.join(KEYS)} and value")
        rows.extend(values)
    return rows


def merge(path: Path, rows: Sequence[Row]) -> None:
    """Write rows into a results file; what they do not measure anew stays. Atomic."""
    earlier = json.loads(path.read_text("utf-8")) if path.is_file() else []
    by_key = {key(row): row for row in [*earlier, *rows]}
    path.parent.mkdir(parents=True, exist_ok=True)
    waiting = path.with_suffix(".part")
    waiting.write_text(json.dumps(list(by_key.values()), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(waiting, path)


def table(rows: Iterable[Row]) -> str:
    """Markdown: one line a system and data set, one column a metric, for each benchmark."""
    parts = []
    listed = list(rows)
    for bench in dict.fromkeys(row["bench"] for row in listed):
        of_bench = [row for row in listed if row["bench"] == bench]
        metrics = list(dict.fromkeys(row["metric"] for row in of_bench))
        lines = [f"### {bench}", "", _line(["data", "system", *metrics]), _line(["---"] * (2 + len(metrics)))]
        for data, split, system in dict.fromkeys((row["data"], row["split"], row["system"]) for row in of_bench):
            mine = {
                row["metric"]: row
                for row in of_bench
                if (row["data"], row["split"], row["system"]) == (data, split, system)
            }
            cells = [_cell(mine.get(metric)) for metric in metrics]
            lines.append(_line([f"{data} {split}".strip(), system, *cells]))
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _cell(row: Row | None) -> str:
    if row is None:
        return ""
    value = row["value"]
    shown = f"{value:.4f}" if abs(value) < 2 else f"{value:,.1f}"
    if row.get("ci95"):
        low, high = row["ci95"]
        return f"{shown} ({low:.3f}–{high:.3f})"
    return shown


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def renew_table(readme: Path, results: Path) -> None:
    """Put the table of all results between the markers of the README.

    Raises:
        ValueError: the markers are not there.
    """
    text = readme.read_text("utf-8")
    if BEGIN not in text or END not in text:
        raise ValueError(f"{readme} lacks the markers {BEGIN!r} and {END!r}")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    rows = read(results)
    machines = sorted({str(row["machine"]) for row in rows if row.get("machine")})
    body = "\n\n".join(["", *(f"Measured on: {machine}." for machine in machines), table(rows), ""])
    readme.write_text(f"{before}{BEGIN}{body}{END}{after}", encoding="utf-8")
