"""People with their roles, and the policy of review."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.errors import ReviewError
from core.labels import Role
from core.ports.store import ProjectStore
from core.records import Person, ReviewPolicy
from tests.contract.builders import START


def test_people_stand_in_the_order_of_adding_and_keep_their_first_time(store: ProjectStore) -> None:
    assert store.people() == []
    zoe, bo = Person("Zoë 東京", Role.VIEWER, START), Person("bo", Role.OWNER, START + timedelta(hours=1))
    store.put_person(zoe)
    store.put_person(bo)
    assert store.people() == [zoe, bo]
    store.put_person(Person(zoe.name, Role.REVIEWER, START + timedelta(days=1)))
    assert store.people() == [Person(zoe.name, Role.REVIEWER, START), bo]
    store.remove_person(zoe.name)
    store.remove_person("nobody")
    assert store.people() == [bo]
    store.put_person(zoe)
    assert store.people() == [bo, zoe]


def test_the_last_owner_stays_while_there_are_others(store: ProjectStore) -> None:
    ann, bo = Person("ann", Role.OWNER, START), Person("bo", Role.REVIEWER, START)
    store.put_person(ann)
    store.put_person(bo)
    with pytest.raises(ReviewError, match="last owner"):
        store.remove_person("ann")
    with pytest.raises(ReviewError, match="last owner"):
        store.put_person(Person("ann", Role.VIEWER, START))
    assert store.people() == [ann, bo]
    store.put_person(Person("bo", Role.OWNER, START))
    store.remove_person("ann")
    store.remove_person("bo")
    assert store.people() == []


@pytest.mark.parametrize("name", ["", " ", "a ", "a\x00", "a\nb", "\ud800", "x" * 201])
def test_a_name_that_nobody_can_have_is_refused(store: ProjectStore, name: str) -> None:
    with pytest.raises(ReviewError):
        store.put_person(Person(name, Role.OWNER, START))
    assert store.people() == []


def test_a_time_without_a_zone_is_refused(store: ProjectStore) -> None:
    with pytest.raises(ReviewError):
        store.put_person(Person("ann", Role.OWNER, START.replace(tzinfo=None)))


def test_the_policy_is_the_default_until_it_is_set(store: ProjectStore) -> None:
    assert store.review_policy() == ReviewPolicy()
    policy = ReviewPolicy(blind=True, threshold=0.1 + 0.2, target_precision=0.95)
    store.set_review_policy(policy)
    assert store.review_policy() == policy
    store.set_review_policy(ReviewPolicy())
    assert store.review_policy() == ReviewPolicy()


@pytest.mark.parametrize(
    "policy", [ReviewPolicy(threshold=1.01), ReviewPolicy(threshold=float("nan")), ReviewPolicy(target_precision=-0.1)]
)
def test_a_threshold_that_is_no_share_is_refused(store: ProjectStore, policy: ReviewPolicy) -> None:
    with pytest.raises(ReviewError):
        store.set_review_policy(policy)
    assert store.review_policy() == ReviewPolicy()
