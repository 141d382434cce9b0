"""Marks in brackets of every make: assistants, keys, locators, anchors, full-width signs."""

from __future__ import annotations

import pytest

from core.audit.pairing import pair
from core.audit.report import read_markdown
from core.audit.report_model import PairingState
from core.audit.rows import UNUSED, cases_of

LIST = "\n\n## References\n\n" + "\n".join(f"{n}. Title {n}. https://a.example/{n}" for n in range(1, 10))
KEYED = (
    "\n\n## References\n\n[Ber20] Berg, A. (2020). Limes. https://a.example/1\n\n"
    "[Lun+21] Lund, B. et al. (2021). Shops. https://a.example/2\n\n[Sato 2019b] Sato. Elms. https://a.example/3\n\n"
    "[Sat19a] Sato. Oaks. https://a.example/4\n\n[Lan20] Lang. Ash. https://a.example/5\n\n[S7] Sund. https://a.example/6\n"
)


def rows(text: str) -> list[tuple[str, str, str]]:
    """Mark, label of the entry and claim of each citation."""
    cases = [case for case in cases_of(read_markdown(text)) if case.row.style != UNUSED]
    return [(case.row.marker_text, case.row.reference_label, case.claim.text) for case in cases]


@pytest.mark.parametrize(
    ("mark", "labels"),
    [
        ("\u30101\u2020source\u3011", "1"), ("\u30102\u2020L3-L9\u3011", "2"), ("[3\u2020source]",
        "3"), ("\u30101\u3011\u30102\u3011", "12"),
        ("\uff3b4\uff3d", "4"), ("\u30101, "
            "3\u3011", "13"), ("[cite: 1]", "1"), ("[cite: 1, 2]", "12"), ("[cite:4-6]", "456"),
        ("[see 1]", "1"), ("[see also 1, "
            "2]", "12"), ("[cf. 3]", "3"), ("[e.g., 4; 5]", "45"), ("[ref. 2]", "2"), ("[Source 3]", "3"),
        ("[2, pp. 3\u20134; "
            "3]", "23"), ("[1, Table 2]", "1"), ("[1, sec. 4.2, 3]", "13"), ("[2, S. 14 ff.]", "2"), ("[3:14]", "3"),
        ("[1; 2]", "12"), ("[1, 2, and 4]", "124"), ("[1]\u2013[3]", "123"), ("(refs. 1\u20133)",
        "123"), ("(ref. 4)", "4"), ("[#5]", "5"),
        ("[[ 6 ]](#cite_note-6)", "6"), ("[[7]](#_ftn7)", "7"), ("[8](#ref8)", "8"), ("<sup>[9](#fn:9)</sup>", "9"),
        ("[[1]](https://en.example/wiki/Limes#cite_note-1)", "1"), ("[\\[2\\]](#ref-2)", "2"), ("[^3^]", "3"),
    ],
)  # fmt: skip
def test_a_mark_leads_to_its_entries_and_is_no_part_of_the_claim(mark: str, labels: str) -> None:
    found = rows(f"The city planted 400 limes on Mill Lane {mark}. It was dry." + LIST)
    assert [label for _, label, _ in found] == list(labels)
    assert {claim for _, _, claim in found} == {"The city planted 400 limes on Mill Lane"}


@pytest.mark.parametrize(
    "mark",
    [
        "citeturn0search1", "\ue200cite\ue202turn0search1\ue201", "\u30104:0\u2020source\u3011",
        "\u301077\u2020source\u3011", "[cite: 88]",
        ":contentReference[oaicite:3]{index=3}", "[88, p. 4]",
    ],
)  # fmt: skip
def test_a_mark_without_an_entry_dangles(mark: str) -> None:
    pairing = pair(read_markdown(f"The city planted 400 limes {mark}." + LIST))
    assert [c.state for c in pairing.citations] == [PairingState.DANGLING]


def test_two_results_in_one_mark_are_two_citations() -> None:
    assert len(rows("It rose citeturn0search1turn0news3." + LIST)) == 2


@pytest.mark.parametrize(
    "words",
    [
        "[2019]",
        "[in 3 years]",
        "[0]",
        "[a](#top)",
        "[95% CI 1.2\u20133.4]",
        "[sic]",
        "\u3010\u6458\u8981\u3011",
        "[7 May]",
        "[x]",
        "excite turn 2",
    ],
)
def test_other_words_in_brackets_are_no_marks(words: str) -> None:
    assert rows(f"The city planted 400 limes {words} there." + LIST) == []


def test_the_sign_where_a_cited_stretch_begins_is_no_word_of_the_claim() -> None:
    found = rows("[cite_start]The city planted 400 limes[cite: 1]. [cite_start]It was dry in May [cite: 2]." + LIST)
    assert found == [
        ("[cite: 1]", "1", "The city planted 400 limes"),
        ("[cite: 2]", "2", "It was dry in May"),
    ]


@pytest.mark.parametrize(
    ("mark", "labels"),
    [
        ("[Ber20]", ["Ber20"]), ("[Lun+21]", ["Lun+21"]), ("[Ber20, "
            "Lun+21]", ["Ber20", "Lun+21"]), ("[Sato 2019b]", ["Sato 2019b"]),
        ("[Sat19a, \u00a73; Lan20 p. 4; S7]", ["Sat19a", "Lan20", "S7"]), ("[Ber20, S. 7]", ["Ber20"]),
        ("[Lin19]", [""]), ("[Ber20; Sun19]", ["Ber20", ""]),
        ("[see Ber20, p. 4; Lun+21]", ["Ber20", "Lun+21"]), ("[Foo19]", [""]), ("[Ber20; Foo19]", ["Ber20", ""]),
    ],
)  # fmt: skip
def test_keys_of_the_list(mark: str, labels: list[str]) -> None:
    found = rows(f"The city planted 400 limes {mark}." + KEYED)
    assert [label for _, label, _ in found] == labels
    assert {claim for _, _, claim in found} == {"The city planted 400 limes"}


def test_escaped_brackets_cite_where_the_list_is_written_so() -> None:
    text = "The city planted 400 limes \\[1\\]."
    assert [label for _, label, _ in rows(text + "\n\n## References\n\n\\[1\\] One. https://a.example/1\n")] == ["1"]
    assert rows(text + LIST) == []


def test_an_entry_is_not_the_place_that_it_leads_back_to() -> None:
    text = "It rose [[1]](#cite_note-1).\n\n## References\n\n1. [^](https://en.example/wiki/L#cite_ref-1) One. https://a.example/1\n"
    assert read_markdown(text).references[0].url == "https://a.example/1"
