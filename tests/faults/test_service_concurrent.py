"""Many at once: searches while sources come in, more requests than there is room for, work that takes too long."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest

from core.errors import ServiceBusy
from core.http.slots import ServiceOptions
from core.ports.engines import Engines
from core.records import Query, SearchRequest, SearchResult
from core.workbench.open_project import OpenProject
from tests.helpers.service_client import WorkbenchClient
from tests.helpers.serving import Town, served, town

SEARCHES = 200
QUESTIONS = ("limes on Mill Lane", "Do cycle lanes help shops?", "rain gardens", "How many benches?", "takings")


@pytest.fixture
def streets(tmp_path: Path, engines: Engines) -> Iterator[Town]:
    with town(tmp_path / "root", engines) as made:
        yield made


def _request(number: int) -> SearchRequest:
    return SearchRequest((Query(QUESTIONS[number % len(QUESTIONS)]),), k=1 + number % 7)


def _of_time(result: SearchResult) -> SearchResult:
    return replace(result, timings={}, cached=False)


def test_searches_while_sources_come_in_fail_never_and_answer_as_in_process(streets: Town) -> None:
    """200 searches at once from 200 connections while sources are added and encoded. Each whose generation the engine
    was asked at too has the engine's very answer; at rest all have."""
    here: dict[tuple[int, int], SearchResult] = {}
    seen: set[int | None] = set()
    stop = threading.Event()

    def answer_here() -> None:
        """What the engine itself says to every question at this generation, and a while of rest in which the service
        is asked the same."""
        generation = streets.streets.generation()
        for question in range(len(QUESTIONS)):
            for k in range(7):
                made = streets.streets.search(replace(_request(question), k=1 + k))
                here[generation, question * 10 + k] = _of_time(made)
        assert streets.streets.generation() == generation, "nobody else writes"
        while generation not in seen and not stop.is_set():
            time.sleep(0.01)

    def index() -> None:
        answer_here()
        for number in range(100):
            if stop.is_set():
                return
            streets.streets.sources.add_text(
                f"Note {number}", f"There are {number} benches at gate {number}. Rain fell."
            )
            streets.work()
            answer_here()

    with served(streets.workbench, ServiceOptions(port=0, request_s=300)) as at, at.client() as client:

        def ask(number: int) -> tuple[int, int | None, SearchResult]:
            with WorkbenchClient(at.url, at.token, timeout_s=300) as own:
                result, generation = own.open("streets").search_at(_request(number))
                seen.add(generation)
                return number, generation, _of_time(result)

        indexing = threading.Thread(target=index, name="indexing")
        indexing.start()
        with ThreadPoolExecutor(SEARCHES) as pool:
            answers = list(pool.map(ask, range(SEARCHES)))
        stop.set()
        indexing.join()
        compared = 0
        for number, generation, result in answers:
            known = here.get((generation or -1, number % len(QUESTIONS) * 10 + number % 7))
            if known is not None:
                assert result == known
                compared += 1
        for number in range(35):  # and all of them once more, at rest
            settled, at_rest = client.open("streets").search_at(_request(number))
            assert at_rest == streets.streets.generation()
            assert _of_time(settled) == _of_time(streets.streets.search(_request(number)))
    assert compared > 0
    assert len(seen) > 1, "sources came in between"


def _held(monkeypatch: pytest.MonkeyPatch) -> tuple[threading.Event, threading.Semaphore]:
    """Every search waits until the event is set; the semaphore counts those that have begun."""
    release, begun = threading.Event(), threading.Semaphore(0)
    search = OpenProject.search

    def waiting(self: OpenProject, request: SearchRequest) -> SearchResult:
        begun.release()
        assert release.wait(30)
        return search(self, request)

    monkeypatch.setattr(OpenProject, "search", waiting)
    return release, begun


def test_more_than_there_is_room_for_is_told_to_come_again(streets: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    release, begun = _held(monkeypatch)
    body = {"project": "streets", "queries": ["limes"]}
    with served(streets.workbench, ServiceOptions(port=0, threads=1, waiting=0)) as at, ThreadPoolExecutor(3) as pool:

        def ask() -> int:
            return httpx2.post(f"{at.url}/search", json=body, headers=at.headers, timeout=60).status_code

        first = pool.submit(ask)
        assert begun.acquire(timeout=20)
        answer = httpx2.get(f"{at.url}/jobs/9?project=streets", headers=at.headers, timeout=60)
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0
        assert answer.json()["error"] == "ServiceBusy"
        assert httpx2.get(f"{at.url}/healthz").status_code == 200, "health is told however busy it is"
        with WorkbenchClient(at.url, at.token, patience_s=0) as impatient, pytest.raises(ServiceBusy):
            impatient.open("streets").statistics()
        with at.client() as patient:
            later = pool.submit(patient.open("streets").statistics)
            release.set()
            assert later.result(60).documents == 3
        assert first.result(60) == 200


def test_an_answer_that_takes_too_long_is_given_up_and_its_place_is_free_again(
    streets: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    release, begun = _held(monkeypatch)
    body = {"project": "streets", "queries": ["limes"]}
    with served(streets.workbench, ServiceOptions(port=0, request_s=1.0, threads=2, waiting=0)) as at:
        late = httpx2.post(f"{at.url}/search", json=body, headers=at.headers, timeout=30)
        assert begun.acquire(timeout=20)
        assert (late.status_code, late.json()["error"]) == (503, "ServiceBusy")
        assert int(late.headers["retry-after"]) > 0
        while httpx2.get(f"{at.url}/stats?project=streets", headers=at.headers, timeout=60).status_code != 200:
            pass  # on a machine that is slow enough this one is late too; what must not happen is that all are
        release.set()


def test_bodies_hold_no_more_memory_than_was_set(streets: Town) -> None:
    options = ServiceOptions(port=0, max_body=400_000, buffered=300_000)
    body = {"project": "streets", "texts": [{"text": "a" * 350_000}]}
    with served(streets.workbench, options) as at:
        for _ in range(3):  # what a refused request held is given back
            answer = httpx2.post(f"{at.url}/index", json=body, headers=at.headers)
            assert (answer.status_code, answer.json()["error"]) == (503, "ServiceBusy")
        small = {"project": "streets", "texts": [{"text": "a" * 200_000}]}
        assert httpx2.post(f"{at.url}/index", json=small, headers=at.headers).status_code == 202
