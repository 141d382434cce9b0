"""Review of a real project: the queue, decisions and undo, people, blindness, conflicts, the log."""

from __future__ import annotations

import pytest

from core.errors import NotAllowed, NoteMissing, ReviewError, RowMoved
from core.labels import DecisionKind, ItemKind, ItemState, Role, Status
from core.records import ReviewItem, ReviewPolicy, StoredReport
from core.review.review import Reviews
from core.settings.values import Settings
from core.workbench.demo import finish_jobs
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench
from tests.helpers.auditing import REPORT
from tests.helpers.reviewing import decide

ACCEPT, REJECT, WRONG = DecisionKind.ACCEPT, DecisionKind.REJECT, DecisionKind.WRONG_SOURCE


def texts(items: list[ReviewItem]) -> list[str]:
    return [one.text.split()[0] for one in items]


def doubtful(reviews: Reviews, by: str = "ann") -> list[ReviewItem]:
    return [one for one in reviews.queue(by) if one.machine != "PASS"]


def test_the_queue_has_what_did_not_pass_and_passed_rows_drawn_by_lot(reviews: Reviews) -> None:
    queue = reviews.queue("ann")
    assert sorted(texts([one for one in queue if one.machine != "PASS"])) == ["Nobody", "Sparrows", "The"]
    drawn = [one for one in queue if one.machine == "PASS"]
    assert len(drawn) == 2
    assert all("Spot check: 2 of 2" in one.worth_why for one in drawn)
    assert [one.worth for one in queue] == sorted((one.worth for one in queue), reverse=True)
    assert all(one.state is ItemState.OPEN and one.seen == 0 for one in queue)


def test_an_item_that_is_decided_leaves_the_queue_and_comes_back_with_undo(
    bench: Workbench, project: OpenProject, reviews: Reviews, request: pytest.FixtureRequest
) -> None:
    first, second, *_ = queue = reviews.queue("ann")
    decide(reviews, first, ACCEPT, note="Read it.")
    decide(reviews, second, REJECT, reason="not_mentioned")
    assert [one.key for one in reviews.queue("ann")] == [one.key for one in queue[2:]]
    assert reviews.item(first.key, "ann").state is ItemState.DECIDED
    slug = project.project.slug
    bench.close()  # a restart: everything that follows is read from the disk
    restarted = open_workbench(bench.root, Settings(), engines=bench.engines)
    request.addfinalizer(restarted.close)
    again = restarted.open(slug).reviews
    assert again.undo("ann").item == second.key  # type: ignore[union-attr]
    assert again.undo("ann").item == first.key  # type: ignore[union-attr]
    assert again.undo("ann") is None
    assert [one.key for one in again.queue("ann")] == [one.key for one in queue]
    assert again.redo("ann").item == first.key  # type: ignore[union-attr]
    assert again.item(first.key, "ann").state is ItemState.DECIDED
    decide(again, second, WRONG)
    assert again.redo("ann") is None
    assert [one.kind.value for one in again.history(second.key, "ann")] == ["reject", "undo", "wrong_source"]


def test_what_cannot_be_read_here_is_accepted_only_with_a_word_of_where_it_was_checked(reviews: Reviews) -> None:
    item = next(item for item in reviews.queue("ann") if item.machine == Status.SOURCE_NOT_INDEXED)
    assert item.takes_note
    for empty in ("", "  ", "\u200b"):
        with pytest.raises(NoteMissing, match="checked elsewhere"):
            decide(reviews, item, ACCEPT, note=empty)
    assert reviews.history(item.key, "ann") == []
    decide(reviews, item, REJECT)
    decide(reviews, item, ACCEPT, "ben", note="checked elsewhere: the printed edition")
    with pytest.raises(NoteMissing):  # settling is accepting too
        reviews.adjudicate(item.key, ACCEPT, by="ann", seen=reviews.item(item.key, "ann").seen)
    read = [other for other in reviews.queue("ann") if other.document_id is not None]
    assert read
    assert not any(other.takes_note for other in read)
    decide(reviews, read[0], ACCEPT)


