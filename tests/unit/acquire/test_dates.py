"""Dates as sources write them."""

from __future__ import annotations

from datetime import date

import pytest

from core.acquire.read_common import parse_date


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2024-01-31", date(2024, 1, 31)),
        ("2024-01-31T10:00:00Z", date(2024, 1, 31)),
        ("2024/1/3", date(2024, 1, 3)),
        ("2024-05", date(2024, 5, 1)),
        ("2024", date(2024, 1, 1)),
        ("D:20240131120000+01'00'", date(2024, 1, 31)),
        ("31 January 2024", date(2024, 1, 31)),
        ("Jan 31, 2024", date(2024, 1, 31)),
        ("March 2024", date(2024, 3, 1)),
    ],
)
def test_a_date_is_understood(written: str, meant: date) -> None:
    assert parse_date(written) == meant


@pytest.mark.parametrize(
    "written", [None, "", "soon", "13:45", "2024-13-45", "0000-00-00", "9999", "12 May", "x" * 10_000]
)
def test_what_is_no_date_stays_unknown(written: str | None) -> None:
    assert parse_date(written) is None
