"""Sentences that are worth checking: those that state something a source could support or contradict.

The rules are tried in order, each with its reason; the first that matches decides. A statement of fact is worth
checking by default. A sentence is left out only when it is recognised as something else: a heading, a question, an
instruction, a wish, a sentence about the report itself, a fragment. The word patterns stand in ``worthy.toml``.
Measured on hand labels by ``benchmarks/check_worthy.py``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from core.text.verbs import AFTER_A_NOUN, NOUNS_FIRST, has_finite_verb, is_base_verb, is_plural
from core.verify.aligned.lexicon import may_be_verb
from core.verify.markdown_to_text import FORMULA, plain

NOT_PROSE = {
    "heading": "a heading",
    "code": "code, not a statement",
    "reference": "an entry of the reference list",
    "front_matter": "data about the report",
}
"""Kinds of block that state nothing (values of ``core.audit.report_model.BlockKind``), with the reason."""

FILE = Path(__file__).with_name("worthy.toml")
_CASE = "_case"
_LONGEST = 4000
"""Characters of a sentence that are read. No sentence that people write is longer, and it bounds the time."""
_LETTER = re.compile(r"[^\W\d_]")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_FIRST_WORDS = re.compile(r"\A([A-Za-z]+)\s+([^\s,.;:]+)")
_WORDS = re.compile(r"[^\W_]+")
_BOLD_LINE = re.compile(r"\A\s*(?:\*\*|__)[^*_\n]{1,120}(?<![.!?\u3002%])(?:\*\*|__):?\s*\Z")
_ENDS = re.compile(r"[.!\u2026][\"'\u201d\u2019)\]]*\Z")
_WHOLE = 12  # words of a line that ends in a full stop: a sentence, though its verb is not a common one
_CELL = 6
_SHORT = 4
_STATED = 8  # words before a colon that may be a statement of their own
_UNSPACED_SHORTEST, _UNSPACED_CELL = 8, 20
_REASONS = {
    "question": "a question",
    "open_question": "an open question",
    "caption": "a caption or label",
    "byline": "a byline",
    "announces": "only announces what follows",
    "about_report": "about the report itself",
    "own_terms": "defines the report's own terms",
    "opinion": "an opinion or a wish",
    "recommends": "an instruction or recommendation",
    "transition": "a transition",
}
_CELL_REASON = "a table cell without a sentence of its own"
_FRAGMENT = "a fragment without a verb"
_SPECIFICS = {
    "date": "a date",
    "figure": "a figure",
    "comparison": "a comparison",
    "cause": "a cause or an effect",
    "finding": "a finding of somebody",
    "name": "a name",
}
_TOKENS = re.compile(r"[^\W_][\w'\u2019-]*")
_THIRD = re.compile(r"(?:ies|es|s)\Z")
_NO_SUBJECT = frozenset(
    """a an the this that these those its their his her our your my of in on at by for from with to and or as no any
    some each every more most such other into over under through per""".split()  # noqa: SIM905
)
_OBJECT = frozenset(
    """a an the its their his her our this that these those each every half all both most some many much several few
    no more less about nearly almost over up out off down away back one two three four five six seven eight nine ten
    only once twice""".split()  # noqa: SIM905
)
_WAYS = frozenset("into onto through across along towards around past".split())  # noqa: SIM905
_PREPOSITIONS = _WAYS | frozenset("in on at by for from to with under near between among".split())  # noqa: SIM905
_NO_VERB = _PREPOSITIONS | _OBJECT | _NO_SUBJECT
_LONGEST_END = 20
_Patterns = Mapping[str, re.Pattern[str]]


def check_worthy(sentence: str, *, kind: str = "prose") -> tuple[bool, str]:
    """True when ``sentence`` is worth checking, with the reason in a few words. Never raises.

    ``kind`` is the kind of its block (``prose``, ``list_item``, ``table_cell``, ``heading`` …).
    """
    if kind in NOT_PROSE:
        return False, NOT_PROSE[kind]
    raw = sentence[:_LONGEST]
    text = plain(raw)
    letters = len(_LETTER.findall(text))
    if not letters:
        return False, "no words"
    if len(_WORDS.findall(FORMULA.sub(" ", raw))) < _SHORT <= len(_WORDS.findall(raw)):
        return False, "a formula"
    if _BOLD_LINE.match(raw):
        return False, _REASONS["caption"]
    spaced, unspaced = _patterns()
    if len(_UNSPACED.findall(text)) * 3 > letters:
        reason = _unspaced(text, kind, unspaced)
        say = unspaced
    else:
        reason = _no_statement(text, kind, spaced)
        say = spaced
    if reason:
        return False, reason
    specific = _specifics(text, say)
    return True, f"states {specific}" if specific else "a statement of fact"


def _specifics(text: str, say: _Patterns) -> str:
    """The first concrete thing in ``text`` (a date, a figure, a comparison, a cause, a finding, a name), or ""."""
    return next((name for key, name in _SPECIFICS.items() if key in say and say[key].search(text)), "")


def _first(text: str, say: _Patterns, *names: str) -> str:
    return next((_REASONS[name] for name in names if say[name].search(text)), "")


def _no_statement(text: str, kind: str, say: _Patterns) -> str:
    """The reason why ``text`` states nothing to check, or ""."""
    words = len(text.split())
    body = say["label"].sub("", text, count=1)
    if reason := _first(text, say, "question", "caption", "byline") or _first(body, say, "open_question"):
        return reason
    announces = words < _STATED or (say["announces"].search(text) and not say["figure"].search(text))
    if say["colon"].search(text) and announces:
        return _REASONS["announces"]
    if kind == "table_cell" and not (words >= _CELL and has_finite_verb(text)):
        return _CELL_REASON
    if reason := _first(text, say, "about_report", "own_terms", "opinion"):
        return reason
    if _instructs(text, say):
        return _REASONS["recommends"]
    if reason := _first(text, say, "transition"):
        return reason
    return _fragment(text, kind, say) or _vague(text, words, say)


def _fragment(text: str, kind: str, say: _Patterns) -> str:
    """The reason for words without a verb, or "". A labelled figure ("Staff: $100,000 a year") is a statement."""
    body = say["label"].sub("", text, count=1)
    if has_finite_verb(text) or has_finite_verb(body) or _has_plain_verb(body):
        return ""
    words = len(body.split())
    if words >= _WHOLE and _ENDS.search(text):
        return ""
    if body != text and words > 1 and say["figure"].search(body):
        return ""
    gerund = say["participle"].search(body)
    return "" if body != text and words >= _SHORT and gerund and not say["gerund_first"].match(body) else _FRAGMENT


def _has_plain_verb(body: str) -> bool:
    """True for words with a verb that is none of the common ones: "The river floods 40 houses", "Cows graze slopes".

    The lexicon has such a word as a verb, its subject stands before it, and what follows is an object, or, in a whole
    sentence, a preposition.
    """
    tokens = _TOKENS.findall(body)
    whole = _ENDS.search(body[-_LONGEST_END:]) is not None
    for before, word, after in zip(tokens, tokens[1:], [*tokens[2:], ""], strict=False):
        if not word.islower() or word in _NO_VERB or before.lower() in _NO_SUBJECT or not before[0].isalpha():
            continue
        third, base = _agrees(before, word)
        if (third or base) and (after[:1].isdigit() or after in _OBJECT or after in _WAYS):
            return True
        if (third and is_plural(after)) or (base and whole and after in _PREPOSITIONS):
            return True
    return False


def _agrees(subject: str, word: str) -> tuple[bool, bool]:
    """Whether ``word`` can be a verb behind ``subject``: in the third person of one, or in the base form of several."""
    several = is_plural(subject.lower())
    if not word.endswith("s"):
        return False, several and may_be_verb(word)
    forms = _THIRD.sub("", word), _THIRD.sub("y" if word.endswith("ies") else "", word), word.removesuffix("s")
    return not several and any(map(may_be_verb, forms)), False


def _vague(text: str, words: int, say: _Patterns) -> str:
    if any(say[name].search(text) for name in ("date", "figure", "comparison", "finding")):
        return ""
    if say["praise"].search(text):
        return "a judgement of worth, without a fact"
    if say["cause"].search(text) or say["name"].search(text):
        return ""
    if words < _SHORT or (words < _CELL and say["general"].search(text)):
        return "too general to check"
    return "a forecast without a figure, a date or a name" if say["forecast"].search(text) else ""


def _instructs(text: str, say: _Patterns) -> bool:
    body = say["label"].sub("", text, count=1)
    if say["recommends"].search(body):
        return True
    first = _FIRST_WORDS.match(body)
    if first is None:
        return False
    word, following = first[1].lower(), first[2].lower()
    return is_base_verb(word) and word not in NOUNS_FIRST and not AFTER_A_NOUN.match(following)


def _unspaced(text: str, kind: str, say: _Patterns) -> str:
    """The reason why Chinese or Japanese ``text`` states nothing, or "": the same rules as far as characters tell."""
    body = say["label"].sub("", text, count=1)
    if reason := _first(text, say, "question", "caption", "announces", "about_report", "opinion"):
        return reason
    if reason := _first(body, say, "recommends"):
        return reason
    if kind == "table_cell" and len(text) < _UNSPACED_CELL:
        return _CELL_REASON
    if kind == "prose" and len(text) >= _UNSPACED_CELL:
        return ""
    return "" if len(body) >= _UNSPACED_SHORTEST and say["verb"].search(body) else _FRAGMENT


@lru_cache(maxsize=1)
def _patterns() -> tuple[Mapping[str, re.Pattern[str]], Mapping[str, re.Pattern[str]]]:
    """Patterns by name from ``worthy.toml``: of scripts with spaces between words, and of Chinese and Japanese."""
    table = tomllib.loads(FILE.read_text("utf-8"))
    unspaced = table.pop("unspaced")
    inserted = {f"<{name}>": "|".join(table.pop(name)) for name in ("work", "month", "title", "gap")}
    return _compiled(table, inserted), _compiled(unspaced, {})


def _compiled(table: Mapping[str, list[str]], inserted: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    compiled: dict[str, re.Pattern[str]] = {}
    for name, alternatives in table.items():
        joined = "|".join(alternatives)
        for mark, words in inserted.items():
            joined = joined.replace(mark, words)
        compiled[name.removesuffix(_CASE)] = re.compile(joined, 0 if name.endswith(_CASE) else re.IGNORECASE)
    return compiled
