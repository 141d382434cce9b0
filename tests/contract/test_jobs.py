"""JobStore: one worker a job, silence is noticed, a stop is heard."""

from __future__ import annotations

import pytest

from core.errors import JobNotFound
from core.labels import JobKind, JobState
from core.ports.store import ProjectStore
from tests.contract.builders import FakeClock


def test_a_job_runs_from_pending_to_done(store: ProjectStore, clock: FakeClock) -> None:
    added = store.add_job(JobKind.ADD, {"acquisitions": [1, 2]})
    assert (added.state, added.payload, added.created, added.attempts) == (
        JobState.PENDING,
        {"acquisitions": [1, 2]},
        clock(),
        0,
    )
    claimed = store.claim_job("w1")
    assert claimed is not None
    assert (claimed.id, claimed.state, claimed.attempts) == (added.id, JobState.RUNNING, 1)
    assert store.claim_job("w2") is None
    assert store.update_job(added.id, "w1", 1, 2, "reading") is False
    assert (store.job(added.id).done, store.job(added.id).total, store.job(added.id).message) == (1, 2, "reading")
    store.finish_job(added.id, "w1", JobState.DONE, result={"stored": 2})
    ended = store.job(added.id)
    assert (ended.state, ended.result, ended.finished, ended.error) == (JobState.DONE, {"stored": 2}, clock(), None)
    assert store.claim_job("w1") is None


def test_jobs_are_taken_oldest_first_and_by_kind(store: ProjectStore) -> None:
    first = store.add_job(JobKind.ENCODE, {})
    second = store.add_job(JobKind.ADD, {})
    third = store.add_job(JobKind.ENCODE, {"x": 1})
    taken = [store.claim_job("w", kinds=[JobKind.ADD]), store.claim_job("w"), store.claim_job("w")]
    assert [one.id for one in taken if one] == [second.id, first.id, third.id]
    assert [one.id for one in store.jobs(active=True)] == [third.id, second.id, first.id]
    assert [one.id for one in store.jobs(limit=1)] == [third.id]
    assert [one.id for one in store.jobs(kinds=[JobKind.ADD])] == [second.id]


def test_an_equal_pending_job_is_not_added_twice(store: ProjectStore) -> None:
    first = store.add_job(JobKind.ENCODE, {"a": 1, "b": 2}, unique=True)
    assert store.add_job(JobKind.ENCODE, {"b": 2, "a": 1}, unique=True).id == first.id
    assert store.add_job(JobKind.ENCODE, {"a": 2}, unique=True).id != first.id
    store.claim_job("w")
    assert store.add_job(JobKind.ENCODE, {"a": 1, "b": 2}, unique=True).id != first.id


def test_a_pending_job_is_cancelled_at_once_and_a_running_one_is_asked(store: ProjectStore) -> None:
    running, pending = store.add_job(JobKind.ADD, {}), store.add_job(JobKind.ENCODE, {})
    store.claim_job("w")
    store.cancel_job(pending.id)
    store.cancel_job(running.id)
    assert store.job(pending.id).state is JobState.CANCELLED
    assert store.job(pending.id).finished is not None
    assert store.job(running.id).state is JobState.RUNNING
    assert store.update_job(running.id, "w", 1, 2, "") is True
    store.finish_job(running.id, "w", JobState.CANCELLED)
    store.cancel_job(running.id)
    assert store.job(running.id).state is JobState.CANCELLED
    assert store.claim_job("w") is None


def test_a_clock_that_was_set_back_keeps_no_job_waiting(store: ProjectStore, clock: FakeClock) -> None:
    store.add_job(JobKind.ADD, {})
    assert store.claim_job("killed") is not None
    clock.advance(-3600)
    taken = store.claim_job("next")
    assert taken is not None
    assert (taken.attempts, store.claim_job("third")) == (2, None)
    clock.advance(19)
    assert store.claim_job("third") is None, "it spoke a moment ago"


def test_a_silent_worker_loses_its_job_and_cannot_overwrite(store: ProjectStore, clock: FakeClock) -> None:
    job = store.add_job(JobKind.ADD, {})
    store.claim_job("slow")
    clock.advance(19)
    store.update_job(job.id, "slow", 1, 9, "")
    clock.advance(19)
    assert store.claim_job("other") is None
    clock.advance(2)
    taken = store.claim_job("other")
    assert taken is not None
    assert taken.attempts == 2
    assert store.update_job(job.id, "slow", 5, 9, "back") is True
    store.finish_job(job.id, "slow", JobState.DONE, result={"stored": 5})
    assert store.job(job.id).state is JobState.RUNNING
    assert store.job(job.id).message == ""
    store.finish_job(job.id, "other", JobState.DONE)
    assert store.job(job.id).state is JobState.DONE


def test_a_job_that_silences_three_workers_fails_and_says_so(store: ProjectStore, clock: FakeClock) -> None:
    job = store.add_job(JobKind.ADD, {})
    for attempt in range(3):
        taken = store.claim_job(f"w{attempt}")
        assert taken is not None
        assert taken.attempts == attempt + 1
        clock.advance(21)
    assert store.claim_job("w4") is None
    ended = store.job(job.id)
    assert ended.state is JobState.FAILED
    assert ended.error
    assert "silent" in ended.error


def test_a_dead_workers_job_is_taken_before_its_successor(store: ProjectStore, clock: FakeClock) -> None:
    dead = store.add_job(JobKind.ENCODE, {}, unique=True)
    store.claim_job("w1")
    store.update_job(dead.id, "w1", 0, 207, "encoding")
    successor = store.add_job(JobKind.ENCODE, {}, unique=True)
    assert successor.id != dead.id
    clock.advance(21)
    taken = [store.claim_job("w2", kinds=[JobKind.ENCODE]) for _ in range(3)]
    assert [one and one.id for one in taken] == [dead.id, successor.id, None]


def test_a_hopeless_job_ends_at_the_next_claim_whatever_is_claimed(store: ProjectStore, clock: FakeClock) -> None:
    hopeless = store.add_job(JobKind.ENCODE, {}, unique=True)
    for attempt in range(3):
        assert store.claim_job(f"w{attempt}")
        clock.advance(21)
    successor = store.add_job(JobKind.ENCODE, {}, unique=True)
    assert store.claim_job("w3", kinds=[JobKind.ADD]) is None
    assert store.job(hopeless.id).state is JobState.FAILED
    taken = store.claim_job("w4")
    assert taken is not None
    assert taken.id == successor.id


def test_a_stop_is_kept_when_the_worker_dies(store: ProjectStore, clock: FakeClock) -> None:
    job = store.add_job(JobKind.ADD, {})
    store.claim_job("w")
    store.cancel_job(job.id)
    clock.advance(21)
    assert store.claim_job("w2") is None
    assert store.job(job.id).state is JobState.CANCELLED


def test_a_job_only_ends_in_an_end(store: ProjectStore) -> None:
    job = store.add_job(JobKind.ADD, {})
    store.claim_job("w")
    with pytest.raises(ValueError, match="end of a job"):
        store.finish_job(job.id, "w", JobState.PENDING)


@pytest.mark.parametrize("number", [99, 2**63, -(2**70)])
def test_an_unknown_job_is_named(store: ProjectStore, number: int) -> None:
    for call in (
        lambda: store.job(number),
        lambda: store.cancel_job(number),
        lambda: store.update_job(number, "w", 1, 2, ""),
        lambda: store.finish_job(number, "w", JobState.DONE),
    ):
        with pytest.raises(JobNotFound, match=str(number)):
            call()
