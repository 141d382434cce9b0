"""The kinds of variants as switches: what each does, whether it needs a model, what it would cost."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.errors import JobNotFound
from core.lab import draft as lab_draft
from core.lab.draft import Draft
from core.labels import JobState, QueryKind
from core.records import Estimate, LlmStatus
from core.workbench.open_project import OpenProject
from pages.research.queries.presets import show_presets
from pages.research.queries.state import put
from pages.shared.safe import plain
from pages.shared.session import SETTINGS, guarded, leave_notice, number_in_url
from pages.words.lab import KINDS, SWITCHABLE, needs_model, why_off
from pages.words.llm import estimate_words, page_words, price_label

SENT = "Only the question is sent, and nothing of the sources."
"""What leaves this computer when a model is asked for variants."""


def show_kinds(opened: OpenProject) -> list[QueryKind]:
    """The switches; the kinds that are on and can be had."""
    status, settings = opened.language_model.status(), opened.settings.expansion
    show_presets(settings)
    chosen = []
    columns = st.columns(len(SWITCHABLE), gap="small")
    for column, kind in zip(columns, SWITCHABLE, strict=True):
        with column:
            off = why_off(kind, status, settings)
            if _switch(kind, off, needs_model(kind, settings), at_first=getattr(settings, kind.value)):
                chosen.append(kind)
    if not status.on:
        _how_to_enable(status)
    return chosen


def _switch(kind: QueryKind, off: str, model: bool, *, at_first: bool) -> bool:
    words = KINDS[kind]
    with st.container(border=True, key=f"kind-{kind.value}", gap="xsmall", height="stretch"):
        on = st.toggle(words.name, at_first, key=kind.value, bind="query-params", disabled=bool(off))
        if off:
            st.badge("Off: needs a model", icon=":material/block:", color="gray")
        elif model:
            st.badge("Asks a model", icon=":material/smart_toy:", color="orange", help=SENT)
        else:
            st.badge("On this computer", icon=":material/computer:", color="green")
        st.caption(words.does)
    return on and not off


def _how_to_enable(status: LlmStatus) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="lab-model-off"):
        st.caption(f":material/info: {plain(page_words(status.reason))} Everything else here works without one.")
        st.page_link(SETTINGS, label="Settings", icon=":material/settings:")


def make_variants(opened: OpenProject, draft: Draft, chosen: Sequence[QueryKind]) -> Draft:
    """The draft with the variants of the chosen kinds: those by rules at once, those of a model when its job is done or
    after a press of the button that names the price."""
    settings = opened.settings.expansion
    if dropped := [kind for kind in SWITCHABLE if kind in draft.made and kind not in chosen]:
        draft = lab_draft.without(draft, dropped)
        put(opened, draft)
    ready = [kind for kind in chosen if kind not in draft.made and not needs_model(kind, settings)]
    if ready:
        with guarded("making variants"), st.spinner("Making variants…"):
            draft = lab_draft.with_made(draft, opened.lab.expand(draft.question, ready), ready)
            put(opened, draft)
    asked = [kind for kind in chosen if kind not in draft.made and needs_model(kind, settings)]
    if asked:
        with guarded("asking the model"):
            return _by_model(opened, draft, asked)
    return draft


def _by_model(opened: OpenProject, draft: Draft, kinds: Sequence[QueryKind]) -> Draft:
    job_id = number_in_url("expanding")
    try:
        job = opened.jobs.get(job_id) if job_id is not None else None
    except JobNotFound:
        job = None
    if job is not None and job.state.active:
        st.caption(":material/hourglass_top: The model is being asked; its variants appear here by themselves.")
        return draft
    if job is not None and job.state is JobState.DONE:
        made = next((one for one in opened.lab.expanded(job.id) if one.question == draft.question), None)
        got = {variant.kind for variant in made.variants} if made else set()
        if made is not None and (got & set(kinds) or made.notes):
            draft = lab_draft.with_made(draft, made, kinds)
            put(opened, draft)
            return draft
    if job is not None and job.state is JobState.FAILED:
        st.error(plain(job.error or "The model could not be asked."), icon=":material/error:")
    _offer(opened, draft, kinds)
    return draft


def _offer(opened: OpenProject, draft: Draft, kinds: Sequence[QueryKind]) -> None:
    estimate: Estimate | None = opened.lab.estimate([draft.question], kinds)
    names = " and ".join(KINDS[kind].name.lower() for kind in kinds)
    with st.container(horizontal=True, vertical_alignment="center", key="lab-cost"):
        pressed = st.button(
            plain(f"Ask the model for {names} ({price_label(estimate)})"),
            key="lab-ask-model",
            icon=":material/smart_toy:",
            type="primary",
            disabled=estimate is None or estimate.cost_usd is None,
        )
        words = estimate_words(estimate) if estimate else ""
        st.caption(plain(f"{words} {SENT}"))
    if pressed:
        job = opened.lab.start_expand([draft.question], kinds)
        st.query_params["expanding"] = str(job.id)
        leave_notice("The model is being asked; its variants appear here by themselves.")
        st.rerun()
