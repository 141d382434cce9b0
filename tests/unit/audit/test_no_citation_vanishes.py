"""Every author–year citation becomes a row; what may cite and was not understood is counted and shown."""

from __future__ import annotations

import pytest

from core.audit.pairing import pair
from core.audit.report import read_markdown
from core.audit.report_model import LeftoverKind, PairingState
from core.audit.rows import UNUSED, cases_of

LIST = """

## References

Berg, A. (2020). Limes of Mill Lane. https://trees.example/limes

Lund, B. (2021). Shops. https://lanes.example/shops

Moreau, C. (in press). Elms. https://elms.example/1

Sato, D., & Ito, E. (n.d.). Undated planes.
"""


def cited(text: str) -> list[str]:
    """The label of the entry of each citation, or its state."""
    report = read_markdown(text)
    pairing = pair(report)
    return [c.state.value if c.reference is None else pairing.references[c.reference].label for c in pairing.citations]


def leftovers(text: str) -> list[tuple[LeftoverKind, str]]:
    report = read_markdown(text)
    return [(item.kind, text[item.start : item.end]) for item in report.leftovers]


@pytest.mark.parametrize("listed", ["", LIST], ids=["no list", "with a list"])
@pytest.mark.parametrize(
    ("sentences", "count"),
    [
        ("Limes stand (Okafor, 2019). Trees cool (Lindqvist, 2020). Oaks fail (Brandt, 2018).", 3),
        ("It rose (Quist, 2019).", 1),
        ("It rose (e.g., Okafor, 2019; Lindqvist, 2018a, 2018b).", 3),
        ("Okafor (2019) argues that it rose.", 1),
        ("According to Quist (2018), it rose.", 1),
        ("It rose (Okafor 2019). It fell (Lindqvist 2018). It stood (Brandt 2017).", 3),
        ("It rose (Ministry of Parks, 2016).", 1),
        ("It rose (Okafor, forthcoming).", 1),
        ("It rose (Okafor, n.d.).", 1),
        ("It rose (Okafor,2019).", 1),
        ("As Okafor et al., 2019 found, it rose.", 1),
        ("Okafor's (2019) study of limes is long.", 1),
        ("As shown by Okafor (2019), it rose.", 1),
        ("It rose (O'Brien, 2019). It fell (de Vries, 2019; al-Khalili, 2018).", 3),
        ("\u6811\u5f88\u591a\uff08\u674e\u660e\uff0c2019\uff09\u3002", 1),
    ],
)
def test_a_citation_without_an_entry_dangles(sentences: str, count: int, listed: str) -> None:
    assert cited(sentences + listed) == ["dangling"] * count


@pytest.mark.parametrize(
    ("sentence", "labels"),
    [
        ("It rose (see Berg, 2020, for a review).", ["Berg 2020"]),
        ("Trees cool the air (Berg, 2020, as cited in Lund, 2021).", ["Berg 2020", "Lund 2021"]),
        ("It rose (Berg, 2020, p. 4, emphasis added).", ["Berg 2020"]),
        ("It rose (but for another view see Berg 2020).", ["Berg 2020"]),
        ("It rose (Berg, 2020 and references therein).", ["Berg 2020"]),
        ("It rose (siehe Berg, 2020; vgl. auch Lund, 2021).", ["Berg 2020", "Lund 2021"]),
        ("It rose (as reviewed by Berg, 2020, among others; Lund, 2021).", ["Berg 2020", "Lund 2021"]),
        ("It rose (Moreau, in press).", ["Moreau in press"]),
        ("It rose (Moreau, In Press; Berg, 2020).", ["Moreau in press", "Berg 2020"]),
        ("It rose (Sato & Ito, n.d.).", ["Sato & Ito n.d."]),
    ],
)
def test_words_around_a_citation_do_not_hide_it(sentence: str, labels: list[str]) -> None:
    assert cited(sentence + LIST) == labels


def test_an_entry_without_a_year_is_the_one_without_a_date() -> None:
    text = "It rose (Moss, n.d.).\n\n## References\n\n- Moss, A. Mosses. https://moss.example/1\n"
    assert [c.state for c in pair(read_markdown(text)).citations] == [PairingState.PAIRED]


