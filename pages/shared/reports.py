"""Reports of a project: give one to be audited, the list of those that are there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from core.audit.outcome import counts_of, outcome_sentence
from core.errors import ReportNotFound
from core.records import Job, StoredReport
from core.text.words import count_words, kind_words, short, when_words
from pages.shared.address import number_in_url, turn_to
from pages.shared.notices import leave_notice
from pages.shared.safe import plain, show_heading
from pages.shared.session import form_round, guarded, next_round, now, this_project

if TYPE_CHECKING:
    from core.workbench.open_project import OpenProject

FILE_TYPES = ["md", "markdown", "docx", "html", "htm", "txt", "pdf"]
WAYS = {"File": ":material/upload_file: File", "Text": ":material/content_paste: Paste text"}
NEW = 0


def report_title(report: StoredReport, width: int = 160) -> str:
    """The title of a report, else the name of its file."""
    return short(report.title or "", width) or short(report.name, width)


def report_in_url(opened: OpenProject) -> StoredReport | None:
    """The report that ``?report=`` names. When it names none that is here, one line says so and the URL forgets it."""
    if not st.query_params.get("report"):
        return None
    wanted = number_in_url("report")
    try:
        if wanted is not None:
            return opened.audits.report(wanted)
    except ReportNotFound:
        pass  # told below, as a mistyped number is
    for key in ("report", "finding"):
        st.query_params.pop(key, None)
    st.warning("This project has no such report. The link is mistyped, or the report was deleted.")
    return None


def show_add_report(opened: OpenProject, reports: list[StoredReport]) -> None:
    """Choose a file or paste a text, and have its citations checked."""
    given = report_form(opened.settings.parsing.max_bytes, "report", reports)
    if given is not None:
        add = opened.audits.add
        _take(lambda: add(given.name, given.body, given.media_type, supersedes=given.supersedes))


@dataclass(frozen=True, slots=True)
class GivenReport:
    """The report that a person gave in the form."""

    name: str
    body: bytes
    media_type: str = ""
    supersedes: int | None = None


def report_form(max_bytes: int, key: str, reports: Sequence[StoredReport] = ()) -> GivenReport | None:
    """The form for a report: a file or a pasted text. None while nothing was sent off, or the field is empty (a message
    then says so)."""
    way = st.segmented_control(
        "How to give the report",
        list(WAYS),
        format_func=lambda key: WAYS[key],
        default="File",
        required=True,
        key=f"{key}-way",
        label_visibility="collapsed",
    )
    return (_text_form if way == "Text" else _file_form)(max_bytes, key, reports)


def _text_form(_max_bytes: int, key: str, reports: Sequence[StoredReport]) -> GivenReport | None:
    with st.form(f"add-{key}", border=False):
        name = st.text_input("Name", key=f"{key}-name-{form_round('report')}", placeholder="What this report is called")
        text = st.text_area(
            "Report, with its citations and its list of references",
            key=f"{key}-text-{form_round('report')}",
            height=220,
        )
        supersedes = _version_choice(reports)
        if st.form_submit_button("Check its citations", type="primary", icon=":material/fact_check:"):
            if text.strip():
                return GivenReport(name.strip() or "Pasted report", text.encode(), "", supersedes)
            st.error("The text is empty. Paste the report first.")
    return None


def _file_form(max_bytes: int, key: str, reports: Sequence[StoredReport]) -> GivenReport | None:
    # No form, as for files of sources (add_sources): a chosen file must be on the server before the button is pressed.
    upload = st.file_uploader(
        "Markdown, DOCX, HTML, plain text, or PDF",
        type=FILE_TYPES,
        max_upload_size=max(1, max_bytes // 1_000_000),
        key=f"{key}-file-{form_round('report')}",
    )
    supersedes = _version_choice(reports)
    if st.button("Check its citations", type="primary", icon=":material/fact_check:", key=f"add-{key}"):
        if upload is not None:
            return GivenReport(upload.name, upload.getvalue(), upload.type or "", supersedes)
        st.error("No file was chosen. Choose the report first.")
    return None


def _version_choice(reports: Sequence[StoredReport]) -> int | None:
    """The report of which this is a new version, if any."""
    if not reports:
        return None
    names = {NEW: "A report of its own"} | {report.id: report_title(report, 90) for report in reports}
    chosen = st.selectbox(
        "This is",
        list(names),
        format_func=lambda key: names[key] if key == NEW else f"A new version of “{names[key]}”",
        key=f"report-version-{form_round('report')}",
        help="Of a new version only what has changed is checked again.",
    )
    return None if chosen in (None, NEW) else int(chosen)


def _take(add: Callable[[], tuple[StoredReport, Job]]) -> None:
    with guarded("reading the report"):
        with st.spinner("Reading the report…"):
            report, _ = add()
        next_round("report")
        leave_notice(f"“{report_title(report, 80)}” was read. Its citations are being checked.")
        turn_to("report", str(report.id))


def show_reports(opened: OpenProject, reports: list[StoredReport]) -> None:
    for report in reports:
        with st.container(border=True, key=f"report-{report.id}", gap="xsmall"):
            with st.container(horizontal=True, vertical_alignment="center"):
                show_heading(report_title(report), 3, fill=True)
                if report.version > 1:
                    st.badge(f"Version {report.version}", color="gray", icon=":material/history:")
            with st.container(key=f"quiet-report-{report.id}"):
                st.text(origin_words(report))
            with guarded("counting its citations"):
                standings = opened.reviews.standing(report.id).findings
                st.text(outcome_sentence(counts_of(opened.audits.findings(report.id), standings)))
            with st.container(horizontal=True):
                if st.button("Open", key=f"open-report-{report.id}", type="primary", icon=":material/fact_check:"):
                    turn_to("report", str(report.id))
                if st.button("Delete", key=f"delete-report-{report.id}", icon=":material/delete:", type="tertiary"):
                    delete_report(report)


def origin_words(report: StoredReport) -> str:
    """Name, kind, length and age of a report, in one line."""
    parts = [short(report.name, 80), kind_words(report.media_type), f"added {when_words(report.created, now())}"]
    if report.length:
        parts.insert(2, count_words(report.length, "character"))
    return " · ".join(parts)


@st.dialog("Delete this report")
def delete_report(report: StoredReport) -> None:
    """Ask, then delete one version of a report with its rows."""
    st.text(report_title(report))
    st.write("The report and what was found out about its citations are deleted; the sources stay.")
    if st.button("Delete", type="primary", icon=":material/delete_forever:"):
        with guarded("deleting"):
            this_project().audits.delete(report.id)
            leave_notice(f"“{report_title(report, 80)}” was deleted.")
            turn_to("report", "")


def show_superseded(report: StoredReport, forget: Sequence[str]) -> None:
    """The badge of an older version, and the way to the newest; the URL then forgets the parameters ``forget``."""
    if report.superseded_by is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge(f"Version {report.version}, not the newest", icon=":material/history:", color="gray")
        if st.button("Open the newer one", type="tertiary"):
            for key in forget:
                st.query_params.pop(key, None)
            turn_to("report", str(report.superseded_by))


def warn(report: StoredReport) -> None:
    if not report.warnings:
        return
    label = count_words(len(report.warnings), "note") + " from reading the report"
    with st.expander(label, icon=":material/warning:", key="report-warnings"):
        for line in report.warnings[:50]:
            st.text(line)
        if len(report.warnings) > 50:
            st.caption(plain(f"… and {len(report.warnings) - 50} more"))
