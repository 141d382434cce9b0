"""Borders of sentences, with exact offsets. A scanner over the places where a sentence may end; each place is decided
by the word before it and the word after it. Why neither pysbd nor syntok: docs/decisions/0002-sentences.md. One pass,
linear time."""

import re
from collections.abc import Iterator


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Never end a sentence: titles, and words that announce what follows.
_LEADING = _words(
    """
    dr mr mrs ms mx prof st gen sen rep gov capt col lt sgt maj cmdr adm rev hon pres vs v cf viz eg e.g ie i.e
    esp incl approx ca c resp fig figs eq eqs eqn sec sect secs ch chap ref refs tab suppl vol vols ed eds pp p
    art cl para bzw z.b d.h u.a bspw
    """
)
# Announce a number; ordinary words before anything else.
_BEFORE_NUMBER = _words(
    """
    no nos nr art para ex col min max app ver v
    """
)
# May stand inside a sentence or end one: the word after them decides.
_EITHER = _words(
    """
    al etc inc ltd co corp bros dept univ assn jr sr u.s u.k u.n e.u a.m p.m ph.d m.d b.a m.a b.sc m.sc d.c jan
    feb mar apr jun jul aug sep sept oct nov dec mt ave blvd rd est sp spp subsp var cv
    """
)
_STARTERS = _words(
    """
    a according after all although among an and another any as at because before both but by despite during each
    even few finally first for from furthermore given hence here his he how however i if in indeed instead it
    its many meanwhile more moreover most my nevertheless no nor not note now on once one only other our overall
    several she similarly since so some still such that the their then there therefore these they this those
    though three through thus to today two under unlike until we what when where whereas whether which while who
    why with yet you your let using based results conclusions methods background objective conclusion findings
    der die das il la le
    """
)
_BEFORE_ANY = _LEADING | _BEFORE_NUMBER
_ABBREVIATIONS = _LEADING | _EITHER
_CITATION = r"(?:[ \t]?\[\^?\d{1,4}(?:[ \t]?[,;\u2013-][ \t]?\d{1,4}){0,40}\]|[\u00b9\u00b2\u00b3\u2070-\u2079])"
_LINK = r"(?:[ \t]\(\[[^\]\n]{1,200}\]\([^)\s]{1,1000}\)\))"
_CLOSERS = "\"'\u2019\u201d\u00bb)\\]*_`\u203a"
_CLOSERS_BEFORE = "\"'\u2019\u201d\u00bb)]*_`"
_OPENERS = "\"'\u2018\u201c\u00ab([*_`\u2039\u00bf\u00a1\u201e"
_BULLET = r"(?:[-*+\u2022\u2023\u25aa\u25cf\u25e6\u2013\u2014|#>]|\(?\d{1,3}[.)]|\(?[a-z][)])[ \t|#]"
_CANDIDATE = re.compile(
    rf"""
    (?P<para>\n[ \t\f]*+\n\s*+)
    | (?P<line>\n(?=[ \t]*{_BULLET}))
    | (?P<wide>[\u3002\uff01\uff1f\uff61]+[\u300d\u300f\uff09\u3011\u300b\u201d"']*)
    | (?P<stop>[.!?\u2026\u0964\u06d4\u061f]++)
      (?P<close>[{_CLOSERS}]*+(?:{_CITATION}|{_LINK})*)
      (?P<raised>\d{{1,3}}(?:[,\u2013-]\d{{1,3}}){{0,20}})?
      (?P<gap>\s++|\Z)
    """,
    re.VERBOSE,
)
_FIRST = re.compile("[\n\u3002\uff01\uff1f\uff61.!?\u2026\u0964\u06d4\u061f]")
_STOPS = re.compile("[.!?\u2026\u0964\u06d4\u061f]+")
_WORD_BEFORE = re.compile(r"[^(\[{\"\u201c\u2018/,;:|*_]+\Z")
_WORD_AFTER = re.compile(rf"[{re.escape(_OPENERS)}]*(\w[\w'\u2019-]*)?")
_LIST_NUMBER = re.compile(r"(?:\A|\n)[ \t>*#_]*\(?(?:\d{1,3}|[ivxlcIVXLC]{1,6}|[A-Za-z]|\d{1,2}(?:\.\d{1,2}){1,4})\Z")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,3}\.)+[^\W\d_]{1,3}")  # U.S, e.g, Ph.D
_LONGEST_LIST_NUMBER = 14
_DOTS = 3
_TAIL = 5
_ABBREVIATED_TAILS = frozenset(word[-_TAIL:] for word in _ABBREVIATIONS | _BEFORE_NUMBER)
_LOOK_BACK = 48


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Sentences of ``text`` as half-open ``(start, end)`` offsets, in order and without overlap. Spans begin and end
    with a character that is no space; every such character lies in exactly one span. A blank line and the start of a
    list item always end a sentence. Brackets with citation numbers and closing quotes stay with the sentence before
    them."""
    return list(iter_sentence_spans(text))


def iter_sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """As ``sentence_spans``, one at a time."""
    start = 0
    for match in _candidates(text):
        if match["stop"] is not None:
            if not _ends_sentence(text, match):
                continue
            end = match.start("gap")
        else:
            end = match.end("wide") if match["wide"] is not None else match.start()
        yield from _stripped(text, start, end)
        start = match.end()
    yield from _stripped(text, start, len(text))


def _candidates(text: str) -> Iterator[re.Match[str]]:
    """Places where a sentence may end. A scan for single characters first: five times as fast as the pattern alone."""
    at = 0
    while found := _FIRST.search(text, at):
        match = _CANDIDATE.match(text, found.start())
        if match:
            yield match
            at = match.end()
        else:  # of a run of stops none ends a sentence if the first does not, for they are read together
            stops = _STOPS.match(text, found.start())
            at = stops.end() if stops else found.end()


def _stripped(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    bare = piece.strip()
    if bare:
        begin = start + len(piece) - len(piece.lstrip())
        yield begin, begin + len(bare)


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    """True when the full stop (or its like) of ``match`` ends a sentence."""
    gap = match["gap"]
    if not gap or _plain_end(text, match) or gap.count("\n") > 1:
        return True
    if _leads_to_page_number(text, match):
        return False
    before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    bare = before.rstrip(_CLOSERS_BEFORE).rstrip()
    word = _word_before(bare)
    if match["raised"] and not (bare != before or _is_plain(word) or match["close"]):
        return False  # "3.14 The": a number, no sentence that ends in raised citation numbers
    following, opened = _word_after(text, match.end())
    stop = match["stop"]
    if following[:1].islower() and not (opened and stop != "." and not match["close"]):
        return _starts_in_lower_case(text, match.end(), word, following)
    if stop != "." and not stop.endswith(".."):
        return True
    return _dots_end(match, before, bare, word, following)


def _plain_end(text: str, match: re.Match[str]) -> bool:
    """True in the usual case, decided early: a long word in small letters, a stop, then a capital."""
    tail = text[max(0, match.start() - _TAIL) : match.start()]
    if not (len(tail) == _TAIL and tail.islower() and tail.isalpha()) or tail in _ABBREVIATED_TAILS:
        return False
    following = text[match.end() : match.end() + 1]
    return following.isupper() and not match["close"] and not match["raised"]


def _leads_to_page_number(text: str, match: re.Match[str]) -> bool:
    """True for dots that lead to a page number, as in a table of contents."""
    following = text[match.end() : match.end() + 1]
    return following == "." or (len(match["stop"]) > _DOTS and following.isdigit())


def _word_after(text: str, at: int) -> tuple[str, bool]:
    """The word that begins at ``at``, and whether an opening quote or bracket stands before it."""
    after = _WORD_AFTER.match(text[at : at + _LOOK_BACK])
    if after is None:
        return "", False
    return after[1] or "", after.end(1) > 0 and after.start(1) > 0


def _dots_end(match: re.Match[str], before: str, bare: str, word: str, following: str) -> bool:
    """Decide a full stop or dots; ``bare`` is the text before them without closing quotes and brackets."""
    if not word and (not bare or bare[-1] in ".\u2026"):
        return bool(match["close"]) or match.start() == 0  # ". . . ." leads to a page number
    if bare != before or not word:
        return True  # the stop stands behind a closing quote or bracket: no abbreviation
    return _stop_ends(before, word, following, closed=bool(match["close"]))


def _is_plain(word: str) -> bool:
    return word.isalpha() and len(word) > 1 and word.lower() not in _BEFORE_ANY


def _word_before(before: str) -> str:
    pieces = before.rsplit(None, 1)
    found = _WORD_BEFORE.search(pieces[-1]) if pieces else None
    return found[0].strip("'\u2019").rstrip(".") if found else ""


def _starts_in_lower_case(text: str, at: int, word: str, following: str) -> bool:
    """Lower case goes on with the sentence, but for names like "mRNA", "p38" and an opening bracket."""
    if not (word.isalpha() and len(word) > 3) or word.lower() in _ABBREVIATIONS:
        return False
    return text[at : at + 1] == "(" or any(c.isdigit() or c.isupper() for c in following)


def _stop_ends(before: str, word: str, following: str, *, closed: bool) -> bool:
    """Decide a single full stop that a space and no lower-case word follow."""
    lower = word.lower()
    starter = following.lower() in _STARTERS and following[:1].isupper()
    if len(word) <= _LONGEST_LIST_NUMBER and _LIST_NUMBER.search(before):
        return False  # "1. Introduction"
    acronym = word.isupper() and "." not in word
    if lower in _LEADING and not closed and not acronym:
        return False
    if lower in _BEFORE_NUMBER and following[:1].isdigit():
        return False
    if (lower in _EITHER and not acronym) or _DOTTED.fullmatch(word):
        return starter
    if len(word) == 1 and word.isalpha() and word.isupper():
        return starter and not _name_before(before)  # "vitamin C. The", but "J. The" of a name
    return True


def _name_before(before: str) -> bool:
    """Whether the word before an initial looks like part of a name."""
    words = before.split()
    return len(words) < 2 or words[-2][:1].isupper()
