"""The table of ``docs/peers.md``, written from ``benchmarks/results/peers.json``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from benchmarks.report import read

BEGIN, END = "<!-- table -->", "<!-- /table -->"
_HEAD = (
    "| report | system | good: passed | doubted | accused | unread | unseen | bad: accused | doubted | passed "
    "| unread, unseen | no source: passed | CPU s, first | again |"
)
_SYSTEMS = {
    "with our models": "proofpath, our models",
    "as installed": "proofpath as installed",
    "workbench": "workbench audit",
}
_Values = Mapping[str, tuple[float, int]]


def renew(page: Path, results: Path) -> None:
    """Put the table between the marks of the page.

    Raises:
        ValueError: the marks are not there.
    """
    text = page.read_text("utf-8")
    if BEGIN not in text or END not in text:
        raise ValueError(f"{page} lacks the marks {BEGIN!r} and {END!r}")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    page.write_text(f"{before}{BEGIN}\n{table(results)}\n{END}{after}", encoding="utf-8")


def table(results: Path) -> str:
    """One line for each report and system, in the order of the results: counts of citations, processor seconds."""
    cells: dict[tuple[str, str], dict[str, tuple[float, int]]] = {}
    for row in read(results):
        name = next((name for words, name in _SYSTEMS.items() if words in row["system"]), None)
        if row["bench"] == "peers" and name is not None:
            cells.setdefault((row["data"], name), {})[row["metric"]] = (row["value"], row["n"])
    lines = [f"| {report} | {system} | {_cells(values)} |" for (report, system), values in cells.items()]
    return "\n".join([_HEAD, "| --- " * 14 + "|", *lines])


def _cells(values: _Values) -> str:
    def count(metric: str) -> int:
        share, of = values.get(metric, (0.0, 0))
        return round(share * of)

    def first(metric: str) -> str:
        return f"{count(metric)} of {values[metric][1]}" if metric in values else ""

    cells = [
        first("good_passed"), *(str(count(f"good_{name}")) for name in ("doubted", "accused", "unread", "unseen")),
        first("bad_accused"), str(count("bad_doubted")), str(count("bad_passed")),
        str(count("bad_unread") + count("bad_unseen")), first("dead_passed"),
        *(
            f"{values[name][0]:.{digits}f}" if name in values else ""
            for name, digits in (("first_cpu_s", 1), ("repeat_cpu_s", 2))
        ),
    ]  # fmt: skip
    return " | ".join(cells)
