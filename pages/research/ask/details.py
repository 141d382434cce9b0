"""Behind an answer, folded: what was found and what was made of it, what addressed a model, how to repeat it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.audit.wording import titles_of
from core.records import Answer
from core.text.words import count_words
from core.workbench.open_project import OpenProject
from pages.shared.safe import plain, show_evidence
from pages.shared.session import guarded
from pages.words.gathered import (
    action_words,
    attempt_lines,
    attempt_title,
    attempts_of,
    passage_rows,
    query_rows,
    refinement_words,
    signal_rows,
    triad_values,
    web_lines,
)

FLAGS = 20


def show_details(answer: Answer) -> None:
    """What was found and what was done, and the fingerprint."""
    if answer.gathered:
        panel = st.expander("What was found and what was done", icon=":material/account_tree:", key="gathered")
        with panel, guarded("showing what was found"):
            _gathered(answer.gathered)
    if answer.fingerprint:
        with st.expander("What produced this answer", icon=":material/fingerprint:", key="fingerprint"):
            st.caption("The same question over the same sources is searched and judged the same way with these.")
            st.json(dict(answer.fingerprint), expanded=1)


def _gathered(gathered: Mapping[str, Any]) -> None:
    with st.container(gap="xxsmall"):
        for line in filter(None, (action_words(gathered), refinement_words(gathered), *web_lines(gathered))):
            st.text(line)
    if values := triad_values(gathered):
        with st.container(horizontal=True, key="answer-triad"):
            for name, value in values.items():
                st.metric(name, value)
    attempts = attempts_of(gathered)
    for number, attempt in enumerate(attempts, 1):
        st.subheader(plain(attempt_title(number, len(attempts), attempt), 200))
        with st.container(gap="xxsmall"):
            for line in attempt_lines(attempt, last=number == len(attempts)):
                st.text(line)
        judgement = attempt.get("judgement")
        if isinstance(judgement, Mapping):
            st.dataframe(
                signal_rows(judgement),
                hide_index=True,
                width="content",
                alt="What the judgement of the search rests on.",
            )
        with st.expander("Queries", key=f"queries-{number}", type="compact"):
            for text in query_rows(attempt):
                st.text(f"• {text[:500]}")
        with st.expander("Passages", key=f"passages-{number}", type="compact"):
            st.dataframe(passage_rows(attempt), hide_index=True, alt="Passages that this attempt found, best first.")


def show_flags(opened: OpenProject, answer: Answer) -> None:
    """Places in the sources that address a model instead of a reader."""
    if not answer.flags:
        return
    titles = titles_of(opened.sources.documents(superseded=True))
    many = len(answer.flags) != 1
    label = f"{count_words(len(answer.flags), 'place')} in the sources {'address' if many else 'addresses'} a model"
    with st.expander(label, icon=":material/report:", key="flags", expanded=True):
        st.caption(
            "Text like this tries to steer a language model. It was treated as text, never as an instruction; do not "
            "take what it says for evidence."
        )
        for flag in answer.flags[:FLAGS]:
            st.caption(plain(f"{titles.get(flag.document_id, 'A source')} ({flag.where}): {flag.rule}", 300))
            show_evidence(flag.quote[:600])
        if len(answer.flags) > FLAGS:
            st.caption(f"… and {len(answer.flags) - FLAGS:,} more")
