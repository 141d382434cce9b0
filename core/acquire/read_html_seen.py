"""A page as people see it: no struck or hidden words, raised text and formulas written so that they stay legible.

This is done on the parsed page before trafilatura looks for the article: it drops formulas and elements such as
``time``, joins raised digits to the figure before them, and keeps what is struck or hidden.
"""

from __future__ import annotations

import re
from typing import Any

from core.acquire.math_text import math_text
from core.acquire.raised_text import in_line
from core.acquire.read_html_hidden import unseen

_STRUCK = "//del|//s|//strike"
_RAISED = "//sup|//*[contains(@style,'super') or contains(@class,'superscript')]"
_FORMULA_LOOKS = "//*[contains(@class,'katex-html') or contains(@class,'MathJax_Preview')]"
_SUPER = re.compile(r"vertical-align\s*:\s*super", re.IGNORECASE)
_INLINE = frozenset("a abbr b bdi bdo big cite dfn em font i ins kbd mark q samp small span strong sub u var".split())  # noqa: SIM905
_CONTEXT = 40
_MOST_RAISED = 20_000


def as_seen(tree: Any, *, is_page: bool = True) -> None:
    """Change a parsed page, or a piece of one, into what people see of it."""
    _write_formulas(tree)
    for element in tree.xpath(_STRUCK):
        _drop(element)
    for element in unseen(tree, is_page=is_page):
        _drop(element)
    for element in tree.xpath(_RAISED)[:_MOST_RAISED]:
        if element.tag == "sup" or "superscript" in (element.get("class") or "") or _SUPER.search(element.get("style")):
            _write_raised(element)
    for element in tree.xpath("//time|//output|//p//label[not(@for or .//input or ancestor::form)]"):
        element.drop_tag()
    for element in tree.xpath("//center|//fieldset[not(ancestor::form)]"):
        element.tag = "div"


def _drop(element: Any) -> None:
    if element.getparent() is not None:
        element.drop_tree()


def _write_formulas(tree: Any) -> None:
    """Each formula as text in place of its element; a second form of it, for the eye or for machines, goes."""
    formulas = [element for element in tree.iter() if isinstance(element.tag, str) and element.tag.endswith("math")]
    if not formulas:
        return
    for element in tree.xpath(_FORMULA_LOOKS):
        _drop(element)
    for element in formulas:
        if element.getparent() is None or (element.tag != "math" and not element.tag.endswith(":math")):
            continue
        words = math_text(element) or element.get("alttext") or ""
        for child in list(element):
            element.remove(child)
        element.text = f" {words} " if element.get("display") == "block" else words
        element.attrib.clear()
        element.tag = "span"
        for above in element.iterancestors("span"):  # hidden because a picture of it stands beside
            above.attrib.clear()


def _write_raised(element: Any) -> None:
    words = element.text_content()
    linked = bool(element.xpath("boolean(.//a[@href]|ancestor::a[@href])"))
    line = in_line(words, _before(element), _after(element), note=linked)
    if element.tag == "a" or element.xpath("boolean(.//a[@href])"):
        for child in list(element):  # the link is no longer needed: the links of the page were collected before
            element.remove(child)
    elif line == words:
        element.drop_tag()
        return
    for child in list(element):
        element.remove(child)
    element.text = line
    element.drop_tag()


def _before(element: Any) -> str:
    """The last characters before ``element`` in its line."""
    text = ""
    for _ in range(_CONTEXT):
        previous = element.getprevious()
        if previous is None:
            parent = element.getparent()
            text = ((parent.text or "") if parent is not None else "") + text
            if parent is None or parent.tag not in _INLINE:
                break
            element = parent
            continue
        text = (previous.tail or "") + text
        if not isinstance(previous.tag, str):
            element = previous
            continue
        if previous.tag not in _INLINE:
            break
        text = previous.text_content() + text
        element = previous
        if len(text) >= _CONTEXT:
            break
    return text[-_CONTEXT:]


def _after(element: Any) -> str:
    """The first characters behind ``element``."""
    if element.tail:
        return str(element.tail[:_CONTEXT])
    following = element.getnext()
    return str(following.text_content()[:_CONTEXT]) if following is not None and following.tag in _INLINE else ""


_ASIDE = "not(ancestor::nav or ancestor::footer or ancestor::header or ancestor::aside or ancestor::form)"
_TABLES = f"//table[not(.//table) and count(.//tr[count(td|th)>1])>1 and not(@role) and {_ASIDE}]"
_MOST_TABLES, _MOST_CELLS = 50, 200


def figures_of_tables(tree: Any) -> list[list[str]]:
    """The cells with figures of each table of data in a page."""
    tables = []
    for table in tree.xpath(_TABLES)[:_MOST_TABLES]:
        cells = (" ".join(cell.text_content().split()) for cell in table.xpath(".//td")[:_MOST_CELLS])
        if figures := [cell for cell in cells if any(map(str.isdigit, cell))]:
            tables.append(figures)
    return tables
