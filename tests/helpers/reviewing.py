"""Deciding in tests."""

from __future__ import annotations

from core.labels import DecisionKind
from core.records import Decision, ReviewItem
from core.review.review import Reviews


def decide(reviews: Reviews, item: ReviewItem, kind: DecisionKind, by: str = "ann", **given: str) -> Decision:
    seen = reviews.item(item.key, by)
    return reviews.decide(item.key, kind, by=by, version=seen.version, seen=seen.seen, **given)