def test_undo_touches_only_ones_own_decisions(reviews: Reviews) -> None:
    first, second, *_ = reviews.queue("ann")
    decide(reviews, first, ACCEPT, "ann")
    decide(reviews, second, REJECT, "ben")
    assert reviews.undoable("ann").item == first.key  # type: ignore[union-attr]
    assert reviews.undo("ann").item == first.key  # type: ignore[union-attr]
    assert reviews.undo("ann") is None
    assert reviews.item(second.key, "ann").state is ItemState.DECIDED


def test_a_decision_holds_what_it_rested_on(project: OpenProject, report: StoredReport, reviews: Reviews) -> None:
    item = next(one for one in reviews.queue("ann") if one.text.startswith("The garden"))
    basis = decide(reviews, item, WRONG).basis
    row = project.audits.finding(item.row_id)
    assert row.verdict is not None
    assert (basis.row_version, basis.report_hash, basis.report_family) == (row.version, report.content_hash, report.id)
    assert (basis.machine, basis.reasons) == ("REVIEW", ("wrong_source", "not_mentioned"))
    assert (basis.support, basis.threshold) == (pytest.approx(row.verdict.supports), 0.7)
    assert basis.fingerprint == row.verdict.fingerprint
    assert project.sources.document(str(basis.document_id)).content_hash == basis.source_hash
    assert len(basis.claim_hash) == len(basis.passage_hash) == 64


def test_a_row_that_moved_or_that_somebody_decided_is_refused(
    bench: Workbench, project: OpenProject, report: StoredReport, reviews: Reviews
) -> None:
    item, other, *_ = reviews.queue("ann")
    reviews.decide(item.key, ACCEPT, by="ben", version=item.version, seen=item.seen)
    with pytest.raises(RowMoved, match="ben"):
        reviews.decide(item.key, REJECT, by="ann", version=item.version, seen=item.seen)
    with pytest.raises(RowMoved, match="changed meanwhile"):
        reviews.decide(other.key, REJECT, by="ann", version=other.version - 1, seen=0)
    project.audits.delete(report.id)
    with pytest.raises(RowMoved, match="not there any more"):
        reviews.decide(other.key, REJECT, by="ann", version=other.version, seen=0)
    assert [one.kind for one in reviews.log.entries()] == [ACCEPT]
    assert reviews.undo("ben") is not None


def test_what_a_kind_takes_is_asked_for(reviews: Reviews) -> None:
    item = reviews.queue("ann")[0]
    for nothing in ("  ", "\0\0", "\u200b \u2060"):
        with pytest.raises(ReviewError, match="note is empty"):
            decide(reviews, item, DecisionKind.NOTE, note=nothing)
        with pytest.raises(ReviewError, match="wording is missing"):
            decide(reviews, item, DecisionKind.REWORD, rewording=nothing)
    with pytest.raises(ReviewError, match="wording is missing"):
        decide(reviews, item, DecisionKind.REWORD)
    with pytest.raises(ReviewError, match="asked for by themselves"):
        decide(reviews, item, DecisionKind.UNDO)
    with pytest.raises(ReviewError, match="name"):
        reviews.decide(item.key, ACCEPT, by=" ", version=item.version, seen=item.seen)


def test_a_note_leaves_the_item_open_and_a_postponed_one_comes_last(reviews: Reviews) -> None:
    first = reviews.queue("ann")[0]
    decide(reviews, first, DecisionKind.NOTE, note="Look at the table.")
    assert reviews.item(first.key, "ann").state is ItemState.OPEN
    decide(reviews, first, DecisionKind.POSTPONE)
    queue = reviews.queue("ann")
    assert (queue[-1].key, queue[-1].state) == (first.key, ItemState.POSTPONED)
    now = reviews.progress("ann")
    assert (now.total, now.open, now.postponed, now.decided, now.today) == (5, 4, 1, 0, 1)


