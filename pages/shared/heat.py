"""The report with every sentence in its shade; a click on a sentence leads to its rows. Sentences are plain links with
everything in their address, so they work by keyboard and in a new tab."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

import streamlit as st

from core.audit.layout import ShadedBlock, ShadedPiece, part_of, parts, readable, shaded_blocks
from core.audit.report_model import BlockKind, Report
from core.audit.wording import SHADES
from core.records import HeatSentence
from pages.shared.in_view import bring_into_view
from pages.shared.safe import Run, runs_html

Shades = Mapping[str, tuple[str, str]]
_TAGS = {BlockKind.HEADING: "h4", BlockKind.LIST_ITEM: "li"}


def show_legend(shades: Shades = SHADES) -> None:
    runs = [Run(meaning, shade=shade, sign=sign) for shade, (sign, meaning) in shades.items() if shade != "plain"]
    spaced = [part for run in runs for part in (run, Run("  "))]
    with st.container(key="heat-legend"):
        st.html(runs_html([("p", spaced)]))


def show_heat(
    report: Report, heat: Sequence[HeatSentence], current: int | None, at: int | None, shades: Shades = SHADES
) -> None:
    """The coloured report; ``current`` is the id of the row looked at, ``at`` where its claim begins, ``shades`` the
    sign and meaning of each shade."""
    cut = parts(shaded_blocks(report, heat))
    number = 1
    if len(cut) > 1:
        if st.session_state.get("heat-at") != (current, at):
            st.session_state["heat-at"] = (current, at)
            st.session_state["heat-part"] = part_of(cut, at) + 1
        st.caption(f"A long report, shown in {len(cut):,} parts")
        number = min(len(cut), int(st.pagination(len(cut), key="heat-part", max_visible_pages=5)))
    with st.container(height=640, border=True, key="heat"):
        st.html(runs_html([_block(report, block, current, shades) for block in cut[number - 1]]) or "<p></p>")
    bring_into_view((current, number))


def _block(report: Report, block: ShadedBlock, current: int | None, shades: Shades) -> tuple[str, list[Run]]:
    runs: list[Run] = []
    for piece in block.pieces:
        if runs and block.kind is BlockKind.TABLE_CELL and piece.start > 0 and report.text[piece.start - 1] != " ":
            runs.append(Run(" "))
        elif runs and block.kind is BlockKind.TABLE_CELL:
            runs.append(Run(" | "))
        runs.append(_run(report, piece, current, shades))
    return _TAGS.get(block.kind, "p"), runs


def _run(report: Report, piece: ShadedPiece, current: int | None, shades: Shades) -> Run:
    text = readable(report.text[piece.start : piece.end])
    if piece.shade == "plain" and not piece.findings:
        return Run(text)
    if piece.shade == "plain":  # an entry of the reference list that nothing cites
        return Run(text, "failing", "!", _query(piece.findings[0]), piece.why, current in piece.findings)
    sign, meaning = shades.get(piece.shade, ("", ""))
    hint = f"{meaning}. {piece.why}" if piece.why else meaning
    query = _query(piece.findings[0]) if piece.findings else ""
    return Run(text, piece.shade, sign, query, hint, current is not None and current in piece.findings)


def _query(finding: int) -> str:
    params = [(key, value) for key in st.query_params for value in st.query_params.get_all(key)]
    dropped = {"finding", "doc", "passage", "mark"}
    return urlencode([*((key, value) for key, value in params if key not in dropped), ("finding", str(finding))])
