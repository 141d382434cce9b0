"""The claims."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.labels import ClaimType, Grade, JobKind, VerdictState
from core.records import Claim, ClaimSource, ClaimVerdict, Cluster, Requirement
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.pages.conftest import button, texts

Visit = Callable[..., AppTest]
TEXT = "Street trees cool the air by about one degree on summer afternoons. We thank our readers."


def table(at: AppTest) -> Any:
    """The table or matrix of claims."""
    return next(frame.value for frame in at.dataframe if "Claim" in frame.value)


@pytest.fixture
def verified(audited: OpenProject) -> Claim:
    """A claim of the demo report with a verdict over two sources, one of them of too low a grade."""
    finding = next(one for one in audited.audits.findings(1) if one.verdict and not one.reasons)
    assert finding.verdict
    other = next(one for one in audited.sources.documents() if one.id != finding.document_id)
    claim = audited.claims.add("The city set out to plant 40,000 street trees by the end of 2024.", ClaimType.C1)
    weak = replace(finding.verdict, document_id=other.id, rationale=(0, 20))
    verdict = ClaimVerdict(
        VerdictState.INSUFFICIENT,
        (Requirement("support", True, "1 source in support"), Requirement("independence", False, "1 of 2 independent")),
        (
            ClaimSource(finding.verdict.document_id, Grade.A, finding.verdict, True, "supports it (0.94)"),
            ClaimSource(other.id, Grade.E, weak, False, "grade E, but B or better is needed"),
        ),
        (Cluster((finding.verdict.document_id, other.id), ("both stand on one site",)),),
        independent=1,
    )
    store: Any = audited.context.store
    (stored,) = store.put_claims([replace(claim, verdict=verdict)])
    return stored  # type: ignore[no-any-return]


def test_without_a_claim_the_page_says_what_to_do(visit: Visit, bench: Workbench) -> None:
    at = visit("claims", project=bench.create("Heat").slug)
    assert not at.exception
    assert "No claim is here yet" in texts(at)


def test_claims_are_taken_out_of_pasted_text(visit: Visit, bench: Workbench) -> None:
    opened = bench.open(bench.create("Heat").slug)
    at = visit("claims", project="heat")
    at.text_area[0].input(TEXT)
    button(at, "Take its claims out").click().run()  # type: ignore[attr-defined]
    assert not at.exception
    assert len(table(at)) == len(opened.claims.all()) > 0
    assert "Check 1 claim" in [one.label for one in at.button]


def test_claims_are_taken_out_of_a_report_once(visit: Visit, audited: OpenProject) -> None:
    at = visit("claims", project="trees")
    button(at, "Take its claims out").click().run()  # type: ignore[attr-defined]
    count = len(audited.claims.all(report_id=1))
    assert count > 30
    button(at, "Take its claims out").click().run()  # type: ignore[attr-defined]
    assert len(audited.claims.all(report_id=1)) == count
    assert f"{count} were here already" in texts(at)


def test_a_typed_claim_is_checked_at_once(visit: Visit, audited: OpenProject) -> None:
    at = visit("claims", project="trees")
    at.segmented_control(key="claims-way").set_value("Type").run()
    at.text_input[0].input("Street trees cool the air by one degree.")
    button(at, "Add and check").click().run()  # type: ignore[attr-defined]
    assert not at.error
    job = audited.jobs.all(active=True)[0]
    assert job.kind is JobKind.VERIFY
    assert at.query_params["claim"] == "1"
    assert "Checking claims" in "".join(str(element.proto.text) for element in at.get("progress"))


def test_a_claim_without_words_is_said_plainly(visit: Visit, audited: OpenProject) -> None:
    at = visit("claims", project="trees")
    at.segmented_control(key="claims-way").set_value("Type").run()
    button(at, "Add and check").click().run()  # type: ignore[attr-defined]
    assert len(at.error) == 1
    assert not audited.claims.all()


def test_filters_come_out_of_the_address_and_can_be_cleared(visit: Visit, audited: OpenProject) -> None:
    audited.claims.extract_text(TEXT)
    at = visit("claims", project="trees", worth="The rest")
    assert all(value.startswith("no: ") for value in table(at)["Worth checking"])
    button(at, "Show all").click().run()  # type: ignore[attr-defined]
    assert len(table(at)) == len(audited.claims.all())
    assert "worth" not in at.query_params


def test_a_claim_shows_its_passages_first_and_its_explanations_closed(
    visit: Visit, audited: OpenProject, verified: Claim
) -> None:
    at = visit("claims", project="trees", claim=str(verified.id))
    assert not at.exception
    assert not at.error
    page = "\n".join(element.proto.body for element in at.get("html"))
    assert "set out in 2019 to plant 40,000 street trees by the end of 2024.</mark>" in page
    closed = {one.label: one.proto.expanded for one in at.expander}
    assert closed["Checklist: 1 of 2 met"] is False
    assert closed["Which sources are independent: 1 group"] is False
    assert "Counted as one: both stand on one site" in texts(at)
    assert "grade E, but B or better is needed" in texts(at)


def test_the_matrix_shows_what_each_source_says(visit: Visit, verified: Claim) -> None:
    at = visit("claims", project="trees", view="Claims by sources")
    assert not at.exception
    frame = table(at)
    assert len(frame) == 1
    assert {*frame.iloc[0]} >= {"✓ 0.94", "(✓ 0.94)"}


def test_another_type_is_kept_with_a_name_and_asks_for_a_new_check(
    visit: Visit, audited: OpenProject, verified: Claim
) -> None:
    at = visit("claims", project="trees", claim=str(verified.id))
    at.radio[0].set_value(ClaimType.C2)
    next(one for one in at.text_input if one.label.startswith("Your name")).input("Kim")
    button(at, "Set the type").click().run()  # type: ignore[attr-defined]
    changed = audited.claims.get(verified.id)
    assert (changed.type, changed.type_by, changed.verdict) == (ClaimType.C2, "Kim", None)
    assert audited.jobs.all(active=True)[0].kind is JobKind.VERIFY


def test_a_type_set_on_a_row_that_moved_is_refused_with_a_message(
    visit: Visit, audited: OpenProject, verified: Claim
) -> None:
    at = visit("claims", project="trees", claim=str(verified.id))
    audited.claims.set_type(verified.id, ClaimType.C2, by="Ada", version=verified.version)
    at.radio[0].set_value(ClaimType.C2)
    button(at, "Set the type").click().run()  # type: ignore[attr-defined]
    assert not at.exception
    assert [one.value for one in at.error if "was changed meanwhile" in one.value]
    assert audited.claims.get(verified.id).type_by == "Ada"


def test_of_two_tabs_the_later_one_is_told_and_may_then_decide(
    visit: Visit, audited: OpenProject, verified: Claim
) -> None:
    first, second = (visit("claims", project="trees", claim=str(verified.id)) for _ in range(2))
    for at, kind in ((first, ClaimType.C2), (second, ClaimType.C2)):
        at.radio[0].set_value(kind)
        button(at, "Set the type").click().run()  # type: ignore[attr-defined]
    assert [len(at.error) for at in (first, second)] == [0, 1]
    second.radio[0].set_value(ClaimType.C1)
    button(second, "Set the type").click().run()  # type: ignore[attr-defined]
    assert not second.error
    assert audited.claims.get(verified.id).type is ClaimType.C1


DIALOG = """
import streamlit as st
from pages.shared import claim_detail
from pages.shared import address, notices, session

