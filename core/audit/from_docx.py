"""A DOCX report as Markdown: headings, lists, tables, links, raised numbers, footnotes and endnotes."""

from __future__ import annotations

import io
import re
from typing import Any

from core.errors import UnreadableSource
from core.labels import FetchState

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_HEADING = re.compile(r"(?:heading|berschrift|titre|t[ií]tulo)\s*(\d)", re.IGNORECASE)
_NOTES = (("footnotes", "footnote", ""), ("endnotes", "endnote", "e"))
_SEPARATORS = frozenset({"separator", "continuationSeparator", "continuationNotice"})
_STARTS_LIKE_MARK = re.compile(r"^(#{1,6} |>|```|~~~)")


def docx_as_markdown(body: bytes, *, name: str) -> str:
    """The text of a DOCX as Markdown; a footnote is ``[^3]`` with its definition at the end, an endnote ``[^e3]``.

    Raises:
        UnreadableSource: ``too_large``, ``encrypted``, ``broken``, ``empty``.
    """
    import docx
    from docx.opc.exceptions import OpcError
    from lxml.etree import LxmlError

    from core.acquire.read_docx_guard import check_zip

    try:
        document = docx.Document(io.BytesIO(check_zip(body, name=name)))
    except (OpcError, LxmlError, KeyError, ValueError) as error:
        raise UnreadableSource(FetchState.BROKEN, f"{name} is a damaged DOCX ({error}). Get the file again.") from error
    writer = _Writer(document)
    writer.body(document.element.body)
    for kind, tag, prefix in _NOTES:
        writer.notes(kind, tag, prefix)
    text = "\n".join(writer.lines).strip()
    if not any(map(str.isalnum, text)):
        raise UnreadableSource(FetchState.EMPTY, f"{name} has no text in it.")
    return text + "\n"


class _Writer:
    def __init__(self, document: Any) -> None:
        self._document = document
        self._styles = {style.style_id: style.name or "" for style in document.styles}
        self._counters: dict[tuple[str, int], int] = {}
        self._ordered = _ordered_lists(document)
        self.lines: list[str] = []

    def body(self, element: Any) -> None:
        """Paragraphs and tables in their order; content controls are looked into, text boxes are not."""
        stack = list(reversed(element))
        while stack:
            child = stack.pop()
            if child.tag == f"{_W}p":
                self._paragraph(child)
            elif child.tag == f"{_W}tbl":
                self._table(child)
            elif child.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}ins", f"{_W}customXml"):
                stack.extend(reversed(child))

    def notes(self, kind: str, tag: str, prefix: str) -> None:
        """Definitions of all footnotes or endnotes."""
        from lxml import etree

        part = next(
            (rel.target_part for rel in self._document.part.rels.values() if rel.reltype.endswith(f"/{kind}")), None
        )
        if part is None:
            return
        try:
            root = etree.fromstring(part.blob, etree.XMLParser(resolve_entities=False, no_network=True))
        except etree.LxmlError:
            return  # the marks stay and will be reported as dangling
        links = {key: rel.target_ref for key, rel in part.rels.items() if rel.is_external}
        for note in root.findall(f"{_W}{tag}"):
            if note.get(f"{_W}type") in _SEPARATORS:
                continue
            words = " ".join(filter(None, (self._runs(p, links).strip() for p in note.iter(f"{_W}p"))))
            if words:
                self.lines.append(f"[^{prefix}{note.get(f'{_W}id')}]: {words}")

    def _paragraph(self, paragraph: Any) -> None:
        links = {key: rel.target_ref for key, rel in self._document.part.rels.items() if rel.is_external}
        words = self._runs(paragraph, links).strip()
        if not words:
            return
        prefix = self._prefix(paragraph)
        if not prefix:
            words = _STARTS_LIKE_MARK.sub(r"\\\1", words)
        self.lines.extend([prefix + words, ""])

    def _prefix(self, paragraph: Any) -> str:
        style = paragraph.find(f"{_W}pPr/{_W}pStyle")
        name = self._styles.get(style.get(f"{_W}val"), "") if style is not None else ""
        heading = _HEADING.match(name)
        if heading or name == "Title":
            return "#" * min(6, int(heading[1][:6]) if heading else 1) + " "
        numbering = paragraph.find(f"{_W}pPr/{_W}numPr")
        if numbering is None and not name.startswith("List "):
            return ""
        identity, level = _numbering(numbering)
        if name.startswith("List Number") or (identity, level) in self._ordered:
            key = (identity or name, level)
            self._counters[key] = self._counters.get(key, 0) + 1
            return f"{'   ' * min(level, 8)}{self._counters[key]}. "
        return f"{'  ' * min(level, 8)}- "

    def _runs(self, paragraph: Any, links: dict[str, str]) -> str:
        pieces: list[str] = []
        closing: list[tuple[Any, str]] = []
        for event, element in _walk(paragraph):
            if event == "end":
                if closing and closing[-1][0] is element:
                    pieces.append(closing.pop()[1])
                continue
            if element.tag == f"{_W}hyperlink":
                target = links.get(element.get(f"{_R}id") or "", "")
                if target.lower().startswith(("http://", "https://")):
                    pieces.append("[")
                    closing.append(
                        (element, f"]({target.replace(' ', '%20').replace('(', '%28').replace(')', '%29')})")
                    )
            elif element.tag == f"{_W}r" and _raised(element):
                pieces.append("<sup>")
                closing.append((element, "</sup>"))
            else:
                pieces.append(_words(element))
        return re.sub(r"</sup><sup>|<sup></sup>", "", "".join(pieces)).replace("<sup>[^", "[^").replace("]</sup>", "]")

    def _table(self, table: Any) -> None:
        links = {key: rel.target_ref for key, rel in self._document.part.rels.items() if rel.is_external}
        for at, row in enumerate(table.findall(f"{_W}tr")):
            cells = [
                " ".join(self._runs(p, links).strip() for p in cell.iter(f"{_W}p")).replace("|", "\\|").strip() or " "
                for cell in row.findall(f"{_W}tc")
            ]
            if cells:
                self.lines.append("| " + " | ".join(cells) + " |")
                if at == 0:
                    self.lines.append("|" + " --- |" * len(cells))
        self.lines.append("")


