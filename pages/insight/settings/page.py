"""Settings: effective values, where each comes from, and changes checked before they are written. Keys of services are
entered here, kept in a file that only its owner reads, and never shown again."""

from pathlib import Path

import streamlit as st

from core.errors import SettingsError
from core.settings.keys import FILE as KEY_FILE
from core.settings.keys import Keys
from core.settings.save import set_aside
from core.settings.values import FILE, Settings
from core.settings.view import SettingsView, checked_change, view_settings
from pages.insight.settings.form import changes_of, seen_view, show_changes, show_form, start_again
from pages.insight.settings.places import show_data_folder, show_effective, show_models, show_project
from pages.shared.notices import leave_notice, rerun_with, show_notice
from pages.shared.safe import plain
from pages.shared.server import root_folder
from pages.shared.session import form_round, guarded, next_round
from pages.words.settings import KeyRow, key_rows, value_words


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
        plain(
            f"A key is kept in {KEY_FILE} in the data directory below, which only the user of this machine may read. "
            "It is never shown again, and never part of a project, an export, or a log."
        )
    )


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
    rerun_with(f"The key for {row.title} was removed." if key is None else f"The key for {row.title} is kept.")


def show_problems(view: SettingsView) -> None:
    """The problems that keep the files of settings from being used, and the way out."""
    for problem in view.problems:
        st.error(plain(problem), icon=":material/error:")
    if view.problems:
        st.caption("Until it is mended what runs keeps its earlier settings, and a fresh start is refused.")
    if (
        view.problems
        and view.revision
        and st.button(
            f"Put {FILE} aside and use the defaults",
            icon=":material/inventory_2:",
            key="set-aside",
            help="It is kept under another name beside it.",
        )
    ):
        aside = set_aside(root_folder(), revision=view.revision)
        leave_notice(f"The file is kept as {aside.name}; the defaults hold now.")
        start_again()
        st.rerun()
    if view.unknown:
        names = ", ".join(f"[{name}]" for name in view.unknown)
        st.caption(plain(f"Not of this version, kept and not used: {names}"))


def show_moved(seen: SettingsView, now: SettingsView) -> bool:
    """True when the file was changed since this tab filled its form; the page then shows what is new."""
    if seen.revision == now.revision:
        return False
    new = {setting.key: setting for setting in now.settings}
    other = [setting for setting in seen.settings if new[setting.key].value != setting.value]
    news = "; ".join(f"{setting.key} is {value_words(new[setting.key].value)} now" for setting in other[:5])
    st.warning(
        plain(f"The settings were changed in another tab or program. {news}{'.' if news else ''} What you typed is not "
              "saved: look at the new values, then change again."),
        icon=":material/sync_problem:",
    )  # fmt: skip
    st.button("Show the new values", icon=":material/sync:", on_click=start_again, key="show-moved")
    return True


def main() -> None:
    """The page. It needs no project, and works also when the settings keep the rest from starting."""
    st.title("Settings")
    show_notice()
    root = root_folder()
    now = view_settings(root)
    with guarded("looking at the settings"):
        show_problems(now)
    seen = seen_view(now)
    moved = show_moved(seen, now)
    st.caption("They hold for this installation: all projects, and everybody who uses it.")
    changes = changes_of(seen)
    tried, faults = checked_change(seen, changes)
    show_form(seen, faults)
    with guarded("showing the changes"):
        show_changes(root, seen, changes, moved)
    with guarded("looking for keys"):
        show_keys(root, tried or Settings())
    with guarded("looking for models"):
        show_models(tried or Settings())
    show_effective(now)
    with guarded("looking at the project"):
        show_project()
    with guarded("looking at the folder"):
        show_data_folder(root, now)


main()
