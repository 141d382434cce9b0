"""Simple statements of a compound sentence, by rules that split only where it is safe.

Three forms are split: clauses joined by a semicolon or by ", and/but/while/whereas", each with a subject and a verb;
two verbs of one short subject ("Cover rose in 2018 and fell in 2019"); two names behind "both". A sentence with a
condition, a quotation, an alternative or reported speech stays whole, because the second clause may belong to it.
"""

from __future__ import annotations

import re

from core.text.sentences import sentence_spans
from core.text.verbs import VerbForm, finite_verb_at, is_plural, verb_form

_LONGEST = 1200
_MOST = 6
_UNSAFE = re.compile(
    r"[\"\u201c\u201d\u00ab\u00bb]|\b(?:if|unless|either|neither|nor|or|although|though|whether|because|since|until|given)\b"
    r"|\b(?:said|says|say|found|finds|find|argues?|argued|reports?|reported|suggests?|suggested|shows?|showed|claims?"
    r"|claimed|believes?|concludes?|concluded|concedes?|warns?|warned|estimates?|estimated|notes?|noted|indicates?"
    r"|indicated|states?|stated|adds?|added|reveals?|revealed|demonstrates?|demonstrated|confirms?|confirmed)\s+that\b",
    re.IGNORECASE,
)
_SEMICOLON = re.compile(r"\s*;\s+(?:and |but |however, |moreover, |in contrast, |meanwhile, )?")
_COMMA = re.compile(r",\s+(?:and|but|while|whereas|yet|so)\s+")
_AND = re.compile(r",?\s+(?:and|but)(?:\s+(?:then|later|also|therefore|thus|subsequently))?\s+(?=[a-z])")
_BOTH = re.compile(
    r"\ABoth (?P<first>[A-Z][\w'-]*(?: [A-Z][\w'-]*){0,3}) and (?P<second>[A-Z][\w'-]*(?: [A-Z][\w'-]*){0,3}) "
)
_TOGETHER = re.compile(
    r"\b(?:together|each other|one another|combined|between|jointly|differ\w*|agree\w*|respectively)\b"
)
_PRONOUN = re.compile(r"\A(it|they)\b", re.IGNORECASE)
_WORDS = re.compile(r"[^\W_][\w'\u2019%-]*")
_SUBORDINATE = re.compile(r"\b(?:which|who|whom|whose|that|when|where|while|as|to)\b|[,;:()]", re.IGNORECASE)
_ELLIPSIS = re.compile(r"(?:only|not|so (?:is|are|was|were|do|does|did|has|have|can))\b", re.IGNORECASE)
_DEEPER = re.compile(r"\b(?:how|where|why|that|when|who|which|what)\b", re.IGNORECASE)
_ADVERB_LAST = re.compile(
    r"(?:\s+(?:\w+ly|also|now|often|still|then|already|even|never|always|just|only))+\Z", re.IGNORECASE
)
_SHARED = re.compile(r"\bnot only\b|\bboth\b", re.IGNORECASE)
_EARLY = 8
"""Words within which an independent clause has its verb."""


def simple_statements(sentence: str) -> tuple[str, ...]:
    """The simple statements of ``sentence`` in order; empty when it is simple or cannot be split safely.

    ``sentence`` is plain text (``core.verify.markdown_to_text``). Each part ends in a full stop and stands alone: a
    shared subject is repeated, and "it" or "they" at its head is replaced by the subject it refers to.
    """
    if not 0 < len(sentence) <= _LONGEST or _UNSAFE.search(sentence):
        return ()
    parts = [sentence[start:end].rstrip(" .!") for start, end in sentence_spans(sentence)]
    for split in (_by_semicolons, _by_commas, _by_verbs, _by_names):
        parts = [part for clause in parts for part in split(clause)]
    if not 1 < len(parts) <= _MOST:
        return ()
    return tuple(_finished(part) for part in parts)


def _by_semicolons(text: str) -> list[str]:
    pieces = _SEMICOLON.split(text)
    return pieces if len(pieces) > 1 and all(map(_is_clause, pieces)) else [text]


