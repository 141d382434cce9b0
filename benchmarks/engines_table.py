"""The tables of docs/decisions/0015-ragatouille.md, written from ``benchmarks/results/engines.json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.report import Row, read

BEGIN, END = "<!-- engines -->", "<!-- /engines -->"
_COLUMNS: Mapping[str, tuple[str, str]] = {
    "build_s": ("build s", "{:,.1f}"),
    "build_cpu_s": ("build CPU s", "{:,.1f}"),
    "disk_bytes": ("disk MB", "{:,.1f}"),
    "query_p50_ms": ("query p50 ms", "{:,.1f}"),
    "query_p95_ms": ("p95", "{:,.1f}"),
    "query_encoding_p50_ms": ("of which encoding", "{:,.1f}"),
    "ndcg@10": ("nDCG@10", "{:.3f}"),
    "overlap_with_exact": ("best 5 as exact", "{:.1%}"),
    "add_one_s": ("add one s", "{:,.2f}"),
    "delete_one_s": ("delete one s", "{:,.2f}"),
    "passages_per_second": ("passages a second", "{:,.1f}"),
    "cosine_with_float": ("cosine with float", "{:.4f}"),
}
_KILLED = {
    "answers_after_killed_build": "a build: does what was there before still answer",
    "answers_after_killed_search": "a search: is it answered, and again",
}


def renew(page: Path, results: Path) -> None:
    """Put the tables between the marks of the page; a page without marks stays as it is."""
    text = page.read_text("utf-8")
    if BEGIN not in text or END not in text:
        return
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    rows = [row for row in read(results) if row["bench"] == "engines"]
    page.write_text(f"{before}{BEGIN}\n{tables(rows)}\n{END}{after}", encoding="utf-8")


def tables(rows: Sequence[Row]) -> str:
    """One table for each group of rows, and the words of what did not work."""
    parts = []
    for data, split in dict.fromkeys((row["data"], row["split"]) for row in rows):
        mine = [row for row in rows if (row["data"], row["split"]) == (data, split)]
        queries = next((f", {row['n']} queries" for row in mine if row["metric"] == "query_p50_ms"), "")
        title = "encoder" if split == "encoder" else data
        parts.append(f"**{title}{queries}**\n\n{_table(mine)}")
    return "\n\n".join(parts)


def _table(rows: Sequence[Row]) -> str:
    metrics = {row["metric"] for row in rows}
    columns = [name for name in _COLUMNS if name in metrics]
    killed = [name for name in _KILLED if name in metrics]
    heads = ["system", *(_COLUMNS[name][0] for name in columns), *(_KILLED[name] for name in killed)]
    lines = [_line(heads), _line(["---"] * len(heads))]
    for system in dict.fromkeys(row["system"] for row in rows):
        mine = {row["metric"]: row for row in rows if row["system"] == system}
        cells = [_number(name, mine.get(name)) for name in columns] + [_words(mine.get(name)) for name in killed]
        lines.append(_line([system, *cells]))
    notes = [
        f"{row['system']}, {row['metric']}: {row['fingerprint']['said']}."
        for row in rows
        if row["fingerprint"].get("said") and row["metric"] not in _KILLED
    ]
    return "\n".join(lines + (["", *(f"- {note}" for note in dict.fromkeys(notes))] if notes else []))


def _number(metric: str, row: Row | None) -> str:
    if row is None:
        return ""
    return _COLUMNS[metric][1].format(row["value"] / 1e6 if metric == "disk_bytes" else row["value"])


def _words(row: Row | None) -> str:
    return "" if row is None else f"{'yes' if row['value'] else 'no'}: {row['fingerprint'].get('said', '')}"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |"
