"""Markdown links with exact offsets, in linear time, whatever is broken around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_EVENT = re.compile(r"\\.|!?\[|\]\(?|\n[ \t]*\n", re.DOTALL)
_LONGEST_TARGET = 4000
_DEEPEST = 50
_BRACKET = re.compile(r"[()\n\x00]")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_TITLE = re.compile(r"[ \t\n]+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\))[ \t\n]*\Z")
_ORG = re.compile(r"\[\[(?P<url>https?://[^\[\]\s]{1,2000})\](?:\[(?P<label>[^\[\]\n]{1,500})\])?\]")


@dataclass(frozen=True, slots=True)
class Link:
    """``[label](target)`` at ``[start, end)``; an image when ``image``."""

    start: int
    end: int
    label_start: int
    label_end: int
    target: str
    image: bool


def links(text: str) -> Iterator[Link]:
    """Links and images, a linked image as the link around it, in the order in which they end; those in Org's writing
    (``[[address][words]]``) last."""
    opened: list[tuple[int, bool]] = []
    partners = _partners(text)
    at = 0
    while match := _EVENT.search(text, at):
        token = match.group()
        at = match.end()
        if token.startswith("\\"):
            continue
        if token.startswith("\n"):
            opened.clear()
        elif token.endswith("["):
            opened.append((match.start(), token.startswith("!")))
            del opened[:-_DEEPEST]
        elif opened:
            start, image = opened.pop()
            if not token.endswith("("):
                continue
            end = partners.get(at - 1)
            if end is None or end - at > _LONGEST_TARGET:
                continue
            target = _TITLE.sub("", text[at:end]).strip().removeprefix("<").removesuffix(">")
            label = start + (2 if image else 1)
            yield Link(start, end + 1, label, match.start(), _ESCAPED.sub(r"\1", target), image)
            at = end + 1
    if "[[http" in text:
        for org in _ORG.finditer(text):
            words = org.span("label" if org["label"] else "url")
            yield Link(*org.span(), *words, org["url"], image=False)


def _partners(text: str) -> dict[int, int]:
    """For each round bracket that is closed on its line, where; a target does not go over a line's end."""
    closing: dict[int, int] = {}
    opened: list[int] = []
    for match in _BRACKET.finditer(text):
        sign = match.group()
        if sign == "(":
            opened.append(match.start())
        elif sign == ")":
            if opened:
                closing[opened.pop()] = match.start()
        else:
            opened.clear()
    return closing


def plain(text: str) -> str:
    """Markdown marks taken away: links become their labels, emphasis and escapes go."""
    pieces: list[str] = []
    at = 0
    for link in sorted(links(text), key=lambda link: (link.start, -link.end)):
        if link.start < at:
            continue
        pieces.append(text[at : link.start])
        pieces.append("" if link.image else text[link.label_start : link.label_end])
        at = link.end
    pieces.append(text[at:])
    joined = re.sub(r"[*_`]{1,3}(?=\S)|(?<=\S)[*`]{1,3}", "", "".join(pieces))
    return " ".join(_ESCAPED.sub(r"\1", joined).split())
