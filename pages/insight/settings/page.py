"""Settings: effective values, where each comes from, and changes checked before they are written."""

import streamlit as st

from core.settings.save import set_aside
from core.settings.values import FILE, Settings
from core.settings.view import SettingsView, checked_change, view_settings
from pages.insight.settings.form import changes_of, seen_view, show_changes, show_form, start_again
from pages.insight.settings.keys import show_keys
from pages.insight.settings.places import (
    show_data_folder,
    show_effective,
    show_models,
    show_project,
)
from pages.shared.safe import plain
from pages.shared.server import root_folder
from pages.shared.session import guarded, leave_notice, show_notice
from pages.words.settings import value_words


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
