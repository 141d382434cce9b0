"""The overview: what a stakeholder sees, and that nothing can be changed there."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.labels import DecisionKind, Reason, Status
from core.records import Finding
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.pages.conftest import button, texts

Visit = Callable[..., AppTest]


def row(opened: OpenProject, reason: Reason | None = None, status: Status | None = None) -> Finding:
    """The first row of the audited report with this deciding reason (or status)."""
    return next(
        one
        for one in opened.audits.findings(1)
        if (reason is None or one.reasons[:1] == (reason,)) and (status is None or one.status is status)
    )


def decide(opened: OpenProject, finding: Finding, kind: DecisionKind, by: str = "Ann", **more: str) -> None:
    """What a reviewer would do on the review page."""
    item = opened.reviews.item(opened.reviews.key_of_finding(finding.id), by)
    opened.reviews.decide(item.key, kind, by=by, version=item.version, seen=item.seen, **more)


def bodies(at: AppTest) -> str:
    return "\n".join(element.proto.body for element in at.get("html"))


def coloured(at: AppTest) -> str:
    """The report in its shades, without legend and lists."""
    return next(element.proto.body for element in at.get("html") if "finding=" in element.proto.body)


def content(root: Path) -> dict[str, object]:
    """Everything in every database under the root, and every other file."""
    found: dict[str, object] = {}
    for path in sorted(root.rglob("*")):
        if path.name.endswith(("-wal", "-shm", ".lock")) or path.is_dir():
            continue
        if path.read_bytes()[:15] == b"SQLite format 3":
            with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
                tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
                for name in tables:
                    try:
                        found[f"{path}:{name}"] = connection.execute(f'SELECT * FROM "{name}"').fetchall()
                    except sqlite3.OperationalError:  # a virtual table of an extension
                        continue
        else:
            found[str(path)] = path.read_bytes()
    return found


def test_without_a_report_it_says_so_and_leads_to_where_one_is_checked(visit: Visit, bench: Workbench) -> None:
    at = visit("overview", project=bench.create("Heat").slug)
    assert not at.exception
    assert "No report has been checked" in texts(at)
    button(at, "Check a report").click().run()  # type: ignore[attr-defined]
    assert at.title[0].value == "Citation audit"


def test_the_outcome_is_one_sentence_and_its_numbers_are_those_of_the_audit(visit: Visit, audited: OpenProject) -> None:
    at = visit("overview", project="trees")
    assert not at.exception
    assert not at.error
    assert at.query_params["report"] in ("1", ["1"])  # the link in the address bar is the one to pass on
    summary = audited.audits.summary(1)
    assert at.header[0].value.startswith(f"{summary.by_status[Status.PASS]} of {summary.citations} citations hold, ")
    numbers = [int(one) for one in re.findall(r"\d+", at.header[0].value)]
    assert numbers[0] + sum(numbers[2:]) == numbers[1] == summary.citations
    tiles = [int(one) for one in re.findall(r"<b>(\d+)</b>", bodies(at))]
    assert tiles == [numbers[0], *numbers[2:]]
    assert "no person has decided on any of them yet" in texts(at)


def test_no_outcome_is_told_by_its_colour_alone(visit: Visit, audited: OpenProject) -> None:
    page = bodies(visit("overview", project="trees", report="1"))
    for sign, words in (("✓", "hold"), ("✗", "do not hold"), ("!", "need a look"), ("?", "source missing")):
        assert f"<span>{sign} {words}</span>" in page
    assert 'role="img" aria-label="38 ' in page, page[:400]
    assert '<span class="shade-wrong"><sup>✗</sup>Cited, and it does not hold</span>' in page


def test_what_does_not_hold_stands_with_the_words_that_decide(visit: Visit, audited: OpenProject) -> None:
    at = visit("overview", project="trees", report="1")
    finding = row(audited, Reason.NUMBER_MISMATCH)
    page, seen = bodies(at), texts(at)
    assert f"The report: {finding.claim_text}" in page
    assert "wind speed under closed canopies was 28 per cent lower than in the open partner street.</mark>" in page
    assert "Number differs. The claim says 38 per cent, the source 28 per cent." in seen


def test_the_evidence_of_a_sentence_opens_beside_the_report_and_closes_again(
    visit: Visit, audited: OpenProject
) -> None:
    finding = row(audited, Reason.NUMBER_MISMATCH)
    at = visit("overview", project="trees", report="1", finding=str(finding.id))
    assert not at.exception
    assert not at.error
    assert f"<p><mark>{finding.claim_text}</mark></p>" in bodies(at)
    assert "What the cited source says" in texts(at)
    assert 'class="shade-wrong current"' in coloured(at)
    button(at, "Close").click().run()  # type: ignore[attr-defined]
    assert "finding" not in at.query_params
    assert "What does not hold" in texts(at)


def test_what_people_decided_counts_more_than_the_machine_and_says_who(visit: Visit, audited: OpenProject) -> None:
    wrong, good = row(audited, Reason.NUMBER_MISMATCH), row(audited, status=Status.PASS)
    decide(audited, wrong, DecisionKind.ACCEPT, note="Another table has 38")
    decide(audited, good, DecisionKind.REJECT, by="Ben", reason=Reason.NOT_MENTIONED.value)
    at = visit("overview", project="trees", report="1")
    assert not at.error
    seen = texts(at)
    assert at.header[0].value.startswith("38 of 53 citations hold, 6 do not")  # one to each side
    assert "People have decided on 2 of 53 citations, 2 against the machine" in seen
    assert "The machine alone: 53 citations · 38 pass" in seen
    assert "Ann: 1 accepted" in seen
    assert "Ben: 1 rejected" in seen
    assert "Another table has 38" in seen
    assert "source does not mention it" in seen
    links = {
        int(key): shade for shade, key in re.findall(r'class="shade-(\w+)[^"]*" href="[^"]*finding=(\d+)', coloured(at))
    }
    assert links[wrong.id] == "verified"


def test_an_undone_decision_counts_no_more(visit: Visit, audited: OpenProject) -> None:
    decide(audited, row(audited, Reason.NUMBER_MISMATCH), DecisionKind.ACCEPT)
    audited.reviews.undo("Ann")
    seen = texts(visit("overview", project="trees", report="1"))
    assert "38 of 53 citations hold, 6 do not" in seen
    assert "Nobody has decided on a citation of this report yet." in seen


def test_looking_at_it_writes_nothing(visit: Visit, audited: OpenProject, bench: Workbench) -> None:
    decide(audited, row(audited, Reason.NUMBER_MISMATCH), DecisionKind.REJECT)
    visit("overview", project="trees", report="1")
    before = content(bench.root)
    finding = row(audited, Reason.QUOTE_ALTERED)
    for at in (
        visit("overview", project="trees"),
        visit("overview", project="trees", report="1", finding=str(finding.id)),
        visit("overview", project="trees", report="abc"),
    ):
        for one in at.button:
            if one.label in ("See the evidence", "After", "Close", "Open in the source"):
                one.click().run()
                break
    assert content(bench.root) == before
    changing = ("fetch", "check again", "delete", "accept", "reject", "retry", "stop")
    at = visit("overview", project="trees", report="1", finding=str(finding.id))
    assert not [one.label for one in at.button if any(word in one.label.lower() for word in changing)]


def test_a_link_can_be_copied_and_the_full_audit_is_one_click_away(visit: Visit, audited: OpenProject) -> None:
    at = visit("overview", project="trees", report="1")
    assert any(one.value.endswith("?project=trees&report=1&view=read") for one in at.code)
    button(at, "Full audit").click().run()  # type: ignore[attr-defined]
    assert any(one.label == "Reports" for one in at.button)  # the report as the page of the audit
    assert at.query_params["report"] in ("1", ["1"])


def test_readers_see_the_report_without_the_menu(visit: Visit, audited: OpenProject) -> None:
    at = visit("overview", project="trees", report="1", view="read")
    assert " of 53 citations hold, " in at.header[0].value
    assert "The report: " in bodies(at)
    assert not at.code
    assert not [one for one in at.button if one.label in ("Full audit", "Export")]
    assert not at.sidebar.text


def test_a_shared_page_has_the_outcome_first_and_hashes_last(visit: Visit, audited: OpenProject) -> None:
    shared = audited.exports.shared(1, by="Ann")
    page = shared.body.decode()
    assert re.fullmatch(r"Do street trees cool a city [\w' ]+ \d{4}-\d\d-\d\d\.html", shared.name)
    assert page.index(" of 53 citations hold, ") < page.index('id="report"') < page.index("SHA-256 ")
    assert page.rindex("</article>") < page.index('id="grounds"')
    assert visit("overview", project="trees", report="1").header[0].value in page


def test_pass_and_review_are_explained_in_a_line_each(visit: Visit, audited: OpenProject) -> None:
    captions = [one.value.replace("\\", "") for one in visit("overview", project="trees", report="1").caption]
    for word in ("✓ Pass", "! Review", "? Source missing"):
        assert [line for line in captions if line.startswith(f"**{word}**: ")]


@pytest.mark.parametrize("wanted", ["abc", "999", "-1", "1e3", "1" * 40])
def test_a_report_that_is_not_there_is_said_in_a_line(visit: Visit, audited: OpenProject, wanted: str) -> None:
    at = visit("overview", project="trees", report=wanted)
    assert not at.exception
    assert "This project has no such report." in texts(at)


def test_a_citation_that_is_not_there_is_said_in_a_line(visit: Visit, audited: OpenProject) -> None:
    for wanted in ("abc", "9999"):
        at = visit("overview", project="trees", report="1", finding=wanted)
        assert "This report has no such citation." in texts(at)
        assert "38 of 53" in texts(at)


def test_a_report_that_is_not_checked_yet_says_so(visit: Visit, bench: Workbench) -> None:
    opened = bench.open(bench.create("Heat").slug)
    opened.audits.add("a.md", b"Trees cool the street [1].\n\n## References\n\n1. A study. https://a.example/s\n")
    assert "1 citation, none checked yet." in texts(visit("overview", project="heat"))
    opened.audits.add("b.md", b"Just words.\n")
    at = visit("overview", project="heat")
    assert "No citation was found in this report." in texts(at)  # two reports: a list with the outcome of each
    assert [one.label for one in at.button].count("Open") == 2


def test_hostile_words_of_a_report_and_of_a_reviewer_stay_words(visit: Visit, bench: Workbench) -> None:
    opened = bench.open(bench.create("Heat").slug)
    text = "<img src=x onerror=alert(1)> ![p](http://evil.example/a.png) was said [7].\n\n## References\n\n1. A. https://a.example/s\n"
    opened.audits.add("<script>.md", text.encode())
    finding = opened.audits.findings(1)[0]
    decide(opened, finding, DecisionKind.REJECT, by="![x](http://evil.example/b.png)", note="<script>alert(2)</script>")
    at = visit("overview", project="heat", report="1")
    assert not at.exception
    assert "<img" not in bodies(at)
    assert "<script>alert" not in bodies(at)
    for group in (at.markdown, at.caption, at.subheader, at.header):
        assert not [one.value for one in group if "](http" in one.value or "<script>" in one.value.replace("\\<", "")]


def test_what_is_printed_has_the_evidence_of_every_citation(visit: Visit, audited: OpenProject) -> None:
    page = bodies(visit("overview", project="trees", report="1"))
    assert len(re.findall(r"<h4>\d+\. [✓✗!?…]", page)) == audited.audits.summary(1).citations
    assert page.index("✗ Does not hold") < page.index("! Needs a look") < page.index("✓ Holds")
