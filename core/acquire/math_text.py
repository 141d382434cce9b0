"""A formula in MathML as a line of text: ``10^6``, ``a/b``, ``CO2``, ``(a+b)^2``."""

from __future__ import annotations

from typing import Any

_MARKUP = frozenset({"annotation", "annotation-xml", "mphantom"})
_FORMS = {"msup": "{}^{}", "mover": "{}^{}", "msubsup": "{}{}^{}", "mfrac": "{}/{}"}
_RELATIONS = ("=", "\u2248", "<", ">", "\u2264", "\u2265", "\u00d7", "\u00b1")
_FEW = 400
"""Elements of a formula; of a larger one the text is taken as it stands."""


def math_text(element: Any) -> str:
    """The formula under ``element``, a tree of MathML with or without namespaces."""
    if sum(1 for _ in element.iter()) > _FEW:
        return " ".join(" ".join(element.itertext()).split())
    return " ".join(_written(element).split())


def _written(element: Any) -> str:
    tag = element.tag.rpartition("}")[2].rpartition(":")[2] if isinstance(element.tag, str) else "annotation"
    if tag in _MARKUP:
        return ""
    parts = [part for child in element if isinstance(child.tag, str) and (part := _written(child))]
    if not parts:
        return _sign(tag, element.text or "")
    form = _FORMS.get(tag)
    if form is not None and len(parts) == form.count("{"):
        return form.format(*map(_grouped, parts))
    line = "".join(parts)
    return f"\u221a{_grouped(line)}" if tag == "msqrt" else f"{line} " if tag == "mtd" else line


def _sign(tag: str, text: str) -> str:
    """A leaf of a formula."""
    if tag in ("mtext", "mspace"):
        return text or " "
    text = text.strip()
    return f" {text} " if tag == "mo" and text in _RELATIONS else text


def _grouped(part: str) -> str:
    """``part`` in brackets where it has several terms."""
    part = part.strip()
    closed = part[:1] == "(" and part.find(")") == len(part) - 1
    return f"({part})" if not closed and any(sign in part[1:] for sign in " +-\u2212/") else part
