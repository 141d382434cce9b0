"""Facts about a response: a media type that can be read, its file name, a bot wall in place of the page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.message import Message
from urllib.parse import unquote

from core.errors import FetchFailed
from core.labels import FetchState
from core.text.urls import url_parts

_DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
ACCEPT = f"text/html,application/xhtml+xml,application/pdf,{_DOCX},application/xml;q=0.9,text/*;q=0.9,*/*;q=0.5"
_READABLE = frozenset(
    {
        _DOCX,
        "application/xhtml+xml",
        "application/xml",
        "application/pdf",
        "application/x-pdf",
        "application/acrobat",
        "application/markdown",
        "application/jats+xml",
    }
)
# Servers use these for "some file"; the reader looks at the bytes.
_UNDECLARED = frozenset(
    {
        "",
        "application/octet-stream",
        "binary/octet-stream",
        "application/download",
        "application/x-download",
        "application/force-download",
        "application/binary",
        "application/unknown",
    }
)
_READABLE_ENDINGS = (".pdf", ".docx", ".md", ".markdown", ".txt", ".html", ".htm", ".xhtml", ".xml", ".nxml")
_PACKED_LISTS = (".xml.gz", ".txt.gz")  # sitemaps may be packed
_KINDS = {"image": "an image", "audio": "a sound recording", "video": "a video", "font": "a font"}
_WALL_HEADERS = {"cf-mitigated": ("challenge",), "x-amzn-waf-action": ("challenge", "captcha")}
_WALL_TITLE = re.compile(
    rb"<title[^>]{0,200}>\s{0,50}(?:just a moment\.*|attention required! \| cloudflare|checking your browser[^<]{0,40}|"
    rb"ddos-guard|pardon our interruption|access denied|access to this page has been denied|"
    rb"are you (?:a )?(?:human|robot)\??|robot check|human verification|verify(?:ing)? you are human|security check|"
    rb"making sure you(?:'|&#39;)re not a bot!?|client challenge|bot verification|captcha)\s{0,50}</title>",
    re.IGNORECASE,
)
_WALL_MARKS = (
    b"_Incapsula_Resource",
    b"captcha-delivery.com",
    b"px-captcha",
    b"sec-if-cpt-container",
    b"AwsWafIntegration",
    b"anubis_challenge",
    b"/_sec/cp_challenge",
    b"window._cf_chl_opt",
)
# Walls are small and say little; sites behind such a guard carry its scripts on their real pages too.
_WALL_MAX_BYTES = 60_000
_WALL_MAX_WORDS_BYTES = 1500


def check_media_type(content_type: str, url: str, filename: str | None) -> None:
    """Refuse a declared type that no reader takes, before its body is loaded.

    Raises:
        FetchFailed: ``unsupported_type``.
    """
    kind = content_type.partition(";")[0].strip().lower()
    family = kind.partition("/")[0]
    if kind in _READABLE or kind in _UNDECLARED or family == "text":
        return
    if family == "application" and kind.endswith("+xml"):
        return
    ending = (filename or unquote(url_parts(url).path)).lower()
    if family == "application" and ending.endswith((*_READABLE_ENDINGS, *_PACKED_LISTS)):
        return
    what = _KINDS.get(family, "a file")
    raise FetchFailed(
        FetchState.UNSUPPORTED_TYPE,
        f"{url} is {what} of type {kind}. HTML, PDF, DOCX, Markdown, plain text and JATS XML can be read.",
    )


def media_type(content_type: str) -> str:
    """The Content-Type header as kept: the type in lower case, its parameters as sent
    (``text/html; charset=ISO-8859-1``); ``application/octet-stream`` where the server names none."""
    kind, separator, parameters = content_type[:500].strip().partition(";")
    kind = kind.strip().lower() or "application/octet-stream"
    return f"{kind}; {parameters.strip()}" if separator and parameters.strip() else kind


def filename_of(disposition: str) -> str | None:
    """The bare file name of a Content-Disposition header (RFC 6266), without any folder."""
    if not disposition:
        return None
    from pathvalidate import sanitize_filename

    message = Message()
    # Cut, because the parser is quadratic in a header of nothing but separators.
    message["Content-Disposition"] = re.sub(r"[\r\n\0]", " ", disposition[:2000])
    name = (message.get_filename() or "").replace("\\", "/").rpartition("/")[2]
    return sanitize_filename(name).strip(" .") or None


def check_wall(headers: Mapping[str, str], body: bytes, url: str) -> None:
    """Refuse an answer that is a bot wall, whatever its status says.

    Raises:
        FetchFailed: ``blocked``.
    """
    by_header = any(headers.get(name, "").lower() in values for name, values in _WALL_HEADERS.items())
    by_body = (
        len(body) <= _WALL_MAX_BYTES
        and (_WALL_TITLE.search(body[:8192]) is not None or any(mark in body for mark in _WALL_MARKS))
        and _visible_bytes(body) <= _WALL_MAX_WORDS_BYTES
    )
    if by_header or by_body:
        raise FetchFailed(
            FetchState.BLOCKED, f"{url} shows a bot wall instead of the page. Save the page by hand and upload it."
        )


def _visible_bytes(body: bytes) -> int:
    """About how much text a small page shows: tags, scripts, styles and runs of blanks left out."""
    shown: list[bytes] = []
    for part in re.split(rb"(?i)<(?=script|style|svg)", body):
        opening = re.match(rb"(?i)script|style|svg", part)
        if opening and shown:
            part = part[part.lower().rfind(b"</" + opening.group().lower()) :]
        shown.append(re.sub(rb"<[^<>]*>", b" ", part))
    return len(b" ".join(b"".join(shown).split()))