@pytest.mark.parametrize(
    "words",
    [
        "(Japan, 2020)", "(Brandt 2018)", "(Lipofectamine 2000)", "(Berg, 2019\u20132021)", "(opened in Harbour, 2019)",
        "Parasite (2019)",
        "(Okafor, personal communication, May 2020)",
    ],
)  # fmt: skip
def test_a_name_with_a_year_that_may_not_cite_is_counted(words: str) -> None:
    text = f"It rose in {words} again."
    assert leftovers(text) == [(LeftoverKind.NAME_YEAR, words)]
    assert words in read_markdown(text).warnings[-1]
    assert "(line 1)" in read_markdown(text).warnings[-1]


@pytest.mark.parametrize(
    "words",
    [
        "(May 2020)", "(in 2020)", "(updated March "
            "2021)", "(2019)", "(n = 20, 2019)", "(Summer, 2019)", "in London (2012)",
        "the model (Microsoft, 2024) [1]", "[2019]", "[x]", "[sic]", "[note: mine]", "\u3010\u6458\u8981\u3011",
    ],
)  # fmt: skip
def test_what_dates_or_annotates_is_neither_a_citation_nor_a_leftover(words: str) -> None:
    text = f"It rose {words} again.\n\n## References\n\n[1] One. https://a.example/1\n[2] Two. https://a.example/2\n"
    assert "[1]" in words or not read_markdown(text).markers
    assert leftovers(text) == []


@pytest.mark.parametrize(
    "mark",
    [
        "[Foo19]",
        "[3a]",
        "[source]",
        "[citation needed]",
        "[ref: limes]",
        "\\cite{berg}",
    ],
)
def test_a_mark_that_no_style_knows_is_counted(mark: str) -> None:
    assert leftovers(f"It rose {mark}.") == [(LeftoverKind.MARK, mark)]


def test_a_link_to_a_file_is_counted() -> None:
    assert leftovers("It rose [as said](reports/berg.pdf), see [above](#top) and [mail](mailto:a@b.example).") == [
        (LeftoverKind.LINK, "[as said](reports/berg.pdf)")
    ]


def test_the_warning_counts_all_and_shows_the_first() -> None:
    report = read_markdown("\n\n".join(f"It rose [source] {n}." for n in range(5)))
    assert len(report.leftovers) == 5
    assert report.warnings == (
        "Not understood, so not audited: 5 marks in brackets that no style of citation knows: "
        "\u201c[source]\u201d (line 1); \u201c[source]\u201d (line 3); \u201c[source]\u201d (line 5) and 2 more.",
    )


@pytest.mark.parametrize(
    "mark",
    ["[web:1]", "[attached_file:3]", "[S1]", "(Source: 2)", "(Sources 1, 3)", "(\u201cShops and lanes,\u201d 2019)",
     "(World Health Organization [WHO], 2020)"],
)  # fmt: skip
def test_a_mark_of_another_make_is_counted(mark: str) -> None:
    assert [words for _, words in leftovers(f"It rose {mark}.")] == [mark]


@pytest.mark.parametrize("name", ["Berg's", "Berg\u2019s"])
def test_a_possessive_before_a_year_is_the_name(name: str) -> None:
    assert cited(f"{name} (2020) count rose." + LIST) == ["Berg 2020"]


def test_a_raised_list_with_a_hard_blank_is_one() -> None:
    entries = "\n\n## References\n\n" + "\n".join(f"{n}. Title {n}. https://a.example/{n}" for n in (1, 2, 3))
    assert cited(f"Takings rose<sup>1,&nbsp;3</sup>.{entries}") == ["1", "3"]


def test_the_words_of_an_assistants_link_are_no_part_of_the_claim() -> None:
    report = read_markdown("The city planted limes[oai_citation:0\u2021a.example](https://a.example/1). It rose.")
    (case,) = [case for case in cases_of(report) if case.row.style != UNUSED]
    assert (case.claim.text, case.row.url) == ("The city planted limes", "https://a.example/1")


@pytest.mark.parametrize(
    ("sentence", "labels"),
    [
        ("It rose (Berg 20).", ["Berg 2020"]),
        ("It rose (Berg, '20; Lund 21).", ["Berg 2020", "Lund 2021"]),
        ("It rose (see Berg 20: 14).", ["Berg 2020"]),
        ("Berg (20) saw it, and Lund (\u201921) did.", ["Berg 2020", "Lund 2021"]),
    ],
)
def test_two_digits_are_a_year_behind_a_listed_name(sentence: str, labels: list[str]) -> None:
    assert cited(sentence + LIST) == labels


