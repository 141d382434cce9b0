"""Projects: list, create, open, rename, put away, delete, copy, take out as a zip and in again."""

from pathlib import Path

import streamlit as st

from core.records import ProjectSummary
from core.text.words import count_words, size_words, when_words
from core.workbench.first_steps import check_report, report_to_open
from pages.research.projects import dialogs as project_dialogs
from pages.shared.address import Page, open_here
from pages.shared.notices import hint, leave_notice, rerun_with, show_notice
from pages.shared.reports import report_form, report_title
from pages.shared.safe import plain, show_heading
from pages.shared.session import guarded, next_round, now, workbench

_OPEN = "start-open"

ACTIONS = {
    "Rename": project_dialogs.rename,
    "Make a copy": project_dialogs.duplicate,
    "Export as zip": project_dialogs.export,
    "Archive": project_dialogs.archive,
    "Delete": project_dialogs.delete,
}


def show_start(first: bool) -> None:
    """The form for a report, which gets a project of its own. Where nothing is yet (``first``) it is open."""
    if not first and not st.session_state.get(_OPEN):
        if st.button("Check a report", type="primary", icon=":material/fact_check:"):
            st.session_state[_OPEN] = True
            st.rerun()
        return
    with st.container(border=True, key="check-a-report"):
        st.subheader("Check a report")
        st.text(
            "Each citation is looked up in the source that it cites, and you see the words that decide. "
            "The report gets a project of its own, and stays on this computer."
        )
        given = report_form(workbench().settings.parsing.max_bytes, "start")
        if given is not None:
            with guarded("reading the report"):
                with st.spinner("Reading the report…"):
                    project, stored = check_report(workbench(), given.name, given.body, given.media_type)
                next_round("report")
                st.session_state.pop(_OPEN, None)
                leave_notice(f"“{report_title(stored, 80)}” was read. Its citations are being checked.")
                open_here(project.slug, Page.CITATIONS, report=str(stored.id))


def create_form() -> None:
    """One line: a name and a button."""
    with st.form("create", border=False, clear_on_submit=True):
        field, button = st.columns([4, 1], vertical_alignment="bottom")
        name = field.text_input(
            "New project",
            help="Starts from sources: add them, search them, and check reports against them.",
            placeholder="What do you want to find out? For example: Do heat pumps work in cold winters?",
        )
        if button.form_submit_button("Create", icon=":material/add:", width="stretch"):
            with guarded("creating the project"):
                project = workbench().create(name)
                leave_notice(f"“{project.name}” is ready. Add its first sources.")
                open_here(project.slug, Page.SOURCES)


def other_ways() -> None:
    """Demo project and import."""
    with st.container(horizontal=True):
        if not any(summary.project.demo for summary in workbench().projects(archived=True)) and st.button(
            "Make the demo project",
            icon=":material/science:",
            help="A short report and its sources, ready to try.",
        ):
            with guarded("making the demo project"):
                from core.workbench.demo import request_demo

                project = request_demo(workbench())
                leave_notice("The demo is being read, and then its report is checked; watch it here.")
                open_project(project.slug)
        if st.button("Import a project", icon=":material/upload:", help="From a zip made by “Export as zip”."):
            project_dialogs.take_in()


def open_project(slug: str, otherwise: Path = Page.CITATIONS) -> None:
    """Open a project where its user most likely wants to go on: at its report, if it has one."""
    opened = workbench().open(slug)
    only = report_to_open(opened)
    if only is not None:
        open_here(slug, Page.CITATIONS, report=str(only))
    open_here(slug, Page.CITATIONS if opened.audits.reports() else otherwise)


def project_card(summary: ProjectSummary) -> None:
    """One project with its counts and what can be done with it."""
    project = summary.project
    with st.container(border=True, key=f"project-{project.slug}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            show_heading(project.name[:160], 3)
            if project.demo:
                st.badge("Demo", color="violet", icon=":material/science:")
            if project.archived:
                st.badge("Archived", color="gray", icon=":material/inventory_2:")
        if summary.problem is not None:
            problem(summary)
            return
        st.caption(
            f"{count_words(summary.documents, 'source')} · {count_words(summary.passages, 'passage')} · "
            f"{size_words(summary.bytes_on_disk)} · last used {when_words(summary.last_used, now())}"
        )
        with st.container(horizontal=True):
            actions(summary)


def actions(summary: ProjectSummary) -> None:
    """Open, and the rest in a menu."""
    project = summary.project
    if project.archived:
        if st.button("Bring back", key=f"back-{project.slug}", icon=":material/unarchive:"):
            with guarded("bringing the project back"):
                workbench().archive(project.slug, False)
                rerun_with(f"“{project.name}” is back in the list.")
    elif st.button("Open", key=f"open-{project.slug}", type="primary", icon=":material/folder_open:"):
        with guarded("opening the project"):
            open_project(project.slug, Page.EVIDENCE if summary.documents else Page.SOURCES)
    chosen = st.menu_button(
        "More", [name for name in ACTIONS if not (project.archived and name == "Archive")], key=f"more-{project.slug}"
    )
    if chosen:
        with guarded(f"doing “{chosen}”"):
            ACTIONS[chosen](project)


def problem(summary: ProjectSummary) -> None:
    """The message for a project that cannot be opened, and the way out."""
    st.error(plain(summary.problem or ""), icon=":material/heart_broken:")
    st.caption(
        "The folder was left as it is. Import the last exported zip to go on working, and keep the folder until then:"
    )
    st.code(str(summary.project.path), language=None, wrap_lines=True)


def main() -> None:
    with st.container(key="page-heading", gap=None):
        st.text("Evidence workbench: from real sources to the passage that answers")
        st.title("Projects")
    show_notice()
    with guarded("listing the projects"):
        everything = workbench().projects(archived=True)
        current = [summary for summary in everything if not summary.project.archived]
        put_away = [summary for summary in everything if summary.project.archived]
        show_start(first=not current)
        create_form()
        other_ways()
        if not current:
            hint(
                "No project yet. Check a report above, look around in the demo project, or start from sources: Give "
                "the first one a name and add them."
            )
        for start in range(0, len(current), 2):
            for column, summary in zip(st.columns(2), current[start : start + 2], strict=False):
                with column:
                    project_card(summary)
        if put_away:
            with st.expander(f"Archived ({len(put_away)})", icon=":material/inventory_2:"):
                for summary in put_away:
                    project_card(summary)


main()
