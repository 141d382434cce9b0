"""Passages and quotes by a language model, kept only where they stand in the stored text word for word. A model may
repeat a text with other white space, straight for curly quotation marks, or another dash. Only these variants are
allowed, and each is mapped back to the exact range of the text. All other quotes are dropped, with a note."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from core.labels import LlmTask
from core.llm.reply_json import structured, with_form
from core.records import Completion, Prompt, PromptDocument

MOST_PASSAGES = 5
MOST_QUOTES = 8
LEAST_CHARS = 12
"""Least characters of a quote; a shorter one stands almost anywhere and proves nothing."""
MOST_TEXT_CHARS = 200_000
"""Most characters of a text that are sent; of a longer one only the beginning, with a note."""
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
    """A quote in the stored text: ``text[start:end]`` is ``quote``. ``why`` is the model's reason. ``stance`` is ""
    where the quote answers a question and not a claim."""

    start: int
    end: int
    quote: str
    why: str
    stance: Stance | Literal[""] = ""


@dataclass(frozen=True, slots=True)
class Dropped:
    """Words that the model gave as a quote and that are none. ``reason`` is a sentence."""

    quote: str
    reason: str


@dataclass(frozen=True, slots=True)
class Quotes:
    """The kept and the dropped quotes. ``notes`` are sentences for the user about text not read and quotes dropped."""

    quotes: tuple[Quoted, ...]
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
EXTRACT_REQUEST = "Find the passages of document 1 that answer the question in document 2, which is no source."
MATCH_REQUEST = "Find the words of document 1 that bear on the claim in document 2, which is no evidence."


def extract_passages(write: Write, question: str, document: PromptDocument) -> Quotes:
    """The passages of a document that say most about a question, at most 5, best first. Raises LlmError: as ``write``;
    LlmMalformed for a reply of another form."""
    prompt, notes = _passages_prompt(question, document)
    reply = structured(write, prompt, _Passages)
    return quotes_in(
        [(passage.quote, passage.why, "") for passage in reply.passages], document.text, MOST_PASSAGES, notes
    )


def match_evidence(write: Write, claim: str, document: PromptDocument) -> Quotes:
    """The words of a document that support or contradict a claim (errors as ``extract_passages``)."""
    prompt, notes = _evidence_prompt(claim, document)
    reply = structured(write, prompt, _Matches)
    return quotes_in(
        [(quote.quote, quote.why, quote.stance) for quote in reply.quotes], document.text, MOST_QUOTES, notes
    )


def passages_request(question: str, document: PromptDocument) -> Prompt:
    """The first prompt of ``extract_passages``, to estimate its cost."""
    return with_form(_passages_prompt(question, document)[0], _Passages)


def evidence_request(claim: str, document: PromptDocument) -> Prompt:
    """The first prompt of ``match_evidence``, to estimate its cost."""
    return with_form(_evidence_prompt(claim, document)[0], _Matches)


def _passages_prompt(question: str, document: PromptDocument) -> tuple[Prompt, list[str]]:
    """The prompt of ``extract_passages``; the question goes along as a document, as a claim does."""
    sent, notes = _cut(document)
    documents = (sent, PromptDocument("question", "The question", question))
    return Prompt(LlmTask.EXTRACT, EXTRACT_RULE, EXTRACT_REQUEST, documents, max_tokens=2000), notes


def _evidence_prompt(claim: str, document: PromptDocument) -> tuple[Prompt, list[str]]:
    """The prompt of ``match_evidence``. A claim is foreign text like its source, so it goes along as a document too."""
    sent, notes = _cut(document)
    documents = (sent, PromptDocument("claim", "The claim", claim))
    return Prompt(LlmTask.EXTRACT, MATCH_RULE, MATCH_REQUEST, documents, max_tokens=2000), notes


def quotes_in(
    given: Sequence[tuple[str, str, Stance | Literal[""]]], text: str, most: int, notes: Sequence[str] = ()
) -> Quotes:
    """The given quotes (quote, reason, stance) that stand in ``text``, each range once, at most ``most``."""
    finder = QuoteFinder(text)
    quotes: list[Quoted] = []
    dropped: list[Dropped] = []
    for quote, why, stance in given:
        place = finder.find(quote)
        if place is None:
            dropped.append(Dropped(quote[:500], _why_dropped(quote)))
        elif len(quotes) < most and all(place != (quoted.start, quoted.end) for quoted in quotes):
            quotes.append(Quoted(*place, text[place[0] : place[1]], why.strip()[:500], stance))
    all_notes = list(notes)
    if dropped:
        number = "1 quote was" if len(dropped) == 1 else f"{len(dropped)} quotes were"
        all_notes.append(f"{number} dropped: the language model gave words that do not stand in the source.")
    return Quotes(tuple(quotes), tuple(dropped), tuple(all_notes))


class QuoteFinder:
    """The search for quotes in one text, which is read once."""

    def __init__(self, text: str) -> None:
        self._plain, self._places = _plain(text)

    def find(self, quote: str) -> tuple[int, int] | None:
        """The range (characters, half-open) of the first place of the quote; None for a quote that is not there, or is
        too short to prove anything."""
        wanted = _plain(quote)[0].strip(" ")
        for words in (wanted, wanted.strip("\"' ")):
            if sum(map(str.isalnum, words)) < LEAST_CHARS:
                return None
            at = self._plain.find(words)
            if at >= 0:
                return self._places[at], self._places[at + len(words) - 1] + 1
        return None


def _plain(text: str) -> tuple[str, list[int]]:
    """The text with one form for all variants, and for each of its characters its place in ``text``."""
    characters: list[str] = []
    places: list[int] = []
    space = True
    for place, character in enumerate(text):
        if character in _UNSEEN:
            continue
        if character.isspace():
            if not space:
                characters.append(" ")
                places.append(place)
            space = True
            continue
        space = False
        for variant in _SAME.get(character, character):
            characters.append(variant)
            places.append(place)
    return "".join(characters), places


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
