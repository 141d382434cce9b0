"""The only ways by which foreign text (sources, titles, file names, messages) reaches the screen. ``st.markdown``,
``st.write``, labels, errors and captions fetch remote images and make links out of text. Foreign text goes through
``plain`` there, and evidence through ``evidence_html`` and ``st.html``. A Content-Security-Policy is the second
wall."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import nh3
import streamlit as st

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
# Marks that change the direction of what follows could make a page lie about a text ("cod.exe" for "exe.doc").
_CONTROLS = re.compile("[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]")
_JOINER = "\u2060"


def plain(text: str, width: int = 0) -> str:
    """``text`` for a place that reads Markdown: shown letter for letter, on one line, never a link or an image.
    ``width`` > 0 cuts with an ellipsis. Backslashes alone do not stop the automatic links and the ``:name:`` icons,
    which look at the text after escapes are resolved; an invisible joiner does."""
    line = " ".join(_CONTROLS.sub("", text).split())
    if width and len(line) > width:
        line = line[: width - 1].rstrip() + "…"
    escaped = _PUNCTUATION.sub(r"\\\1", line)
    escaped = escaped.replace("\\:", "\\:" + _JOINER).replace("\\@", _JOINER + "\\@")
    return re.sub(r"(?i)(www)(\\\.)", rf"\1{_JOINER}\2", escaped)


def evidence_html(text: str, marks: Sequence[tuple[int, int]] = ()) -> str:
    """Paragraphs of ``text`` with the spans ``marks`` (offsets into it, half-open) highlighted. Everything is escaped
    first; then only the tags made here (p, br, mark, without attributes) are let through."""
    inside = bytearray(len(text))
    for start, end in marks:
        left = min(len(text), max(0, start))
        right = min(len(text), max(left, end))
        inside[left:right] = b"\x01" * (right - left)
    # A highlight ends and begins anew at each line, so that the tags stay nested.
    paragraphs = []
    position = 0
    for block in re.split(r"(\n{2,})", text):
        if block.strip():
            lines, at = [], position
            for line in block.split("\n"):
                lines.append(_line(line, inside[at : at + len(line)]))
                at += len(line) + 1
            paragraphs.append("<p>" + "<br>".join(lines) + "</p>")
        position += len(block)
    return nh3.clean("".join(paragraphs), tags={"mark", "p", "br"}, attributes={})


def _line(line: str, inside: bytearray) -> str:
    parts, start = [], 0
    for at in range(1, len(line) + 1):
        if at == len(line) or inside[at] != inside[start]:
            run = html.escape(_CONTROLS.sub("", line[start:at]))
            parts.append(f"<mark>{run}</mark>" if inside[start] else run)
            start = at
    return "".join(parts)


def show_evidence(text: str, marks: Sequence[tuple[int, int]] = ()) -> None:
    """Paint foreign text with highlights."""
    st.html(evidence_html(text, marks) or "<p></p>")


@dataclass(frozen=True, slots=True)
class Run:
    """A run of foreign text with what is said about it: a class of the style sheet, a sign in front of it, where a
    click leads (a query made by us, "" for nowhere), a hint, and whether it is the one looked at."""

    text: str
    shade: str = ""
    sign: str = ""
    query: str = ""
    hint: str = ""
    current: bool = False


def runs_html(blocks: Sequence[tuple[str, Sequence[Run]]]) -> str:
    """Blocks, each a tag (``p``, ``h3``, ``h4``, ``li``) and its runs of foreign text, as HTML. Entries that follow one
    another are one list. Everything is escaped first; then only the tags and attributes made here are let through."""
    painted = ""
    for tag, alike in groupby(blocks, key=lambda block: block[0]):
        inner = "".join(f"<{tag}>{''.join(map(_run, runs))}</{tag}>" for _, runs in alike)
        painted += f"<ul>{inner}</ul>" if tag == "li" else inner
    attributes = {"a": {"class", "href", "title"}, "span": {"class", "title"}}
    return nh3.clean(
        painted,
        tags={"p", "h3", "h4", "ul", "li", "br", "a", "span", "sup"},
        attributes=attributes,
        link_rel=None,
        url_schemes=set(),
    )


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table to click on: where it leads (a query made by us), its foreign text cell by cell, whether it is
    the one looked at, and the cell that is the link."""

    query: str
    cells: Sequence[str]
    current: bool = False
    link: int = 0


def table_html(head: Sequence[tuple[str, str, str]], rows: Sequence[TableRow]) -> str:
    """A table whose head sorts it. ``head`` has the name of each column, the query that sorts by it, and how it is
    sorted now ("ascending", "descending", ""). Escaped and cleaned as ``runs_html`` does."""
    columns, body = "".join(_table_head(*column) for column in head), "".join(map(_table_row, rows))
    return nh3.clean(
        f"<table><thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>",
        tags={"table", "thead", "tbody", "tr", "th", "td", "a"},
        attributes={"a": {"href"}, "th": {"scope", "aria-sort"}, "tr": {"class"}},
        link_rel=None,
        url_schemes=set(),
    )


def _table_head(name: str, query: str, now: str) -> str:
    sorted_so = f' aria-sort="{now}"' if now else ""
    return f'<th scope="col"{sorted_so}><a href="?{html.escape(query)}">{html.escape(name)}</a></th>'


def _table_row(row: TableRow) -> str:
    cells = [html.escape(" ".join(_CONTROLS.sub("", cell).split())) for cell in row.cells]
    cells[row.link] = f'<a href="?{html.escape(row.query)}">{cells[row.link]}</a>'
    inner = "".join(f"<td>{cell}</td>" for cell in cells)
    marked = ' class="current"' if row.current else ""
    return f"<tr{marked}>{inner}</tr>"


def _run(run: Run) -> str:
    text = html.escape(_CONTROLS.sub("", run.text)).replace("\n", "<br>")
    if not run.shade:
        return text
    sign = f"<sup>{html.escape(run.sign)}</sup>" if run.sign else ""
    attributes = f'class="shade-{run.shade}{" current" if run.current else ""}"'
    hint = f' title="{html.escape(" ".join(_CONTROLS.sub("", run.hint).split()))}"' if run.hint else ""
    if run.query:
        return f'<a {attributes} href="?{html.escape(run.query)}"{hint}>{sign}{text}</a>'
    return f"<span {attributes}{hint}>{sign}{text}</span>"


def heading_html(text: str, level: int) -> str:
    tag = f"h{level}"
    line = " ".join(_CONTROLS.sub("", text).split())
    return nh3.clean(f"<{tag}>{html.escape(line)}</{tag}>", tags={tag}, attributes={})


def show_heading(text: str, level: int = 3, *, fill: bool = False) -> None:
    """Paint a heading whose text is foreign; ``fill`` pushes what follows on its line to the right end."""
    st.html(heading_html(text, level), width="stretch" if fill else "content")


def show_badge(word: str, icon: str, color: str, help: str = "") -> None:
    """Paint a badge whose word is ours (foreign text goes through ``plain`` first), with the name of its icon."""
    st.badge(word, icon=f":material/{icon}:", color=color, help=help or None)  # type: ignore[arg-type]


def file_name(text: str, ending: str) -> str:
    """A name for a download made of a title: letters, digits, dashes; never empty."""
    stem = re.sub(r"[^\w-]+", "-", text, flags=re.UNICODE).strip("-_")[:80]
    return f"{stem or 'download'}{ending}"