def _by_commas(text: str) -> list[str]:
    if ":" in text:
        return [text]  # what follows a colon may be one list
    for match in _COMMA.finditer(text):
        left, right = text[: match.start()], text[match.end() :]
        if _ELLIPSIS.match(right):
            continue
        if (
            _is_clause(left)
            and _is_clause(right)
            and _balanced(left)
            and not (_ends_in_a_list(left) or _goes_deeper(left))
        ):
            return [left, *_by_commas(_with_subject_of(left, right))]
    return [text]


def _by_verbs(text: str) -> list[str]:
    """The statements of a sentence with two verbs of one short subject."""
    subject = _subject(text)
    if not subject or ":" in text or _SHARED.search(text):
        return [text]
    for match in _AND.finditer(text, len(subject)):
        left, right = text[: match.start()], text[match.end() :]
        goes_on = len(_words(right)) > 1 and _same_tense(left[len(subject) :], right)
        if goes_on and _balanced(left) and _ended(left, subject):
            return [left, *_by_verbs(f"{subject} {right}")]
    return [text]


def _same_tense(left: str, right: str) -> bool:
    """True when ``right`` begins with a verb of the form of the first verb of ``left``. Words that may be nouns
    ("signals") or participles ("studied and recommended") do not count as verbs."""
    first, second = verb_form(_words(left)[0]), verb_form(_words(right)[0])
    return second is VerbForm.AUXILIARY or (second is not VerbForm.NONE and first is second)


def _ends_in_a_list(left: str) -> bool:
    """True when the words behind the last comma may be an item of a list that the "and" closes."""
    _, comma, last = left.rpartition(",")
    return bool(comma) and not _is_clause(last)


def _goes_deeper(left: str) -> bool:
    """True when ``left`` ends in a subordinate clause that may go on in the next one ("shows how A grew, and …")."""
    at = finite_verb_at(left) or 0
    return _DEEPER.search(left, at) is not None


def _ended(left: str, subject: str) -> bool:
    """True when the first verb of ``left`` is complete: "rose and fell by 3 %" is one statement about both verbs."""
    verb = left[len(subject) :]
    return len(_words(verb)) > 1 and _SUBORDINATE.search(verb) is None


def _by_names(text: str) -> list[str]:
    both = _BOTH.match(text)
    if both is None or _TOGETHER.search(text):
        return [text]
    rest = text[both.end() :]
    if rest.split(" ", 1)[0] in ("are", "were", "have", "do"):
        return [text]  # the verb would have to change its number
    if finite_verb_at("x " + rest) != 2:
        return [text]
    return [f"{both['first']} {rest}", f"{both['second']} {rest}"]


def _is_clause(text: str) -> bool:
    """True when ``text`` has a subject, then a verb within its first words, then more words."""
    at = finite_verb_at(text)
    return bool(at) and len(_words(text[:at])) <= _EARLY and len(_words(text[at:])) > 1


def _subject(text: str) -> str:
    at = finite_verb_at(text)
    if not at:
        return ""
    subject = _ADVERB_LAST.sub("", text[:at].rstrip())
    return subject if len(_words(subject)) <= _EARLY and not _SUBORDINATE.search(subject) else ""


def _with_subject_of(left: str, right: str) -> str:
    pronoun = _PRONOUN.match(right)
    subject = _subject(left)
    if pronoun is None or not subject or " and " in subject or " of " in subject or " in " in subject:
        return right
    plural = is_plural(_words(subject)[-1].lower())
    return f"{subject}{right[pronoun.end() :]}" if plural == (pronoun[1].lower() == "they") else right


def _balanced(left: str) -> bool:
    return left.count("(") == left.count(")") and left.count("[") == left.count("]")


def _words(text: str) -> list[str]:
    return _WORDS.findall(text)


def _finished(part: str) -> str:
    part = part.strip(" ,;")
    return part[:1].upper() + part[1:] + "."
