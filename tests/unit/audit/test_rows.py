"""Claims are judged without markers and Markdown, each character of them keeps its place; some rows need no judge."""

from __future__ import annotations

import pytest

from core.audit.report import read_markdown
from core.audit.rows import Case, cases_of
from core.labels import Reason, Status

LIST = "\n\n## References\n\n1. Smith, A. (2020). Trees in towns. https://a.example/x\n2. Two (2021). https://b.example/y\n"


def cases(body: str, tail: str = LIST) -> list[Case]:
    return cases_of(read_markdown(f"# A report\n\n{body}{tail}"))


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("Trees **cool** the `air` by _two_ degrees [1].", "Trees cool the air by two degrees"),
        ("Smith (2020) also found that trees cool the air.", "trees cool the air."),
        ("Smith (2020) counted 400 trees.", "Smith counted 400 trees."),
        ("In July the air [was cooler](https://c.example/z) under trees.", "In July the air was cooler under trees."),
        ("Trees cool the air (https://c.example/z).", "Trees cool the air"),
        ("The file snake_case_name holds 2\\*3 rows [1].", "The file snake_case_name holds 2*3 rows"),
    ],
)
def test_the_judge_reads_the_claim_without_marks(body: str, text: str) -> None:
    first = cases(body)[0]
    assert first.claim.text == text
    report = f"# A report\n\n{body}{LIST}"
    for at, place in enumerate(first.claim.places):
        assert report[place] == first.claim.text[at] or report[place].isspace()
    last = text.rstrip(".").split()[-1]
    span = first.claim.in_report((text.index(last), text.index(last) + len(last)))
    assert span is not None
    assert report[slice(*span)].replace("\\", "") == last


def test_a_claim_that_cannot_stand_alone_brings_what_stands_before_it() -> None:
    first, second, third = cases("The city planted 31 trees in 2020 [1]. Half of them died [2]. Oaks live long [1].")[
        :3
    ]
    assert first.context == third.context == ""
    assert second.context == "The city planted 31 trees in 2020."


def test_citations_of_one_claim_know_one_another() -> None:
    first, second, third = cases("Trees cool the air of streets [1, 2]. Oaks live for a long time [1].")[:3]
    assert (first.beside, second.beside, third.beside) == ((1,), (0,), ())


def test_what_needs_no_source_is_decided_at_once() -> None:
    tail = (
        "\n\n## References\n\n1. Smith, A. (2020). Trees. https://a.example/x\n"
        "1. Smith, A. (2020). Bees. https://b.example/y\n2. A report\n3. Old (1999). https://c.example/\n"
    )
    rows = [case.row for case in cases("One tree was planted [1]. Two trees died [7]. Three stand [2].", tail)]
    found = {row.reasons[0]: row for row in rows if row.reasons}
    assert set(found) == {
        Reason.AMBIGUOUS_REFERENCE, Reason.DANGLING_MARKER, Reason.SELF_REFERENCE, Reason.UNUSED_REFERENCE,
    }  # fmt: skip
    assert all(row.status is Status.REVIEW and row.explanation for row in found.values())
    assert found[Reason.UNUSED_REFERENCE].reference_label == "3"
    twice = found[Reason.AMBIGUOUS_REFERENCE].explanation
    assert twice == (
        "The report defines the number 1 twice, so the marker fits each of them: \u201cSmith, A. (2020). Trees. "
        "https://a.example/x\u201d and \u201cSmith, A. (2020). Bees. https://b.example/y\u201d."
    )