def test_roles_are_enforced(reviews: Reviews) -> None:
    assert reviews.people.me("anybody").role is Role.OWNER
    reviews.people.set_role("ben", Role.REVIEWER, by="ann")
    assert [(one.name, one.role) for one in reviews.people.all()] == [("ann", Role.OWNER), ("ben", Role.REVIEWER)]
    assert reviews.people.me("anybody").role is Role.VIEWER
    item = reviews.queue("anybody")[0]
    with pytest.raises(NotAllowed, match="anybody is a viewer here and may not decide"):
        reviews.decide(item.key, ACCEPT, by="anybody", version=item.version, seen=0)
    with pytest.raises(NotAllowed):
        reviews.undo("anybody")
    for refused in (
        lambda: reviews.people.set_role("eve", Role.OWNER, by="ben"),
        lambda: reviews.people.remove("ann", by="ben"),
        lambda: reviews.people.set_policy(ReviewPolicy(blind=True), by="ben"),
        lambda: reviews.threshold.apply(0.5, by="ben"),
        lambda: reviews.log.take_in(b"", by="ben"),
        lambda: reviews.adjudicate(item.key, ACCEPT, by="ben", seen=0),
    ):
        with pytest.raises(NotAllowed):
            refused()
    with pytest.raises(ReviewError, match="only owner"):
        reviews.people.set_role("ann", Role.REVIEWER, by="ann")
    with pytest.raises(ReviewError, match="only owner"):
        reviews.people.remove("ann", by="ann")
    reviews.people.set_role("ben", Role.OWNER, by="ann")
    reviews.people.remove("ann", by="ben")
    assert [one.name for one in reviews.people.all()] == ["ben"]


def test_blind_reviewers_do_not_see_each_other_before_both_decided(reviews: Reviews) -> None:
    reviews.people.set_role("ann", Role.OWNER, by="ann")
    for name in ("ben", "cleo"):
        reviews.people.set_role(name, Role.REVIEWER, by="ann")
    reviews.people.set_policy(ReviewPolicy(blind=True), by="ann")
    item = reviews.queue("ben")[0]
    decide(reviews, item, ACCEPT, "ben", note="Yes.")
    for other in ("cleo", "ann", "a viewer"):
        seen = reviews.item(item.key, other)
        assert (seen.state, seen.decision, seen.seen) == (ItemState.OPEN, None, 0)
        assert reviews.history(item.key, other) == []
    assert reviews.standing(item.report_id or 0).findings == {}
    decide(reviews, item, REJECT, "cleo")
    for one in ("ben", "cleo", "ann"):
        assert reviews.item(item.key, one).state is ItemState.CONFLICT
        assert [entry.by for entry in reviews.history(item.key, one)] == ["ben", "cleo"]
        assert len(reviews.conflicts(one)) == 1


def test_a_log_of_blind_review_leaves_out_what_the_page_does_not_show(reviews: Reviews) -> None:
    reviews.people.set_role("ann", Role.OWNER, by="ann")
    for name in ("ben", "cleo"):
        reviews.people.set_role(name, Role.REVIEWER, by="ann")
    first, second, *_ = reviews.queue("ben")
    reviews.people.set_policy(ReviewPolicy(blind=True), by="ann")
    decide(reviews, first, ACCEPT, "ben", note="Mine.")
    decide(reviews, second, REJECT, "cleo", note="Hers.")
    for name, told, hidden in (("ben", b"Mine.", 1), ("cleo", b"Hers.", 1), ("a viewer", b"", 2)):
        body = reviews.log.export(name)
        assert (body.count(b'"redacted":true'), reviews.log.hidden_in_export(name)) == (hidden, hidden)
        assert told in body
        assert not [word for word in {b"Mine.", b"Hers."} - {told} if word in body]
        assert reviews.log.take_in(body, by="ann").known == 2 - hidden  # the chain of what is left still verifies
    assert reviews.log.hidden_in_export("ann") == 0
    assert b"redacted" not in reviews.log.export("ann")
    decide(reviews, first, REJECT, "cleo")
    assert reviews.log.hidden_in_export("ben") == 1
    assert reviews.log.hidden_in_export("cleo") == 0


