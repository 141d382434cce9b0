"""Places of a web page that a model may read and a person does not see, as (kind of place, text).

Styles are read as far as they stand in the file (attributes and ``<style>``, no linked sheets, no scripts); the kinds:
``comment``, ``hidden`` (display, visibility, opacity, size, hidden attribute), ``background`` (text in the colour of
its background), ``off-screen``, ``aria-hidden``, ``alt``, ``title``, ``metadata``, ``script``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_LONGEST = 200_000
"""Characters looked at of one place."""
_MOST_ELEMENTS = 100_000
_HIDING = re.compile(
    r"(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0\d*)?\s*(?:;|!|$)|"
    r"font-size\s*:\s*(?:0*\.\d+|0|1)(?:px|pt|em|rem|%|vw)?\s*(?:;|!|$)|"
    r"(?:max-)?(?:height|width)\s*:\s*+[01]?+(?:px)?+\s*+(?:;|!|$)|content-visibility\s*:\s*hidden|"
    r"transform\s*:\s*scale\(\s*0|clip(?:-path)?\s*:\s*(?:rect\(\s*0|inset\(\s*(?:50|100)%)|"
    r"color\s*:\s*transparent|color\s*:\s*rgba\([^)]{0,60},\s*+0(?:\.0\d*)?\s*\))",
    re.IGNORECASE,
)
_OFF_SCREEN = re.compile(
    r"(?:left|right|top|bottom|text-indent|margin-left|margin-top)\s*:\s*-\d{3,}(?:\.\d+)?(?:px|pt|em|rem|vw|vh|%)?|"
    r"translate[xy]?\(\s*-\d{3,}",
    re.IGNORECASE,
)
_COLOUR = re.compile(r"(?:^|[;{\s])color\s*:\s*([^;}!]+)", re.IGNORECASE)
_BACKGROUND = re.compile(r"background(?:-color)?\s*:\s*([^;}!]+)", re.IGNORECASE)
_WHITE = {"white", "#fff", "#ffffff", "snow", "rgb(255,255,255)", "#fefefe", "ivory", "rgba(255,255,255,1)", "#fdfdfd"}
_BLOCK = re.compile(r"([^{}@]{1,500})\{([^{}]{1,5000})\}")
_SIMPLE = re.compile(r"^([a-z][a-z0-9]*)?(?:([.#])([\w-]+))?$", re.IGNORECASE)
_ATTRIBUTES = {"alt": "alt", "title": "title", "aria-label": "alt", "aria-description": "alt", "placeholder": "alt"}
_DATA = ("value", "data-prompt", "data-instructions", "data-ai", "summary", "label", "longdesc")
_SCRIPTS = frozenset({"script", "style", "template", "noscript"})


def html_places(markup: str) -> Iterator[tuple[str, str]]:
    """Places of a decoded page that people do not see; nothing for what cannot be parsed."""
    from lxml import etree, html

    try:
        tree = html.document_fromstring(markup.encode("utf-8", "replace"), parser=html.HTMLParser(encoding="utf-8"))
    except (etree.LxmlError, ValueError):
        return
    sheet, inside = _Sheet(tree), set[Any]()
    for number, element in enumerate(tree.iter()):
        if number >= _MOST_ELEMENTS:
            return
        if not isinstance(element.tag, str):
            yield "comment", _cut(element.text or "")
            continue
        yield from _attributes(element)
        if element.getparent() in inside:
            inside.add(element)  # its text went out with that of the element around it
        elif kind := sheet.hides(element):
            inside.add(element)
            yield kind, _words(element)


def _attributes(element: Any) -> Iterator[tuple[str, str]]:
    if element.tag == "meta":
        yield "metadata", _cut(element.get("content") or "")
    elif element.tag == "title":
        yield "metadata", _cut(element.text or "")
    for name, kind in _ATTRIBUTES.items():
        if value := element.get(name):
            yield kind, _cut(value)
    for name in _DATA:
        if value := element.get(name):
            yield "hidden", _cut(value)


class _Sheet:
    """The styles of a page, and which elements they hide."""

    def __init__(self, tree: Any) -> None:
        self._rules: dict[tuple[str, str, str], list[str]] = {}
        for style in tree.iter("style"):
            for selectors, body in _BLOCK.findall((style.text or "")[:_LONGEST]):
                if _kind_of(body) or _COLOUR.search(body) or _BACKGROUND.search(body):
                    for selector in selectors.split(","):
                        self._add(selector.split()[-1] if selector.split() else "", body)

    def _add(self, selector: str, body: str) -> None:
        match = _SIMPLE.match(selector.strip())
        if match and (match[1] or match[3]):
            key = ((match[1] or "").lower(), match[2] or "", match[3] or "")
            self._rules.setdefault(key, []).append(body)

    def style_of(self, element: Any) -> str:
        """All declarations that apply, the element's own last."""
        tag, declarations = element.tag.lower(), []
        names = [
            ("", ""),
            *((".", name) for name in (element.get("class") or "").split()),
            ("#", element.get("id") or ""),
        ]
        for sign, name in names:
            for key in ((tag, sign, name), ("", sign, name)):
                declarations += self._rules.get(key, [])
        return ";".join([*declarations, element.get("style") or ""])

    def hides(self, element: Any) -> str:
        """The kind of place when this element hides its text, "" when it does not."""
        if element.tag in _SCRIPTS:
            return "script" if element.tag in ("template", "noscript") else ""
        if element.get("hidden") is not None or (element.get("type") or "").lower() == "hidden":
            return "hidden"
        if (element.get("aria-hidden") or "").lower() == "true":
            return "aria-hidden"
        style = self.style_of(element)
        return _kind_of(style) or ("background" if self._vanishes(element, style) else "")

    def _vanishes(self, element: Any, style: str) -> bool:
        colour = _last(_COLOUR, style) or _plain(element.get("color") or "")
        if not colour:
            return False
        behind, above = _last(_BACKGROUND, style), element
        while not behind and (above := above.getparent()) is not None:
            behind = _last(_BACKGROUND, self.style_of(above)) or _plain(above.get("bgcolor") or "")
        behind = behind or "white"
        return colour == behind or (colour in _WHITE and behind in _WHITE)


def _kind_of(style: str) -> str:
    if _HIDING.search(style):
        return "hidden"
    return "off-screen" if _OFF_SCREEN.search(style) else ""


def _last(pattern: re.Pattern[str], style: str) -> str:
    colours = pattern.findall(style)
    return _plain(colours[-1]) if colours else ""


def _plain(colour: str) -> str:
    return re.sub(r"\s+", "", colour.lower())


def _words(element: Any) -> str:
    """The words under an element, without scripts and styles."""
    parts, length = [], 0
    for part in element.iter():
        inside = part.text if isinstance(part.tag, str) and part.tag not in ("script", "style") else None
        for piece in (inside, part.tail if part is not element else None):
            if piece and not piece.isspace():
                parts.append(piece)
                length += len(piece)
        if length > _LONGEST:
            break
    return _cut(" ".join(parts))


def _cut(text: str) -> str:
    return text[:_LONGEST]
