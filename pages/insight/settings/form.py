"""The settings as a form: one widget a setting, with its range, and read-only where the environment holds it.

Widgets keep what was typed while another tab saves: they belong to the values as this tab first saw them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.settings.view import Origin, Setting, SettingsView
from pages.shared.safe import plain
from pages.words.settings import SECTIONS, WITHOUT_EFFECT, hint_of, label_of, origin_words, value_words

_BASE = "settings-base"
_ROUND = "settings-round"


def seen_view(now: SettingsView) -> SettingsView:
    """The settings as this tab knows them: as they are now, unless the file was changed since the form was filled."""
    base = st.session_state.get(_BASE)
    if base is None or base.revision == now.revision:
        st.session_state[_BASE] = base = now
    return base


def start_again() -> None:
    """Callback: drop what was typed and show the values as they are on disk."""
    st.session_state.pop(_BASE, None)
    st.session_state[_ROUND] = _round() + 1


def show_form(view: SettingsView, faults: Mapping[str, str]) -> None:
    """Every section in a tab of its own."""
    tabs = st.tabs([name for name, _ in SECTIONS.values()], key="section")
    for tab, (section, (name, about)) in zip(tabs, SECTIONS.items(), strict=True):
        with tab:
            st.caption(about)
            mine = [
                setting for setting in view.settings if setting.section == section and setting.key not in WITHOUT_EFFECT
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
    """What the form holds that differs from the effective values; None for what goes back to its default."""
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
    held = setting.origin is Origin.OVERRIDE
    _widget(setting, held)
    if held:
        st.caption(f":material/lock: {plain(origin_words(setting))}; change it there.")
    elif setting.origin is Origin.FILE:
        st.caption(plain(f"From workbench.toml; the default is {value_words(setting.default)}."))
    for said in (fault, setting.problem):
        if said:
            st.error(plain(said), icon=":material/error:")


def _widget(setting: Setting, held: bool) -> None:
    shared: dict[str, Any] = {"key": _key(setting), "help": plain(hint_of(setting)), "disabled": held}
    label = label_of(setting)
    # The value is given too, not only kept: a field in a tab that was never open would show its least value.
    value = _shown(setting, setting.value)
    match setting.kind:
        case "yes_no":
            st.toggle(label, value=value, **shared)
        case "choice":
            st.selectbox(label, list(setting.choices), index=setting.choices.index(str(value)), **shared)
        case "list":
            st.text_area(label, value=value, height=90, **shared)
        case "whole":
            low, high = (None if one is None else int(one) for one in (setting.low, setting.high))
            st.number_input(label, min_value=low, max_value=high, value=value, step=1, **shared)
        case "number":
            least, most = (None if end is None else float(end) for end in (setting.low, setting.high))
            step = 0.05 if most is not None and most <= 1 else 0.5
            st.number_input(label, min_value=least, max_value=most, value=value, step=step, format="%g", **shared)
        case _ if setting.key == "models.late_checkpoint":
            st.text_input(label, value=value, placeholder="The model that compares word by word", **shared)
        case _ if setting.section == "models":
            _model(setting, label, shared)
        case _ if setting.section == "llm" and setting.name.startswith("model_"):
            _language_model(setting, label, shared)
        case _:
            st.text_input(label, value=value, **shared)


def _model(setting: Setting, label: str, shared: dict[str, Any]) -> None:
    """Known names to choose from; a folder or another name can be typed."""
    from core.backends.locate import HEURISTIC, KNOWN, VERIFIER

    role = {"reranker": "reranker", "entailer": "entailer"}.get(setting.name, "encoder")
    known = {model.name for model in KNOWN.values() if model.role == role}
    known |= {"reranker": {HEURISTIC}, "entailer": {VERIFIER}}.get(role, set())
    typed = str(st.session_state.get(_key(setting)) or "")
    options = dict.fromkeys(one for one in [*sorted(known), str(setting.value), typed] if one)
    at = list(options).index(str(setting.value)) if setting.value else None
    st.selectbox(label, list(options), index=at, accept_new_options=True, **shared)


def _language_model(setting: Setting, label: str, shared: dict[str, Any]) -> None:
    """Models with a known price to choose from; another name can be typed."""
    from core.backends.anthropic.prices import price_list

    typed = str(st.session_state.get(_key(setting)) or "")
    options = list(dict.fromkeys(one for one in [*price_list(), str(setting.value), typed] if one))
    st.selectbox(label, options, index=options.index(str(setting.value)), accept_new_options=True, **shared)


def _to_defaults(settings: list[Setting]) -> None:
    for setting in settings:
        if setting.origin is not Origin.OVERRIDE:
            st.session_state[_key(setting)] = _shown(setting, setting.default)


def _shown(setting: Setting, value: Any) -> Any:
    """A value as its widget holds it."""
    if setting.kind == "list":
        return "\n".join(value)
    return float(value) if setting.kind == "number" else value


def _typed(setting: Setting, value: Any) -> object:
    """What a widget holds as a value."""
    if setting.kind == "list":
        return tuple(dict.fromkeys(line.strip() for line in str(value or "").splitlines() if line.strip()))
    return str(value or "").strip() if setting.kind == "text" else value


def _key(setting: Setting) -> str:
    return f"set-{setting.key}-{_round()}"


def _round() -> int:
    return int(st.session_state.get(_ROUND, 0))
