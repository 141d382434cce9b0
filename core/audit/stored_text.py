"""The share of a source that its stored text holds: all of it, only its abstract, or an error page in its place.

Sites answer with status 200 and a page that says "not found"; publishers show the abstract and sell the rest. Both
leave a stored document that looks fine. The signs are words, so they are only trusted where the text is short.
"""

from __future__ import annotations

import re
from enum import StrEnum

from core.records import Document

ERROR_LENGTH = 1500
"""An error page says little; the same words in a longer text are about something else."""
ABSTRACT_LENGTH = 6000
"""An abstract with its frame of authors, dates and offers; a full text is longer."""
SHRUNK_TO = 0.25
"""A new snapshot this much shorter than the one before it has lost its text."""

_ERROR = re.compile(
    r"\b(?:(?:error|status|http)\W{0,3}(?:40[0-9]|41[0-9]|45[01]|50[0-9])\b|40[034]\W{1,3}(?:error|not found|forbidden"
    r"|bad request)|(?:page|file|document|article|content"
    r"|resource|url)\s(?:you\s\w+\s\w+\s\w+\s)?(?:was\s|could\s|can)?"
    r"\s?(?:not|no longer|cannot)\s(?:be\s)?(?:found|exists?|available)"
    r"|(?:does|did) not exist|no longer (?:available|exists)"
    r"|page not found|access(?: to this \w+)? (?:is |has been )?denied|you (?:have been|are) blocked|are you a robot"
    r"|verify (?:that )?you are (?:a )?human|checking your browser|enable javascript|unusual traffic|captcha"
    r"|temporarily unavailable|service unavailable|this domain (?:is|may be) for sale|domain name has expired"
    r"|account (?:has been )?suspended|moved permanently|you are being redirected|seite (?:wurde )?nicht gefunden)\b",
    re.IGNORECASE,
)
_ONLY_ABSTRACT = re.compile(
    r"\b(?:viewing (?:only )?the abstract|abstract only|only the abstract|preview of subscription content"
    r"|access (?:the |to (?:the |this )?)?(?:full[ -]?text|full article|article)|get (?:full )?(?:text )?access"
    r"|full[ -]?text (?:is )?(?:available|access)|(?:log|sign) in (?:through|via|with) your institution"
    r"|institutional (?:login|access)|buy (?:this )?(?:article|chapter|pdf)|purchase (?:access|this|pdf|article)"
    r"|rent (?:this )?article|subscribe to (?:read|access|continue)|to (?:read|view) the full[ -]?text"
    r"|download (?:the )?full[ -]?text)\b",
    re.IGNORECASE,
)
_ABSTRACT_HEADING = re.compile(r"\W*(?:abstract|summary|zusammenfassung|r\u00e9sum\u00e9)\W*", re.IGNORECASE)
_BODY_HEADING = re.compile(
    r"[\W\d]*(?:introduction|discussion|conclusions?|materials and methods|related work|results and discussion"
    r"|acknowledge?ments|limitations|references|bibliography)\W*",
    re.IGNORECASE,
)


class StoredShare(StrEnum):
    """The share of a source that its stored text holds."""

    FULL = "full"
    ABSTRACT = "abstract"
    ERROR_PAGE = "error_page"


def stored_share(document: Document, text: str, previous_length: int | None = None) -> StoredShare:
    """The share of the source that ``text`` holds; ``previous_length`` (characters) is that of the snapshot before it,
    where there was one.

    An error page: short, and says so in its title or first lines; or shrunk to a quarter and says so anywhere. An
    abstract: short, with a heading "Abstract", no heading of a body, and an offer of the full text; or an offer of
    the full text right beside the word abstract.
    """
    if _is_error(document, text, previous_length):
        return StoredShare.ERROR_PAGE
    if len(text) <= ABSTRACT_LENGTH and _is_abstract(document, text):
        return StoredShare.ABSTRACT
    return StoredShare.FULL


def _is_error(document: Document, text: str, previous_length: int | None) -> bool:
    if len(text) > ERROR_LENGTH:
        return False
    if _ERROR.search(document.title[:200]):
        return True
    shrunk = previous_length is not None and len(text) < SHRUNK_TO * previous_length
    match = _ERROR.search(text, 0, len(text) if shrunk else 400)
    return match is not None and (shrunk or len(text) <= ERROR_LENGTH // 2)


def _is_abstract(document: Document, text: str) -> bool:
    headings = [heading.text for heading in document.headings]
    if any(_BODY_HEADING.fullmatch(heading) for heading in headings):
        return False
    offered = _ONLY_ABSTRACT.search(text)
    if offered is None:
        return False
    return "abstract" in offered.group().lower() or any(_ABSTRACT_HEADING.fullmatch(heading) for heading in headings)
