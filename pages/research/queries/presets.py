"""Presets of the query lab: ours and one's own as buttons, and keeping the present switches under a name."""

from __future__ import annotations

import streamlit as st

from core.lab.presets import MAX_NAME, Preset, delete_preset, own_presets, save_preset
from core.records import StageSwitches
from core.settings.values import Expansion
from pages.shared.safe import plain
from pages.shared.session import guarded, leave_notice, workbench
from pages.words.lab import SWITCHABLE, presets

STEPS = {"lexical": "words", "dense": "meaning", "late_interaction": "wordwise", "mmr": "variety", "rerank": "rerank"}
"""Steps of a search by the key of their switch."""


def show_presets(settings: Expansion) -> None:
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
    """The switches as they are now."""
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
            leave_notice(f"The preset “{' '.join(name.split())}” is kept.")
            st.rerun()
    for preset in own:
        if st.button(plain(f"Delete “{preset.name}”"), key=f"drop-preset-{preset.name}", icon=":material/delete:"):
            with guarded("deleting the preset"):
                delete_preset(workbench().root, preset.name)
                leave_notice(f"The preset “{preset.name}” was deleted.")
                st.rerun()