def test_a_conflict_is_settled_by_an_owner_and_counts_from_then_on(reviews: Reviews, report: StoredReport) -> None:
    item = reviews.queue("ann")[0]
    decide(reviews, item, ACCEPT, "ben")
    decide(reviews, item, REJECT, "cleo")
    (conflict,) = reviews.conflicts("ann")
    assert [one.by for one in conflict.decisions] == ["ben", "cleo"]
    assert [one.kind for one in reviews.standing(report.id).findings[item.row_id].conflict] == [ACCEPT, REJECT]
    with pytest.raises(RowMoved):
        reviews.adjudicate(item.key, REJECT, by="ann", seen=conflict.item.seen - 1)
    settled = reviews.adjudicate(item.key, REJECT, by="ann", seen=conflict.item.seen, note="Cleo is right.")
    assert settled.settles == tuple(one.id for one in conflict.decisions)
    assert reviews.conflicts("ann") == []
    assert reviews.item(item.key, "ben").decision == settled
    assert reviews.standing(report.id).findings[item.row_id].decision == settled
    with pytest.raises(ReviewError, match="no conflict"):
        reviews.adjudicate(item.key, REJECT, by="ann", seen=settled.id)
    (pair,) = reviews.agreement()
    assert (pair.first, pair.second, pair.n, pair.percent) == ("ben", "cleo", 1, 0.0)
    reviews.undo("ann")
    assert len(reviews.conflicts("ann")) == 1


def test_decisions_stay_with_a_citation_over_a_new_version_and_ask_again_where_it_changed(
    bench: Workbench, project: OpenProject, report: StoredReport, reviews: Reviews
) -> None:
    for item in doubtful(reviews):
        decide(reviews, item, REJECT)
    text = REPORT.replace("# Three", "# Four").replace("900 litres of rain in May", "950 litres of rain in May")
    project.audits.add("report.md", text.encode(), supersedes=report.id)
    finish_jobs(bench, project)
    states = {
        one.text.split()[0]: one for one in reviews.queue("ann", states=tuple(ItemState)) if one.machine != "PASS"
    }
    assert {word: one.state.value for word, one in states.items()} == {
        "Nobody": "decided", "Sparrows": "decided", "The": "open",
    }  # fmt: skip
    assert [one.kind for one in states["The"].earlier] == [REJECT]
    assert "900 litres" in states["The"].earlier[0].basis.claim_text


def test_a_source_that_changed_or_came_makes_a_decision_stale(
    bench: Workbench, project: OpenProject, report: StoredReport, reviews: Reviews
) -> None:
    for item in reviews.queue("ann"):
        decide(reviews, item, ACCEPT, note="checked elsewhere: in print")
    assert reviews.queue("ann") == []
    project.sources.add_snapshots([
        ("https://sparrows.example/square", b"Sparrows came back to the market square.", "text/plain"),
        ("https://lanes.example/shops", b"Cycle lanes help nobody, says the mayor now. Takings fell.", "text/plain"),
    ])  # fmt: skip
    finish_jobs(bench, project)
    project.audits.audit(report.id)
    finish_jobs(bench, project)
    stale = {one.text.split()[0]: one for one in reviews.queue("ann")}
    assert {one.state for one in stale.values()} == {ItemState.STALE}
    assert sorted(stale) == ["Sparrows", "Takings"]
    assert stale["Sparrows"].stale_why == (
        "The cited source was not stored then and is now. The machine said SOURCE_NOT_INDEXED then and says PASS now."
    )
    assert stale["Takings"].stale_why.startswith("The text of the source changed.")
    assert reviews.standing(report.id).findings[stale["Takings"].row_id].stale
    decide(reviews, stale["Sparrows"], ACCEPT)
    assert texts(reviews.queue("ann")) == ["Takings"]


