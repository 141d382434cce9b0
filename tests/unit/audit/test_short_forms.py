"""Short forms lead to the entry before them that they mean."""

from __future__ import annotations

import pytest

from core.audit.report import read_markdown
from core.audit.report_model import LeftoverKind
from core.audit.rows import UNUSED, cases_of

FIRST = "[^1]: Berg, A. (2020). Limes of Mill Lane. https://a.example/1\n[^2]: Lund, B. (2021). Shops. https://a.example/2\n"


def urls(text: str) -> list[str | None]:
    return [case.row.url for case in cases_of(read_markdown(text)) if case.row.style != UNUSED]


@pytest.mark.parametrize(
    ("note", "number"),
    [
        ("Ibid., p. 14.", 2), ("ibid.", 2), ("Ibid", 2), ("See ibid., pp. "
            "3\u20134.", 2), ("Ebd., S. 4.", 2), ("Id. at 14.", 2),
        ("*Ibid.*, 12.", 2), ("Berg, op. cit., p. 3.", 1), ("Lund, loc. cit.", 2), ("Berg, a. a. O., S. 4.", 1),
        ("Berg (n 1) 14.", 1), ("Berg, supra note 1, at 14.", 1), ("A. Berg, op. cit.", 1),
    ],
)  # fmt: skip
def test_a_note_that_is_a_short_form_leads_to_what_it_means(note: str, number: int) -> None:
    text = f"Limes stood.[^1] Takings rose.[^2] Oaks fell.[^3]\n\n{FIRST}[^3]: {note}\n"
    assert urls(text)[2] == f"https://a.example/{number}"


def test_short_forms_follow_each_other() -> None:
    text = f"A rose.[^1] B rose.[^2] C rose.[^3] D rose.[^4]\n\n{FIRST}[^3]: Ibid.\n[^4]: Ibid., p. 9.\n"
    assert urls(text)[2:] == ["https://a.example/2"] * 2


def test_entries_of_a_numbered_list_may_be_short_too() -> None:
    text = "A rose [1]. B rose [2].\n\n## Notes\n\n1. Berg (2020). Limes. https://a.example/1\n2. Ibid., p. 4.\n"
    assert urls(text) == ["https://a.example/1"] * 2


@pytest.mark.parametrize("dashes", ["\u2014\u2014\u2014", "---", "\u2e3a", "______"])
def test_dashes_stand_for_the_authors_before(dashes: str) -> None:
    text = (
        "A rose (Berg, 2020). B rose (Berg, 2021).\n\n## References\n\n"
        f"Berg, A. (2020). Limes. https://a.example/1\n\n{dashes}. (2021). Shops. https://a.example/2\n"
    )
    assert urls(text) == ["https://a.example/1", "https://a.example/2"]


@pytest.mark.parametrize("words", ["(ibid.)", "(ibid., p. 4)", "(see ibid.)", "(Berg, op. cit., p. 9)"])
def test_a_short_form_in_the_text_means_the_work_cited_before(words: str) -> None:
    text = f"A rose (Berg, 2020). B rose {words}.\n\n## References\n\nBerg, A. (2020). Limes. https://a.example/1\n"
    assert urls(text) == ["https://a.example/1"] * 2


def test_a_short_form_with_nothing_before_it_is_counted() -> None:
    assert [item.kind for item in read_markdown("It rose (ibid., p. 4).").leftovers] == [LeftoverKind.MARK]


@pytest.mark.parametrize(
    "note", ["Ibid Press (2019). Elms. https://a.example/9", "Ibidem is Latin for the same place.", "See Berg."]
)
def test_a_note_that_only_begins_so_is_no_short_form(note: str) -> None:
    text = f"Limes stood.[^1] Takings rose.[^2] Oaks fell.[^3]\n\n{FIRST}[^3]: {note}\n"
    assert urls(text)[2] in (None, "https://a.example/9")
