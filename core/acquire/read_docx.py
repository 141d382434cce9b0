"""DOCX by python-docx: paragraphs, headings by style, lists, tables as lines, text boxes, notes. Macros are ignored."""

from __future__ import annotations

import io
from typing import Any

from core.acquire.read_blocks import TextBuilder, one_line
from core.acquire.read_common import count_references, language_of, links_in, names, own_doi, unique
from core.acquire.read_docx_body import Body, W
from core.acquire.read_docx_guard import check_zip
from core.errors import UnreadableSource
from core.labels import FetchState
from core.records import Extraction

_NOTES = (("footnotes", "footnote", "Footnotes"), ("endnotes", "endnote", "Endnotes"))
_PLAIN_AUTHORS = frozenset({"python-docx", "admin", "user", "unknown", "microsoft office user", "author"})


def read_docx(body: bytes, *, name: str) -> Extraction:
    """Read a DOCX (Transitional or Strict).

    Raises:
        UnreadableSource: ``too_large`` for a zip bomb, ``encrypted``, ``broken``, ``image_only``, ``empty``.
    """
    document = _open(check_zip(body, name=name), name)
    builder = TextBuilder()
    reader = Body(document, builder)
    reader.add(document.element.body)
    for kind, tag, heading in _NOTES:
        _add_notes(document, reader, kind, tag, heading)
    built = builder.build()
    if not any(map(str.isalnum, built.text)):
        raise _nothing(document, name)
    core = document.core_properties
    text = built.text
    links = [rel.target_ref for rel in document.part.rels.values() if rel.is_external and "hyperlink" in rel.reltype]
    author = one_line(core.author)
    return Extraction(
        text=text,
        media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        method="python-docx",
        title=one_line(core.title) or reader.title or next((h.text for h in built.headings if h.level == 1), None),
        authors=() if (author or "").lower() in _PLAIN_AUTHORS else names(author),
        published=_date(core),
        language=language_of(text, core.language),
        doi=own_doi(text),
        headings=built.headings,
        references=count_references(text, built.headings),
        links=unique([*(link for link in links if link.startswith("http")), *links_in(text)]),
        warnings=tuple(reader.warnings),
    )


def _open(body: bytes, name: str) -> Any:
    import docx

    try:
        return docx.Document(io.BytesIO(body))
    except Exception as error:  # on damaged files python-docx, lxml and zlib raise whatever the damage hits
        raise UnreadableSource(
            FetchState.BROKEN, f"{name} is a damaged DOCX, or no Word document ({error}). Get the file again."
        ) from error


def _nothing(document: Any, name: str) -> UnreadableSource:
    if any("image" in rel.reltype for rel in document.part.rels.values()):
        return UnreadableSource(
            FetchState.IMAGE_ONLY, f"{name} holds pictures and no text. Run text recognition (OCR) over it first."
        )
    return UnreadableSource(FetchState.EMPTY, f"{name} is a Word document without text.")


def _date(core: Any) -> Any:
    for moment in (core.created, core.modified):
        if moment is not None and (moment.year, moment.month) != (2013, 12):  # the template of python-docx
            return moment.date()
    return None


def _add_notes(document: Any, reader: Body, kind: str, tag: str, heading: str) -> None:
    """Footnotes or endnotes, behind the body, under a heading of their own."""
    from docx.oxml import parse_xml

    parts = [
        rel.target_part
        for rel in document.part.rels.values()
        if not rel.is_external and rel.reltype.endswith(f"/{kind}")
    ]
    for part in parts:
        root = part.element if hasattr(part, "element") else parse_xml(part.blob)
        notes = [n for n in root.iter(f"{W}{tag}") if n.get(f"{W}type") in (None, "normal")]
        texts = [(n.get(f"{W}id") or "", reader.words(n)) for n in notes]
        if any(text.strip() for _, text in texts):
            reader.builder.add(heading, level=2)
            for number, text in texts:
                reader.builder.add(f"[{number}] {text.strip()}", tight=True)
