"""Dialogs of the Projects page: rename, copy, export, archive, delete, import."""

import tempfile
from pathlib import Path

import streamlit as st

from core.records import Project
from pages.shared.address import Page, forget_project, open_here, project_in_url
from pages.shared.notices import leave_notice, rerun_with
from pages.shared.safe import file_name
from pages.shared.session import guarded, workbench


@st.dialog("Rename the project")
def rename(project: Project) -> None:
    """A new name; the folder and links stay."""
    name = st.text_input("New name", value=project.name)
    st.caption("Links to this project stay good.")
    if st.button("Rename", type="primary"):
        with guarded("renaming"):
            renamed = workbench().rename(project.slug, name)
            rerun_with(f"Renamed to “{renamed.name}”.")


@st.dialog("Make a copy")
def duplicate(project: Project) -> None:
    """An independent copy under another name."""
    name = st.text_input("Name of the copy", value=f"{project.name} (copy)"[:200])
    if st.button("Make a copy", type="primary"):
        with guarded("copying"), st.spinner("Copying…"):
            copy = workbench().duplicate(project.slug, name)
            rerun_with(f"“{copy.name}” is an independent copy.")


@st.dialog("Export as zip")
def export(project: Project) -> None:
    """Everything that cannot be rebuilt, in one file."""
    st.write(
        "One file with the sources exactly as received, their texts, grades, and tags. "
        "Import it here or on another computer."
    )
    with guarded("exporting"), st.spinner("Packing…"), tempfile.TemporaryDirectory() as folder:
        packed = workbench().export(project.slug, Path(folder) / f"{project.slug}.zip").read_bytes()
        st.download_button(
            "Download", packed, file_name(project.slug, ".zip"), "application/zip", type="primary", on_click="ignore"
        )


def archive(project: Project) -> None:
    """Put a project away; it can be brought back."""
    workbench().archive(project.slug)
    if project_in_url() == project.slug:
        forget_project()
    rerun_with(f"“{project.name}” is under “Archived” at the end of the page.")


@st.dialog("Delete the project for good")
def delete(project: Project) -> None:
    """Delete a project once its name was typed again."""
    st.warning("All its sources and results are deleted from this computer. This cannot be undone.")
    # Two projects may have one name; their folders differ.
    st.text(f"Name of the project:\n{project.name}\n\nFolder:\n{project.slug}")
    typed = st.text_input("Type the name to confirm")
    if st.button("Delete for good", type="primary", icon=":material/delete_forever:"):
        with guarded("deleting"):
            workbench().delete(project.slug, confirm=typed)
            if project_in_url() == project.slug:
                forget_project()
            rerun_with(f"“{project.name}” was deleted.")


@st.dialog("Import a project")
def take_in() -> None:
    """Check a zip, show what is wrong with it, and import it."""
    from core.pack.check import import_checked  # judging and exporting: nothing that the first page needs

    upload = st.file_uploader("Zip made by “Export as zip”", type="zip", max_upload_size=2000)
    if upload is None:
        st.caption("The file is checked before anything of it is taken over.")
        return
    with guarded("checking the zip"), tempfile.TemporaryDirectory() as folder:
        archived = Path(folder) / "upload.zip"
        archived.write_bytes(upload.getbuffer())
        problems = workbench().verify_archive(archived)
        if problems:
            st.error("This file cannot be taken in:")
            for line in problems[:20]:
                st.text(line)
            st.caption("Export the project again where it came from, and try that file.")
            return
        st.success("Every part of the file matches its checksum.")
        name = st.text_input("Name", placeholder="Leave empty to keep its name")
        if st.button("Import", type="primary"):
            with st.spinner("Importing…"):
                project = import_checked(workbench(), archived, name=name.strip() or None)
            taken = workbench().open(project.slug)
            lines = [f"“{project.name}” was imported. Search by meaning is being prepared.", *taken.import_notes()]
            differing = taken.import_differences()
            if differing:
                lines += ["It was taken in, but what it says does not hold:", *differing]
            leave_notice(" ".join(lines), "warning" if differing else "success")
            open_here(project.slug, Page.SOURCES)
