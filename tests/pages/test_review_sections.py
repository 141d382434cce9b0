"""Review: what decisions say of the machine, people, and the log."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from core.labels import DecisionKind, Role
from core.workbench.open_project import OpenProject
from tests.pages.conftest import texts
from tests.pages.reviewed import decide, press

Visit = Callable[..., AppTest]


def test_without_decisions_reliability_says_so(visit: Visit, ours: OpenProject) -> None:
    at = visit("review", project="trees", reviewer="Ann", section="Reliability")
    assert not at.exception
    assert not at.error
    assert "Nobody has decided yet on a citation that the machine passed." in texts(at)


def test_decisions_draw_the_curve_with_a_table_beneath(visit: Visit, ours: OpenProject) -> None:
    for finding in ours.audits.findings(1):
        if finding.verdict is not None:
            passed = finding.status == "PASS"
            key = ours.reviews.key_of_finding(finding.id)
            decide(ours, key, DecisionKind.ACCEPT if passed else DecisionKind.REJECT, "Ann")
    at = visit("review", project="trees", reviewer="Ann", section="Reliability")
    assert not at.exception
    assert not at.error
    assert any("Found to hold" in frame.value for frame in at.dataframe)
    assert "citations that the machine passed and people decided on" in texts(at)


def test_the_owner_adds_people_and_makes_review_blind(visit: Visit, ours: OpenProject) -> None:
    at = visit("review", project="trees", reviewer="Ann", section="People and settings")
    assert not at.exception
    assert not at.error
    at.text_input[0].input("Dan")
    press(at, "Add")
    assert ("Dan", Role.REVIEWER) in [(one.name, one.role) for one in ours.reviews.people.all()]
    at.toggle[0].set_value(True).run()
    assert ours.reviews.people.policy().blind
    assert "Review is blind now" in texts(at)


def test_the_last_owner_cannot_leave(visit: Visit, ours: OpenProject) -> None:
    at = visit("review", project="trees", reviewer="Ann", section="People and settings")
    at.button(key="remove-Ann").click().run()
    assert at.error
    assert "Ann" in [one.name for one in ours.reviews.people.all()]


def test_who_is_no_owner_changes_nothing_there(visit: Visit, ours: OpenProject) -> None:
    at = visit("review", project="trees", reviewer="Bob", section="People and settings")
    assert "Only an owner can change what stands here" in texts(at)
    assert at.toggle[0].disabled
    assert not [one for one in at.button if one.label == "Remove"]
