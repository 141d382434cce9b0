"""Plain text."""

from __future__ import annotations

from core.acquire.read_blocks import clean
from core.acquire.read_common import language_of, links_in, own_doi
from core.errors import UnreadableSource
from core.labels import FetchState
from core.records import Extraction

MAX_TITLE = 150


def read_text(text: str, *, name: str) -> Extraction:
    """Read decoded plain text. A short first line that stands alone is taken as the title.

    Raises:
        UnreadableSource: nothing but white space.
    """
    stored = clean(text)
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
