"""DOCX sources with headings, tables and real footnotes. Same input, same bytes."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from xml.sax.saxutils import escape

import docx
from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.text.paragraph import Paragraph

from tools.demo.article import Article, Block

_REFERENCE = re.compile(r"\[\^(\d+)\]")
_FOOTNOTES_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
_EPOCH = (1980, 1, 1, 0, 0, 0)


def write_docx(article: Article, target: Path, *, published: datetime) -> None:
    """Write ``article``; ``published`` becomes the creation date of the file."""
    document = docx.Document()
    document.add_heading(article.title, level=0)
    document.add_paragraph(article.byline, style="Subtitle")
    for block in article.blocks:
        _add(document, block)
    document.sections[0].footer.paragraphs[0].text = article.footer
    document.add_paragraph(article.footer)
    if article.footnotes:
        _add_footnotes(document, article.footnotes)
    properties = document.core_properties
    properties.title, properties.author = article.title, article.authors
    properties.comments = article.footer
    properties.created = properties.modified = published.astimezone(UTC).replace(tzinfo=None)
    packed = io.BytesIO()
    document.save(packed)
    target.write_bytes(_without_times(packed.getvalue()))


def _add(document: Document, block: Block) -> None:
    if block.kind == "table":
        table = document.add_table(rows=0, cols=len(block.rows[0]), style="Table Grid")
        for row in block.rows:
            for cell, text in zip(table.add_row().cells, row, strict=True):
                cell.text = text
    elif block.kind == "paragraph":
        _add_paragraph(document.add_paragraph(), block.text)
    else:
        document.add_heading(block.text, level=int(block.kind[-1]))


def _add_paragraph(paragraph: Paragraph, text: str) -> None:
    for index, piece in enumerate(_REFERENCE.split(text)):
        if index % 2 == 0:
            paragraph.add_run(piece)
        else:
            paragraph.add_run()._r.append(parse_xml(f'<w:footnoteReference {nsdecls("w")} w:id="{piece}"/>'))


def _add_footnotes(document: Document, notes: dict[str, str]) -> None:
    separators = "".join(
        f'<w:footnote w:type="{kind}" w:id="{number}"><w:p><w:r><w:{kind}/></w:r></w:p></w:footnote>'
        for kind, number in (("separator", -1), ("continuationSeparator", 0))
    )
    body = "".join(
        f'<w:footnote w:id="{number}"><w:p><w:r><w:footnoteRef/></w:r>'
        f'<w:r><w:t xml:space="preserve"> {escape(text)}</w:t></w:r></w:p></w:footnote>'
        for number, text in notes.items()
    )
    declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    xml = f"{declaration}<w:footnotes {nsdecls('w')}>{separators}{body}</w:footnotes>"
    part = Part(PackURI("/word/footnotes.xml"), _FOOTNOTES_TYPE, xml.encode("utf-8"), document.part.package)
    document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)


def _without_times(packed: bytes) -> bytes:
    """The same zip with every entry dated 1 January 1980, so that equal content gives equal bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(packed)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as result:
        for name in source.namelist():
            result.writestr(zipfile.ZipInfo(name, _EPOCH), source.read(name), zipfile.ZIP_DEFLATED)
    return out.getvalue()
