"""An answer as a report with numbered references, and its evidence as plain JSON values."""

import json
import re
from collections.abc import Mapping, Sequence

from core.answer.draft import numbers_of, with_known
from core.labels import AnswerMode
from core.records import Answer, AnswerCitation, Attempt, Document, Gathered, WebResult
from core.text.jsonable import jsonable

_LINE_START = re.compile(r"^(\s*)([#>|]|[-*+](?=\s)|\d{1,3}[.)](?=\s)|={3,}|-{3,}|`{3,}|~{3,})", re.MULTILINE)
_WROTE = {
    AnswerMode.EXTRACTIVE: "An extractive answer: sentences of the sources, word for word",
    AnswerMode.GENERATED: "An answer written by a language model",
}


def report_of(answer: Answer, documents: Mapping[str, Document]) -> str:
    """An answer as Markdown: question, text, key points, and a reference for each cited document, numbered in the order
    of the citations. Markers count documents here, not passages. A document that was deleted since (it is not in
    ``documents``) keeps its marker; its reference has the title and address that the answer stored."""
    order: dict[str, int] = {}
    numbers: dict[int, int] = {}
    stored: dict[str, AnswerCitation] = {}
    for citation in answer.citations:
        numbers[citation.marker] = order.setdefault(citation.document_id, len(order) + 1)
        stored.setdefault(citation.document_id, citation)
    paragraphs = [paragraph for paragraph in re.split(r"\n\s*\n", answer.text) if paragraph.strip()]
    parts = [
        "---",
        f"title: {json.dumps(_line(answer.question), ensure_ascii=False)}",
        f"date: {answer.at.date().isoformat()}",
        f"note: {json.dumps(_note(answer), ensure_ascii=False)}",
        "---",
        "",
        f"# {_line(answer.question)}",
        "",
        *[f"{_renumbered(paragraph, numbers)}\n" for paragraph in paragraphs],
    ]  # fmt: skip
    if answer.bullets:
        parts += ["## In short", "", *(f"- {_renumbered(bullet, numbers)}" for bullet in answer.bullets), ""]
    parts += ["## References", ""]
    parts += [
        f"{number}. {reference(documents[key]) if key in documents else _stored_reference(stored[key])}"
        for key, number in order.items()
    ]
    return "\n".join(parts) + "\n"


def reference(document: Document) -> str:
    """The reference to a document on one line: authors, year, title and address. A document without an address has the
    name of its file and its mark as a stored source, so that an audit finds it among others of the same name."""
    year = f" ({document.published.year})" if document.published else ""
    authors = ", ".join(_line(author) for author in document.authors[:6])
    address = next((url for url in (document.canonical_url, *document.urls) if url), None)
    if address is None and document.doi:
        address = f"https://doi.org/{document.doi}"
    parts = [f"{authors}{year}" if authors else "", _line(document.title) + ("" if authors else year)]
    if not address:
        file = _line((document.filename or "").replace("\\", "/").rpartition("/")[2])
        parts += [file if file != _line(document.title) else "", _mark(document.id)]
    return ". ".join(part.rstrip(".") for part in (*parts, address or "") if part)


def _stored_reference(citation: AnswerCitation) -> str:
    """The reference of a citation to a document that is gone, on one line."""
    title = _line(citation.title).rstrip(".") or "A deleted source"
    return f"{title}. {citation.url or _mark(citation.document_id)}"


def _mark(document_id: str) -> str:
    """The mark of a stored source without an address; core/audit/resolve.py reads it."""
    return f"Stored document {document_id}"


def _note(answer: Answer) -> str:
    model = f" ({answer.model})" if answer.model else ""
    return f"{_WROTE[answer.mode]}{model}; confidence {answer.confidence_level} ({answer.confidence} of 100)"


def _renumbered(text: str, numbers: Mapping[int, int]) -> str:
    """The text with markers of documents in place of passages, and Markdown at the start of lines escaped."""
    marked, _ = with_known(text, numbers)

    def write(match: re.Match[str]) -> str:
        new = dict.fromkeys(numbers[number] for number in numbers_of(match[0]))
        return f" [{', '.join(map(str, new))}]"

    plain = _LINE_START.sub(r"\1\\\2", marked.replace("](", "] ("))
    return re.sub(r"\s*(?:\[\d{1,3}\])+", write, " ".join(plain.split()))


def _line(text: str) -> str:
    return " ".join(text.split()).replace("](", "] (")


def gathered_json(gathered: Gathered) -> dict[str, object]:
    """The gathered evidence as it is stored with an answer: ``action``, ``notes``, ``web_note``; ``attempts``, each
    with ``broadened``, ``queries``, ``gate``, ``judgement``, ``passages`` (rank, score, passage_id, document_id, title)
    and ``fingerprint``; ``refinement`` with ``tokens``, ``dropped``, ``over_budget`` and ``strips``; ``web``."""
    refined = gathered.refinement
    return {
        "action": gathered.action.value,
        "notes": list(gathered.notes),
        "web_note": gathered.web_note,
        "web": _web(gathered.web),
        "attempts": [_attempt(attempt) for attempt in gathered.attempts],
        "refinement": {
            "tokens": refined.tokens,
            "dropped": refined.dropped,
            "over_budget": refined.over_budget,
            "strips": [jsonable(strip) for strip in refined.strips],
        },
    }


def _attempt(attempt: Attempt) -> dict[str, object]:
    result = attempt.result
    return {
        "broadened": attempt.broadened,
        "queries": [{"text": query.text, "kind": query.kind.value} for query in result.request.queries],
        "gate": jsonable(attempt.gate),
        "judgement": jsonable(attempt.judgement),
        "passages": [
            {
                "rank": passage.rank,
                "score": passage.score,
                "passage_id": passage.passage.id,
                "document_id": passage.document.id,
                "title": passage.document.title,
            }
            for passage in result.passages
        ],
        "notes": list(result.notes),
        "timings": jsonable(result.timings),
        "fingerprint": jsonable(result.fingerprint),
    }


def _web(web: WebResult | None) -> dict[str, object] | None:
    if web is None:
        return None
    hits: Sequence[object] = [
        {"url": hit.url, "title": hit.title, "provider": hit.provider, "document_id": hit.document_id}
        for hit in web.hits
    ]
    return {"hits": hits, "outcomes": [jsonable(outcome) for outcome in web.outcomes], "failed": web.failed}
