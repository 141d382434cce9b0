"""What each endpoint does, over a real server on 127.0.0.1."""

from __future__ import annotations

import httpx2
import pytest

from core.errors import (
    DocumentNotFound,
    JobNotFound,
    ProjectNotFound,
    QueryError,
    RequestRefused,
    ServiceError,
    TokenRejected,
)
from core.labels import ClaimType, FetchState, JobState, Label, Status
from core.records import Filters, Query, SearchRequest
from tests.contract.builders import add
from tests.helpers.auditing import REPORT
from tests.helpers.loopback import LoopbackServer
from tests.helpers.service_client import RemoteProject, ServiceUnreachable, WorkbenchClient
from tests.helpers.serving import Served, Town

LIMES = SearchRequest((Query("limes on Mill Lane"),))


def test_healthz_asks_for_no_token_and_all_else_does(at: Served) -> None:
    assert httpx2.get(f"{at.url}/healthz").json() == {"server": "ok", "worker": None}
    for path in ("/stats?project=streets", "/openapi.json", "/jobs/1?project=streets", "/nowhere"):
        answer = httpx2.get(at.url + path)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
        assert answer.headers["content-type"] == "application/problem+json"


def test_another_token_is_refused(at: Served) -> None:
    for given in (
        "Bearer",
        f"Basic {at.token}",
        f"Bearer {at.token}x",
        f"Bearer {at.token[:-1]}",
        "Bearer é",
    ):
        headers = [(b"authorization", given.encode("latin-1"))]
        assert httpx2.get(f"{at.url}/stats?project=streets", headers=headers).status_code == 401, given
    with WorkbenchClient(at.url, "another-token-0123456789") as other, pytest.raises(TokenRejected):
        other.open("streets").statistics()


def test_texts_snapshots_and_files_become_sources(remote: RemoteProject, streets: Town) -> None:
    jobs = [
        remote.add_texts(
            [("Benches", "Benches of oak stand on Dock Street since 2011."), ("", "Nine bins were moved.")]
        ),
        remote.add_snapshots([("https://lamps.example/", b"<p>Forty lamps burn all night.</p>", "text/html")]),
        remote.add_files([("swings.md", b"# Swings\n\nThe swings squeak in winter.", "")]),
    ]
    streets.work()
    answers = [remote.outcome(job.id) for job in jobs]
    assert {answer.job.state for answer in answers} == {JobState.DONE}
    assert [[row.state for row in answer.sources] for answer in answers] == [
        [FetchState.STORED, FetchState.STORED], [FetchState.STORED], [FetchState.STORED],
    ]  # fmt: skip
    found = remote.search(SearchRequest((Query("squeak in winter"),)))
    assert found.passages[0].document.filename == "swings.md"


def test_an_address_that_may_not_be_fetched_is_a_named_failure(remote: RemoteProject, streets: Town) -> None:
    job = remote.add_urls(["http://127.0.0.1:9/internal", "http://169.254.169.254/latest/meta-data"])
    streets.work()
    assert {row.state for row in remote.outcome(job.id).sources} == {FetchState.FORBIDDEN_ADDRESS}


def test_a_search_says_the_generation_that_it_is_of(remote: RemoteProject, streets: Town) -> None:
    result, generation = remote.search_at(LIMES)
    assert generation == streets.streets.generation()
    assert result.passages[0].document.canonical_url == "https://trees.example/limes"


def test_a_source_is_graded_corrected_and_accepted(at: Served, streets: Town) -> None:
    page = add(streets.streets.context.store, "A page that an answer fetched.", accepted=False)
    body = {"project": "streets", "document": page.id, "grade": "B", "reason": "A law.", "published": "2020-01-01"}
    answer = httpx2.post(f"{at.url}/source", json={**body, "accept": True}, headers=at.headers)
    assert answer.status_code == 200, answer.text
    stored = streets.streets.sources.document(page.id)
    assert (stored.grade_in_force, str(stored.published), stored.accepted) == ("B", "2020-01-01", True)
    given = answer.json()["document"]
    assert (given["mended"], given["accepted"], given["title"]) == (["published"], True, page.title)
    refused = httpx2.post(f"{at.url}/source", json={**body, "reason": " "}, headers=at.headers)
    assert (refused.status_code, "reason" in refused.json()["detail"]) == (422, True)


def test_a_claim_in_one_document_is_answered_at_once_and_not_kept(remote: RemoteProject, streets: Town) -> None:
    (limes,) = {one.document.id for one in remote.search(LIMES).passages[:1]}
    verdict = remote.in_document("The city planted 400 limes on Mill Lane", limes)
    assert (verdict.label, verdict.document_id) == (Label.SUPPORTS, limes)
    assert streets.streets.claims.all() == []


def test_a_claim_in_the_project_is_kept_and_verified_by_a_job(remote: RemoteProject, streets: Town) -> None:
    asked = remote.verify("The garden on Dock Street held 900 litres of rain.", ClaimType.C1)
    assert (asked.job.state, asked.claims) == (JobState.PENDING, ())
    streets.work()
    (claim,) = remote.outcome(asked.job.id).claims
    assert claim.type is ClaimType.C1
    assert claim == streets.streets.claims.get(claim.id)
    assert claim.verdict is not None


