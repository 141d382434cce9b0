"""What all readers share: DOI, references, names, language."""

from __future__ import annotations

import pytest

from core.acquire.read_common import count_references, find_doi, language_of, names, own_doi
from core.records import Heading


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("A title\n\nDOI 10.1186/s12984-016-0129-6\n\nText.", "10.1186/s12984-016-0129-6"),
        ("Journal (2016) 13:22 https://doi.org/10.1234/ABC", "10.1234/abc"),
        ("doi: 10.5555/x.1 \u00b7 Report 7", "10.5555/x.1"),
        ("As Lee wrote (doi:10.1234/abc), it rains.", None),
        ("According to https://doi.org/10.1234/abc it rained.", None),
        ("[1] Lee A. A work. doi:10.1234/abc", None),
        ("No number at all.", None),
    ],
)
def test_a_text_has_only_the_doi_that_it_gives_as_its_own(text: str, doi: str | None) -> None:
    assert own_doi(text) == doi


def test_a_doi_ends_before_punctuation_but_keeps_its_brackets() -> None:
    assert find_doi("see 10.1016/S0140-6736(20)30183-5).") == "10.1016/s0140-6736(20)30183-5"


def test_references_are_counted_under_their_heading_only() -> None:
    text = "References\n\n[1] One.\n\n[2] Two.\n\nAppendix\n\n[3] is no reference."
    after = text.index("Appendix")
    headings = (Heading(1, 0, 10, "References"), Heading(1, after, after + 8, "Appendix"))
    assert count_references(text, headings) == 2
    assert count_references(text, headings[1:]) == 0


def test_names_are_parted_and_cleaned() -> None:
    assert names("Ann Lee; Bo Cho and  Cy Da") == ("Ann Lee", "Bo Cho", "Cy Da")
    assert names("Lee, Ann") == ("Lee, Ann",)
    assert names("A. Lee, B. Cho, C. Da") == ("A. Lee", "B. Cho", "C. Da")
    assert names(["X", "", "123", "Ann Lee", "Ann Lee"]) == ("Ann Lee",)
    assert names(None) == ()


def test_a_short_text_has_the_declared_language_or_none() -> None:
    assert language_of("Short.", "de-AT") == "de"
    assert language_of("Short.") is None
    german = "Die Stadt hat im Sommer viele Bäume gepflanzt, damit die Straßen kühler werden und die Leute gern gehen."
    assert language_of(german, "en") == "de"
    assert language_of("12 34 56 78 " * 100) is None