def _walk(root: Any) -> Any:
    from lxml import etree

    return etree.iterwalk(root, events=("start", "end"))


def _words(element: Any) -> str:
    if element.tag == f"{_W}t":
        return element.text or ""
    if element.tag == f"{_W}tab":
        return " "
    if element.tag in (f"{_W}br", f"{_W}cr"):
        return "\n"
    if element.tag == f"{_W}noBreakHyphen":
        return "-"
    if element.tag == f"{_W}footnoteReference":
        return f"[^{element.get(f'{_W}id')}]"
    if element.tag == f"{_W}endnoteReference":
        return f"[^e{element.get(f'{_W}id')}]"
    return ""


def _raised(run: Any) -> bool:
    align = run.find(f"{_W}rPr/{_W}vertAlign")
    holds_note = run.find(f"{_W}footnoteReference") is not None or run.find(f"{_W}endnoteReference") is not None
    return align is not None and align.get(f"{_W}val") == "superscript" and not holds_note


def _numbering(element: Any) -> tuple[str, int]:
    if element is None:
        return "", 0
    identity, level = element.find(f"{_W}numId"), element.find(f"{_W}ilvl")
    depth = (level.get(f"{_W}val") or "0") if level is not None else "0"
    return (identity.get(f"{_W}val") or "" if identity is not None else ""), int(depth[:6]) if depth.isdecimal() else 0


def _ordered_lists(document: Any) -> set[tuple[str, int]]:
    """(list id, level) of the lists that count; bullets are left out."""
    part = next((rel.target_part for rel in document.part.rels.values() if rel.reltype.endswith("/numbering")), None)
    root = getattr(part, "element", None)
    if root is None:
        return set()
    formats: dict[str, set[int]] = {}
    for abstract in root.findall(f"{_W}abstractNum"):
        levels = set()
        for level in abstract.findall(f"{_W}lvl"):
            kind = level.find(f"{_W}numFmt")
            if kind is not None and kind.get(f"{_W}val") not in ("bullet", "none"):
                depth = level.get(f"{_W}ilvl") or "0"
                levels.add(int(depth[:6]) if depth.isdecimal() else 0)
        formats[abstract.get(f"{_W}abstractNumId")] = levels
    ordered: set[tuple[str, int]] = set()
    for number in root.findall(f"{_W}num"):
        link = number.find(f"{_W}abstractNumId")
        if link is not None:
            ordered |= {(number.get(f"{_W}numId"), level) for level in formats.get(link.get(f"{_W}val"), set())}
    return ordered
