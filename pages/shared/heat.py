"""The report with every sentence in its shade; a click on a sentence leads to its rows. Sentences are plain links with
everything in their address, so they work by keyboard and in a new tab."""

from collections.abc import Collection, Sequence

import streamlit as st

from core.audit.layout import ShadedBlock, ShadedPiece, part_of, parts, readable, shaded_blocks
from core.audit.outcome_words import REPORT_SHADES
from core.audit.report_model import BlockKind, Report
from core.records import HeatSentence
from pages.shared.address import query_with
from pages.shared.in_view import bring_into_view
from pages.shared.safe import Run, runs_html

_TAGS = {BlockKind.HEADING: "h4", BlockKind.LIST_ITEM: "li"}


def show_legend() -> None:
    runs = [
        Run(meaning, shade=shade, sign=sign) for shade, (sign, meaning) in REPORT_SHADES.items() if shade != "plain"
    ]
    spaced = [part for run in runs for part in (run, Run("  "))]
    with st.container(key="heat-legend"):
        st.html(runs_html([("p", spaced)]))


def show_heat(
    report: Report,
    heat: Sequence[HeatSentence],
    current: int | None,
    at: int | None,
    only: Collection[int] | None = None,
) -> None:
    """The coloured report; ``current`` is the id of the row looked at, ``at`` where its claim begins. ``only``: ids of
    the rows that pass the filters; all else stands without colour."""
    if only is not None:
        heat = [sentence for sentence in heat if not set(only).isdisjoint(sentence.findings)]
    cut = parts(shaded_blocks(report, heat))
    number = 1
    if len(cut) > 1:
        if st.session_state.get("heat-at") != (current, at):
            st.session_state["heat-at"] = (current, at)
            st.session_state["heat-part"] = part_of(cut, at) + 1
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"A long report, shown in {len(cut):,} parts", width="content")
            number = min(len(cut), int(st.pagination(len(cut), key="heat-part", max_visible_pages=5)))
    with st.container(height=640, border=True, key="heat"):
        st.html(runs_html([_block(report, block, current) for block in cut[number - 1]]) or "<p></p>")
    bring_into_view((current, number))


def _block(report: Report, block: ShadedBlock, current: int | None) -> tuple[str, list[Run]]:
    runs: list[Run] = []
    for piece in block.pieces:
        if runs and block.kind is BlockKind.TABLE_CELL and piece.start > 0 and report.text[piece.start - 1] != " ":
            runs.append(Run(" "))
        elif runs and block.kind is BlockKind.TABLE_CELL:
            runs.append(Run(" | "))
        runs.append(_run(report, piece, current))
    return _TAGS.get(block.kind, "p"), runs


def _run(report: Report, piece: ShadedPiece, current: int | None) -> Run:
    text = readable(report.text[piece.start : piece.end])
    if piece.shade == "plain" and not piece.findings:
        return Run(text)
    if piece.shade == "plain":  # an entry of the reference list that nothing cites
        return Run(
            text, "failing", "!", query_with(finding=str(piece.findings[0])), piece.why, current in piece.findings
        )
    sign, meaning = REPORT_SHADES.get(piece.shade, ("", ""))
    hint = f"{meaning}. {piece.why}" if piece.why else meaning
    query = query_with(finding=str(piece.findings[0])) if piece.findings else ""
    return Run(text, piece.shade, sign, query, hint, current is not None and current in piece.findings)
