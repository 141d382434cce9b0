"""Checks of records before they are stored or taken in from a zip."""

import math
from collections.abc import Sequence

from core import records
from core.errors import StorageError
from core.text.hashing import hex_digest

MAX_COUNT = 2**31
"""Ordinals, versions and the like are smaller."""


def check_document(document: records.Document, text: str, passages: Sequence[records.Passage]) -> None:
    """Refuse what would later read wrong. Raises StorageError: id, hash, or a passage does not fit the text."""
    try:
        computed = hex_digest(text.encode())
    except UnicodeEncodeError as error:
        raise StorageError(
            f"The text of {document.title!r} cannot be stored ({error}). Replace lone surrogates."
        ) from error
    if document.content_hash != computed or document.id != computed[:16]:
        raise StorageError(
            f"Document {document.id!r}: content_hash {document.content_hash!r} does not fit its text (SHA-256 "
            f"{computed}); the id must be its first 16 hex digits."
        )
    check_passages(document.id, text, passages)


def check_passages(document_id: str, text: str, passages: Sequence[records.Passage]) -> None:
    """Offsets in bounds, ``text[start:end] == passage.text``, ordinals distinct."""
    seen: set[int] = set()
    for passage in passages:
        where = f"Passage {passage.ordinal} of document {document_id}"
        if passage.document_id != document_id:
            raise StorageError(f"{where} names another document, {passage.document_id!r}.")
        if not 0 <= passage.start < passage.end <= len(text):
            raise StorageError(f"{where}: offsets {passage.start}–{passage.end} are not inside the text ({len(text)}).")
        if text[passage.start : passage.end] != passage.text:
            raise StorageError(f"{where}: its text is not the document's text at {passage.start}–{passage.end}.")
        if passage.ordinal in seen:
            raise StorageError(f"{where}: the ordinal occurs twice.")
        seen.add(passage.ordinal)


def check_report(report: records.StoredReport, text: str) -> None:
    """Refuse a report whose hash does not fit its text (StorageError)."""
    try:
        computed = hex_digest(text.encode())
    except UnicodeEncodeError as error:
        raise StorageError(
            f"The text of report {report.name!r} cannot be stored ({error}). Replace lone surrogates."
        ) from error
    if report.content_hash != computed:
        raise StorageError(
            f"Report {report.name!r}: content_hash {report.content_hash!r} does not fit its text (SHA-256 {computed})."
        )


def check_findings(findings: Sequence[records.Finding], length: int) -> None:
    """Ordinals distinct and not negative, every span inside the report's text of ``length`` characters
    (StorageError)."""
    seen: set[int] = set()
    for finding in findings:
        if finding.ordinal in seen or not 0 <= finding.ordinal < MAX_COUNT:
            raise StorageError(f"Row {finding.ordinal} of a report: this ordinal occurs twice or is out of range.")
        seen.add(finding.ordinal)
        for name in ("marker", "claim", "reference", "supported_part"):
            span = getattr(finding, name)
            if span is not None and not inside(span, length):
                raise StorageError(f"Row {finding.ordinal} of a report: its {name} {span} is not inside the text.")
        if finding.sentence is not None and not 0 <= finding.sentence < MAX_COUNT:
            raise StorageError(f"Row {finding.ordinal} of a report: there is no sentence {finding.sentence}.")


def check_claim(claim: records.Claim, length: int | None) -> None:
    """A claim has a place (inside the ``length`` characters of its report) exactly when it has a report
    (StorageError)."""
    if length is None:
        fits = claim.start is None and claim.end is None
    else:
        fits = claim.start is not None and claim.end is not None and inside((claim.start, claim.end), length)
    if not fits:
        raise StorageError(
            f"The claim {claim.text[:60]!r} stands at {claim.start}–{claim.end}, which is no place in its report."
        )


def inside(span: tuple[int, int], length: int) -> bool:
    """Whether a half-open span lies inside a text."""
    return 0 <= span[0] <= span[1] <= length


MAX_TOKENS = 2**53
"""Counts are exact in every reader of JSON up to here."""
MAX_USD = 1e9
_LEVELS = ("high", "medium", "low")


def check_question(question: records.Question) -> None:
    """Variants are told apart by their keys. Raises StorageError: two have the same."""
    keys = [variant.key for variant in question.variants]
    if len(set(keys)) < len(keys):
        raise StorageError(f"Two variants of {question.text[:60]!r} have the same key. Nothing was stored.")


def check_answer(answer: records.Answer) -> None:
    """Numbers in their ranges, sentences inside the text or bullet they belong to (StorageError)."""
    fits = {
        "confidence": 0 <= answer.confidence <= 100 and answer.confidence_level in _LEVELS,
        "grounding score": answer.grounding_score is None or _share(answer.grounding_score),
        "cost": answer.cost_usd is None or _number(answer.cost_usd, MAX_USD),
        "citations": all(map(_citation, answer.citations)),
        "markers": len({citation.marker for citation in answer.citations}) == len(answer.citations),
        "sentences": all(_sentence(answer, sentence) for sentence in answer.sentences),
    }
    for what, holds in fits.items():
        if not holds:
            raise StorageError(f"The {what} of an answer to {answer.question[:60]!r} cannot be. Nothing was stored.")


def check_call(call: records.LlmCall) -> None:
    """Counts, money and times are finite and not negative (StorageError)."""
    usage = call.usage
    counts = (usage.input, usage.output, usage.cache_read, usage.cache_write)
    numbers = [(call.cost_usd or 0.0, MAX_USD), (call.first_token_ms or 0.0, math.inf), (call.total_ms, math.inf)]
    fits = all(0 <= count < MAX_TOKENS for count in counts) and all(_number(*number) for number in numbers)
    if not fits:
        raise StorageError(f"A call of {call.model[:60]!r} has an impossible number. Nothing was stored.")


def check_money(value: float) -> None:
    """An amount of US dollars. Raises StorageError: it is negative or no finite number."""
    if not _number(value, MAX_USD):
        raise StorageError(f"{value} is no amount of money that can be kept. Nothing was stored.")


def _number(value: float, limit: float) -> bool:
    return math.isfinite(value) and 0 <= value <= limit


def _share(value: float) -> bool:
    return 0.0 <= value <= 1.0


def _citation(citation: records.AnswerCitation) -> bool:
    place = inside((citation.start, citation.end), MAX_COUNT)
    return 0 < citation.marker < MAX_COUNT and place and _share(citation.relevance)


def _sentence(answer: records.Answer, sentence: records.AnswerSentence) -> bool:
    if sentence.bullet is None:
        text = answer.text
    elif 0 <= sentence.bullet < len(answer.bullets):
        text = answer.bullets[sentence.bullet]
    else:
        return False
    markers = all(0 < marker < MAX_COUNT for marker in sentence.markers)
    return inside((sentence.start, sentence.end), len(text)) and _share(sentence.support) and markers
