"""Names of written files are safe on every file system, whatever the report is called."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

import pytest

from core.export.formats import ExportFormat
from core.export.job import file_name, shared_name, shown_name
from tests.helpers.exporting import content_of

REPORT = content_of(["One."]).report


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "..", "", "a\x00b", "CON", "木" * 255, "\U0001f333" * 200, "-o evil.csv", "a/b\\c:d*?"]
)
def test_a_name_is_one_short_component(name: str) -> None:
    for format in ExportFormat:
        shown = shown_name(replace(REPORT, name=name), format)
        assert re.fullmatch(r"[\w-]+\.\w+", shown), shown
        assert not shown.startswith("-")
        assert len(file_name(10**9, replace(REPORT, name=name), format).encode()) < 200


def test_a_name_says_which_report_it_is() -> None:
    assert shown_name(REPORT, ExportFormat.XLSX) == "report-audit.xlsx"
    assert shown_name(replace(REPORT, name="Städte 2025.docx"), ExportFormat.PACK) == "Städte-2025-pack.zip"


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Trees and heat: what holds?", "Trees and heat what holds 2026-11-30.html"),
        ("  A/B\\C  *** ", "A B C 2026-11-30.html"),
        ("Städte – ein Überblick (2. Auflage)", "Städte ein Überblick (2. Auflage) 2026-11-30.html"),
        ("", "report 2026-11-30.html"),
        ("...", "report 2026-11-30.html"),
        ("../../etc/passwd", "etc passwd 2026-11-30.html"),
        ("-rf", "rf 2026-11-30.html"),
    ],
)
def test_a_shared_page_is_named_after_the_report_and_the_day(title: str, name: str) -> None:
    assert shared_name(replace(REPORT, title=title, name="report.md"), date(2026, 11, 30)) == name


def test_a_long_title_stays_a_name_that_every_system_takes() -> None:
    assert len(shared_name(replace(REPORT, title="木" * 400), date(2026, 11, 30)).encode()) < 255
