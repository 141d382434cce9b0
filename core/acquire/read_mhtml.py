"""Pages saved as one file (MHTML): the HTML in them, by Python's library for e-mail."""

from __future__ import annotations

import re
from dataclasses import replace
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import EmailMessage

from core.acquire.source_format import name_of
from core.errors import UnreadableSource
from core.labels import FetchState
from core.records import Fetched

_HEAD = 4000
_SAVED = re.compile(
    rb"\A(?:[\w-]+:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*\r?\n){0,40}Content-Type:\s*multipart/related\b", re.IGNORECASE
)
_MIME = re.compile(rb"^MIME-Version:", re.IGNORECASE | re.MULTILINE)
_HTML = ("text/html", "application/xhtml+xml")


def unpacked(fetched: Fetched) -> Fetched:
    """The page inside a file of MHTML, with the address it was saved from; anything else as it is.

    Raises:
        UnreadableSource: ``unsupported_type`` for MHTML without a page in it.
    """
    head = fetched.body[:_HEAD].lstrip(b"\xef\xbb\xbf\r\n")
    if not (_SAVED.match(head) and _MIME.search(head)):
        return fetched
    page = _page(fetched.body.lstrip(b"\xef\xbb\xbf\r\n"))
    if page is None:
        raise UnreadableSource(
            FetchState.UNSUPPORTED_TYPE,
            f"{name_of(fetched)} is a saved page (MHTML) without HTML that can be read. Save it as HTML or PDF.",
        )
    body = page.get_payload(decode=True)
    charset = page.get_content_charset()
    address = str(page.get("Content-Location") or "")
    url = fetched.url or (address if address.startswith(("http://", "https://")) else None)
    media_type = f"text/html; charset={charset}" if charset else "text/html"
    return replace(fetched, body=body if isinstance(body, bytes) else b"", media_type=media_type, url=url)


def _page(body: bytes) -> EmailMessage | None:
    try:
        message = message_from_bytes(body, policy=policy.HTTP)
        parts = [part for part in message.walk() if part.get_content_type() in _HTML]
    except (MessageError, ValueError, LookupError, RecursionError):
        return None
    root = str(message.get("Snapshot-Content-Location") or "")
    return next((part for part in parts if root and part.get("Content-Location") == root), parts[0] if parts else None)
