"""Words that count several times, as people read them and as the index does."""

from __future__ import annotations

import pytest

from core.expand.question import counted, repeated


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plumes plumes plumes titan", "plumes ×3 titan"),
        ("air air pollution Delhi Delhi", "air ×2 pollution Delhi ×2"),
        ("how bad is it", "how bad is it"),
        ("plume plumes", "plume plumes"),
        ("C++ C++", "C++ ×2"),
        ("", ""),
    ],
)
def test_a_word_in_a_row_is_counted_and_comes_back(text: str, shown: str) -> None:
    assert counted(text) == shown
    assert repeated(shown) == text


def test_what_a_person_types_is_weighted_as_it_is_shown() -> None:
    assert repeated("heat ×2 pump ×0 at 3 × 4") == "heat heat pump at 3 × 4"