def test_claims_are_reviewed_too(bench: Workbench, project: OpenProject, reviews: Reviews) -> None:
    claim = project.claims.add("The trees of the town cost a million pounds.")
    project.claims.verify([claim.id])
    finish_jobs(bench, project)
    (item,) = reviews.queue("ann", kinds=[ItemKind.CLAIM])
    assert (item.key, item.machine) == (reviews.key_of_claim(claim.id), "insufficient")
    with pytest.raises(ReviewError, match="cites no source"):
        decide(reviews, item, WRONG)
    decide(reviews, item, DecisionKind.REWORD, rewording="The trees cost money.")
    assert reviews.item(item.key, "ann").decision.rewording == "The trees cost money."  # type: ignore[union-attr]
    assert reviews.queue("ann", kinds=[ItemKind.CLAIM]) == []


def test_the_log_goes_to_another_copy_and_comes_back_once(reviews: Reviews) -> None:
    first, second, *_ = reviews.queue("ann")
    decide(reviews, first, ACCEPT)
    decide(reviews, second, REJECT)
    reviews.undo("ann")
    body = reviews.log.export()
    assert body.count(b"\n") == 3
    again = reviews.log.take_in(body, by="ann")
    assert (again.added, again.known, again.unknown_items) == (0, 3, 0)
    forged = body.replace(b'"reject"', b'"accept"')
    with pytest.raises(ReviewError, match=r"Entry 2 .* was changed"):
        reviews.log.take_in(forged, by="ann")
    with pytest.raises(ReviewError, match="Line 1"):
        reviews.log.take_in(b"{}\n", by="ann")
    marked = reviews.log.take_in(b"\xef\xbb\xbf" + body.replace(b"\n", b"\r\n"), by="ann")
    assert (marked.added, marked.known) == (0, 3)


def test_any_row_can_be_found_by_its_number(project: OpenProject, report: StoredReport, reviews: Reviews) -> None:
    for row in project.audits.findings(report.id):
        item = reviews.item(reviews.key_of_finding(row.id), "ann")
        assert (item.row_id, item.machine) == (row.id, row.status.value if row.status else "")
        assert row.status is not Status.PASS or item.reasons == ()
    with pytest.raises(ReviewError, match="not there any more"):
        reviews.item("citation:unknown", "ann")


@pytest.mark.parametrize("name", ["ann\u200b", "a\u202enn", "an\u2060n", "ann\u3164x", "\u2066ann"])
def test_a_name_with_characters_that_are_not_seen_is_refused(reviews: Reviews, name: str) -> None:
    item = doubtful(reviews)[0]
    with pytest.raises(ReviewError, match="not seen"):
        decide(reviews, item, ACCEPT, by=name)
    with pytest.raises(ReviewError, match="not seen"):
        reviews.people.set_role(name, Role.REVIEWER, by="ann")
    assert reviews.people.all() == []


@pytest.mark.parametrize("name", ["علی\u200cرضا", "क्\u200dष", "क्\u200cष", "Ann"])
def test_a_name_that_is_written_with_joiners_is_taken(reviews: Reviews, name: str) -> None:
    assert decide(reviews, doubtful(reviews)[0], ACCEPT, by=name).by == name
    assert reviews.people.set_role(name, Role.OWNER, by=name).role is Role.OWNER


@pytest.mark.parametrize(
    "name", ["An\u200dn", "\u200cعلی", "علی\u200c", "علی\u200c\u200cرضا", "क\u200d ष", "a\u200cعلی"]
)
def test_a_joiner_that_shows_nothing_is_refused(reviews: Reviews, name: str) -> None:
    with pytest.raises(ReviewError, match="not seen"):
        reviews.people.set_role(name, Role.REVIEWER, by="ann")
