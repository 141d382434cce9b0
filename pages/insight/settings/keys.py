"""Keys of services: entered here, kept in a file that only its owner reads, never shown again."""

from pathlib import Path

import streamlit as st

from core.errors import SettingsError
from core.settings.keys import FILE, Keys
from core.settings.values import Settings
from pages.shared.safe import plain
from pages.shared.session import form_round, leave_notice, next_round
from pages.words.settings import KeyRow, key_rows


def show_keys(root: Path, settings: Settings) -> None:
    """Every key with where it comes from, and a field for another one."""
    from core.backends.web.providers import web_searchers

    st.subheader("Keys of services")
    st.caption(
        "Without any key everything works on this machine; a key adds a language model or another search service. "
        "Nothing is sent because of a key alone: language model and web search are switched on above."
    )
    keys = Keys(root)
    try:
        rows = key_rows(keys, [searcher.info for searcher in web_searchers(settings.web, keys)])
    except SettingsError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    warning = keys.open_to_others()
    if warning:
        st.warning(plain(warning), icon=":material/lock_open:")
    for row in rows:
        _show(keys, row)
    st.caption(
        plain(f"A key is kept in {FILE} in the data directory below, which only the user of this machine may read. It "
              "is never shown again, and never part of a project, an export, or a log.")
    )  # fmt: skip


def _show(keys: Keys, row: KeyRow) -> None:
    field = f"key-{row.name}-{form_round('keys')}"
    with st.container(border=True, key=f"box-{row.name}", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{plain(row.title)}**")
            color = "red" if row.problem else "green" if row.origin else "gray"
            st.badge(row.state.capitalize(), color=color)  # type: ignore[arg-type]
            st.caption(plain(row.about + ("" if row.needed else " It also works without a key.")))
        if row.problem:
            st.error(plain(row.problem), icon=":material/error:")
        if row.origin == "environment":
            st.caption(plain(f":material/lock: {row.name} is set in the environment and wins; change it there."))
            return
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input(
                f"{row.name}: a new key" if row.origin else row.name,
                type="password",
                key=field,
                autocomplete="new-password",
                placeholder="Paste another key to replace it" if row.origin else "Paste the key",
            )
            if st.button("Keep the key", key=f"keep-{row.name}", icon=":material/key:"):
                _keep(keys, row, str(st.session_state.get(field) or ""))
            if row.origin and st.button("Remove", key=f"remove-{row.name}", icon=":material/delete:", type="tertiary"):
                _keep(keys, row, None)


def _keep(keys: Keys, row: KeyRow, key: str | None) -> None:
    """Write the key down and paint the page anew with empty fields, so that the key leaves the browser."""
    if key is not None and not key.strip():
        st.warning("The field is empty. Paste the key first.", icon=":material/key_off:")
        return
    try:
        keys.put(row.name, key)
    except SettingsError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    next_round("keys")
    leave_notice(f"The key for {row.title} was removed." if key is None else f"The key for {row.title} is kept.")
    st.rerun()
