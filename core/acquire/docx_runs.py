"""Text in an element of a Word document as people see it, for the reader of sources and that of reports alike.

Left out: deleted and moved-away words of tracked changes, struck and hidden runs (by themselves or by their style).
Text boxes are asked for by themselves. Raised runs are written as in ``raised_text``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from core.acquire.raised_text import Rise, written

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_BOX = f"{W}txbxContent"
_SKIPPED = frozenset({
    f"{W}del", f"{W}moveFrom", f"{W}instrText", f"{W}delText", f"{W}rPr", f"{W}pPr", f"{W}rt", _BOX,
})  # fmt: skip
_NOTES = frozenset({f"{W}footnoteReference", f"{W}endnoteReference"})
_SIGNS = {f"{W}tab": " ", f"{W}ptab": " ", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-", f"{M}den": "/"}
_LOOKS = frozenset({"strike", "dstrike", "vanish", "vertAlign", "position", "color", "shd", "highlight", "sz"})
_OFF = frozenset({"0", "false", "off", "none"})
_WHITE = "FFFFFF"
_RAISED_HALF_POINTS = 4
_UNSEEN_HALF_POINTS = 2
_DEEPEST = 10
"""Styles that a style is based on; a loop of them must not hang us."""
_Look = dict[str, str]


class Runs:
    """Reads the text of elements of one document."""

    def __init__(self, document: Any) -> None:
        self._styles = {style.style_id: style.element for style in document.styles}
        self._style_looks: dict[str, _Look] = {}
        self._white_page = document.element.find(f"{W}background") is None

    def words(self, element: Any) -> str:
        """Running text of ``element``, paragraphs in it parted by line ends; text boxes left out."""
        parts: list[tuple[str, Rise]] = []
        self._add(element, parts, self._style_look(element), linked=False)
        return written(parts)

    def _add(self, element: Any, parts: list[tuple[str, Rise]], look: _Look, *, linked: bool) -> None:
        for child in element:
            tag = child.tag
            if tag in _SKIPPED:
                continue
            if tag == f"{W}r":
                self._run(child, parts, look, linked=linked)
            elif tag == f"{M}t":
                parts.append((child.text or "", Rise.NONE))
            elif tag == f"{M}sup" and (exponent := self.words(child).strip()):
                parts.append((f"^{exponent}" if exponent.isalnum() else f"^({exponent})", Rise.NONE))
            else:
                if tag in (f"{W}p", f"{W}tr") and parts:
                    parts.append(("\n", Rise.NONE))
                elif tag in _SIGNS:
                    parts.append((_SIGNS[tag], Rise.NONE))
                below = self._style_look(child) if tag == f"{W}p" else look
                self._add(child, parts, below, linked=linked or tag == f"{W}hyperlink")

    def _run(self, run: Any, parts: list[tuple[str, Rise]], look: _Look, *, linked: bool) -> None:
        own = run.find(f"{W}rPr")
        if own is not None:
            style = own.find(f"{W}rStyle")
            named = self._by_style(style.get(f"{W}val") or "") if style is not None else {}
            look = {**look, **named, **_look(own)}
        if look and self._is_unseen(look, run):
            return
        raised = look.get("vertAlign") == "superscript" or _number(look, "position", 0) >= _RAISED_HALF_POINTS
        rise = (Rise.NOTE if linked else Rise.RAISED) if raised else Rise.NONE
        for child in run:
            if child.tag == f"{W}t":
                parts.append((child.text or "", rise))
            elif child.tag in _NOTES:
                parts.append((f"[{child.get(f'{W}id')}]", Rise.NONE))
            elif child.tag in _SIGNS:
                parts.append((_SIGNS[child.tag], rise))
            elif child.tag not in _SKIPPED:
                self._add(child, parts, look, linked=linked)

    def _is_unseen(self, look: _Look, run: Any) -> bool:
        """Whether a run is struck or hidden; white on white only where nothing colours what is behind it."""
        if any(look.get(name, "0") not in _OFF for name in ("strike", "dstrike", "vanish")):
            return True
        if _number(look, "sz", 99) <= _UNSEEN_HALF_POINTS:
            return True
        if look.get("color") != _WHITE or not self._white_page or look.get("shd") or look.get("highlight"):
            return False
        return not any(above.tag in (f"{W}tbl", _BOX) for above in run.iterancestors())

    def _style_look(self, paragraph: Any) -> _Look:
        style = paragraph.find(f"{W}pPr/{W}pStyle")
        look = self._by_style(style.get(f"{W}val") or "") if style is not None else {}
        shade = paragraph.find(f"{W}pPr/{W}shd")
        return look if shade is None else {**look, "shd": _value(shade)}

    def _by_style(self, name: str) -> _Look:
        """What a style and those it is based on say of the look of text."""
        if name not in self._style_looks:
            chain: list[Any] = []
            style = self._styles.get(name)
            while style is not None and len(chain) < _DEEPEST:
                chain.append(style)
                base = style.find(f"{W}basedOn")
                style = self._styles.get(base.get(f"{W}val")) if base is not None else None
            look: _Look = {}
            for style in reversed(chain):
                for part in (style.find(f"{W}pPr"), style.find(f"{W}rPr")):
                    look.update(_look(part) if part is not None else {})
            self._style_looks[name] = look
        return self._style_looks[name]


def boxes(element: Any) -> Iterator[Any]:
    """The text boxes in ``element``, each once; a box in a box is part of the outer one."""
    for box in element.iter(_BOX):
        above = {outer.tag for outer in takewhile(lambda outer: outer is not element, box.iterancestors())}
        if _BOX not in above:
            yield box


def _look(properties: Any) -> _Look:
    look: _Look = {}
    for child in properties:
        name = child.tag.rpartition("}")[2] if isinstance(child.tag, str) else ""
        if name in _LOOKS:
            look[name] = _value(child)
    return look


def _value(element: Any) -> str:
    """The value of a property; of shading its fill, "" where it has none."""
    if element.tag == f"{W}shd":
        fill = element.get(f"{W}fill") or ""
        return "" if fill in ("auto", _WHITE) else fill
    return element.get(f"{W}val") or "1"


def _number(look: _Look, name: str, default: int) -> int:
    try:
        return int(look.get(name, default))
    except ValueError:
        return default
