"""Odd reports give clear results and never an exception; offsets always hold."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.audit.pairing import pair
from core.audit.report import read_markdown, read_report, read_text
from core.audit.report_model import PairingState, Report
from core.records import Fetched

DATA = Path(__file__).resolve().parents[3] / "../shared/data"
REPORTS = sorted((DATA / "reports").glob("*.md"))
PIECES = st.sampled_from(
    [
        "[1]",
        "[2-5]",
        "[^1]",
        "[^1]: x",
        "[a](https://b.example/c_(d))",
        "![",
        "](",
        "`",
        "```",
        "$",
        "<sup>1</sup>",
        "¹",
        "(Smith et al., 2020)",
        "Smith (2020)",
        ".",
        ". ",
        "。",
        "# References",
        "## 参考文献[1] a[2] b[3] c",
        "1. One",
        "- [2] Two (2020)",
        "[k]: https://k.example",
        "[k]",
        "[@k]",
        "---",
        'title: "x',
        "&a",
        "* ",
        "|",
        "| a | b |\n|--|--|\n",
        "https://x.example/a.",
        "doi:10.1234/x",
        "<!-- ",
        "-->",
        "> ",
        "a word",
        "It rose",
        '"',
        "“",
        "”",
        "(",
        ")",
        ":",
        ";",
        ", and ",
        ". . .",
        "\r\n",
        "\x00",
        "\u2028",
        "**Sources:**",
        "[9999999]",
        "[5-2]",
        "\\",
        "e.g.",
        "Dr.",
        '<a href="',
        "    code",
        "~~~",
        "银行",
        "é",
        "𝔘",
        "\ufeff",
    ]
)


def check(report: Report) -> None:
    """The promises that hold for every text."""
    text = report.text
    pairing = pair(report)
    for marker in report.markers:
        assert text[marker.start : marker.end] == marker.text != ""
        assert marker.targets
    assert all(a.end <= b.start for a, b in zip(report.markers, report.markers[1:], strict=False))
    for sentence in report.sentences:
        block = report.blocks[sentence.block]
        assert block.start <= sentence.start < sentence.end <= block.end
    assert all(a.end <= b.start for a, b in zip(report.sentences, report.sentences[1:], strict=False))
    for number, reference in enumerate(pairing.references):
        assert reference.id == number
        assert text[reference.start : reference.end] == reference.text
    assert len(pairing.citations) == sum(len(marker.targets) for marker in report.markers)
    for citation in pairing.citations:
        assert (citation.reference is not None) == (citation.state is PairingState.PAIRED)
        if citation.claim is not None:
            assert 0 <= citation.claim.start < citation.claim.end <= len(text)
            assert citation.sentence is not None


@settings(max_examples=150)
@given(
    st.lists(PIECES, max_size=40).map(
        lambda pieces: "".join(p + ("\n" if i % 3 == 2 else " ") for i, p in enumerate(pieces))
    )
)
def test_any_mixture_of_marks_is_read(text: str) -> None:
    check(read_markdown(text))
    check(read_text(text))


@settings(max_examples=60)
@given(st.text(max_size=120))
def test_any_text_is_read(text: str) -> None:
    check(read_markdown(text))
    check(read_text(text))


def test_the_real_reports_are_there() -> None:
    if not REPORTS:
        if os.environ.get("CI"):
            pytest.fail(f"the real reports are missing under {DATA}")
        pytest.skip("the real reports are not here (shared/data/reports)")
    assert len(REPORTS) == 28


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem[:30])
def test_every_real_report_is_read(path: Path) -> None:
    report = read_markdown(path.read_bytes().decode("utf-8"))
    check(report)
    covered = {at for block in report.blocks for at in range(block.start, block.end)}
    lost = [at for at, sign in enumerate(report.text) if sign.isalnum() and at not in covered]
    # List numbers ("1.") are marks, not text.
    assert all(report.text[at].isdigit() for at in lost)


def test_no_citation_at_all() -> None:
    pairing = pair(read_markdown("# T\n\nNothing is cited here. At all.\n"))
    assert pairing.citations == pairing.unused == pairing.references == ()


def test_two_thousand_citations() -> None:
    body = "\n\n".join(f"Value {n} rose by {n} per cent [{n}]." for n in range(1, 2001))
    listed = "\n".join(f"{n}. Smith{n}, J. (2020). Title {n}. https://a.example/{n}" for n in range(1, 2001))
    report = read_markdown(f"# T\n\n{body}\n\n## References\n\n{listed}\n")
    pairing = pair(report)
    assert [c.reference for c in pairing.citations] == list(range(2000))
    assert (
        report.text[pairing.citations[-1].claim.start :].startswith("Value 2000")
        if pairing.citations[-1].claim
        else False
    )


def test_the_same_number_defined_twice_is_ambiguous() -> None:
    text = (
        "It rose [1]. It fell [2].\n\n## References\n\n"
        "[1] One (2020). https://a.example/1\n[1] Other (2021). https://a.example/2\n[2] Two\n"
    )
    pairing = pair(read_markdown(text))
    assert [c.state for c in pairing.citations] == [PairingState.AMBIGUOUS, PairingState.PAIRED]
    assert pairing.citations[0].candidates == (0, 1)
    assert pairing.unused == ()


def test_the_same_entry_twice_under_one_number_is_one() -> None:
    text = "It rose [1].\n\n## References\n\n[1] One. https://a.example/1\n[1] Again. https://a.example/1#x\n"
    assert pair(read_markdown(text)).citations[0].reference == 0


def test_a_reference_to_the_report_itself_is_named() -> None:
    text = (
        "# Trees and heat\n\nIt rose [1], see [here](https://me.example/r).\n\n"
        "## References\n\n1. Trees and heat. 2025.\n"
    )
    pairing = pair(read_markdown(text, url="https://me.example/r"))
    assert [reference.is_report for reference in pairing.references] == [True, True]


@pytest.mark.parametrize(
    "head",
    [
        "---\ntitle: T\npermalink: https://me.example/r\n---\n\n# T\n\n",
        "# T\n\n**URL:** https://me.example/r\n\n",
        "# T\n\n*This report is available at <https://www.me.example/r/>*\n\n",
    ],
)
def test_the_address_that_a_report_gives_as_its_own_is_its_own(head: str) -> None:
    text = (
        f"{head}It rose [1]. It fell [2].\n\n## References\n\n1. Ours. http://me.example/r\n2. Two. https://b.example\n"
    )
    listed = [one for one in read_markdown(text).references if one.number]
    assert [one.is_report for one in listed] == [True, False]


def test_the_own_doi_is_the_report_too_and_a_source_named_later_is_not() -> None:
    text = "# T\n\nDOI: 10.5555/me.1\n\n## One\n\nURL: https://b.example\n\nIt rose (doi:10.5555/ME.1). See https://b.example.\n"
    references = pair(read_markdown(text)).references
    assert [(one.doi, one.is_report) for one in references] == [("10.5555/me.1", True), (None, False)]


def test_a_page_names_its_own_address() -> None:
    page = (
        b"<html><head><link href='https://me.example/r?a=1&amp;b=2' rel=canonical></head><body><h1>T</h1>"
        b"<p>It rose [1].</p><h2>References</h2><p>[1] Ours. https://me.example/r?a=1&amp;b=2</p></body></html>"
    )
    report = read_report(Fetched(body=page, media_type="text/html", filename="r.html"))
    assert report.url == "https://me.example/r?a=1&b=2"
    assert [one.is_report for one in report.references] == [True]


def test_a_number_listed_and_defined_with_another_address_fits_both() -> None:
    text = "Up [1]. Down [2].\n\n## References\n\n[1] One. https://a.example/1\n[1]: https://a.example/2\n[2] Two\n"
    pairing = pair(read_markdown(text))
    assert [c.state for c in pairing.citations] == [PairingState.AMBIGUOUS, PairingState.PAIRED]
    assert pairing.unused == ()


def test_a_number_listed_without_and_defined_with_an_address_is_one_reference() -> None:
    text = "It rose [1]. It fell [2].\n\n## References\n\n- [1] One\n- [2] Two\n\n[1]: https://a.example/1\n"
    pairing = pair(read_markdown(text))
    assert [(one.label, one.url) for one in pairing.references] == [("1", "https://a.example/1"), ("2", None)]
    assert [c.reference for c in pairing.citations] == [0, 1]


def test_raised_numbers_in_the_list_are_its_numbers() -> None:
    text = (
        "It rose<sup>1</sup>. It fell<sup>2</sup>.\n\n## Notes\n\n<sup>1</sup> One (2020).\n<sup>2</sup> Two (2021).\n"
    )
    pairing = pair(read_markdown(text))
    assert [c.reference for c in pairing.citations] == [0, 1]


def test_work_grows_with_the_text_and_not_faster() -> None:
    def steps(count: int) -> int:
        taken = 0

        def trace(*_: object) -> None:
            nonlocal taken
            taken += 1

        text = "It rose by much [1]. They (Smith et al., 2020) agree and [x](https://a.example). " * count
        sys.setprofile(trace)
        try:
            pair(read_markdown(text + "\n\n## References\n\n[1] Smith, J. (2020). One.\n"))
        finally:
            sys.setprofile(None)
        return taken

    assert steps(400) < 5 * steps(100)


@pytest.mark.parametrize(
    "piece", ["[](", "(", "[", "`", "[^", "$", "<a ", "> ", "- ", "|", '"', "A. ", "(Smith ", "[1", "10.1234/", "http://",
              "[cite: 1, ", "[[https://a][", "\u30101", "<sup>1,", "~~a", "(ibid. ",
              "[1]\u2013", "10.1234/<1:", "(Abc, 2020, ",
              "[@", "\u00b9", "A", "Smith and ", '"a" [1] ', "[1]", "[1]\n\n", "[1]: x\n", "x [1] and "],
)  # fmt: skip
def test_repetition_without_end_is_read(piece: str) -> None:
    text = piece * 3000 + " (2020)"
    check(read_markdown(text))


def test_work_on_a_list_grows_with_the_list_and_not_faster() -> None:
    def steps(count: int) -> int:
        taken = 0

        def trace(*_: object) -> None:
            nonlocal taken
            taken += 1

        lines = "https://a.example/x\n<li>b https://a.example/y\nBerg, A. (2020). Limes.\nIbid., p. 4.\n" * count
        sys.setprofile(trace)
        try:
            pair(read_markdown("It rose [1].\n\n## References\n\n" + lines))
        finally:
            sys.setprofile(None)
        return taken

    assert steps(200) < 5 * steps(50)
