"""The grade of a source as a badge: a letter and words, never colour alone."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from core.labels import Grade
from core.records import Document
from core.text.words import GRADE_WORDS

Color = Literal["green", "blue", "orange", "red", "gray"]
_COLORS: dict[Grade, Color] = {
    Grade.A: "green",
    Grade.B: "green",
    Grade.C: "blue",
    Grade.D: "orange",
    Grade.E: "red",
}


def grade_badge(document: Document) -> None:
    """``Grade B``, with what it means on hover."""
    grade = document.grade_in_force
    by_hand = " Set by hand." if document.grade_override else ""
    st.badge(
        f"Grade {grade.value}{'*' if by_hand else ''}".replace("*", "\\*"),
        color=_COLORS[grade],
        help=f"{GRADE_WORDS[grade].capitalize()}, on a scale from A (best) to E.{by_hand}",
    )
