"""The settings as a form: one widget a setting, with its range, and read-only where the environment holds it; then the
changes with what they cause. Widgets keep what was typed while another tab saves: they belong to the values as this tab
first saw them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from core.errors import RowMoved, WorkbenchError
from core.records import ProjectSummary
from core.settings.save import save_settings
from core.settings.values import Settings
from core.settings.view import Origin, Setting, SettingsView, checked_change
from pages.shared.keyed_table import show_table
from pages.shared.notices import leave_notice
from pages.shared.safe import plain
from pages.shared.session import form_round, next_round, workbench
from pages.words import settings as wording

_BASE = "settings-base"


def seen_view(now: SettingsView) -> SettingsView:
    """The settings as this tab knows them: as they are now, unless the file was changed since the form was filled."""
    base = st.session_state.get(_BASE)
    if base is None or base.revision == now.revision:
        st.session_state[_BASE] = base = now
    return base


def start_again() -> None:
    """Callback: drop what was typed and show the values as they are on disk."""
    st.session_state.pop(_BASE, None)
    next_round("settings")


def show_form(view: SettingsView, faults: Mapping[str, str]) -> None:
    """The form, every section in a tab of its own."""
    tabs = st.tabs([name for name, _ in wording.SECTIONS.values()], key="section")
    for tab, (section, (name, about)) in zip(tabs, wording.SECTIONS.items(), strict=True):
        with tab:
            st.caption(about)
            mine = [
                setting
                for setting in view.settings
                if setting.section == section and setting.key not in wording.WITHOUT_EFFECT
            ]
            if section in faults:
                st.error(plain(faults[section]), icon=":material/error:")
            for left, right in zip(mine[::2], [*mine[1::2], None], strict=False):
                columns = st.columns(2, gap="large")
                for column, setting in zip(columns, (left, right), strict=True):
                    if setting is not None:
                        with column:
                            _show(setting, faults.get(setting.key, ""))
            st.button(
                f"{name}: back to the defaults",
                key=f"defaults-{section}",
                icon=":material/settings_backup_restore:",
                type="tertiary",
                on_click=_to_defaults,
                args=(mine,),
                help="Fills the form with the defaults; nothing is saved by it.",
            )


def changes_of(view: SettingsView) -> dict[str, object | None]:
    """The values in the form that differ from the effective ones; None for a setting that goes back to its default."""
    changes: dict[str, object | None] = {}
    for setting in view.settings:
        key = _key(setting)
        if setting.origin is Origin.OVERRIDE:
            continue
        value = _typed(setting, st.session_state[key]) if key in st.session_state else setting.value
        if value != setting.value or setting.problem:  # what is faulty in the file is never what is shown
            back = setting.origin is Origin.FILE and value == setting.default
            changes[setting.key] = None if back else value
    return changes


def _show(setting: Setting, fault: str) -> None:
    locked = setting.origin is Origin.OVERRIDE
    _widget(setting, locked)
    if locked:
        st.caption(f":material/lock: {plain(wording.origin_words(setting))}; change it there.")
    elif setting.origin is Origin.FILE:
        st.caption(plain(f"From workbench.toml; the default is {wording.value_words(setting.default)}."))
    for problem in (fault, setting.problem):
        if problem:
            st.error(plain(problem), icon=":material/error:")


def _widget(setting: Setting, locked: bool) -> None:
    shared: dict[str, Any] = {"key": _key(setting), "help": plain(wording.hint_of(setting)), "disabled": locked}
    label = wording.label_of(setting)
    # The value is given too, not only kept: a field in a tab that was never open would show its least value.
    value = _shown(setting, setting.value)
    match setting.kind:
        case "yes_no":
            st.toggle(label, value=value, **shared)
        case "choice":
            st.selectbox(label, list(setting.choices), index=setting.choices.index(str(value)), **shared)
        case "list":
            st.text_area(label, value=value, height=90, **shared)
        case "whole" | "number":
            _number(setting, label, value, shared)
        case _ if setting.key == "models.late_checkpoint":
            st.text_input(label, value=value, placeholder="The model that compares word by word", **shared)
        case _ if setting.section == "models":
            _model(setting, label, shared)
        case _ if setting.section == "llm" and setting.name.startswith("model_"):
            _language_model(setting, label, shared)
        case _:
            st.text_input(label, value=value, **shared)


def _number(setting: Setting, label: str, value: Any, shared: dict[str, Any]) -> None:
    kind: type[int] | type[float] = int if setting.kind == "whole" else float
    low, high = (None if end is None else kind(end) for end in (setting.low, setting.high))
    fine = 0.05 if high is not None and high <= 1 else 0.5
    form: dict[str, Any] = {"step": 1} if kind is int else {"step": fine, "format": "%g"}
    st.number_input(label, min_value=low, max_value=high, value=value, **form, **shared)


def _model(setting: Setting, label: str, shared: dict[str, Any]) -> None:
    """Known names to choose from; a folder or another name can be typed."""
    from core.backends.locate import HEURISTIC, KNOWN, VERIFIER

    role = {"reranker": "reranker", "entailer": "entailer"}.get(setting.name, "encoder")
    names = {model.name for model in KNOWN.values() if model.role == role}
    names |= {"reranker": {HEURISTIC}, "entailer": {VERIFIER}}.get(role, set())
    typed = str(st.session_state.get(_key(setting)) or "")
    options = dict.fromkeys(name for name in [*sorted(names), str(setting.value), typed] if name)
    at = list(options).index(str(setting.value)) if setting.value else None
    st.selectbox(label, list(options), index=at, accept_new_options=True, **shared)


def _language_model(setting: Setting, label: str, shared: dict[str, Any]) -> None:
    """Models with a known price to choose from; another name can be typed."""
    from core.backends.anthropic.prices import price_list

    typed = str(st.session_state.get(_key(setting)) or "")
    options = list(dict.fromkeys(name for name in [*price_list(), str(setting.value), typed] if name))
    st.selectbox(label, options, index=options.index(str(setting.value)), accept_new_options=True, **shared)


def _to_defaults(settings: list[Setting]) -> None:
    for setting in settings:
        if setting.origin is not Origin.OVERRIDE:
            st.session_state[_key(setting)] = _shown(setting, setting.default)


def _shown(setting: Setting, value: Any) -> Any:
    if setting.kind == "list":
        return "\n".join(value)
    return float(value) if setting.kind == "number" else value


def _typed(setting: Setting, value: Any) -> object:
    if setting.kind == "list":
        return tuple(dict.fromkeys(line.strip() for line in str(value or "").splitlines() if line.strip()))
    return str(value or "").strip() if setting.kind == "text" else value


def _key(setting: Setting) -> str:
    return f"set-{setting.key}-{form_round('settings')}"


def show_changes(root: Path, view: SettingsView, changes: Mapping[str, object | None], moved: bool) -> None:
    if not changes:
        return
    tried, faults = checked_change(view, changes)
    with st.container(border=True, key="settings-changes"):
        st.subheader("Not saved yet")
        show_table(wording.change_rows(view.settings, changes), "Settings that would change.", wide=False)
        for fault in faults.values():
            st.error(plain(fault), icon=":material/error:")
        before, _ = checked_change(view, {})
        if tried is not None:
            lines = wording.effects(before or Settings(), tried, _extent())
            st.markdown("**What it causes**")
            for line in lines:
                st.markdown(f"- {plain(line)}")
            st.caption(
                "Server and worker take it over at once; nothing needs a restart. Work that is under way ends with the "
                "settings that it began with."
            )
        with st.container(horizontal=True):
            blocked = tried is None or moved
            if st.button("Save", type="primary", icon=":material/save:", disabled=blocked, key="save-settings"):
                _save(root, view, changes)
            st.button("Discard", icon=":material/undo:", on_click=start_again, key="discard-settings")


def _save(root: Path, view: SettingsView, changes: Mapping[str, object | None]) -> None:
    try:
        save_settings(root, changes, revision=view.revision)
    except RowMoved as error:
        st.error(plain(str(error)), icon=":material/error:")
        st.button("Show the new values", on_click=start_again, key="show-new-values")
        return
    leave_notice("The settings were saved.")
    start_again()
    st.rerun()


def _extent() -> wording.Extent:
    """The extent of all projects together; zero where they cannot be counted just now."""
    try:
        summaries: list[ProjectSummary] = workbench().projects(archived=True)
    except WorkbenchError:
        summaries = []
    sound = [summary for summary in summaries if summary.problem is None]
    return wording.Extent(
        len(sound), sum(summary.documents for summary in sound), sum(summary.passages for summary in sound)
    )
