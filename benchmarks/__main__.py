"""``python -m benchmarks BENCH``: measure, write results, renew the tables. ``--help`` names the benchmarks."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from benchmarks import engines_table, peers_table, report
from benchmarks.data import DEFAULT_DATA, default_cache

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
# Benchmarks that need the data sets only, and their modules.
_BY_DATA = {"extraction": "extraction"}
# Benchmarks in parts, with a cache and a quick form.
_IN_PARTS = ("verification", "audit", "speed", "expansion", "answers")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one benchmark; the exit status is 0 when its results were written."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.limit is not None and (options.bench != "audit" or options.limit < 2):
        parser.error("--limit goes with the benchmark audit and is 2 or more")
    if options.bench == "table":
        _renew()
        return 0
    if options.bench in _BY_DATA:
        rows = import_module(f"benchmarks.{_BY_DATA[options.bench]}").run(options.data)
    elif options.bench in _IN_PARTS:
        bench = import_module(f"benchmarks.{options.bench}")
        limit = {} if options.limit is None else {"limit": options.limit}
        rows = bench.run(options.data, options.cache, options.only, quick=options.quick, **limit)
    elif options.bench == "peers":
        from benchmarks import peers

        rows = peers.run(options.data, options.cache, options.only)
    elif options.bench == "engines":
        return _engines(options)
    else:
        from benchmarks import retrieval

        rows = retrieval.run(options.data, options.cache, options.only, systems=options.systems, quick=options.quick)
    target = options.results / f"{options.bench}.json"
    if options.quick or options.limit is not None:
        print(report.table(rows))
        print("Quick run: nothing was written.", file=sys.stderr)
        return 0
    report.merge(target, rows)
    if options.results == RESULTS:
        _renew()
    print(report.table(rows))
    return 0


def _engines(options: argparse.Namespace) -> int:
    """Each part is written when it ends: the whole takes half an hour."""
    from benchmarks import engines
    from core.errors import ExtraMissing

    def write(rows: Sequence[report.Row]) -> None:
        if options.quick:
            return
        report.merge(options.results / "engines.json", rows)
        if options.results == RESULTS:
            _renew()

    try:
        rows = engines.run(options.data, options.cache, options.only, write, quick=options.quick)
    except (ExtraMissing, ValueError, engines.PartsFailed) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(report.table(rows))
    if options.quick:
        print("Quick run: nothing was written.", file=sys.stderr)
    return 0


def _renew() -> None:
    report.renew_tables(RESULTS)
    peers_table.renew(HERE.parent / "docs" / "peers.md", RESULTS)
    engines_table.renew(HERE.parent / "docs" / "experiments" / "0015-ragatouille.md", RESULTS)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("bench", choices=["retrieval", *_IN_PARTS, "peers", "engines", *_BY_DATA, "table"])
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA, help="the folder of public data sets")
    parser.add_argument(
        "--only", type=_names, default=None, help="data sets (retrieval) or parts (the others), by comma"
    )
    parser.add_argument("--systems", type=_names, default=None, help="stage combinations, by comma")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="where encoded texts are kept")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where results are written")
    parser.add_argument("--limit", type=int, help="audit: so many claims of WiCE, one page of the demo; writes nothing")
    parser.add_argument("--quick", action="store_true", help="a small part of everything; writes nothing")
    return parser


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


if __name__ == "__main__":
    sys.exit(main())
