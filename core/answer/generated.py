"""The draft of an answer by a language model: markers are checked, and quotes compared with the passages."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.answer.draft import Draft, DraftClaim, Evidence, claim_spans, numbers_of, shown, with_known
from core.answer.prompts import INSUFFICIENT, Reply, reply_of_text, storable
from core.labels import AnswerMode
from core.records import AnswerCitation, Completion

_BRACKETED = re.compile(r"\[(\d{1,3}(?:\s*[,;\u2013-]\s*\d{1,3}){0,20})\]")
_NOT_ANSWERED = (
    "The language model found no answer to this question in the passages that were found. Ask in other words, or add "
    "sources that speak about it."
)


def generated(reply: Reply, evidence: Sequence[Evidence]) -> Draft:
    """The draft of a structured reply. Markers without a passage and quotes that are not word for word in their passage
    are dropped, with a note."""
    if not reply.sufficient:
        return Draft(AnswerMode.GENERATED, missing=_NOT_ANSWERED)
    by_number = {passage.number: passage for passage in evidence}
    text, unknown = with_known(storable(reply.answer).strip(), by_number)
    bullets = [with_known(" ".join(storable(bullet).split()), by_number) for bullet in reply.bullets]
    unknown = tuple(dict.fromkeys((*unknown, *(number for _, dropped in bullets for number in dropped))))
    notes = [*_unknown(unknown), *_untrue(reply, by_number)]
    return _draft(text, [bullet for bullet, _ in bullets], by_number, _quotes(reply, by_number), notes)


def generated_natively(completion: Completion, evidence: Sequence[Evidence]) -> Draft:
    """The draft of a plain text with the API's own citations. Each citation becomes a marker behind its words, and its
    range in the passage a range in the stored document."""
    if completion.text.strip().strip(".").upper() == INSUFFICIENT:
        return Draft(AnswerMode.GENERATED, missing=_NOT_ANSWERED)
    by_number = {passage.number: passage for passage in evidence}
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
    citations = tuple(_citation(by_number[number], quotes.get(number)) for number in cited)
    return Draft(AnswerMode.GENERATED, text, tuple(bullets), citations, tuple(claims), tuple(notes))


def _citation(passage: Evidence, quote: tuple[int, int] | None) -> AnswerCitation:
    """The citation of a passage. Its excerpt is the model's quote, else the first kept part, else the passage."""
    start, end = quote or (passage.parts[0] if passage.parts else (passage.start, passage.end))
    start, end = max(start, passage.start), min(end, passage.end)
    excerpt = passage.text[start - passage.start : end - passage.start]
    return AnswerCitation(
        passage.number,
        passage.document_id,
        passage.passage_id,
        passage.title,
        excerpt,
        start,
        end,
        round(passage.relevance, 4),
        passage.url,
    )


def _quotes(reply: Reply, by_number: Mapping[int, Evidence]) -> dict[int, tuple[int, int]]:
    spans: dict[int, tuple[int, int]] = {}
    for quote in reply.quotes:
        span = _find(quote.quote, by_number.get(quote.number))
        if span is not None:
            spans.setdefault(quote.number, span)
    return spans


def _untrue(reply: Reply, by_number: Mapping[int, Evidence]) -> list[str]:
    wrong = [
        quote
        for quote in reply.quotes
        if quote.quote.strip() and _find(quote.quote, by_number.get(quote.number)) is None
    ]
    if not wrong:
        return []
    names = ", ".join(f"[{quote.number}]" for quote in wrong[:10])
    return [f"Quotes that the language model gave for {names} do not stand there word for word; they were left out."]


def _find(quote: str, passage: Evidence | None) -> tuple[int, int] | None:
    """The range of a quote in the document, white space aside; None for a quote that is not there."""
    words = quote.split()
    if passage is None or not words:
        return None
    squeezed, places = _squeezed(passage.text)
    at = squeezed.find(" ".join(words))
    if at < 0:
        return None
    return passage.start + places[at], passage.start + places[at + len(" ".join(words)) - 1] + 1


def _squeezed(text: str) -> tuple[str, list[int]]:
    """The text with single spaces, and for each of its characters its place in ``text``."""
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
