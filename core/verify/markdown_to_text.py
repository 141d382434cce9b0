"""Plain words of a sentence of a report: no marks of Markdown, no addresses, no citation markers."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|</?[a-zA-Z][^<>\n]{0,200}>", re.DOTALL)
_STRUCK = re.compile(r"(?<!~)~~(?=[^\s~])[^~]{1,2000}?~~(?!~)|<(del|s|strike)>[^<]{1,2000}</\1>", re.IGNORECASE)
FORMULA = re.compile(r"\$\$[^$]{1,4000}\$\$|(?<![\\$\w])\$(?=[^\s$\d])[^$\n]{0,300}?[^\s$\\]\$(?![\d$])")
_WORDS = r"(?:[^\[\]\n]|\[[^\[\]\n]{0,200}\]){0,1000}"  # of a link; one bracket deep, so that "[[[[" stays linear
_GOAL = r"\([^()\s]{1,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,500})?\)"
_IMAGE = re.compile(rf"!\[{_WORDS}\](?:{_GOAL})?")
_LINK_IN_BRACKETS = re.compile(rf"\s?\((?:see )?(?:\[{_WORDS}\]{_GOAL}[,; ]*)+\)")
_LINK = re.compile(rf"\[({_WORDS})\]{_GOAL}")
_MARKER = re.compile(
    r"\s?(?:\[\^[^\]\s]{1,60}\]|\[\d{1,4}(?:\s?[,;\u2013-]\s?\d{1,4}){0,40}\]|\[@[^\]\n]{1,300}\]"
    r"|\[(?:cite(?:_start|_end)?|see|refs?)\b[^\]\n]{0,60}\]|\u3010[^\u3011\n]{0,60}[\d\u2020][^\u3011\n]{0,60}\u3011"
    r"|[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+(?!\w))"
)
_AUTHOR_YEAR = re.compile(
    r"\s?\((?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Spring|Summer|Autumn|Fall|Winter|Q\d)[a-z.]*[ ,])"
    r"(?:see |e\.g\.,? |cf\. )?[A-Z\u00c0-\u017e][^()\d]{1,120}[, ]\s?(?:\d{4}[a-z]?|n\.d\.|in press)"
    r"(?:\s?[,;]\s?(?:[^()\d]{1,120}[, ]\s?)?\d{4}[a-z]?){0,20}\)"
)
_URL_IN_BRACKETS = re.compile(
    r"\s?\((?:see|cf\.|via|at|source:?|available at:?)?\s?(?:https?://|www\.)[^\s<>()]{0,2000}"
    r"(?:\([^\s()]{0,200}\)[^\s<>()]{0,500})?\)"
)
_URL = re.compile(r"(?:https?://|www\.)[^\s<>]*[^\s<>.,;:!?)\]\"'\u201d\u3002\uff0c]")
_EMPHASIS = re.compile(r"(\*\*|__|~~|`+)|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])|(?<!\w)_(?=\S)|(?<=\S)_(?!\w)")
_LEAD = re.compile(
    r"\A\s*(?:>\s*)*(?:#{1,6}\s+|[-+*\u2022\u2023\u25aa\u25cf\u25e6]\s+|\(?\d{1,3}[.)]\s+|\[[ xX]\]\s+)?"
)
_SPACE = re.compile(r"\s+")
_BEFORE_STOP = re.compile(r"\s+([.,;:!?])")


def plain(text: str) -> str:
    """``text`` on one line, as it would be read aloud. Linked words stay; addresses and citations go."""
    text = _COMMENT.sub(" ", _STRUCK.sub("", text))
    text = _IMAGE.sub(" ", text)
    text = _LINK_IN_BRACKETS.sub("", text)
    text = _LINK.sub(r"\1", text)
    text = _MARKER.sub("", text)
    text = _AUTHOR_YEAR.sub("", text)
    text = _URL.sub("", _URL_IN_BRACKETS.sub("", text))
    text = _EMPHASIS.sub("", _LEAD.sub("", text))
    return _BEFORE_STOP.sub(r"\1", _SPACE.sub(" ", text)).strip()
