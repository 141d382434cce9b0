"""Named entities as a text writes them: runs of words in capitals, and acronyms. No model, no gazetteer."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.text.sentences import sentence_spans
from core.text.terms import STOP_WORDS
from core.verify.checks.intervals import MONTHS
from core.verify.checks.names import TITLES, is_nation
from core.verify.checks.text import Word, flat, words

_LINK = frozenset(
    {"of", "de", "van", "von", "der", "den", "la", "le", "du", "da", "di", "del", "al", "bin", "el", "the", "for", "&"}
)
_DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())  # noqa: SIM905
_COMMON = frozenset(
    """
    however according although despite during following there here both one two three four five six seven eight nine ten
    many most some several all every each only even while since because when where who what which why how if yes no none
    he she it they we i you his her its their our my this that these those a an the in on at by for from with to of as
    and or but not nor so yet after before between among under over about against through within without also then thus
    per via yes data
    i'm i've i'd i'll someone somebody everyone nobody nothing something people never always sometimes another other
    """.split()  # noqa: SIM905
)
_VERB = re.compile(
    r" (?:is|was|has|had|plays|played|stars|starred|won|wrote|directed|released|provides|offers|expects|reported|"
    r"disclosed|"
    r"announced|predicts|anticipates|raised|appeared|worked|married|became|died|lives|lived|refused|contains|"
    r"featured)\b"
)
_SHORTEST = 4
_LOOK_BACK = 200
_QUARTER = re.compile(r"(?:q|h|fy)[1-4]?\d?\d?")


@dataclass(frozen=True, slots=True)
class Mention:
    """One name: its words without links, titles and possessives, and where it stands. ``opening``: its sentence
    begins with it. ``sure`` is false for a lone word at the start of a sentence that may be a common noun."""

    words: tuple[Word, ...]
    start: int
    end: int
    opening: bool
    sure: bool = True


def mentions(text: str, beside: str = "") -> list[Mention]:
    """Names of ``text`` in order. A lone word that opens a sentence is a name only if it is one elsewhere in
    ``text`` or ``beside``."""
    even = flat(text)
    all_words = words(even)
    openings = _openings(even, all_words)
    sure = _sure_names(all_words, openings, beside)
    found: list[Mention] = []
    run: list[Word] = []
    for place, word in enumerate(all_words):
        last = all_words[place - 1] if place else None
        joined = last is not None and even[last.end : word.start] in (" ", "-", " & ", ". ", " '", ".")
        if (
            last is not None
            and joined
            and last.text[-1:].islower()
            and len(last.text) > 3
            and "." in even[last.end : word.start]
        ):
            joined = False
        if run and (not joined or not (_capital(word) or _links(all_words, place, even)) or word.start in openings):
            found += _mention(even, run, openings, sure)
            run = []
        if _capital(word) or (run and word.key in _LINK):
            run.append(word)
    found += _mention(even, run, openings, sure)
    return [m for m in found if not _defined_here(even, m)]


def _defined_here(text: str, mention: Mention) -> bool:
    """ "inflammatory eye disease (IED)": the abbreviation adds nothing to the words before it."""
    if len(mention.words) != 1 or text[mention.start - 1 : mention.start] != "(":
        return False
    letters = [c for c in mention.words[0].text if c.isupper()]
    before = words(text[max(0, mention.start - _LOOK_BACK) : mention.start])[-len(letters) - 2 :]
    return len(letters) > 1 and any(w.key[0] == letters[0].lower() for w in before)


def _capital(word: Word) -> bool:
    return word.text[0].isupper() or (len(word.text) > 2 and any(c.isupper() for c in word.text[1:]))


def _links(all_words: tuple[Word, ...], place: int, text: str) -> bool:
    """ "of", "van der" between two words in capitals."""
    word = all_words[place]
    if word.key not in _LINK:
        return False
    for after in all_words[place + 1 : place + 3]:
        if text[word.end : after.start] not in (" ", "-"):
            return False
        if _capital(after):
            return True
        if after.key not in _LINK:
            return False
        word = after
    return False


def _openings(text: str, all_words: tuple[Word, ...]) -> frozenset[int]:
    """Where the first word of each sentence, heading ("Title: ...") or quote starts."""
    starts = [a for a, _ in sentence_spans(text)] + [m.end() for m in re.finditer(r"[:;]\s|[\"(]", text)]
    found, place = set(), 0
    for start in sorted(starts):
        while place < len(all_words) and all_words[place].start < start:
            place += 1
        if place < len(all_words):
            found.add(all_words[place].start)
    return frozenset(found)


def _sure_names(all_words: tuple[Word, ...], openings: frozenset[int], beside: str) -> frozenset[str]:
    """Words that stand in capitals where no sentence begins."""
    other = words(beside)
    begins = _openings(flat(beside), other)
    names = {_bare(w.key) for w in all_words if _capital(w) and w.start not in openings}
    names |= {_bare(w.key) for w in other if _capital(w) and w.start not in begins}
    lower = {w.key for w in (*all_words, *other) if w.text[0].islower()}
    return frozenset(names - lower)


def _bare(key: str) -> str:
    return key[:-2] if key.endswith("'s") else key.removesuffix("'")


def _mention(text: str, run: list[Word], openings: frozenset[int], sure: frozenset[str]) -> list[Mention]:
    while run and (run[-1].key in _LINK):
        run = run[:-1]
    opening = bool(run) and run[0].start in openings
    while run and (run[0].key in _COMMON or run[0].key in STOP_WORDS or run[0].key in _LINK) and not acronym(run[0]):
        run = run[1:]
    kept = tuple(
        Word(w.text[:-2], w.key[:-2], w.start, w.end - 2) if w.key.endswith("'s") else w
        for w in run
        if w.key not in _LINK and w.key.rstrip(".") not in TITLES and (w.key not in STOP_WORDS or acronym(w))
    )
    kept = tuple(w for w in kept if len(w.key) > 1 and not _QUARTER.fullmatch(w.key))
    if not kept or all(w.key in MONTHS or w.key in _DAYS or w.key.isdigit() for w in kept):
        return []
    if opening and len(kept) == 1 and kept[0] is run[0] and not acronym(kept[0]) and not _known(kept[0], sure):
        unsure = _VERB.match(text, kept[0].end)
        if len(run) > 1 or unsure is None or kept[0].key.endswith("s") or len(kept[0].key) < _SHORTEST:
            return []
        return [Mention(kept, kept[0].start, kept[-1].end, opening, sure=False)]
    return [Mention(kept, kept[0].start, kept[-1].end, opening)]


def _known(word: Word, sure: frozenset[str]) -> bool:
    return word.key in sure or is_nation(word.key)


def acronym(word: Word) -> bool:
    """Whether more than half of the letters are capitals, of two at least: "TNF", "ESCs", "PCSK9"."""
    letters = [c for c in word.text if c.isalpha()]
    return len(letters) > 1 and sum(c.isupper() for c in letters) > len(letters) / 2
