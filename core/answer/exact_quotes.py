"""Passages and quotes that a language model names, kept only where they stand in the stored text word for word.

A model may repeat a text with other white space, straight for curly quotation marks, or another dash. Only these
variants are allowed, and each is mapped back to the exact range of the text; everything else is dropped, and said.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from core.labels import LlmTask
from core.llm.reply_json import asked_for, structured
from core.records import Completion, Prompt, PromptDocument

MOST_PASSAGES = 5
MOST_QUOTES = 8
LEAST_CHARS = 12
"""A shorter quote stands almost anywhere and proves nothing."""
MOST_TEXT_CHARS = 200_000
"""Of a longer text only the beginning is sent, which is said."""
_SAME = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    "\u2026": "...",
    **{ligature: unicodedata.normalize("NFKD", ligature) for ligature in "\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06"},
}
_UNSEEN = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")

Write = Callable[[Prompt], Completion]
Stance = Literal["supports", "contradicts"]


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words of the stored text: ``text[start:end]`` is ``quote``. ``why`` is the model's reason, ``stance`` what the
    quote does to the claim ("" where none was asked about)."""

    start: int
    end: int
    quote: str
    why: str
    stance: Stance | Literal[""] = ""


@dataclass(frozen=True, slots=True)
class Dropped:
    """What the model gave as a quote and is none. ``reason`` is a sentence."""

    quote: str
    reason: str


@dataclass(frozen=True, slots=True)
class Quotes:
    """What is kept and what was dropped; ``notes`` are sentences for people (what was not read, what was dropped)."""

    kept: tuple[Quoted, ...]
    dropped: tuple[Dropped, ...]
    notes: tuple[str, ...] = ()


class _Passage(BaseModel):
    quote: str = Field(description="one passage of the document, copied character for character, one to five sentences")
    why: str = Field("", description="in a few words, what it says about the question")


class _Passages(BaseModel):
    passages: list[_Passage] = Field(max_length=20, description="the 3 to 5 most relevant, best first; fewer if fewer")


class _Evidence(BaseModel):
    quote: str = Field(description="words of the document, copied character for character")
    stance: Stance
    why: str = Field("", description="in a few words, how it bears on the claim")


class _Matches(BaseModel):
    quotes: list[_Evidence] = Field(max_length=40, description="empty when the document does not speak of the claim")


_COPY = (
    "Copy every quote from the document character for character, without leaving out, joining, or changing words. "
    "A quote that is not in the document is worthless. If nothing in the document fits, return an empty list."
)
EXTRACT_RULE = f"You find the passages of a document that answer a question. {_COPY}"
MATCH_RULE = f"You find the words of a document that support or contradict a claim. {_COPY}"


def extract_passages(write: Write, question: str, document: PromptDocument) -> Quotes:
    """The up to 5 passages of a document that say most about a question, best first.

    Raises:
        LlmError: as ``write``, and LlmMalformed when the reply has not the asked form.
    """
    prompt, notes = _passages_prompt(question, document)
    found = structured(write, prompt, _Passages)
    return checked(
        [(passage.quote, passage.why, "") for passage in found.passages], document.text, MOST_PASSAGES, notes
    )


def match_evidence(write: Write, claim: str, document: PromptDocument) -> Quotes:
    """The words of a document that support or contradict a claim (errors as ``extract_passages``)."""
    prompt, notes = _evidence_prompt(claim, document)
    found = structured(write, prompt, _Matches)
    return checked(
        [(quote.quote, quote.why, quote.stance) for quote in found.quotes], document.text, MOST_QUOTES, notes
    )


def passages_request(question: str, document: PromptDocument) -> Prompt:
    """What ``extract_passages`` sends first, to estimate its cost."""
    return asked_for(_passages_prompt(question, document)[0], _Passages)


def evidence_request(claim: str, document: PromptDocument) -> Prompt:
    """What ``match_evidence`` sends first, to estimate its cost."""
    return asked_for(_evidence_prompt(claim, document)[0], _Matches)


def _passages_prompt(question: str, document: PromptDocument) -> tuple[Prompt, list[str]]:
    sent, notes = _cut(document)
    return Prompt(LlmTask.EXTRACT, EXTRACT_RULE, f"Question: {question}", (sent,), max_tokens=2000), notes


def _evidence_prompt(claim: str, document: PromptDocument) -> tuple[Prompt, list[str]]:
    sent, notes = _cut(document)
    return Prompt(LlmTask.EXTRACT, MATCH_RULE, f"Claim: {claim}", (sent,), max_tokens=2000), notes


def checked(
    given: Sequence[tuple[str, str, Stance | Literal[""]]], text: str, most: int, notes: Sequence[str] = ()
) -> Quotes:
    """Keep the quotes (quote, reason, stance) that stand in ``text``, each range once and at most ``most``."""
    finder = QuoteFinder(text)
    kept: list[Quoted] = []
    dropped: list[Dropped] = []
    for quote, why, stance in given:
        place = finder.find(quote)
        if place is None:
            dropped.append(Dropped(quote[:500], _why_dropped(quote)))
        elif len(kept) < most and all(place != (quoted.start, quoted.end) for quoted in kept):
            kept.append(Quoted(*place, text[place[0] : place[1]], why.strip()[:500], stance))
    said = list(notes)
    if dropped:
        number = "1 quote was" if len(dropped) == 1 else f"{len(dropped)} quotes were"
        said.append(f"{number} dropped: the language model gave words that do not stand in the source.")
    return Quotes(tuple(kept), tuple(dropped), tuple(said))


class QuoteFinder:
    """Finds quotes in one text; the text is read once."""

    def __init__(self, text: str) -> None:
        self._plain, self._places = _plain(text)

    def find(self, quote: str) -> tuple[int, int] | None:
        """The exact range (characters, half-open) of the first place where the quote stands; None when it does not, or
        is too short to prove anything."""
        wanted = _plain(quote)[0].strip(" ")
        for words in (wanted, wanted.strip("\"' ")):
            if sum(map(str.isalnum, words)) < LEAST_CHARS:
                return None
            at = self._plain.find(words)
            if at >= 0:
                return self._places[at], self._places[at + len(words) - 1] + 1
        return None


def _plain(text: str) -> tuple[str, list[int]]:
    """The text with one form for all variants, and for each of its characters the place in ``text``."""
    made: list[str] = []
    places: list[int] = []
    space = True
    for place, character in enumerate(text):
        if character in _UNSEEN:
            continue
        if character.isspace():
            if not space:
                made.append(" ")
                places.append(place)
            space = True
            continue
        space = False
        for one in _SAME.get(character, character):
            made.append(one)
            places.append(place)
    return "".join(made), places


def _why_dropped(quote: str) -> str:
    if sum(map(str.isalnum, quote)) < LEAST_CHARS:
        return "It is too short to prove anything."
    return "These words do not stand in the source."


def _cut(document: PromptDocument) -> tuple[PromptDocument, list[str]]:
    if len(document.text) <= MOST_TEXT_CHARS:
        return document, []
    shown = PromptDocument(document.key, document.title, document.text[:MOST_TEXT_CHARS])
    share = MOST_TEXT_CHARS / len(document.text)
    note = f"Only the first {MOST_TEXT_CHARS:,} of {len(document.text):,} characters of it were read ({share:.0%})."
    return shown, [note]
