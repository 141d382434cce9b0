"""PDF sources: one column, two columns, and a scanned page without text. Same input, same bytes."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from xml.sax.saxutils import escape

from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import cm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate, Paragraph, Spacer, Table, TableStyle

from tools.demo.article import Article, Block

GUTTER = 0.8 * cm


def write_pdf(article: Article, target: Path, *, columns: int, published: datetime) -> None:
    """Set ``article`` in one or two ``columns`` on A4 with a running head, page numbers and the footer.

    ``published`` becomes the creation date of the file.
    """
    width, height = A4
    margin = (3.0 if columns == 2 else 2.6) * cm
    head_room = 1.2 * cm
    frame_height = height - 2 * margin - head_room
    column = (width - 2 * margin - (columns - 1) * GUTTER) / columns
    frames = [
        Frame(margin + i * (column + GUTTER), margin, column, frame_height, id=f"c{i}", leftPadding=0, rightPadding=0)
        for i in range(columns)
    ]

    def decorate(canvas: Canvas, document: BaseDocTemplate) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawString(margin, height - margin + 4, article.byline.split(" · ")[0])
        canvas.drawRightString(width - margin, height - margin + 4, article.title)
        canvas.drawString(margin, margin - 16, article.footer)
        canvas.drawRightString(width - margin, margin - 16, f"Page {document.page}")

    with _dated(published):
        template = BaseDocTemplate(
            str(target),
            pagesize=A4,
            invariant=1,
            title=article.title,
            author=article.authors,
            subject=article.footer,
            creator="Evidence workbench demonstration",
        )
        template.addPageTemplates(PageTemplate(id="page", frames=frames, onPage=decorate))
        template.build(_flow(article, column, size=11.5 if columns == 2 else 12))


@contextmanager
def _dated(moment: datetime) -> Iterator[None]:
    # The one way reportlab offers to say when a file was made.
    before = os.environ.get("SOURCE_DATE_EPOCH")
    os.environ["SOURCE_DATE_EPOCH"] = str(int(moment.timestamp()))
    try:
        yield
    finally:
        if before is None:
            del os.environ["SOURCE_DATE_EPOCH"]
        else:
            os.environ["SOURCE_DATE_EPOCH"] = before


def _flow(article: Article, width: float, size: float) -> list[Flowable]:
    body = ParagraphStyle("body", fontName="Times-Roman", fontSize=size, leading=size * 1.42, spaceAfter=size * 0.7)
    title = ParagraphStyle("title", parent=body, fontName="Times-Bold", fontSize=size * 1.45, leading=size * 1.9)
    byline = ParagraphStyle("byline", parent=body, fontName="Times-Italic", spaceAfter=size * 1.5)
    heading = ParagraphStyle(
        "h1", parent=body, fontName="Helvetica-Bold", fontSize=size * 1.15, spaceBefore=size, keepWithNext=1
    )
    minor = ParagraphStyle("h2", parent=heading, fontSize=size, spaceBefore=size * 0.4)
    styles = {"heading1": heading, "heading2": minor, "paragraph": body}
    flow: list[Flowable] = [Paragraph(escape(article.title), title), Paragraph(escape(article.byline), byline)]
    for block in article.blocks:
        if block.kind == "table":
            flow += [_table(block, width, size), Spacer(1, size)]
        else:
            flow.append(Paragraph(escape(block.text), styles[block.kind]))
    return flow


def _table(block: Block, width: float, size: float) -> Table:
    share = width / (len(block.rows[0]) + 0.8)
    widths = [1.8 * share] + [share] * (len(block.rows[0]) - 1)
    table = Table([list(row) for row in block.rows], colWidths=widths)
    table.setStyle(
        TableStyle(
            [
                ("FONT", (0, 0), (-1, -1), "Times-Roman", size - 1.5),
                ("FONT", (0, 0), (-1, 0), "Times-Bold", size - 1.5),
                ("LINEBELOW", (0, 0), (-1, 0), 0.6, "black"),
                ("LINEBELOW", (0, -1), (-1, -1), 0.6, "black"),
                ("LEFTPADDING", (0, 0), (-1, -1), 2),
                ("RIGHTPADDING", (0, 0), (-1, -1), 2),
            ]
        )
    )
    return table


def write_scan(lines: list[str], target: Path, *, subject: str) -> None:
    """A page that is a picture: ``lines`` can be seen, but the file holds no text."""
    image = Image.new("L", (1240, 1754), 236)
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(size=30)
    for number, line in enumerate(lines):
        draw.text((130, 160 + 62 * number), line, fill=48, font=font)
    image = image.rotate(0.6, fillcolor=236).quantize(16)
    picture = io.BytesIO()
    image.save(picture, format="PNG")
    picture.seek(0)
    canvas = Canvas(str(target), pagesize=A4, invariant=1)
    canvas.setTitle("Street tree register, sheet 14")
    canvas.setSubject(subject)
    canvas.drawImage(ImageReader(picture), 0, 0, *A4)
    canvas.showPage()
    canvas.save()
