"""A word broken over a line end is one word again, with its hyphen where it has one; in sources and in claims."""

from __future__ import annotations

from core.acquire.read_markdown import read_markdown
from core.acquire.read_text import read_text
from core.audit import report
from core.audit.rows import cases_of

WRAPPED = "The long-\nterm plan was pre-\nand postwar"
WHOLE = "The long-term plan was pre- and postwar"


def test_a_plain_source_has_whole_words() -> None:
    text = read_text(f"{WRAPPED}, says the infor-\nmation office.", name="a.txt").text
    assert text.replace("\n", " ") == f"{WHOLE}, says the information office."


def test_a_plain_source_decides_by_its_own_words() -> None:
    assert read_text("A co-\nworker met another co-worker.", name="a.txt").text.startswith("A co-worker met")


def test_a_markdown_source_and_one_with_html_in_it_have_whole_words() -> None:
    assert read_markdown(f"{WRAPPED}.", name="a.md").text == f"{WHOLE}."
    assert read_markdown(f"<b>So</b>: {WRAPPED}.", name="a.md").text == f"So: {WHOLE}."


def test_a_claim_has_whole_words_and_its_places() -> None:
    read = report.read_markdown(f"{WRAPPED} [1].\n\n[1]: https://a.example/1")
    (case,) = cases_of(read)
    assert case.claim.text == WHOLE
    at = case.claim.in_report((WHOLE.index("term"), WHOLE.index("term") + 4))
    assert at is not None
    assert read.text[at[0] : at[1]] == "term"
