"""Deciding, and pressing buttons of review, in tests of pages."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from core.labels import DecisionKind
from core.workbench.open_project import OpenProject
from tests.pages.conftest import button


def press(at: AppTest, label: str) -> AppTest:
    """Press the button with this label, as its key does."""
    return button(at, label).click().run()  # type: ignore[attr-defined,no-any-return]


def disabled(at: AppTest, label: str) -> bool:
    return bool(button(at, label).disabled)  # type: ignore[attr-defined]


def decide(opened: OpenProject, key: str, kind: DecisionKind, by: str, **given: Any) -> None:
    item = opened.reviews.item(key, by)
    opened.reviews.decide(key, kind, by=by, version=item.version, seen=item.seen, **given)
