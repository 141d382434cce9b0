"""The kinds of variants as switches: presets, what each kind does, whether it needs a model, what it would cost."""

from collections.abc import Sequence

import streamlit as st

from core.errors import JobNotFound
from core.lab import draft as lab_draft
from core.lab.draft import Draft
from core.lab.presets import MAX_NAME, Preset, delete_preset, own_presets, save_preset
from core.labels import JobState, QueryKind
from core.records import Estimate, Expansion, Job, LlmStatus, StageSwitches
from core.settings.values import Expansion as ExpansionSettings
from core.workbench.open_project import OpenProject
from pages.research.queries.state import put
from pages.shared.address import Page, number_in_url
from pages.shared.notices import rerun_with
from pages.shared.safe import plain
from pages.shared.session import guarded, workbench
from pages.words.lab import KINDS, SWITCHABLE, needs_model, presets, why_off
from pages.words.llm import estimate_words, page_words, price_label

STEPS = {"lexical": "words", "dense": "meaning", "late_interaction": "wordwise", "mmr": "variety", "rerank": "rerank"}
"""Steps of a search by the key of their switch."""

SENT = "Only the question is sent, and nothing of the sources."
"""The words about what leaves this computer when a model is asked for variants."""


def show_presets(settings: ExpansionSettings) -> None:
    """A button each; one's own can be deleted, and the present switches kept."""
    own, problems = own_presets(workbench().root)
    with st.container(horizontal=True, vertical_alignment="center", key="lab-presets"):
        st.caption("Presets", width="content")
        for preset in presets(settings):
            _button(preset, ":material/tune:")
        for preset in own:
            _button(preset, ":material/star:")
        with st.popover("Keep", icon=":material/save:", help="Keep the present switches under a name"):
            _keeping(own)
    for problem in problems:
        st.caption(f":material/warning: {plain(problem, 300)}")


def _button(preset: Preset, icon: str) -> None:
    st.button(
        plain(preset.name),
        key=f"preset-{preset.name}",
        help=plain(preset.about) or None,
        on_click=apply,
        args=(preset,),
        type="tertiary",
        icon=icon,
    )


def apply(preset: Preset) -> None:
    """Callback: the switches as a preset has them."""
    for kind in SWITCHABLE:
        st.session_state[kind.value] = kind in preset.kinds
    if preset.stages is not None:
        for stage, key in STEPS.items():
            st.session_state[key] = getattr(preset.stages, stage)


def present_choice(name: str) -> Preset:
    kinds = frozenset(kind for kind in SWITCHABLE if st.session_state.get(kind.value))
    usual = StageSwitches()
    stages = StageSwitches(
        **{stage: bool(st.session_state.get(key, getattr(usual, stage))) for stage, key in STEPS.items()}
    )
    return Preset(name, "", kinds, stages)


def _keeping(own: list[Preset]) -> None:
    st.caption("Keeps the kinds of variants and the search steps as they are switched now, for every project here.")
    name = st.text_input("Name of the preset", key="preset-name", max_chars=MAX_NAME)
    if st.button("Keep as a preset", key="keep-preset", icon=":material/save:", type="primary"):
        with guarded("keeping the preset"):
            save_preset(workbench().root, present_choice(name))
            rerun_with(f"The preset “{' '.join(name.split())}” is kept.")
    for preset in own:
        if st.button(plain(f"Delete “{preset.name}”"), key=f"drop-preset-{preset.name}", icon=":material/delete:"):
            with guarded("deleting the preset"):
                delete_preset(workbench().root, preset.name)
                rerun_with(f"The preset “{preset.name}” was deleted.")


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
        st.page_link(Page.SETTINGS, label="Settings", icon=":material/settings:")


def make_variants(opened: OpenProject, draft: Draft, chosen: Sequence[QueryKind]) -> Draft:
    """The draft with the variants of the chosen kinds: those by rules at once, those of a model when its job is done or
    after a press of the button that names the price."""
    settings = opened.settings.expansion
    if dropped := [kind for kind in SWITCHABLE if kind in draft.kinds and kind not in chosen]:
        draft = lab_draft.without(draft, dropped)
        put(opened, draft)
    ready = [kind for kind in chosen if kind not in draft.kinds and not needs_model(kind, settings)]
    if ready:
        with guarded("making variants"), st.spinner("Making variants…"):
            draft = lab_draft.with_made(draft, opened.lab.expand(draft.question, ready), ready)
            put(opened, draft)
    by_model = [kind for kind in chosen if kind not in draft.kinds and needs_model(kind, settings)]
    if by_model:
        with guarded("asking the model"):
            return _by_model(opened, draft, by_model)
    return draft


def _by_model(opened: OpenProject, draft: Draft, kinds: Sequence[QueryKind]) -> Draft:
    job = _job_in_url(opened)
    if job is not None and job.state.active:
        st.caption(":material/hourglass_top: The model is being asked; its variants appear here by themselves.")
        return draft
    expansion = _expansion_of(opened, job, draft.question)
    if expansion and (expansion.notes or any(variant.kind in kinds for variant in expansion.variants)):
        draft = lab_draft.with_made(draft, expansion, kinds)
        put(opened, draft)
        return draft
    if job is not None and job.state is JobState.FAILED:
        st.error(plain(job.error or "The model could not be asked."), icon=":material/error:")
    _offer(opened, draft, kinds)
    return draft


def _job_in_url(opened: OpenProject) -> Job | None:
    job_id = number_in_url("expanding")
    try:
        return opened.jobs.get(job_id) if job_id is not None else None
    except JobNotFound:
        return None


def _expansion_of(opened: OpenProject, job: Job | None, question: str) -> Expansion | None:
    """The expansion of this question by a job that is done, or None."""
    if job is None or job.state is not JobState.DONE:
        return None
    return next((expansion for expansion in opened.lab.expanded(job.id) if expansion.question == question), None)


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
        rerun_with("The model is being asked; its variants appear here by themselves.")
