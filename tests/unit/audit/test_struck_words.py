"""Words that a report strikes out are no part of it."""

from __future__ import annotations

import pytest

from core.audit.report import read_markdown, read_report
from core.audit.report_model import LeftoverKind
from core.audit.rows import UNUSED, cases_of
from core.records import Fetched
from core.verify.markdown_to_text import plain

LIST = "\n\n## References\n\n1. One. https://a.example/1\n2. Two. https://a.example/2\n"


@pytest.mark.parametrize(
    "struck", ["~~900 oaks~~", "<del>900 oaks</del>", "<s>900 oaks</s>", "<strike>900 oaks [2]</strike>"]
)
def test_struck_words_are_in_no_claim_and_their_marks_no_rows(struck: str) -> None:
    text = f"The city planted {struck} 400 limes on Mill Lane [1]. ~~Takings rose [2].~~" + LIST
    report = read_markdown(text)
    rows = [case for case in cases_of(report) if case.row.style != UNUSED]
    assert [(case.row.marker_text, case.claim.text) for case in rows] == [
        ("[1]", "The city planted 400 limes on Mill Lane")
    ]
    assert {item.kind for item in report.leftovers} == {LeftoverKind.STRUCK}
    assert plain(f"The city planted {struck} 400 limes.") == "The city planted 400 limes."


def test_a_tilde_strikes_nothing() -> None:
    text = "It grew by ~5 per cent to ~~ 9 [1]. A ~~~ B [2]." + LIST
    assert len([case for case in cases_of(read_markdown(text)) if case.row.style != UNUSED]) == 2


def test_struck_words_of_a_page() -> None:
    page = "<html><body><p>The city planted <s>900 oaks</s> 400 limes [1].</p><p>[1] One. https://a.example/1</p></body></html>"
    report = read_report(Fetched(page.encode(), "text/html", filename="r.html"))
    assert [case.claim.text for case in cases_of(report)] == ["The city planted 400 limes"]
