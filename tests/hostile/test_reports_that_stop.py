"""Reports that cost more than the reader may take: each is refused with what to do, and the next is read."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import docx
import pytest

from core.acquire.worker_pool import WorkerExtractor
from core.audit import reader_process
from core.audit.report import read_markdown, read_report
from core.audit.report_reader import read_bytes, read_pasted
from core.errors import ReportError
from core.records import Fetched
from core.settings.values import Parsing, Settings
from core.workbench.first_steps import check_report
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench

GOOD = r"""---
title: "Lime \ud800 trees"
---

# Trees

Limes cool the air [1]. 東京 too [^2].

## References

1. Smith, A. (2020). Limes. https://a.example/

[^2]: Oaks. https://b.example/
"""


def _docx(lines: int = 1) -> bytes:
    body = io.BytesIO()
    document = docx.Document()
    document.add_paragraph("\n".join(f"Limes {line}." for line in range(lines)))
    document.save(body)
    return body.getvalue()


FORMATS = {
    "r.md": GOOD.encode(),
    "r.txt": b"Limes cool the air (Smith, 2020).",
    "r.html": b"<html><body><p>Limes cool the air.</p></body></html>",
    "r.docx": _docx(),
    "r.pdf": (Path(__file__).resolve().parents[2] / "core/demo/sources/trapped-heat-wp-22-07.pdf").read_bytes(),
}


def reader(**caps: float) -> WorkerExtractor:
    return WorkerExtractor(Parsing.model_validate(caps), workers=1, program=reader_process.__name__)


@pytest.mark.parametrize("name", FORMATS)
def test_a_report_of_every_format_over_its_time_is_refused_with_what_to_do(name: str) -> None:
    with reader(timeout_s=0.01) as extractor, pytest.raises(ReportError, match=r"took longer than 0.01 s.*timeout_s"):
        read_bytes(Fetched(FORMATS[name], "", filename=name), extractor)


GREEDY: dict[str, Callable[[], bytes]] = {
    "greedy.docx": lambda: _docx(1_000_000),
    "greedy.html": lambda: b"<html><body>" + b"<p><b>a</b>" * 2_000_000,
    "greedy.md": lambda: b"# A\n\n" + b"- [1] b\n" * 1_000_000,
    "greedy.txt": lambda: b"word (Smith, 2020)\n" * 1_000_000,
}


@pytest.fixture(scope="module")
def small() -> Iterator[WorkerExtractor]:
    with reader(memory_mb=256, timeout_s=60) as extractor:
        yield extractor


@pytest.mark.parametrize("name", GREEDY)
def test_a_report_over_its_memory_is_refused_with_what_to_do_and_the_next_is_read(
    small: WorkerExtractor, name: str
) -> None:
    with pytest.raises(ReportError, match=rf"{name} .*(memory.*memory_mb|longer than).*Split .*raise the limit"):
        read_bytes(Fetched(GREEDY[name](), "", filename=name), small)
    good = Fetched(GOOD.encode(), "", filename="good.md")
    assert read_bytes(good, small) == read_report(good)


def test_a_pasted_text_is_read_apart_as_it_is_here(small: WorkerExtractor) -> None:
    assert read_pasted(GOOD, small) == read_markdown(GOOD)


@pytest.fixture
def hurried(tmp_path: Path) -> Iterator[Workbench]:
    made = open_workbench(tmp_path / "root", Settings(parsing=Parsing(timeout_s=0.01)))
    yield made
    made.close()


def test_of_a_report_that_is_stopped_nothing_is_kept(hurried: Workbench) -> None:
    with pytest.raises(ReportError, match="took longer"):
        check_report(hurried, "r.md", GOOD.encode())
    assert hurried.projects() == []
    project = hurried.open(hurried.create("Trees").slug)
    for take in (project.audits.add, project.audits.add_again, project.claims.extract_file):
        with pytest.raises(ReportError, match=r"took longer.*Split"):
            take("r.md", GOOD.encode())
    with pytest.raises(ReportError, match=r"took longer.*Split"):
        project.claims.extract_text(GOOD)
    assert project.audits.reports() == []
    assert project.jobs.all() == []
    assert project.claims.all() == []


def test_a_stored_report_that_is_stopped_says_so_and_stays(hurried: Workbench, workbench: Workbench) -> None:
    """Half a report is never shown: a project from elsewhere may hold a text that nobody here has read."""
    sound = workbench.open(workbench.create("Sound").slug)
    report, _ = sound.audits.add("r.md", GOOD.encode())
    hasty = type(sound.audits)(replace(sound.context, engines=hurried.engines))
    with pytest.raises(ReportError, match=r"took longer.*Split"):
        hasty.read(report.id)
    assert sound.audits.read(report.id).text == GOOD
