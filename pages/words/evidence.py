"""Hits of a search as a person reads them: put together by source, a few lines each, how well they match in words,
and a citation to copy. Pure functions, nothing of Streamlit or a store."""

import re
from collections.abc import Sequence

from core.labels import Stage
from core.records import Document, ScoredPassage, SearchResult, Span
from core.retrieve.stretch import ELLIPSIS
from core.text.words import day_words, found_by, section_of, short, site_of, stage_cells, title_of

LINE_CHARS = 300
"""About three lines of the page at its widest."""
_LEAD = 90
"""Characters before the first marked word that are shown, where a sentence does not begin sooner."""
_BEGINS = re.compile(r"(?<=[.!?\u2026])\s+|\n+")
_MATCHES = ((0.9, "Very close match"), (0.7, "Close match"), (0.45, "Partial match"), (0.0, "Loose match"))
"""Shares of the best score of a search, and what a passage of that score is called."""


def by_source(passages: Sequence[ScoredPassage]) -> list[list[ScoredPassage]]:
    """The hits of each source together; the sources in the order of their best hit."""
    groups: dict[str, list[ScoredPassage]] = {}
    for scored in passages:
        groups.setdefault(scored.document.id, []).append(scored)
    return list(groups.values())


def match_words(scored: ScoredPassage, result: SearchResult) -> str:
    """How well a hit matches beside the others (``Close match``). Ranks that were joined say nothing of how well: then
    the searches that found it are named."""
    fusion = result.fingerprint.get(Stage.FUSION.value)
    by_scores = isinstance(fusion, dict) and fusion.get("stages by") == "scores" and len(result.request.queries) == 1
    best = max((_joined(other) for other in (*result.candidates, *result.passages)), default=0.0)
    if not by_scores or best <= 0:
        found = found_by(scored)
        return f"Found by {found}" if found else ""
    return next(words for least, words in _MATCHES if max(0.0, _joined(scored)) / best >= least)


def _joined(scored: ScoredPassage) -> float:
    cell = stage_cells(scored.trail).get(Stage.FUSION)
    return cell.score if cell else scored.score


def place_words(scored: ScoredPassage) -> str:
    """The page and the section of a hit, "" where it has neither; a section that the hit begins with is left out."""
    parts = [f"Page {scored.passage.page}"] if scored.passage.page else []
    section = " ".join(section_of(scored.passage, scored.document).split())
    if section and not " ".join(scored.passage.text.split()).startswith(section):
        parts.append(short(section, 80))
    return " · ".join(parts)


def lines_of(scored: ScoredPassage, chars: int = LINE_CHARS) -> tuple[str, list[Span]]:
    """About ``chars`` characters of a hit where most words of the question stand, on one line, with the offsets of
    those words in it."""
    passage = scored.passage
    marks = sorted(
        (excerpt.start + start - excerpt.lead - passage.start, excerpt.start + end - excerpt.lead - passage.start)
        for excerpt in scored.excerpts
        for start, end in excerpt.matches
    )
    low = _window_start(passage.text, marks, chars)
    high = min(len(passage.text), low + chars)
    if high < len(passage.text) and (space := passage.text.rfind(" ", low + chars // 2, high)) > 0:
        high = space
    lead, tail = (f"{ELLIPSIS} " if low else ""), (ELLIPSIS if high < len(passage.text) else "")
    shown = re.sub(r"\s", " ", passage.text[low:high])
    shift = len(lead) - low
    return lead + shown + tail, [(start + shift, end + shift) for start, end in marks if low <= start and end <= high]


def _window_start(text: str, marks: Sequence[Span], chars: int) -> int:
    """Where the window begins that holds most marks: with a sentence where one begins shortly before them."""
    if len(text) <= chars or not marks:
        return 0
    first = max(marks, key=lambda mark: sum(mark[0] <= start < mark[0] + chars - _LEAD for start, _ in marks))[0]
    begins = [begin.end() for begin in _BEGINS.finditer(text, 0, first + 1) if first - _LEAD <= begin.end() <= first]
    if begins:
        return begins[-1]
    if first <= _LEAD:
        return 0
    space = text.find(" ", first - _LEAD, first)
    return space + 1 if space >= 0 else first


def source_line(document: Document) -> str:
    """Who wrote a source, when, and where it is from."""
    authors = list(document.authors)
    names = f"{authors[0]} and others" if len(authors) > 3 else ", ".join(authors)
    parts = [short(names, 90), day_words(document.published) if document.published else "", site_of(document)]
    return " · ".join(part for part in parts if part)


def citation_words(scored: ScoredPassage) -> str:
    """The whole passage in quotation marks and where it stands, to be pasted into a text."""
    document = scored.document
    parts = [
        ", ".join(document.authors[:3]) + (" et al." if len(document.authors) > 3 else ""),
        str(document.published.year) if document.published else "",
        title_of(document, 300),
        f"p. {scored.passage.page}" if scored.passage.page else "",
        f"https://doi.org/{document.doi}" if document.doi else document.canonical_url or "",
    ]
    where = ", ".join(part for part in parts if part)
    return f"\u201c{' '.join(scored.passage.text.split())}\u201d ({where})"
