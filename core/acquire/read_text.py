"""Plain text, and bytes decoded to characters."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from core.acquire.read_blocks import clean
from core.acquire.read_common import language_of, links_in, own_doi
from core.errors import UnreadableSource
from core.labels import FetchState
from core.records import Extraction
from core.text.hyphens import with_whole_words

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NAMES = {"cp1252": "Windows-1252"}


@dataclass(frozen=True, slots=True)
class Decoded:
    """Bytes as text, the encoding used, and whether that was guessed."""

    text: str
    encoding: str
    guessed: bool = False

    def warnings(self) -> tuple[str, ...]:
        """What may be wrong with the text, as sentences."""
        warnings = []
        if self.guessed:
            warnings.append(
                f"The file does not name its character set; it was read as {_NAMES.get(self.encoding, self.encoding)}, "
                "which is a guess. Check accents and signs such as \u20ac and \u00a3."
            )
        if lost := self.text.count("\ufffd"):
            warnings.append(f"{lost:,} characters could not be decoded as {self.encoding} and stand as \ufffd.")
        return tuple(warnings)


def decoded(body: bytes, declared: str | None = None) -> Decoded:
    """``body`` as text.

    In order: byte order mark, UTF-16 by its zero bytes, the declared charset when it fits, UTF-8 when it
    fits, a guess. Bytes that fit nothing become U+FFFD.
    """
    for bom, encoding in _BOMS:
        if body.startswith(bom):
            return Decoded(body[len(bom) :].decode(encoding, "replace"), encoding)
    for candidate in (guess_utf16(body), _known(declared), "utf-8"):
        if candidate:
            try:
                return Decoded(body.decode(candidate), candidate)
            except UnicodeDecodeError:
                continue
    from core.acquire.charset_guess import guess

    encoding = guess(body)
    return Decoded(body.decode(encoding, "replace"), encoding, guessed=encoding != "utf-8")


def decode(body: bytes, declared: str | None = None) -> tuple[str, str]:
    """``body`` as text, and the name of the encoding used."""
    result = decoded(body, declared)
    return result.text, result.encoding


def guess_utf16(body: bytes) -> str | None:
    """UTF-16 without a byte order mark shows as zeros in every other byte of mostly Latin text."""
    sample = body[:4000]
    half = len(sample) // 2
    if half < 8:
        return None
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if odd > 0.6 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.6 * half and odd < 0.05 * half:
        return "utf-16-be"
    return None


def charset_of(media_type: str) -> str | None:
    """The charset parameter of a media type."""
    for part in media_type.split(";")[1:]:
        name, _, value = part.partition("=")
        if name.strip().lower() == "charset":
            return value.strip().strip("\"'") or None
    return None


def _known(name: str | None) -> str | None:
    from w3lib.encoding import resolve_encoding

    return resolve_encoding(name) if name else None


MAX_TITLE = 150


def read_text(text: str, *, name: str) -> Extraction:
    """Read decoded plain text. Words that a line end divides are put together; a short first line that stands alone is
    taken as the title.

    Raises:
        UnreadableSource: nothing but white space.
    """
    stored = with_whole_words(clean(text))
    if not stored:
        raise UnreadableSource(FetchState.EMPTY, f"{name} holds only white space. Add a file that has text in it.")
    return Extraction(
        text=stored,
        media_type="text/plain",
        method="text",
        title=_title(stored),
        language=language_of(stored),
        doi=own_doi(stored),
        links=links_in(stored),
    )


def _title(text: str) -> str | None:
    first, _, rest = text.partition("\n")
    alone = rest.startswith("\n") and rest.strip()
    return first if alone and len(first) <= MAX_TITLE and not first.endswith((".", ",", ";", ":")) else None
