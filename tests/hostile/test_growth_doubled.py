"""Twice the text costs at most 2.3 times the work, for every parser of foreign text and bytes. Processor time is
compared, of several runs the least and of several tries the best, so that a busy machine bends nothing; no seconds are
asserted. ``python -m tests.helpers.growing`` prints the figures."""

from __future__ import annotations

import pytest

from tests.helpers.growing import LIMIT, PARSERS, growth


@pytest.mark.parametrize("name", PARSERS)
def test_twice_the_text_costs_twice_the_work(name: str) -> None:
    measured = growth(PARSERS[name])
    assert measured is None or measured.ratio <= LIMIT, measured
