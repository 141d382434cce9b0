"""The words of one paragraph of a DOCX report as Markdown: links, raised and struck words, notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_HYPERLINK = re.compile(
    r"\s*HYPERLINK\s+\"?(?P<url>https?://[^\"\s]+)\"?(?:.*?\\l\s+\"(?P<place>[^\"]+)\")?", re.DOTALL
)
_SKIPPED = frozenset({f"{W}txbxContent", f"{W}del", f"{W}moveFrom"})
_TIDY = ((re.compile(r"</sup><sup>|<sup></sup>|</del><del>"), ""), (re.compile(r"<sup>(\[\^[^\]]*\])</sup>"), r"\1"))
_OFF = frozenset({"0", "false", "off", "none"})
_HIGH = 4
"""Half points above the line from which a run is a raised one."""


def boxes(paragraph: Any) -> Iterator[Any]:
    """The text boxes that hang on a paragraph, each once; those in boxes hang on a paragraph of their own."""
    return (box for box in paragraph.iter(f"{W}txbxContent") if next(box.iterancestors(f"{W}p"), None) is paragraph)


def styles_that(styles: Any, says: Callable[[Any], bool | None]) -> frozenset[str]:
    """Ids of the styles of which the formatting ``says`` so, by themselves or by the style that they build on."""
    said: dict[str, bool | None] = {}
    below: dict[str, str] = {}
    for style in styles.element.findall(f"{W}style"):
        key, base = style.get(f"{W}styleId"), style.find(f"{W}basedOn")
        said[key] = says(style.find(f"{W}rPr"))
        below[key] = base.get(f"{W}val") if base is not None else ""
    for key in said:
        at, steps = key, 0
        while said.get(at) is None and at in below and steps < len(below):
            at, steps = below[at], steps + 1
        said[key] = said.get(at)
    return frozenset(key for key, value in said.items() if value)


def hides(properties: Any) -> bool | None:
    """True where formatting hides words, False where it shows them, None where it says neither."""
    mark = properties.find(f"{W}vanish") if properties is not None else None
    return None if mark is None else mark.get(f"{W}val") not in _OFF


def raises(properties: Any) -> bool | None:
    """True where formatting raises words, False where it does not, None where it says nothing of it."""
    if properties is None:
        return None
    align, position = properties.find(f"{W}vertAlign"), properties.find(f"{W}position")
    if align is not None:
        return bool(align.get(f"{W}val") == "superscript")
    height = position.get(f"{W}val") or "" if position is not None else ""
    return height.isdecimal() and int(height) >= _HIGH if height else None


class Runs:
    """Reads paragraphs of one part of a document; ``links`` are the targets of that part, ``raised`` and ``hidden`` the
    styles that raise and hide words."""

    def __init__(self, links: Mapping[str, str], raised: frozenset[str], hidden: frozenset[str]) -> None:
        self._links, self._raised_styles, self._hidden_styles = links, raised, hidden

    def text(self, paragraph: Any) -> str:
        """Everything of a paragraph but its text boxes, what was deleted in it, and hidden runs."""
        from lxml import etree

        if _is_of(paragraph, "pPr/", "pStyle", self._hidden_styles):
            return ""
        pieces: list[str] = []
        closing: list[tuple[Any, str]] = []
        fields: list[list[str]] = []  # for each open field its instruction and, once it shows its words, what closes it
        walk = etree.iterwalk(paragraph, events=("start", "end"))
        for event, element in walk:
            if event == "end":
                while closing and closing[-1][0] is element:
                    pieces.append(closing.pop()[1])
            elif (element.tag in _SKIPPED and element is not paragraph) or self._hidden(element):
                walk.skip_subtree()
            elif element.tag in (f"{W}fldChar", f"{W}instrText"):
                pieces.append(_field(element, fields))
            else:
                for opens, closes in self._around(element):
                    pieces.append(opens)
                    closing.append((element, closes))
                pieces.append(_words(element))
        pieces += [field[1] for field in reversed(fields)]
        text = "".join(pieces)
        for pattern, by in _TIDY:
            text = pattern.sub(by, text)
        return re.sub(r"\[\]\(http[^()\s]*\)", "", text)

    def _around(self, element: Any) -> Iterator[tuple[str, str]]:
        if element.tag == f"{W}hyperlink":
            yield from _link(self._links.get(element.get(f"{_R}id") or "", ""))
        elif element.tag == f"{W}fldSimple":
            yield from _link(_address(element.get(f"{W}instr") or ""))
        elif element.tag == f"{W}r":
            if _struck(element):
                yield "<del>", "</del>"
            if self._raised(element):
                yield "<sup>", "</sup>"

    def _hidden(self, element: Any) -> bool:
        """Whether ``element`` is a hidden run; one with a mark of a field or note is none, as its end may be seen."""
        if element.tag != f"{W}r" or element.find(f"{W}fldChar") is not None:
            return False
        return self._looks(element, hides, self._hidden_styles)

    def _raised(self, run: Any) -> bool:
        if run.find(f"{W}footnoteReference") is not None or run.find(f"{W}endnoteReference") is not None:
            return False
        return self._looks(run, raises, self._raised_styles)

    def _looks(self, run: Any, says: Callable[[Any], bool | None], styles: frozenset[str]) -> bool:
        """The look of a run: what ``says`` tells of its own formatting, or else what its style is known for."""
        own = says(run.find(f"{W}rPr"))
        return _is_of(run, "rPr/", "rStyle", styles) if own is None else own


def _is_of(element: Any, path: str, name: str, styles: frozenset[str]) -> bool:
    style = element.find(f"{W}{path}{W}{name}")
    return style is not None and style.get(f"{W}val") in styles


def _field(element: Any, fields: list[list[str]]) -> str:
    """What a mark of a field writes; ``fields`` are the open ones."""
    if element.tag == f"{W}instrText":
        if fields:
            fields[-1][0] += element.text or ""
        return ""
    kind = element.get(f"{W}fldCharType")
    if kind == "begin":
        fields.append(["", ""])
    elif kind == "separate" and fields:
        for opens, closes in _link(_address(fields[-1][0])):
            fields[-1][1] = closes
            return opens
    elif kind == "end" and fields:
        return fields.pop()[1]
    return ""


def _address(instruction: str) -> str:
    match = _HYPERLINK.match(instruction)
    return "" if match is None else match["url"] + (f"#{match['place']}" if match["place"] else "")


def _link(target: str) -> Iterator[tuple[str, str]]:
    if target.lower().startswith(("http://", "https://")):
        yield "[", f"]({target.replace(' ', '%20').replace('(', '%28').replace(')', '%29')})"


def _struck(run: Any) -> bool:
    marks = (run.find(f"{W}rPr/{W}strike"), run.find(f"{W}rPr/{W}dstrike"))
    return any(mark is not None and mark.get(f"{W}val") not in _OFF for mark in marks)


def _words(element: Any) -> str:
    if element.tag == f"{W}t":
        return element.text or ""
    if element.tag == f"{W}tab":
        return " "
    if element.tag in (f"{W}br", f"{W}cr"):
        return "\n"
    if element.tag == f"{W}noBreakHyphen":
        return "-"
    if element.tag == f"{W}footnoteReference":
        return f"[^{element.get(f'{W}id')}]"
    if element.tag == f"{W}endnoteReference":
        return f"[^e{element.get(f'{W}id')}]"
    return ""
