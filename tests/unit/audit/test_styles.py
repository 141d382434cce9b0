"""Each citation style: what is a marker, what is none, and what it points to."""

from __future__ import annotations

import pytest

from core.audit.pairing import pair
from core.audit.report import read_markdown
from core.audit.report_model import Pairing, PairingState, Report, Style

LIST = "\n\n## References\n\n" + "\n".join(
    f"{n}. Author{n}, A. (20{n:02}). Title {n}. https://a.example/{n}" for n in range(1, 13)
)


def both(text: str) -> tuple[Report, Pairing]:
    report = read_markdown(text)
    return report, pair(report)


def found(text: str) -> list[tuple[Style, str]]:
    return [(marker.style, marker.text) for marker in read_markdown(text).markers]


def cited(text: str) -> list[str | None]:
    _, pairing = both(text)
    return [None if c.reference is None else pairing.references[c.reference].label for c in pairing.citations]


@pytest.mark.parametrize(
    ("sentence", "labels"),
    [
        ("It rose [1].", ["1"]),
        ("It rose [1,3].", ["1", "3"]),
        ("It rose [2-5].", ["2", "3", "4", "5"]),
        ("It rose [2–4, 9].", ["2", "3", "4", "9"]),
        ("It rose [1][2].", ["1", "2"]),
        ("It rose [1]: see below.", ["1"]),
        ("It rose [99].", [None]),
        ("It rose in [2024].", []),
        ("The call `a[1]` fails.", []),
        ("The image ![1](x.png) shows it.", []),
        ("Sums $x[1] + x[2]$ differ.", []),
        (r"It is written \[1\].", []),
    ],
)
def test_numeric(sentence: str, labels: list[str | None]) -> None:
    assert cited(sentence + LIST) == labels


@pytest.mark.parametrize(
    ("sentence", "labels"),
    [
        ("It rose.¹", ["1"]),
        ("It rose¹,² again.", ["1", "2"]),
        ("It rose.<sup>1,3</sup>", ["1", "3"]),
        ("It rose.<sup>[2]</sup>", ["2"]),
        ("It rose^4^ again.", ["4"]),
        ("It covers 5 m² and 10³ people at R² of 0.9.", []),
    ],
)
def test_superscript(sentence: str, labels: list[str]) -> None:
    assert cited(sentence + LIST) == labels


def test_footnotes_with_definitions_and_one_without() -> None:
    text = (
        "It rose.[^1] It fell[^b_2]. It stood[^9].\n\n"
        "[^1]: Smith, 2020. https://a.example/x\n[^b_2]: Two\n  lines of it.\n"
    )
    report, pairing = both(text)
    assert [c.state for c in pairing.citations] == [PairingState.PAIRED, PairingState.PAIRED, PairingState.DANGLING]
    assert [r.label for r in report.references] == ["^1", "^b_2"]
    assert report.references[1].text == "[^b_2]: Two\n  lines of it."


def test_links_inline_by_reference_and_bare() -> None:
    text = (
        'See [the study](https://a.example/s_(1) "T") and [this][k] and [K]. More at https://b.example/x. '
        "Also <https://c.example/y> (see www.d.example/z). Not [here](#top), not ![i](https://e.example/i.png).\n\n"
        "[k]: https://k.example/p 'Title'\n"
    )
    _, pairing = both(text)
    assert [pairing.references[c.reference].url for c in pairing.citations if c.reference is not None] == [
        "https://a.example/s_(1)", "https://k.example/p", "https://k.example/p", "https://b.example/x",
        "https://c.example/y", "https://www.d.example/z",
    ]  # fmt: skip


def test_dois_are_written_in_three_ways() -> None:
    text = "It rose (https://doi.org/10.1234/AbC.5). It fell doi:10.1234/x-y, and 10.5555/z(1)."
    assert [m.targets[0].doi for m in read_markdown(text).markers] == ["10.1234/abc.5", "10.1234/x-y", "10.5555/z(1)"]


def test_a_doi_that_a_line_break_cut_after_its_registrant_is_one_doi() -> None:
    text = "It rose (https://doi.org/10.1145/ 3534678.3539043). It fell https://doi.org/10.1145/ and so on."
    first, second = read_markdown(text).markers
    assert (first.style, first.targets[0].doi) == (Style.DOI, "10.1145/3534678.3539043")
    assert second.style is Style.BARE_URL
    listed = read_markdown(
        "It rose [1].\n\n## References\n\n1. One. https://doi.org/10.1145/ 3534678.3539043\n"
    ).references
    assert (listed[0].doi, listed[0].url) == ("10.1145/3534678.3539043", "https://doi.org/10.1145/3534678.3539043")


AUTHORS = """

## References

Varga, I., Okonjo, T., & Halvorsen, R. (2023). Cooling. *Journal*, 9.

van der Berg, A., & O'Neil, B. (2020a). One. *J*.

van der Berg, A., & O'Neil, B. (2020b). Two. *J*.

Castro-Díaz N, Ecco G, Trono D. L1 regulation. Genes 28:1397–1409 (2014). DOI: 10.1101/gad.1

World Health Organization. (2021). Report.
"""


