"""Promises of telling entries of lists of references from statements: in every style, and no statement is lost."""

from __future__ import annotations

import pytest

from core.acquire.reference_entries import listed_entries, reference_spans
from core.records import Heading

VANCOUVER = "Abara L, Quist J. Street trees cool the city at night. Society for Urban Climate; 2018."
PROSE = "Street trees cool the city at night. In 2018 the air was 0.2 degrees cooler (Quist 2019)."


def excluded(text: str, *headings: str, language: str | None = None) -> list[str]:
    found = [Heading(2, text.index(one), text.index(one) + len(one), one) for one in headings]
    return [text[a:b] for a, b in reference_spans(text, 0, found, language)]


@pytest.mark.parametrize(
    "entry",
    [
        VANCOUVER,
        "3. Chuong EB, Elde NC, Feschotte C. Regulatory activities of elements. Nat Rev Genet. 2017;18(2):71\u201386.",
        "[12] Petrov M, et al. Trees cool streets. Annals of Heat 2024; 6: 112\u2013131. doi:10.1234/ah.2024.6",
        "Varga, I., Okonjo, T., & Halvorsen, R. (2023). Trees cool streets. Journal of Shade, 4(1), 1\u20139.",
        "- Halvorsen, R. Loggers on lamp posts: a field manual. Society for Urban Climate, 2018.",
        "[4] M. Solano, A. B. Quist and C. Rowe, \u201cTrees cool streets,\u201d J. Shade, vol. 3, pp. 1\u20139, 2018.",
        "Abara L, Quist J (2022). Night air in narrow streets: trees are warm. Working paper 22-03.",
        "van der Berg, J. P. Trees cool streets. https://shade.example/paper",
        "Society for Urban Climate; 2018.",
    ],
)
def test_an_entry_is_known_by_its_form_whatever_its_style(entry: str) -> None:
    assert excluded(f"{PROSE}\n\n{entry}\n\n{PROSE}") == [entry]


@pytest.mark.parametrize(
    "heading", ["References", "6. Bibliography", "Works cited", "Literaturverzeichnis", "## References"]
)
def test_under_such_a_heading_entries_without_initials_are_known_too(heading: str) -> None:
    entries = [
        "World Heat Agency. Trees cool the city at night. Port Merrin; 2020.",
        "Jan Quist. Shade works, 2018, 3rd ed.",
    ]
    text = f"{PROSE}\n\n{heading}\n\n{entries[0]}\n\n{entries[1]}"
    assert excluded(text) == entries  # the heading on a line of its own
    assert excluded(text, heading) == entries  # the heading as the reader of the document found it


def test_a_list_ends_at_the_next_heading_and_holds_in_a_passage_that_begins_within_it() -> None:
    text = f"References\n\n{VANCOUVER}\n\nAppendix\n\nTrees cool streets, as the survey of 2018 showed."
    assert excluded(text, "References", "Appendix") == [VANCOUVER]
    inside = "Trees cool the city at night. Port Merrin; 2020."
    assert reference_spans(inside, 500, [Heading(2, 100, 110, "References")]) == [(500, 500 + len(inside))]


def test_an_entry_that_was_wrapped_is_one() -> None:
    wrapped = (
        "Abara L, Quist J. Street trees warm narrow streets and they\ncool wide ones. Society for Urban Climate; 2018."
    )
    assert excluded(f"{PROSE}\n\n{wrapped}\n\n{PROSE}") == [wrapped]


def test_numbered_addresses_are_a_list_without_a_heading() -> None:
    lines = ["[1] https://shade.example/a - Trees cool streets", "[2] https://shade.example/b - Trees warm streets"]
    assert excluded(PROSE + "\n\n" + "\n".join(lines)) == lines


@pytest.mark.parametrize(
    "statement",
    [
        PROSE,
        "Varga, Okonjo and Halvorsen (2023) found that trees cool streets.",
        "J. Quist and L. Abara (2018) found that the streets were cooler.",
        "Vitamin D. The trial of 2018 showed that it helps.",
        "Miller, J., said in 2018 that trees cool streets.",
        "Planting peaked in 2021.",
        "The plan was adopted by the council; 2018.",
        "The price fell to 40 crowns (2018).",
        "The data can be had from https://shade.example/data, which the city keeps up to date.",
    ],
)
def test_no_statement_is_taken_for_an_entry(statement: str) -> None:
    assert excluded(f"{statement}\n\n{statement}") == []


@pytest.mark.parametrize(
    ("heading", "language", "statement"),
    [
        ("Footnotes", "en", "[1] The value is taken from Varga (2023), who studied trees of 38 centimetres."),
        (
            "Notes",
            "en",
            "[1] Counted over the five districts; 11,070 of 31,640 trees. The auditor uses a narrower definition.",
        ),
        ("Further reading", "en", "The manual of 2018 explains how loggers are hung on lamp posts."),
        ("References", "en", "The measurements of the two authors are kept at Tarn and can be read there."),
        ("Quellen", "de", "Die Zahlen gelten nur f\u00fcr Hafenviertel mit Hausnummern."),
        ("Acknowledgements", "en", "The study was paid for by the Research Council."),
    ],
)
def test_statements_among_notes_and_entries_stay(heading: str, language: str, statement: str) -> None:
    assert excluded(f"{heading}\n\n{statement}\n\n{VANCOUVER}", heading, language=language) in ([VANCOUVER], [])
    assert statement not in excluded(f"{heading}\n\n{statement}", heading, language=language)


def test_thanks_state_nothing_of_the_matter() -> None:
    text = "Acknowledgements\n\nWe thank Ines Rowe for her loggers. The study was paid for by the Research Council."
    assert excluded(text, "Acknowledgements") == ["We thank Ines Rowe for her loggers."]


@pytest.mark.parametrize(
    "text",
    [
        "Hepatitis B (HBV) infects 296 million people, WHO, 2019.",
        "World War II. The war ended in Europe with the surrender of Germany (May 1945).",
        "Ronald N. Perlman (born April 13, 1950) is an American actor. He won a Golden Globe for one film (1989).",
        "[1] The city planted 31,640 trees by 2024, according to https://a.example/1\n\n[2] Half died: https://a.example/2",
        "References\n\nThe data are at https://a.example/data.",
        "References\n\nAppendix A\n\nResponse rate: 43 percent in 2018.",
        "Sources\n\nThe country imports gas, mostly from Norway.",
        "References\n\nSmith, J. (2010). Roots. " + "He finds that roots are long. " * 12,
    ],
)
def test_what_may_be_a_statement_is_no_sure_entry(text: str) -> None:
    assert listed_entries(text) == []


def test_entries_under_a_heading_of_references_are_sure() -> None:
    entries = ["Smith, J. (2010). The city planted trees.", "Abara L, Quist J. Trapped heat. Tarn University; 2022."]
    text = "Trees cool.\n\nReferences\n\n" + "\n\n".join(entries)
    assert [text[a:b] for a, b in listed_entries(text)] == entries
    assert listed_entries("\n\n".join(entries)) == []
