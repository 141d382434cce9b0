"""Named entities as a text writes them: runs of words in capitals, and acronyms. No model, no gazetteer."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.text.sentences import sentence_spans
from core.text.terms import STOP_WORDS
from core.verify.checks.intervals import MONTHS
from core.verify.checks.names import TITLES, is_nation
from core.verify.checks.text import Word, flat, in_latin, words

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
_NO_HEAD = _COMMON | STOP_WORDS | _LINK
"""Words that no name begins with."""
_VERB = re.compile(
    r" (?:is|was|has|had|plays|played|stars|starred|won|wrote|directed|released|provides|offers|expects|reported|"
    r"disclosed|"
    r"announced|predicts|anticipates|raised|appeared|worked|married|became|died|lives|lived|refused|contains|"
    r"featured)\b"
)
_SHORTEST = 4
_DIGITS = 3
_GREEK = frozenset({"alpha", "beta", "gamma", "delta", "epsilon", "kappa", "lambda", "sigma", "omega"})
_LOOK_BACK = 200
_QUARTER = re.compile(r"(?:q|h|fy)[1-4]?\d?\d?")


@dataclass(frozen=True, slots=True)
class Mention:
    """A name: its words without links, titles and possessives, and its place. ``opening`` is True when its sentence
    begins with it. ``sure`` is False for a lone word at the start of a sentence that may be a common noun."""

    words: tuple[Word, ...]
    start: int
    end: int
    opening: bool
    sure: bool = True


def mentions(text: str, beside: str = "") -> list[Mention]:
    """The names of ``text`` in order. A lone word that opens a sentence is a name only if it is one elsewhere in
    ``text`` or ``beside``."""
    even = flat(text)
    all_words = words(even)
    openings = _openings(even, all_words)
    sure = _sure_names(all_words, openings, beside)
    names: list[Mention] = []
    run: list[Word] = []
    for place, word in enumerate(all_words):
        if run and not _goes_on(even, all_words, place, openings):
            names += _mention(even, run, openings, sure)
            run = []
        if run and _numbers(even, run[-1], word):
            run[-1] = _with_number(run[-1], word)
        elif _capital(word) or (run and word.key in _LINK):
            run.append(word)
    names += _mention(even, run, openings, sure)
    return [name for name in names if not _defined_here(even, name)]


def _goes_on(text: str, all_words: tuple[Word, ...], place: int, openings: frozenset[int]) -> bool:
    """True when the name that the word before belongs to goes on with the word at ``place``."""
    word, last = all_words[place], all_words[place - 1]
    between = text[last.end : word.start]
    if between not in (" ", "-", " & ", ". ", " '", ".") or word.start in openings:
        return False
    if "." in between and last.text[-1:].islower() and len(last.text) > 3:
        return False  # the full stop ends a sentence, not an abbreviation
    return _capital(word) or _links(all_words, place, text) or _numbers(text, last, word)


def _numbers(text: str, name: Word, word: Word) -> bool:
    """True for the number or Greek letter behind a name: 2 in "BCL-2", alpha in "TNF-α"."""
    behind = text[name.end : word.start] == "-" and acronym(name)
    return behind and ((word.key.isdigit() and len(word.key) <= _DIGITS) or in_latin(word.key) in _GREEK)


def _with_number(name: Word, word: Word) -> Word:
    return Word(name.text + word.text.upper(), name.key + in_latin(word.key), name.start, word.end)


def _defined_here(text: str, mention: Mention) -> bool:
    """True for the abbreviation of the words before it: "inflammatory eye disease (IED)"."""
    if len(mention.words) != 1 or text[mention.start - 1 : mention.start] != "(":
        return False
    letters = [c for c in mention.words[0].text if c.isupper()]
    before = words(text[max(0, mention.start - _LOOK_BACK) : mention.start])[-len(letters) - 2 :]
    return len(letters) > 1 and any(w.key[0] == letters[0].lower() for w in before)


def _capital(word: Word) -> bool:
    return word.text[0].isupper() or (len(word.text) > 2 and any(c.isupper() for c in word.text[1:]))


def _links(all_words: tuple[Word, ...], place: int, text: str) -> bool:
    """True for a link ("of", "van der") between two words in capitals."""
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
    """The offsets of the first word of each sentence, heading ("Title: ...") and quote."""
    starts = [a for a, _ in sentence_spans(text)] + [m.end() for m in re.finditer(r"[:;]\s|[\"(]", text)]
    places, place = set(), 0
    for start in sorted(starts):
        while place < len(all_words) and all_words[place].start < start:
            place += 1
        if place < len(all_words):
            places.add(all_words[place].start)
    return frozenset(places)


def _sure_names(all_words: tuple[Word, ...], openings: frozenset[int], beside: str) -> frozenset[str]:
    """The words in capitals where no sentence begins."""
    other = words(beside)
    begins = _openings(flat(beside), other)
    names = {_bare(w.key) for w in all_words if _capital(w) and w.start not in openings}
    names |= {_bare(w.key) for w in other if _capital(w) and w.start not in begins}
    lower = {w.key for w in (*all_words, *other) if w.text[0].islower()}
    return frozenset(names - lower)


def _bare(key: str) -> str:
    return key[:-2] if key.endswith("'s") else key.removesuffix("'")


def _mention(text: str, run: list[Word], openings: frozenset[int], sure: frozenset[str]) -> list[Mention]:
    """The name in a run of words in capitals; empty for a date, a quarter, or common words at the head of a
    sentence."""
    opening = bool(run) and run[0].start in openings
    run = _trimmed(run)
    name = _name_words(run)
    if not name or all(word.key in MONTHS or word.key in _DAYS or word.key.isdigit() for word in name):
        return []
    first = name[0]
    lone = opening and len(name) == 1 and first is run[0]
    if not lone or acronym(first) or _coded(first) or _known(first, sure):
        return [Mention(name, first.start, name[-1].end, opening)]
    subject = len(run) == 1 and _VERB.match(text, first.end) is not None
    if not subject or first.key.endswith("s") or len(first.key) < _SHORTEST:
        return []
    return [Mention(name, first.start, first.end, opening, sure=False)]


def _coded(word: Word) -> bool:
    """True for a name with a number in it: "Bcl2"."""
    return word.text[-1].isdigit() and word.text[0].isalpha()


def _trimmed(run: list[Word]) -> list[Word]:
    """The run without linking words at its end and common words at its head."""
    while run and run[-1].key in _LINK:
        run = run[:-1]
    while run and run[0].key in _NO_HEAD and not acronym(run[0]):
        run = run[1:]
    return run


def _name_words(run: list[Word]) -> tuple[Word, ...]:
    """The words of a run that make its name: without links, titles, function words, quarters and possessives."""
    names = [word for word in run if word.key not in _LINK and word.key.rstrip(".") not in TITLES]
    names = [_without_possessive(word) for word in names if word.key not in STOP_WORDS or acronym(word)]
    return tuple(word for word in names if len(word.key) > 1 and not _QUARTER.fullmatch(word.key))


def _without_possessive(word: Word) -> Word:
    return Word(word.text[:-2], word.key[:-2], word.start, word.end - 2) if word.key.endswith("'s") else word


def _known(word: Word, sure: frozenset[str]) -> bool:
    return word.key in sure or is_nation(word.key)


def acronym(word: Word) -> bool:
    """True when more than half of the letters, of at least two, are capitals: "TNF", "ESCs", "PCSK9"."""
    letters = [c for c in word.text if c.isalpha()]
    return len(letters) > 1 and sum(c.isupper() for c in letters) > len(letters) / 2