@pytest.mark.parametrize(
    ("sentence", "years"),
    [
        ("It rose (Varga et al., 2023).", ["2023"]),
        ("It rose (see Varga et al. 2023, p. 4; Castro-Diaz et al., 2014).", ["2023", "2014"]),
        ("Varga et al. (2023) say so.", ["2023"]),
        ("According to Varga and colleagues (2023), so.", ["2023"]),
        ("It rose (van der Berg & O'Neil, 2020a, b).", ["2020a", "2020b"]),
        ("Here van der Berg and O'Neil (2020b) agree.", ["2020b"]),
        ("It rose (WHO, 2021).", ["2021"]),
        ("The World Health Organization (2021) says so.", ["2021"]),
        ("As Varga et al., 2023 found, it rose.", ["2023"]),
    ],
)
def test_author_year(sentence: str, years: list[str]) -> None:
    _, pairing = both(sentence + AUTHORS)
    assert [pairing.references[c.reference].year for c in pairing.citations if c.reference is not None] == years
    assert all(c.state is PairingState.PAIRED for c in pairing.citations)


def test_author_year_without_its_letter_is_ambiguous_and_an_unknown_one_dangles() -> None:
    _, pairing = both("It rose (van der Berg & O'Neil, 2020). It fell (Nobody et al., 1999)." + AUTHORS)
    assert [c.state for c in pairing.citations] == [PairingState.AMBIGUOUS, PairingState.DANGLING]
    assert len(pairing.citations[0].candidates) == 2


@pytest.mark.parametrize("words", ["(Japan, 2020)", "(May 2020)", "in May (2020)", "(Lipofectamine 2000)", "(in 2020)"])
def test_a_year_in_brackets_alone_is_no_citation(words: str) -> None:
    assert found(f"It rose {words} again.") == []


def test_a_name_beside_a_linked_year_is_the_same_work_later() -> None:
    text = "Liu et al. ([2024](https://l.example/1)) agree.\n\nIt rose (Liu et al., 2024)."
    _, pairing = both(text)
    assert len({c.reference for c in pairing.citations}) == 1


def test_pandoc_keys_with_and_without_a_bibliography() -> None:
    front = "---\ntitle: T\nreferences:\n- id: a2020\n  title: One\n  author: [{family: A}]\n  issued: 2020\n---\n\n"
    sentence = "It rose [@a2020; see @b-1, p. 3]. As @a2020 says, mail me@a2020 or @someone."
    _, pairing = both(front + sentence)
    assert [c.state.value for c in pairing.citations] == ["paired", "dangling", "paired"]
    report, pairing = both("It rose [@a2020].")
    assert [c.state.value for c in pairing.citations] == ["dangling"]
    assert "bibliography" in report.warnings[0]


WORKS = "\n\n#### **Works cited**\n\n" + "\n".join(
    f"{n}. Title {n}, accessed May 1, 2025, [https://w.example/{n}](https://w.example/{n})" for n in range(1, 6)
)


def test_bare_trailing_digits_only_where_a_list_and_nothing_else_numbers() -> None:
    text = (
        'Trust is low.1 It fell 3, and cohesion fell 4 while "hope" 5 and love rose.2\n\n'
        "Section 2 has Table 1, with about 3, in 4 and at 5 places. Step 3, too."
    )
    assert [m.text for m in read_markdown(text + WORKS).markers] == ["1", "3", "4", "5", "2"]
    assert all(m.style is Style.NUMERIC for m in read_markdown("It rose [1]. It fell.2 So.\n" + WORKS).markers)
    assert read_markdown(text).markers == ()


def test_markers_in_code_headings_and_the_list_itself_do_not_count() -> None:
    text = (
        "# Heading [1]\n\n```\ncode [2]\n```\n\n"
        "It rose [3].\n\n## References\n\n[1] One, see [2]. https://a.example\n[3] Three\n"
    )
    assert [text for _, text in found(text)] == ["[3]"]


SICI = "10.1002/(SICI)1099-1727(199821)14:1<3::AID-SDR140>3.0.CO;2-K"


@pytest.mark.parametrize("written", [f"https://doi.org/{SICI}", f"doi:{SICI}", SICI, f"[old](https://doi.org/{SICI})"])
def test_an_old_doi_with_angle_brackets_is_read_whole(written: str) -> None:
    assert {target.url for m in read_markdown(f"It rose ({written}).").markers for target in m.targets} == {
        f"https://doi.org/{SICI}"
    }
    entry = read_markdown(f"It rose [1].\n\n## References\n\n1. Old one. {written}\n").references[0]
    assert entry.doi == SICI.lower()
    assert entry.url in (None, f"https://doi.org/{SICI}")


def test_a_doi_or_an_address_in_angle_brackets_ends_there() -> None:
    text = "It rose <https://doi.org/10.1234/abc>. It fell <https://a.example/x>."
    assert [m.targets[0].url for m in read_markdown(text).markers] == [
        "https://doi.org/10.1234/abc",
        "https://a.example/x",
    ]


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("[[https://a.example/limes][Limes]]", "https://a.example/limes"),
        ("[[https://a.example/limes]]", "https://a.example/limes"),
        ("[[https://a.example/a_(b)][The *limes* of it]]", "https://a.example/a_(b)"),
    ],
)
def test_links_in_the_writing_of_org_are_links(written: str, url: str) -> None:
    report, pairing = both(f"It rose, as {written} says.")
    assert [marker.text for marker in report.markers] == [written]
    assert [reference.url for reference in pairing.references] == [url]
