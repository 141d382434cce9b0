"""Results on disk, and their tables in ``results/TABLES.md``. Standard library only: the gate runs uninstalled."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]
Line = tuple[str, str, str]
"""Data set, its split, and the system that was measured on it."""
TABLES = "TABLES.md"
KEYS = ("bench", "data", "split", "system", "metric")
MOST_METRICS = 18
"""Columns of a table beside the data and the system."""
_INTRODUCTION = """# Tables of all results

Written by `python -m benchmarks table` from the JSON files beside this page; how each was measured stands in
[../README.md](../README.md). Behind a value stand the ends of its 95 % interval, where one was made.
"""


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
    """The results in Markdown: a heading for each benchmark; a line is a system on a data set, a column a metric."""
    by_bench: dict[str, dict[Line, dict[str, Row]]] = {}
    for row in rows:
        lines = by_bench.setdefault(row["bench"], {})
        lines.setdefault((row["data"], row["split"], row["system"]), {})[row["metric"]] = row
    return "\n\n".join(
        "\n\n".join([f"## {bench}", *(part for group in _groups(lines) for part in _tables(group))])
        for bench, lines in by_bench.items()
    )


def _groups(lines: Mapping[Line, dict[str, Row]]) -> list[dict[Line, dict[str, Row]]]:
    """Lines that share half of their metrics stand in one table."""
    groups: list[dict[Line, dict[str, Row]]] = []
    for name, cells in lines.items():
        for group in groups:
            metrics = {metric for others in group.values() for metric in others}
            if 2 * len(cells.keys() & metrics) >= min(len(cells), len(metrics)):
                group[name] = cells
                break
        else:
            groups.append({name: cells})
    return groups


def _tables(lines: Mapping[Line, Mapping[str, Row]]) -> list[str]:
    """One table, or several where the lines have more metrics than a table takes."""
    metrics = list(dict.fromkeys(metric for cells in lines.values() for metric in cells))
    tables = []
    for start in range(0, len(metrics), MOST_METRICS):
        columns = metrics[start : start + MOST_METRICS]
        body = [
            _line([f"{data} {split}".strip(), system, *(_cell(cells.get(metric)) for metric in columns)])
            for (data, split, system), cells in lines.items()
            if cells.keys() & set(columns)
        ]
        tables.append("\n".join([_line(["data", "system", *columns]), _line(["---"] * (2 + len(columns))), *body]))
    return tables


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


def renew_tables(results: Path) -> None:
    """Write the tables of all results of a folder into its ``TABLES.md``."""
    rows = read(results)
    machines = sorted({str(row["machine"]) for row in rows if row.get("machine")})
    parts = [_INTRODUCTION.strip(), *(f"Measured on: {machine}." for machine in machines), table(rows)]
    (results / TABLES).write_text("\n\n".join(parts) + "\n", encoding="utf-8")
