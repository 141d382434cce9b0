"""The process that parses sources, lists of references and reports: ``python -m core.audit.reader_process``. The rest
of it is ``core.acquire.worker``."""

import sys
from typing import Any

from core.acquire.worker import TASKS, main
from core.acquire.worker_protocol import fetched_from
from core.audit.report_reader import REPORT, records_of_reports
from core.errors import UnreadableSource
from core.labels import FetchState

_LARGEST = 32_000_000
"""Bytes of a report with all that was found in it. One of 100 printed pages has about two million."""


def read_report(head: dict[str, Any], body: bytes) -> tuple[dict[str, Any], bytes]:
    """The task of reading a report: from bytes as received (``fetched``) or from text that was read before."""
    from core.audit import report as reading

    if head["fetched"] is not None:
        limits = {"max_bytes": head["max_bytes"], "max_text_chars": head["max_text_chars"]}
        report = reading.read_report(fetched_from(head["fetched"], body), **limits)
    else:
        text, plain = body.decode("utf-8"), head["plain"]
        if plain is None:
            plain = not reading.looks_like_markdown(text)
        report = (reading.read_text if plain else reading.read_markdown)(text, url=head["url"])
    encoded = records_of_reports().dump_json(report)
    if len(encoded) > _LARGEST:
        raise UnreadableSource(
            FetchState.TOO_LARGE,
            f"{head['name']} has {len(report.markers):,} citations in {len(report.sentences):,} sentences, which is "
            "more than one audit can hold. Split it.",
        )
    return {}, encoded


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:], {**TASKS, REPORT: read_report}))
