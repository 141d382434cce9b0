"""A second, cruder count of citation markers by style, written apart from the parser and sharing no code with it.

It goes line by line and knows nothing of CommonMark: a check on gross losses, not a measure of truth.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

_HEAD = re.compile(
    r"^(?:#{1,6}\s+|\*\*|)(?:[IVX]+\.\s*|\d+\.\s*)?(?:\*\*)?(?:references|参考文献|sources|works cited"
    r"|sources and references|citations)(?:\*\*)?[:：]?(?:\*\*)?\s*$",
    re.IGNORECASE,
)
_NAMED = re.compile(r"[A-Z][^\s,;]+(?: et al\.?| (?:and|&) [A-Z][^\s,;]+)?, (?:19|20)\d\d[a-z]?(?!\d)")
_OPEN_NAMED = re.compile(r"(?:et al\.?|(?:and|&) [A-Z]\w+),? \(?(?:19|20)\d\d[a-z]?")
# A digit may stand behind a capital as well ("in the US.23"): without them one marker in 215 was not counted.
_RAISED = re.compile(r"[A-Za-z\"”)*][.,;:][\"”]?\d{1,2}(?!\d)|[\"”)]\d{1,2}(?!\d)")
_SPACED = re.compile(r"(?<!Section)(?<!Table)(?<!Figure) \d{1,2}(?=[\s.,;|)—]|$)")
_BARE_DIGITS = 50


def count_markers(text: str) -> Counter[str]:
    """Markers by style outside code, headings and reference lists."""
    counts: Counter[str] = Counter()
    bare = 0
    for line in _lines(text):
        counts["inline_link"] += line.count("](http")
        rest = _without_targets(line)
        counts["footnote"] += rest.count("[^")
        counts["pandoc"] += rest.count("[@")
        for listed in re.findall(r"\[([\d ,–-]+)\]", rest):
            counts["numeric"] += not re.fullmatch(r"(?:19|20)\d\d", listed.strip())
        # The words of a link are not counted a second time: "[3 https://arxiv.org/](https://arxiv.org/)" is one
        # link and no bare address, "[Land Survey 2018](https://...)" one link and no author-year citation.
        unlinked = _without_targets(line, words=False)
        plain = re.sub(r"<[^>]*>", "", unlinked)
        counts["doi"] += len(re.findall(r"https?://(?:dx\.)?doi\.org/", plain))
        counts["bare_url"] += len(re.findall(r"(?<!\[)https?://(?!(?:dx\.)?doi)", plain))
        unlinked = re.sub(r"\[[^\[\]]*\](?=\)|\s|$)", "[]", unlinked)
        # "GraphRAG (Microsoft, 2024) [19]": the bracket says who made it and when, the number behind it cites.
        brackets = re.findall(r"\(([^()]+)\)(?!\s?\[)", unlinked)
        counts["author_year"] += sum(1 for inner in brackets if _NAMED.search(inner))
        outside = re.sub(r"\([^()]*(?:19|20)\d\d[^()]*\)", "", unlinked)
        counts["author_year"] += len(_OPEN_NAMED.findall(outside))
        bare += len(_RAISED.findall(rest)) + len(_SPACED.findall(re.sub(r"^\s*\d+\.", "", rest)))
    numbered = any(counts[style] for style in ("numeric", "footnote", "inline_link"))
    if bare > _BARE_DIGITS and not numbered and "works cited" in text.lower():
        counts["trailing_digits"] = bare
    return +counts


def _lines(text: str) -> Iterator[str]:
    """Lines that may hold markers, images and inline code taken out."""
    fenced, level = False, 0
    front = text.startswith("---")
    for number, line in enumerate(text.split("\n")):
        if front:
            front = number == 0 or line.strip() != "---"
            continue
        if line.strip().startswith("```"):
            fenced = not fenced
            continue
        heading = re.match(r"^(#+)\s", line)
        if heading and level and len(heading[1]) <= level:
            level = 0
        if _HEAD.match(line) or line.startswith("## 参考文献["):
            level = len(heading[1]) if heading else 9
            continue
        if fenced or level or heading or re.match(r"^\s*\[\^[^\]]+\]:", line):
            continue
        yield re.sub(r"`[^`]*`", "", re.sub(r"!\[[^\]]*\]\([^)]*\)", "", line))


def _without_targets(line: str, *, words: bool = True) -> str:
    """The line without the addresses of its links, brackets counted; without their ``words`` too when asked."""
    out, at = "", 0
    while (place := line.find("](http", at)) >= 0:
        out += line[at : place + 1]
        if not words:
            out = out[: max(0, out.rfind("["))]
        depth, at = 0, place + 1
        while at < len(line):
            depth += {"(": 1, ")": -1}.get(line[at], 0)
            at += 1
            if depth == 0:
                break
    return out + line[at:]
