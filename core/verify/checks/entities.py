"""Named entities: every name of the claim should stand in the evidence, as written or in a form that means the same.

Tolerated: part of a name (surname alone), possessives, accents, small differences of spelling, a country for its
people, an acronym for its words. Without veto: a missing subject where the evidence opens with a pronoun ("He was
born"), and a name of which some words are there.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from rapidfuzz.fuzz import ratio

from core.text.sentences import sentence_spans
from core.text.terms import STOP_WORDS
from core.verify.checks.mentions import Mention, acronym, mentions
from core.verify.checks.names import REGIONS, aliases, is_nation
from core.verify.checks.outcomes import CheckResult, Span, decisive, failed, not_applicable, passed
from core.verify.checks.text import Word, cut, in_latin, relevant_spans, words

NAME = "entities"
_SPELLING = 85.0
"""Least rapidfuzz ratio of two words of four letters or more that are spellings of one name."""
_SHORT = 4
_STEM = 4
_LONG = 700
_INITIALS = 3
_NEAREST = 0.6
_HEADING = 5
_MOSTLY = 0.8
_PRONOUN = re.compile(r"\b(?:he|she|it|they|him|her|his|its|their|them|this|these|those)\b", re.IGNORECASE)
_PERSON = re.compile(r"\b(?:he|she|him|her|his)\b", re.IGNORECASE)
_SPEAKER_BEFORE = re.compile(
    r"(?:\baccording to|, per|\A[Pp]er|\b(?:reported|noted|stated|said|told|quoted) by|"
    r"as (?:reported|noted|stated) in) (?:the )?\Z",
    re.IGNORECASE,
)
_SPEAKER_AFTER = re.compile(
    r" (?:(?:has|have|had|also) )?(?:report|say|said|note|state|write|wrote|claim|announce|warn)(?:s|ed|d)?"
    r"(?: that\b|[.,]|\Z)"
)
_HEADED = re.compile(r"\A[^.:]{2,80}: ")


def check(claim: str, evidence: str) -> CheckResult:
    """The result for the names of ``claim``: the first failure with veto, else the first failure, else passed."""
    names = mentions(claim, evidence)
    if not names:
        return not_applicable(NAME, "The claim names no one and nothing.")
    there = _Index(claim, evidence)
    results = [_compare(claim, mention, there) for mention in names]
    missing = [place for place, result in enumerate(results) if result.veto]
    if len(missing) == 1 and there.by_pronoun:
        name = names[missing[0]]
        if not _comparable(name) and (there.person or not _speaks(claim, name)):
            results[missing[0]] = _pronoun(claim, name)
    count = "The name is" if len(names) == 1 else f"All {len(names)} names are"
    return decisive(NAME, results, f"{count} in the evidence.")


class _Index:
    """The words of the evidence by key, its names, and the initials of its names."""

    def __init__(self, claim: str, evidence: str) -> None:
        self.text = evidence
        self.claim = claim
        self.words = words(evidence)
        self.by_key: dict[str, Word] = {}
        for word in self.words:
            bare = word.key[:-2] if word.key.endswith("'s") else word.key
            self.by_key.setdefault(bare, word)
            self.by_key.setdefault(word.key, word)
            self.by_key.setdefault(in_latin(bare), word)
        for last, word in pairwise(self.words):  # "BCL-2", "IL 6", "TNF-\u03b1" are one name each
            if evidence[last.end : word.start] in ("-", " ") and acronym(last):
                self.by_key.setdefault(last.key + in_latin(word.key), last)
        self.joined = " " + " ".join(w.key[:-2] if w.key.endswith("'s") else w.key for w in self.words) + " "
        self.capitals = [key for key, w in self.by_key.items() if len(key) >= _STEM and w.text[0].isupper()]
        self.claimed = frozenset(w.key for w in words(claim))
        self.lower = frozenset(w.key for w in words(claim) if w.text[0].islower())
        self.headline = _headline(claim)
        self.person = False
        self.anaphoric = self._anaphoric()
        self.subjects = self._subjects()
        self.rivals = self._rivals()
        self.acronyms = [k for k, w in self.by_key.items() if acronym(w) and k not in self.claimed]

    @property
    def by_pronoun(self) -> bool:
        """True when a missing subject of the claim may be meant by a pronoun of the evidence."""
        return self.anaphoric and (self.person or not self.subjects)

    def _rivals(self) -> list[Mention]:
        """The names that the claim lacks, in the sentences most like it: one may stand in the place of the claim's
        name."""
        near = relevant_spans(self.claim, self.text, share=_NEAREST)
        near_names = [m for m in mentions(self.text, self.claim) if any(a <= m.start < b for a, b in near)]
        return [m for m in near_names if m.sure and not any(self._in_claim(w) for w in m.words)]

    def _subjects(self) -> list[str]:
        """The names that open a sentence of the evidence and that the claim lacks: its other subjects."""
        opening = [m for m in mentions(self.text, self.claim) if m.opening]
        return [" ".join(w.text for w in m.words) for m in opening if not any(self._in_claim(w) for w in m.words)]

    def _in_claim(self, word: Word) -> bool:
        return word.key in self.claimed or any(_same_name(word.key, key) for key in self.claimed if len(key) >= _STEM)

    def _anaphoric(self) -> bool:
        """True when the evidence may mean its subject by a pronoun: it has no heading, and no name at its start."""
        if not self.words or _HEADED.match(self.text) or len(self.text) > _LONG:
            return False  # a long passage names its subject
        end = next((b for _, b in sentence_spans(self.text)), 0)
        self.person = _PERSON.search(self.text[:end]) is not None
        first = self.words[0]
        plain = first.key in STOP_WORDS or first.key in self.lower or first.text[0].islower() or first.key.isdigit()
        named = any(w.text[0].isupper() for w in self.words[1:3])
        return self.person or (plain and not named) or _PRONOUN.search(self.text[: min(end, 60)]) is not None

    def find(self, word: Word) -> Word | None:
        """The word of the evidence that is ``word``, its plural or another spelling of it; None without one."""
        exact = self.by_key.get(in_latin(word.key)) or self.by_key.get(word.key.replace(".", ""))
        if exact is not None:
            return exact
        plural = self.by_key.get(word.key + "s") or self.by_key.get(word.key.removesuffix("s"))
        if plural is not None:
            return plural
        for key in self.capitals:
            if _same_name(word.key, key):
                return self.by_key[key]
        return None

    def alias(self, mention: Mention) -> bool:
        """True when the evidence has another name for all of ``mention``, or the words of its acronym."""
        name = " ".join(w.key for w in mention.words)
        if any(f" {other} " in self.joined for other in aliases(name)):
            return True
        if len(mention.words) == 1:
            return self._spelled_out(mention.words[0])
        initials = "".join(w.key[0] for w in mention.words)
        return len(initials) > 1 and initials in self.by_key

    def _spelled_out(self, word: Word) -> bool:
        letters = (word.key[:-1] if word.text.endswith("s") else word.key).replace(".", "")
        if not (acronym(word) and 2 <= len(letters) <= 6):
            return False
        initials = "".join(w.text[0] if len(letters) < _INITIALS else w.key[0] for w in self.words)
        wanted = letters.upper() if len(letters) < _INITIALS else letters
        return wanted in initials or any(letters in key for key in self.acronyms)

    def surname_alone(self, mention: Mention, missing: list[Word]) -> bool:
        """True when the last word of a name stands in the evidence without another first name before it."""
        last = mention.words[-1].key
        if last in {w.key for w in missing}:
            return False
        for before, word in zip((None, *self.words), self.words, strict=False):
            named = before is not None and before.text[0].isupper() and self.text[before.end : word.start] == " "
            if word.key.removesuffix("'s") == last and not named:
                return True
        return False

    def aliased(self, word: Word) -> bool:
        """True when another name for one word of a longer name is there ("American Airlines" beside "America")."""
        return any(f" {other} " in self.joined for other in aliases(word.key))


@lru_cache(maxsize=4096)
def _same_name(first: str, second: str) -> bool:
    """True for spellings of one name, or a place and its people. Countries are in a table: "Niger" is not "Nigeria"."""
    if is_nation(first) and is_nation(second):
        return second in aliases(first)
    short, long = sorted((first, second), key=len)
    if len(short) >= _STEM and long.startswith(short[: max(_STEM, len(short) - 1)]) and len(long) - len(short) <= 4:
        return True
    return len(short) >= _SHORT and ratio(short, long) >= _SPELLING


def _compare(claim: str, mention: Mention, there: _Index) -> CheckResult:
    span: tuple[Span, ...] = ((mention.start, mention.end),)
    name = cut(claim, mention.start, mention.end)
    found_words = [there.find(word) for word in mention.words]
    hits = tuple((w.start, w.end) for w in found_words if w is not None)
    missing = [w for w, hit in zip(mention.words, found_words, strict=True) if hit is None and not there.aliased(w)]
    if not missing or there.alias(mention):
        return passed(NAME, f"“{name}” is in the evidence.", span, hits)
    if len(missing) < len(mention.words):
        if there.surname_alone(mention, missing):
            return passed(NAME, f"“{mention.words[-1].text}” is in the evidence, for “{name}”.", span, hits)
        lacking = " ".join(w.text for w in missing)
        return failed(NAME, f"Of “{name}”, “{lacking}” is not in the evidence.", span, hits, veto=False)
    return _missing(claim, mention, there)


def _missing(claim: str, mention: Mention, there: _Index) -> CheckResult:
    """The failure for a name of which the evidence has no word.

    It vetoes only where the evidence names another thing of the same kind that the claim lacks. Else the name may go
    without saying (a title, a pronoun, "Paris" for "France"). Abbreviations and codes of genes and drugs have many
    names and never veto."""
    span: tuple[Span, ...] = ((mention.start, mention.end),)
    name = cut(claim, mention.start, mention.end)
    coded = _coded(mention)
    places = all(_place_word(w) for w in mention.words)
    others = [m for m in there.rivals if places is all(_place_word(w) for w in m.words)]
    alike = [m for m in others if coded is _coded(m)]
    sure = bool(alike) and not coded
    sure = sure and (mention.sure or bool(there.subjects)) and not there.headline
    sure = sure or _speaks(claim, mention)  # who says it is part of the claim
    shown = ", ".join(dict.fromkeys(f"“{cut(there.text, m.start, m.end)}”" for m in alike[:3]))
    why = f"“{name}” is not in the evidence, which names {shown}." if shown else f"“{name}” is not in the evidence."
    return failed(NAME, why, span, tuple((m.start, m.end) for m in alike[:3]), veto=sure or not there.words)


def _speaks(claim: str, mention: Mention) -> bool:
    """True for the name of somebody who is said to say it: "according to The Times", "The Times reports that"."""
    before, after = claim[max(0, mention.start - 40) : mention.start], claim[mention.end : mention.end + 40]
    return _SPEAKER_BEFORE.search(before) is not None or _SPEAKER_AFTER.match(after) is not None


def _coded(mention: Mention) -> bool:
    """True when an abbreviation or a code ("PD-L1", "WHO") is among the words."""
    return any(acronym(w) or any(c.isdigit() for c in w.text) for w in mention.words)


def _place_word(word: Word) -> bool:
    return is_nation(word.key) or word.key in REGIONS


def _comparable(mention: Mention) -> bool:
    """True for countries and abbreviations: they veto only beside another one, which no pronoun explains."""
    return all(_place_word(w) for w in mention.words) or (len(mention.words) == 1 and acronym(mention.words[0]))


def _headline(claim: str) -> bool:
    """True when most words are in capitals, as in headings, so that capitals mark no names."""
    content = [w for w in words(claim) if w.key not in STOP_WORDS and w.text[0].isalpha()]
    return len(content) >= _HEADING and sum(w.text[0].isupper() for w in content) > _MOSTLY * len(content)


def _pronoun(claim: str, mention: Mention) -> CheckResult:
    name = cut(claim, mention.start, mention.end)
    why = f"“{name}” is not in the evidence, which may mean it by a pronoun."
    return failed(NAME, why, ((mention.start, mention.end),), veto=False)
