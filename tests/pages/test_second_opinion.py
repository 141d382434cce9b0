"""Second opinions on Citations and Claims: off by default, priced before, shown beside the verdict."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from streamlit.testing.v1 import AppTest

from core.labels import JobKind
from core.records import Finding
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.pages.conftest import texts
from tests.servers.messages_api import MessagesApi, Reply, messages_api

Visit = Callable[..., AppTest]


@pytest.fixture
def api(bench: Workbench, audited: OpenProject, monkeypatch: pytest.MonkeyPatch) -> Iterator[MessagesApi]:
    """The language model of the installation is a loopback server."""
    monkeypatch.delenv("WORKBENCH_SETTINGS", raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    with messages_api("{}") as made:
        lines = ["[llm]", "enabled = true", f'base_url = "{made}"', "opinion = true", "attempts = 1"]
        (bench.root / "workbench.toml").write_text("\n".join(lines))
        yield made


def row(opened: OpenProject) -> Finding:
    return next(one for one in opened.audits.findings(1) if one.document_id and one.verdict and one.claim_text)


def seen(at: AppTest) -> str:
    assert not at.exception
    return texts(at)


DIALOG = """
from pages.shared.finding_detail import ask_for_opinion
from pages.shared import session

ask_for_opinion(session.workbench().open("trees"), "finding:{}")
"""


def confirm(finding: Finding) -> AppTest:
    """Press the button in the dialog. Held open: the test runner cannot run a dialog alone, as the browser does."""
    held = AppTest.from_string(DIALOG.format(finding.id), default_timeout=60).run()
    return held.button(key="confirm-opinion").click().run()


def test_nothing_is_shown_while_opinions_are_off(visit: Visit, audited: OpenProject) -> None:
    at = visit("citations", project="trees", report="1", finding=str(row(audited).id))
    assert "A second opinion" not in seen(at)


def test_an_opinion_is_priced_asked_and_shown_beside_the_verdict(
    visit: Visit, api: MessagesApi, bench: Workbench
) -> None:
    opened = bench.open("trees")
    finding = row(opened)
    assert finding.verdict is not None
    words = opened.sources.text(str(finding.document_id))[:50]
    quotes = [
        {"document": 1, "quote": words, "stance": "supports", "why": "![x](http://evil.example/a.png)"},
        {"document": 1, "quote": "Nobody ever wrote these words here.", "stance": "supports"},
    ]
    other = "neutral" if finding.verdict.label.value != "neutral" else "supports"
    api.say(json.dumps({"label": other, "confidence": 70, "why": "<b>Hm</b>", "quotes": quotes}))
    at = visit("citations", project="trees", report="1", finding=str(finding.id))
    at.button(key=f"ask-opinion-{finding.id}").click().run()
    said = seen(at)
    assert "At most $" in said
    assert "the claim, and the parts of its sources that bear on it" in said
    assert api.requests == [], "looking at the price sends nothing"
    confirm(finding)
    assert "A language model is being asked" in seen(
        visit("citations", project="trees", report="1", finding=str(finding.id))
    )
    opened = bench.open("trees")
    job = run_next(opened.job_context(), "test", kinds=[JobKind.OPINION])
    assert job is not None
    assert job.error is None
    said = seen(visit("citations", project="trees", report="1", finding=str(finding.id)))
    assert "Disagrees with the judge" in said
    assert "its own confidence: 70 of 100" in said
    assert "An opinion decides nothing" in said
    assert "1 quote was dropped" in said
    assert "<b>Hm</b>" in said, "as text"
    assert opened.audits.finding(finding.id) == finding


def test_a_failure_is_said_as_what_it_is(visit: Visit, api: MessagesApi, bench: Workbench) -> None:
    api.say(Reply(status=401))
    finding = row(bench.open("trees"))
    confirm(finding)
    run_next(bench.open("trees").job_context(), "test", kinds=[JobKind.OPINION])
    at = visit("citations", project="trees", report="1", finding=str(finding.id))
    assert "There is no opinion: The key ANTHROPIC_API_KEY is not accepted" in seen(at)


def test_a_claim_shows_its_opinion(visit: Visit, api: MessagesApi, bench: Workbench) -> None:
    from datetime import UTC, datetime

    from core.labels import Label
    from core.opinion.opinion import keep_opinion
    from core.records import Opinion

    opened = bench.open("trees")
    claim = opened.claims.add("Street trees cool the pavement below them.")
    opened.claims.verify([claim.id])
    run_next(opened.job_context(), "test", kinds=[JobKind.VERIFY])
    old = Opinion(f"claim:{claim.id}", datetime.now(UTC), "m", Label.SUPPORTS, 90, "Yes.", None, None, basis="other")
    keep_opinion(opened.context.store, old)
    said = seen(visit("claims", project="trees", claim=str(claim.id)))
    assert "The judge takes no side" in said
    assert "was changed since; ask again" in said


def test_a_source_is_asked_for_quotes(visit: Visit, api: MessagesApi, bench: Workbench) -> None:
    opened = bench.open("trees")
    document = opened.sources.documents()[0]
    words = opened.sources.text(document.id)[:45].strip()
    given = [{"quote": words, "why": "![x](http://evil.example/a.png)"}, {"quote": "These words are not there."}]
    api.say(json.dumps({"passages": given}))
    at = visit("sources", project="trees", doc=document.id, part="Quotes")
    at.text_area(key="quotes-text").set_value("What does it say?").run()
    assert "At most $" in seen(at)
    at.button(key="quotes-ask").click().run()
    assert "A language model is being asked." in seen(at)
    run_next(bench.open("trees").job_context(), "test", kinds=[JobKind.OPINION])
    said = seen(visit("sources", project="trees", doc=document.id, part="Quotes"))
    assert "The passages that answer a question" in said
    assert "1 quote was dropped" in said


def test_without_a_language_model_the_tab_says_what_to_do(visit: Visit, audited: OpenProject) -> None:
    document = audited.sources.documents()[0]
    said = seen(visit("sources", project="trees", doc=document.id, part="Quotes"))
    assert "switched off" in said or "No language model is set up here" in said