def test_a_report_is_audited_and_its_rows_come_with_the_job(remote: RemoteProject, streets: Town) -> None:
    asked = remote.audit("report.md", REPORT.encode(), "text/markdown")
    streets.work()
    ended = remote.finished(asked.job.id)
    assert ended.report is not None
    assert ended.summary == streets.streets.audits.summary(ended.report.id)
    assert list(ended.findings) == streets.streets.audits.findings(ended.report.id)
    assert [row.status for row in ended.findings].count(Status.PASS) == 2


def test_a_job_that_has_not_begun_can_be_stopped(remote: RemoteProject, streets: Town) -> None:
    job = remote.add_text("Never", "This text is never read.")
    remote.cancel(job.id)
    ended = remote.outcome(job.id)
    assert (ended.job.state, [row.state for row in ended.sources]) == (JobState.CANCELLED, [FetchState.CANCELLED])
    streets.work()


def test_a_job_under_way_answers_202_with_its_place_and_waits_if_asked_to(at: Served, streets: Town) -> None:
    body = {"project": "streets", "texts": [{"text": "Two kiosks sell tea."}], "wait_s": 0.2}
    answer = httpx2.post(f"{at.url}/index", json=body, headers=at.headers)
    assert answer.status_code == 202
    place = answer.headers["location"]
    assert httpx2.get(at.url + place, headers=at.headers).status_code == 202
    streets.work()
    assert httpx2.get(at.url + place, headers=at.headers).status_code == 200


def test_errors_of_the_engine_arrive_as_themselves(client: WorkbenchClient, remote: RemoteProject) -> None:
    with pytest.raises(ProjectNotFound, match="'nowhere'"):
        client.open("nowhere").statistics()
    with pytest.raises(QueryError, match="empty"):
        remote.search(SearchRequest((Query("   "),)))
    with pytest.raises(DocumentNotFound):
        remote.in_document("Limes are trees.", "0123456789abcdef")
    with pytest.raises(JobNotFound):
        remote.job(10_000)
    with pytest.raises(RequestRefused, match="k: Input should be less than or equal to 200") as refused:
        remote.search(SearchRequest((Query("limes"),), k=201))
    assert refused.value.status == 422


def test_no_request_about_one_project_shows_another(remote: RemoteProject, streets: Town) -> None:
    (theirs,) = streets.secrets.sources.documents()
    filtered = SearchRequest((Query("green heron vault"),), Filters(documents=(theirs.id,)))
    for request in (filtered, SearchRequest((Query("green heron vault of the mint"),))):
        assert "heron" not in str(remote.search(request).passages)
    with pytest.raises(DocumentNotFound):
        remote.in_document("The vault opens with green heron.", theirs.id)
    mine = {job.id for job in streets.streets.jobs.all()}
    for job in streets.secrets.jobs.all():  # numbers are of the project: theirs name another job here, or none
        if job.id in mine:
            assert remote.outcome(job.id).job == streets.streets.jobs.get(job.id)


def test_what_no_json_can_hold_is_refused_before_or_by_the_service(remote: RemoteProject) -> None:
    with pytest.raises(RequestRefused, match="valid JSON"):
        remote.search(SearchRequest((Query("lone \ud800 surrogate"),)))
    with pytest.raises(RequestRefused, match="cannot be written"):
        remote.verify("Limes are trees.", wait_s=float("nan"))


def test_a_fault_of_the_service_is_told_as_one_and_nothing_more(
    at: Served, streets: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret of the inside")

    monkeypatch.setattr(type(streets.streets), "statistics", broken)
    answer = httpx2.get(f"{at.url}/stats?project=streets", headers=at.headers)
    assert (answer.status_code, answer.json()["error"]) == (500, "ServiceError")
    assert "secret" not in answer.text
    assert answer.headers["cache-control"] == "no-store"
    with at.client() as client, pytest.raises(ServiceError, match="log of the service"):
        client.open("streets").statistics()


def test_another_server_or_none_at_the_address_is_said(at: Served) -> None:
    with LoopbackServer() as other, WorkbenchClient(other.url().rstrip("/")) as client:
        other.page("/stats", "<p>hello</p>")
        other.page("/openapi.json", "<p>hello</p>")
        other.redirect("/healthz", at.url)
        with pytest.raises(ServiceError, match="not what this version"):
            client.open("streets").statistics()
        with pytest.raises(ServiceError, match="no JSON"):
            client.openapi()
        with pytest.raises(ServiceError, match="answered 302"):
            client.health()
    with WorkbenchClient("http://127.0.0.1:9") as nobody, pytest.raises(ServiceUnreachable, match="workbench serve"):
        nobody.health()


def test_every_answer_carries_the_headers_of_safety(at: Served) -> None:
    for path, headers in (("/healthz", {}), ("/stats?project=streets", at.headers), ("/stats?project=streets", {})):
        answer = httpx2.get(at.url + path, headers=headers)
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "server" not in answer.headers