st.navigation([st.Page(address.Page.CLAIMS, default=True)], position="hidden")
st.query_params["project"] = "trees"
claim_detail.delete_claim(session.workbench().open("trees").claims.all()[0])
"""


def test_a_claim_is_deleted_after_a_question(visit: Visit, audited: OpenProject, verified: Claim) -> None:
    at = visit("claims", project="trees", claim=str(verified.id))
    at.button(key="delete-claim").click().run()
    assert "reports and sources stay" in texts(at)
    assert audited.claims.all()
    # Held open: the test runner cannot run a dialog alone, as the browser does.
    held = AppTest.from_string(DIALOG, default_timeout=60).run()
    button(held, "Delete").click().run()  # type: ignore[attr-defined]
    assert not audited.claims.all()


@pytest.mark.parametrize(
    "params",
    [
        {"claim": "99999"},
        {"claim": "x"},
        {"report": "99999"},
        {"report": "\u0661"},
        {"view": "nonsense"},
        {"type": "<script>"},
        {"verdict": "nonsense"},
        {"doc": "nonsense", "passage": "1"},
    ],
)
def test_a_stale_or_hostile_address_does_no_harm(
    visit: Visit, audited: OpenProject, verified: Claim, params: dict[str, str]
) -> None:
    at = visit("claims", project="trees", **params)
    assert not at.exception
    assert not at.error
    assert len(table(at)) == 1
