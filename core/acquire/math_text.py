"""A formula in MathML as a line of text: ``10^6``, ``a/b``, ``CO2``."""

from __future__ import annotations

from typing import Any

_MARKUP = frozenset({"annotation", "annotation-xml", "mphantom"})
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
    if tag == "mo":
        sign = (element.text or "").strip()
        return f" {sign} " if sign in ("=", "\u2248", "<", ">", "\u2264", "\u2265", "\u00d7", "\u00b1") else sign
    if tag == "mtext":
        return element.text or ""
    if tag == "mspace":
        return " "
    first, rest = (parts[0], parts[1:]) if parts else ((element.text or "").strip(), [])
    if tag in ("msup", "mover") and rest:
        return f"{_grouped(first)}^{_grouped(rest[0])}"
    if tag == "msubsup" and len(rest) > 1:
        return f"{first}{rest[0]}^{_grouped(rest[1])}"
    if tag == "mfrac" and rest:
        return f"{_grouped(first)}/{_grouped(rest[0])}"
    if tag == "msqrt":
        return f"\u221a{_grouped(''.join(parts))}"
    if tag == "mtd":
        return first + "".join(rest) + " "
    return first + "".join(rest)


def _grouped(part: str) -> str:
    """``part`` in brackets where it has several terms."""
    part = part.strip()
    return f"({part})" if any(sign in part[1:] for sign in " +-\u2212/") else part