@pytest.mark.parametrize("words", ["(Okafor 14)", "(Okafor & Brandt '14)", "(Okafor et al. 09, p. 3)", "(Berg 19)"])
def test_two_digits_behind_another_name_are_counted(words: str) -> None:
    assert leftovers(f"It rose {words}." + LIST) == [(LeftoverKind.NAME_YEAR, words)]


@pytest.mark.parametrize("words", ["(Table 14)", "(COVID 19)", "(May 14)", "(Step 12)"])
def test_two_digits_that_number_or_date_are_no_year(words: str) -> None:
    assert leftovers(f"It rose {words}." + LIST) == []


@pytest.mark.parametrize(
    ("written", "listed"),
    [("Mueller", "M\u00fcller"), ("M\u00fcller", "Mueller"), ("Muller", "M\u00fcller"), ("Aalto", "\u00c5lto"),
     ("Jaeger", "J\u00e4ger"), ("Groess", "Gr\u00f6\u00df"), ("Joerund", "J\u00f8rund"),
     ("Walesa", "Wa\u0142\u0119sa")],
)  # fmt: skip
def test_umlauts_written_out_are_the_same_name(written: str, listed: str) -> None:
    text = f"It rose ({written}, 2014).\n\n## References\n\n{listed}, A. (2014). Limes. https://trees.example/1\n"
    assert cited(text) == [f"{listed} 2014"]


_ROMAN = (
    "[{0}] Berg, A. (2014). Limes. https://trees.example/1\n\n[{1}] Lund, B. (2015). Shops. https://lanes.example/1\n"
)


@pytest.mark.parametrize(
    ("sentence", "entries", "labels"),
    [
        ("It rose [i]. It fell [ii].", _ROMAN.format("i", "ii"), ["i", "ii"]),
        ("It rose [i, ii]. It fell [i\u2013ii].", _ROMAN.format("i", "ii"), ["i", "ii", "i", "ii"]),
        ("It rose [i]. It fell [iv].", _ROMAN.format("i", "ii"), ["i", "dangling"]),
        (
            "It rose (i). It fell (ii), too.",
            "i. Berg, A. Limes. https://trees.example/1\nii. Lund, B. Shops.",
            ["i", "ii"],
        ),
        ("It rose [a]. It fell [b].", _ROMAN.format("a", "b"), ["a", "b"]),
    ],
)
def test_letters_that_number_the_list_are_citations(sentence: str, entries: str, labels: list[str]) -> None:
    assert cited(f"{sentence}\n\n## References\n\n{entries}") == labels


@pytest.mark.parametrize("mark", ["[i]", "[iii, iv]"])
def test_letters_without_such_a_list_are_counted(mark: str) -> None:
    assert leftovers(f"It rose {mark}. He said that \u201c[i]t fell\u201d.") == [(LeftoverKind.MARK, mark)]


@pytest.mark.parametrize(
    ("sentence", "marks"),
    [
        ("Berg (1) saw it rise. Lund (2) did not.", ["(1)", "(2)"]),
        ("It rose (1). It fell.", ["(1)"]),
        ("It is (1) cheap, (2) fast and (3) safe. It rose as in step (2).", []),
        ("(1) It is cheap. (2) It is fast.", []),
        ("It rose in Table (1).", []),
    ],
)
def test_listed_numbers_in_round_brackets_do_not_vanish(sentence: str, marks: list[str]) -> None:
    entries = "\n".join(f"{n}. Title {n}. https://a.example/{n}" for n in range(1, 9))
    text = f"{sentence}\n\n## References\n\n{entries}"
    assert (cited(text), [words for _, words in leftovers(text)]) == ([], marks)


@pytest.mark.parametrize("before", ["## References\n\n```\n", "```text\nReferences:\n", "```\n"])
def test_a_list_inside_a_fence_is_a_list(before: str) -> None:
    entries = "".join(f"[{n}] Berg, A. (202{n}). Limes. https://trees.example/{n}\n" for n in (1, 2))
    assert cited(f"It rose [1]. It fell [2].\n\n{before}{entries}```\n") == ["1", "2"]


def test_code_below_a_list_is_no_entry() -> None:
    text = f"It rose (Berg, 2020).{LIST}\n```bibtex\n@article{{berg,\n  title = {{Limes}},\n  year = 2020\n}}\n```\n"
    assert (cited(text), leftovers(text)) == (["Berg 2020"], [])


def test_a_ticked_entry_has_no_key() -> None:
    text = "It rose (Berg, 2020).\n\n## References\n\n- [x] Berg, A. (2020). Limes. https://a.example/1\n"
    assert cited(text) == ["Berg 2020"]
