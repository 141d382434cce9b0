"""An answer written by a model: its reply read, its markers checked, its quotes compared with the passages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.answer.draft import Draft, DraftClaim, Evidence, shown
from core.answer.markers import claim_spans, numbers_of, with_known
from core.answer.prompts import INSUFFICIENT
from core.answer.reply import Reply, reply_of_text, storable
from core.labels import AnswerMode
from core.records import AnswerCitation, Completion

_BRACKETED = re.compile(r"\[(\d{1,3}(?:\s*[,;\u2013-]\s*\d{1,3}){0,20})\]")
_NOT_ANSWERED = (
    "The language model found no answer to this question in the passages that were found. Ask in other words, or add "
    "sources that speak about it."
)


def generated(reply: Reply, evidence: Sequence[Evidence]) -> Draft:
    """A draft from a structured reply. Markers without a passage are dropped and named; a quote that is not word for
    word in its passage is dropped and said."""
    if not reply.sufficient:
        return Draft(AnswerMode.GENERATED, missing=_NOT_ANSWERED)
    by_number = {one.number: one for one in evidence}
    text, unknown = with_known(storable(reply.answer).strip(), by_number)
    bullets = [with_known(" ".join(storable(bullet).split()), by_number) for bullet in reply.bullets]
    unknown = tuple(dict.fromkeys((*unknown, *(number for _, dropped in bullets for number in dropped))))
    notes = [*_unknown(unknown), *_untrue(reply, by_number)]
    return _draft(text, [one for one, _ in bullets], by_number, _quotes(reply, by_number), notes)


def generated_natively(completion: Completion, evidence: Sequence[Evidence]) -> Draft:
    """A draft from plain text with the API's own citations: each becomes a marker behind the words it stands for, and
    its range in the passage a range in the stored document."""
    if completion.text.strip().strip(".").upper() == INSUFFICIENT:
        return Draft(AnswerMode.GENERATED, missing=_NOT_ANSWERED)
    by_number = {one.number: one for one in evidence}
    own = _BRACKETED.sub(r"(\1)", completion.text)  # as long as before, so that the ranges still fit
    notes = [] if own == completion.text else ["Numbers in brackets that the model wrote by itself are no citations."]
    return _draft_natively(replace(completion, text=own), by_number, notes)


def _draft_natively(completion: Completion, by_number: Mapping[int, Evidence], notes: list[str]) -> Draft:
    quotes: dict[int, tuple[int, int]] = {}
    places: dict[int, list[int]] = {}
    for citation in completion.citations:
        number = int(citation.key) if citation.key.isdecimal() else 0
        passage = by_number.get(number)
        given = shown(passage) if passage is not None else None
        span = (
            given.place(citation.start, citation.end)
            if given and 0 <= citation.start < citation.end <= len(given.text)
            else None
        )
        if span is None:
            notes.append("A citation of the language model leads to no passage; it was left out.")
            continue
        quotes.setdefault(number, span)
        numbers = places.setdefault(citation.reply_end, [])
        if number not in numbers:
            numbers.append(number)
    text, at = "", 0
    for end in sorted(places):
        piece = completion.text[at:end]
        body = piece.rstrip()
        text += f"{body} {''.join(f'[{place}]' for place in places[end])}{piece[len(body) :]}"
        at = end
    reply = reply_of_text(text + completion.text[at:])
    return _draft(reply.answer, reply.bullets, by_number, quotes, list(dict.fromkeys(notes)))


def _draft(
    text: str, bullets: Sequence[str], by_number: Mapping[int, Evidence], quotes: Mapping[int, tuple[int, int]],
    notes: Sequence[str],
) -> Draft:  # fmt: skip
    claims = [DraftClaim(a, b, numbers_of(text[a:b])) for a, b in claim_spans(text)]
    for place, bullet in enumerate(bullets):
        claims += [DraftClaim(a, b, numbers_of(bullet[a:b]), place) for a, b in claim_spans(bullet)]
    claims = [replace(claim, markers=tuple(n for n in claim.markers if n in by_number)) for claim in claims]
    cited = dict.fromkeys(number for claim in claims for number in claim.markers)
    citations = tuple(_citation(by_number[one], quotes.get(one)) for one in cited)
    return Draft(AnswerMode.GENERATED, text, tuple(bullets), citations, tuple(claims), tuple(notes))


def _citation(one: Evidence, quote: tuple[int, int] | None) -> AnswerCitation:
    """The excerpt is what the model quoted; else the most relevant kept part; else the passage."""
    start, end = quote or (one.kept[0] if one.kept else (one.start, one.end))
    start, end = max(start, one.start), min(end, one.end)
    excerpt = one.text[start - one.start : end - one.start]
    return AnswerCitation(
        one.number, one.document_id, one.passage_id, one.title, excerpt, start, end, round(one.relevance, 4), one.url
    )


def _quotes(reply: Reply, by_number: Mapping[int, Evidence]) -> dict[int, tuple[int, int]]:
    found: dict[int, tuple[int, int]] = {}
    for quote in reply.quotes:
        span = _find(quote.quote, by_number.get(quote.number))
        if span is not None:
            found.setdefault(quote.number, span)
    return found


def _untrue(reply: Reply, by_number: Mapping[int, Evidence]) -> list[str]:
    wrong = [
        quote
        for quote in reply.quotes
        if quote.quote.strip() and _find(quote.quote, by_number.get(quote.number)) is None
    ]
    if not wrong:
        return []
    names = ", ".join(f"[{one.number}]" for one in wrong[:10])
    return [f"Quotes that the language model gave for {names} do not stand there word for word; they were left out."]


def _find(quote: str, one: Evidence | None) -> tuple[int, int] | None:
    """Where a quote stands in the document, white space aside."""
    words = quote.split()
    if one is None or not words:
        return None
    squeezed, places = _squeezed(one.text)
    at = squeezed.find(" ".join(words))
    if at < 0:
        return None
    return one.start + places[at], one.start + places[at + len(" ".join(words)) - 1] + 1


def _squeezed(text: str) -> tuple[str, list[int]]:
    """The text with every run of white space as one space, and where each character of it stood."""
    signs: list[str] = []
    places: list[int] = []
    for place, sign in enumerate(text):
        if sign.isspace():
            if signs and signs[-1] == " ":
                continue
            sign = " "
        signs.append(sign)
        places.append(place)
    return "".join(signs), places


def _unknown(numbers: Sequence[int]) -> list[str]:
    if not numbers:
        return []
    names = ", ".join(f"[{number}]" for number in numbers[:10])
    return [f"The language model cited {names}, which leads to no passage; the markers were left out."]
