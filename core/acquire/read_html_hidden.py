"""The elements of a page that no reader sees, by the attribute ``hidden`` and by the styles in the file; those that are
struck through by a style, too.

Only what is certain counts, for what is dropped is no evidence any more: no linked sheets, no ``@media``, no selector
of several parts, no rule whose class or id a script or another rule names too (a click may reveal it). Where more than
half of a page's words would go, a script reveals the page, and nothing goes. ``injection_places`` looks at hidden text
for another end and is bolder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

_LONGEST = 200_000
_MOST_BELOW = 5_000
_SIMPLE = re.compile(r"([a-z][a-z0-9]*)?([.#][\w-]+)?", re.IGNORECASE)
_NAME = re.compile(r"[\w-]+")
_ZERO = re.compile(r"0*\.?0*(?:px|pt|em|rem|%|vw|vh)?")
_TINY = re.compile(r"(?:[01]|0?\.\d+)(?:px|pt)?|0(?:em|rem|%|vw|vh)?")
_FAR = re.compile(r"-\d{3,}(?:\.\d+)?(?:px|pt|em|rem|vw|vh|%)?")
_CLIPPED = re.compile(r"rect\(\s*[01](?:px)?[\s,]|inset\(\s*(?:50|100)%|circle\(\s*0")
_CLEAR = re.compile(r"transparent|(?:rgba|hsla)\([^)]*,\s*0(?:\.0*)?\s*\)|#[0-9a-f]{6}00|#[0-9a-f]{3}0")
_SHORT_HEX = re.compile(r"\A#([0-9a-f])([0-9a-f])([0-9a-f])\Z")
_MOVED = re.compile(r"scale\(\s*0\s*\)|translate[xy]?\(\s*-\d{3,}")


def unseen(tree: Any, *, is_page: bool) -> list[Any]:
    """Elements under ``tree`` that no reader sees, in the order of the page; those inside another are left out.

    ``is_page``: it is a whole page and not a piece of one, which may be hidden as a whole.
    """
    sheet = _Sheet(tree)
    hidden: list[Any] = []
    inside = set[Any]()
    for element in tree.iter():
        if not isinstance(element.tag, str) or element.tag in ("html", "body", "head", "script", "style", "link"):
            continue
        if element.getparent() in inside:
            inside.add(element)
        elif sheet.hides(element):
            inside.add(element)
            hidden.append(element)
    words = sum(len(element.text_content().split()) for element in hidden)
    return [] if is_page and words > len(_text(tree).split()) / 2 else hidden


def _text(tree: Any) -> str:
    texts = tree.xpath("//body//text()[not(parent::script or parent::style or parent::noscript)]") or tree.itertext()
    return " ".join(texts)


class _Sheet:
    """The styles that a page has in itself."""

    def __init__(self, tree: Any) -> None:
        self._rules: dict[str, str] = {}
        sheets = "\n".join((style.text or "") for style in tree.iter("style"))[:_LONGEST]
        named: dict[str, int] = {}
        for selectors, body in _rules(sheets):
            for name in set(_NAME.findall(selectors)):
                named[name] = named.get(name, 0) + 1
            for selector in map(str.strip, selectors.split(",")):
                if (match := _SIMPLE.fullmatch(selector)) and match[2]:
                    self._rules[selector.lower()] = self._rules.get(selector.lower(), "") + ";" + body
        if not self._rules:
            return
        scripts = set(_NAME.findall(" ".join((script.text or "") for script in tree.iter("script"))[: 10 * _LONGEST]))
        for selector in list(self._rules):
            name = re.split("[.#]", selector)[1]
            if named.get(name, 0) > 1 or name in scripts:
                del self._rules[selector]

    def hides(self, element: Any) -> bool:
        """Whether ``element`` hides what is in it."""
        if element.tag == "template":
            return True
        if (element.get("hidden") or "").lower() != "until-found" and element.get("hidden") is not None:
            return True
        style = self._style(element)
        if not style:
            return False
        if _hides_all(style):
            return True
        inherited = _inherited(style)
        return bool(inherited) and not any(
            inherited in self._style(below)
            for below in islice(element.iterdescendants(), _MOST_BELOW)
            if isinstance(below.tag, str)
        )

    def _style(self, element: Any) -> dict[str, str]:
        """The declarations that apply to an element, its own after those of the sheet."""
        declared = element.get("style") or ""
        if self._rules:
            signs = [f".{name}" for name in (element.get("class") or "").split()]
            signs += [f"#{element.get('id')}"] if element.get("id") else []
            keys = (key.lower() for sign in signs for key in (sign, element.tag + sign))
            declared = ";".join([*(self._rules.get(key, "") for key in keys), declared])
        return dict(_declarations(declared)) if ":" in declared else {}


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """(selectors, declarations) outside ``@`` blocks."""
    depth = 0
    for piece in "".join(part.partition("/*")[0] for part in sheet.split("*/")).split("}"):
        opened = piece.count("{")
        if depth == 0 and opened == 1:
            selectors, _, body = piece.partition("{")
            selectors = selectors.rpartition(";")[2]
            if "@" not in selectors:
                yield selectors, body
        depth = max(0, depth + opened - 1)


def _declarations(style: str) -> Iterator[tuple[str, str]]:
    for declaration in style[:_LONGEST].split(";"):
        name, separator, value = declaration.partition(":")
        if separator:
            yield name.strip().lower(), value.replace("!important", "").strip().lower()


def _hides_all(style: dict[str, str]) -> bool:
    """Whether a style hides an element with all that is in it."""
    if style.get("display") == "none" or style.get("content-visibility") == "hidden":
        return True
    if "line-through" in style.get("text-decoration", "") + style.get("text-decoration-line", ""):
        return True
    if _ZERO.fullmatch(style.get("opacity", "1")) or _MOVED.search(style.get("transform", "")):
        return True
    sides = ("left", "right", "top", "bottom", "margin-left", "margin-top")
    if _FAR.fullmatch(style.get("text-indent", "")) or any(_FAR.fullmatch(style.get(side, "")) for side in sides):
        return True
    if _CLIPPED.search(style.get("clip", "") + style.get("clip-path", "")):
        return True
    cut = style.get("overflow", "").startswith("hidden")
    return cut and any(_TINY.fullmatch(style.get(side, "")) for side in ("height", "width", "max-height", "max-width"))


def _inherited(style: dict[str, str]) -> str:
    """The property by which a style hides its text but for elements inside that set it anew; "" where it does not."""
    if style.get("visibility") in ("hidden", "collapse"):
        return "visibility"
    if _TINY.fullmatch(style.get("font-size", "")):
        return "font-size"
    colour = _colour(style.get("color", ""))
    behind = _colour(style.get("background-color", "") or style.get("background", ""))
    clipped = any(name.endswith("background-clip") for name in style)  # a gradient shows through the letters
    return "color" if colour and not clipped and (_CLEAR.fullmatch(colour) or colour == behind) else ""


def _colour(value: str) -> str:
    """A colour in the one of its spellings that is compared: six digits for three, and for white and black."""
    plain = re.sub(r"\s", "", value)
    plain = {"white": "#fff", "black": "#000"}.get(plain, plain)
    return _SHORT_HEX.sub(r"#\1\1\2\2\3\3", plain)
