"""What a report gives as an address may be none: it is a row with a reason, and never ends the audit."""

from __future__ import annotations

import ast
from contextlib import suppress
from pathlib import Path

import pytest

from core.audit.cited_sources import address_to_fetch
from core.audit.report import read_markdown, read_report, read_text
from core.audit.report_model import Report
from core.audit.resolve import SourceBook
from core.audit.rows import cases_of
from core.errors import SourceError
from core.labels import Status
from core.records import Fetched
from core.text.urls import (
    arxiv_id_of,
    canonical_or_none,
    canonical_url,
    doi_of,
    fetchable_url,
    joined_url,
    parse_urls,
    site_of,
    url_parts,
)
from tests.helpers.serving import Served, Town

NONE = [
    "http://[your-server]/path", "https://[x]", "http://[::1", "http://a]b/", "//[x]/y", "http://[]/",
    "http://[:::]:80/", "http://[v1.a]/", "https://user:pw@[/x", "https://e.example:99999/x", "https://e.example:abc/",
    "https://e.example:\u0663/", "http://a\u2100b/x", "http://\u2102.\u2100/x", "https://\u2603..example/",
    "https://" + "\u00fc" * 70 + ".example/", "https://\ufdd0.example/", "http://?", "https:///x",
    "https://web.archive.org/web/20190101/https://[your]:x/y", "https://doi.org/[x]", "https://doi.org/10.1234/[x]%zz",
    "https://e.example/%zz%ff[&;=%", "https://a.ex\tample/x", "https://-a.example/", "http://0x7f.1/",
]  # fmt: skip
PLACES = [
    "It rose by 4 ({}).",
    "It rose [here]({}).",
    "It rose [here](<{}>).",
    "It rose <{}> ![x]({}) today.",
    "It rose {} today.",
    "It rose.[^1]\n\n[^1]: Smith (2020). {}",
    "It rose [1].\n\n[1]: {}",
    "It rose [1].\n\n## References\n\n1. Smith, A. (2020). Trees. {}\n[2] {}\n",
    "It rose (Smith, 2020).\n\n## References\n\n- Smith, A. (2020). Trees. {}\n",
    "---\nurl: {}\ndoi: {}\n---\nIt rose [1].",
    "---\nreferences:\n- id: k\n  URL: {}\n  DOI: {}\n---\nIt rose [@k].",
    "URL: {}\n\nIt rose [1]({}).",
    'It rose <sup>[1]({})</sup> <a href="{}">x</a>.',
    "It rose [x][k].\n\n[k]: <{}> \"t\"",
]  # fmt: skip


@pytest.mark.parametrize("address", NONE)
def test_a_report_is_read_and_looked_up_whatever_it_gives_as_an_address(address: str) -> None:
    for place in PLACES:
        text = place.replace("{}", address)
        page = f"<link rel=canonical href='{address}'><p>It rose by four <a href='{address}'>[1]</a>.</p><p>{text}</p>"
        for report in (read_markdown(text), read_text(text), read_report(Fetched(page.encode(), "text/html"))):
            _look_up(report)


def _look_up(report: Report) -> None:
    book = SourceBook([], [])
    for case in cases_of(report):
        if case.reference is not None:
            assert book.find(case.reference).document_id is None
            address_to_fetch(case)


@pytest.mark.parametrize("address", NONE)
def test_functions_of_addresses_answer_or_raise_our_error(address: str) -> None:
    for raising in (canonical_url, fetchable_url, site_of, lambda url: joined_url("https://a.example/", url)):
        with suppress(SourceError):
            assert raising(address)
    for answering in (arxiv_id_of, canonical_or_none, doi_of, parse_urls, url_parts):
        answering(address)


def test_two_addresses_that_are_none_are_not_one_source() -> None:
    report = read_markdown("It rose [a](http://[one]/x). It fell [b](http://[two]/y).")
    keys = {case.reference.url for case in cases_of(report) if case.reference is not None}
    assert len(keys) in (0, 2)


def test_no_module_but_one_calls_the_library_that_raises() -> None:
    """``urllib.parse`` and ``dateutil`` raise on text that is not ours; one place translates."""
    root = Path(__file__).resolve().parents[2]
    raising = {"urlsplit", "urlparse", "urljoin"}
    for path in (path for top in ("core", "storage", "pages") for path in sorted((root / top).rglob("*.py"))):
        imported = {
            name.name for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)
            for name in node.names if node.module == "urllib.parse"
        }  # fmt: skip
        assert path == root / "core/text/urls.py" or not raising & imported, path


def test_such_a_report_is_audited_over_http(at: Served, streets: Town) -> None:
    text = "\n\n".join(f"The city planted {at} limes [{at}]({address})." for at, address in enumerate(NONE, start=2))
    good = "The city planted 400 limes on Mill Lane [1](https://trees.example/limes)."
    with at.client() as client:
        remote = client.open("streets")
        asked = remote.audit("report.md", f"# Odd\n\n{good}\n\n{text}\n".encode(), "text/markdown")
        streets.work()
        rows = remote.finished(asked.job.id).findings
    assert len(rows) >= 15
    assert all(row.status is not None and row.explanation for row in rows)
    assert rows[0].status in (Status.PASS, Status.REVIEW, Status.SOURCE_NOT_INDEXED)
