"""Growth of the work of every parser of foreign text and bytes: processor time for a text and for two of its length.

``python -m tests.helpers.growing`` prints the table. A line doubles, the square is four times as much.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from core.acquire.chunk import chunk
from core.acquire.references import read_references
from core.audit.report import read_report
from core.audit.rows import cases_of
from core.records import Fetched
from core.verify.checks import run_checks
from tests.helpers.fuzzing import LIMITS, OF_TEXT, read

LIMIT = 2.3
MEASURED_S = 0.02
"""Processor time of the shorter input: below this a run says nothing about growth."""
LARGEST = 8192
"""Paragraphs of the longest input; a parser that needs no ``MEASURED_S`` for them reads a bounded part only."""
RUNS, TRIES = 4, 6
CAPPED = frozenset({
    "doi", "doi of address", "fetchable", "canonical", "joined", "names", "date", "language", "worthy",
    "quotes", "reply", "variants", "robots", "pasted list",
})  # fmt: skip
"""Parsers of lines and fields, or of what is bounded by their own limits: they are not measured."""
Make = Callable[[int], Callable[[], object]]


def paragraphs(number: int) -> Iterator[str]:
    """Paragraphs of a report, each with other words and figures."""
    for at in range(number):
        yield (
            f"The council of town {at} planted {at + 400} lime trees on Mill Lane in {1900 + at % 120} [{at % 40 + 1}]"
            f", and the air was {at % 7}.{at % 10} degrees cooler (Berg, {1990 + at % 30}); see https://a.example/{at} "
            f"or **table {at}**. It rose by {at % 90} %, says Dr. K. Lund-{at}: \u201cthe shade of {at} helps.\u201d"
        )


def markdown(number: int) -> str:
    """A report of so many paragraphs, with headings, items and a list of references of a third of the length."""
    parts = [
        f"## Part {at}\n\n{words}\n\n- {words}" if at % 9 == 0 else words for at, words in enumerate(paragraphs(number))
    ]
    listed = [
        f"{at + 1}. Berg, A. ({1990 + at % 30}). Limes of town {at}. https://a.example/{at}"
        for at in range(number // 3)
    ]
    return "\n\n".join(["# Limes", *parts, "## References", "\n".join(listed)])


def page(number: int) -> str:
    """A web page of so many paragraphs."""
    inner = "".join(f"<p>{words} <a href='/x{at}'>more</a></p>" for at, words in enumerate(paragraphs(number)))
    rows = "".join(f"<tr><td>{at}</td><td>limes</td></tr>" for at in range(number))
    return f"<html><head><title>Limes</title></head><body><article>{inner}</article><table>{rows}</table></body></html>"


def jats(number: int) -> bytes:
    """An article in JATS of so many paragraphs and half as many references."""
    inner = "".join(f"<sec><title>Part {at}</title><p>{words}</p></sec>" for at, words in enumerate(paragraphs(number)))
    refs = "".join(
        f"<ref id='r{at}'><mixed-citation>Berg. Limes {at}. 2014.</mixed-citation></ref>" for at in range(number // 2)
    )
    front = (
        "<front><article-meta><title-group><article-title>Limes</article-title></title-group></article-meta></front>"
    )
    return f"<article>{front}<body>{inner}</body><back><ref-list>{refs}</ref-list></back></article>".encode()


def word(number: int) -> bytes:
    """A Word document of so many paragraphs."""
    import docx

    document = docx.Document()
    for words in paragraphs(number):
        document.add_paragraph(words)
    body = io.BytesIO()
    document.save(body)
    return body.getvalue()


def pdf(number: int) -> bytes:
    """A PDF with eight lines for each of so many paragraphs."""
    from reportlab.pdfgen import canvas

    body = io.BytesIO()
    sheet = canvas.Canvas(body)
    for at, words in enumerate(paragraphs(number)):
        if at and at % 8 == 0:
            sheet.showPage()
        for line in range(8):
            sheet.drawString(60, 800 - 90 * (at % 8) - 11 * line, words[line * 30 : line * 30 + 80])
    sheet.save()
    return body.getvalue()


def mhtml(number: int) -> bytes:
    """A saved web page of so many paragraphs."""
    head = (
        "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=B\r\n\r\n--B\r\nContent-Type: text/html\r\n\r\n"
    )
    return f"{head}{page(number)}\r\n--B--\r\n".encode()


_LISTS: Mapping[str, Callable[[int], str]] = {
    "ris": lambda at: f"TY  - JOUR\nTI  - Limes {at}\nAU  - Berg, A.\nDO  - 10.1000/a{at}\nPY  - 2014\nER  - \n",
    "bib": lambda at: (
        f"@article{{k{at},\n title = {{Limes {at}}},\n author = {{Berg, A.}},\n doi = {{10.1000/a{at}}}\n}}\n"
    ),
    "nbib": lambda at: f"PMID- {at}\nTI  - Limes {at}\nLID - 10.1000/a{at} [doi]\nFAU - Berg, A\n\n",
    "enw": lambda at: f"%0 Book\n%T Limes {at}\n%A Berg, A.\n%R 10.1000/a{at}\n\n",
    "txt": lambda at: f"Berg, A. (2014). Limes {at}. https://a.example/{at}\n",
    "json": lambda at: f'{{"id": "k{at}", "title": "Limes {at}", "DOI": "10.1000/a{at}"}},',
    "xml": lambda at: f"<url><loc>https://a.example/{at}</loc></url>",
}
_AROUND = {"json": ("[", "{}]"), "xml": ("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>", "</urlset>")}


def _list(ending: str, number: int) -> bytes:
    before, behind = _AROUND.get(ending, ("", ""))
    return (before + "".join(map(_LISTS[ending], range(4 * number))) + behind).encode()


def _source(ending: str, make: Callable[[int], bytes | str]) -> Make:
    def made(number: int) -> Callable[[], object]:
        body = make(number)
        body = body if isinstance(body, bytes) else body.encode()
        return lambda: read(Fetched(body, "", filename=f"x.{ending}"), **LARGE)

    return made


def _report(ending: str, make: Callable[[int], bytes | str]) -> Make:
    def made(number: int) -> Callable[[], object]:
        body = make(number)
        body = body if isinstance(body, bytes) else body.encode()
        return lambda: cases_of(read_report(Fetched(body, "", filename=f"x.{ending}"), **LARGE))

    return made


def _text(parse: Callable[[str], object], make: Callable[[int], str]) -> Make:
    def made(number: int) -> Callable[[], object]:
        text = make(number)
        return lambda: parse(text)

    return made


def _of_list(ending: str) -> Make:
    def made(number: int) -> Callable[[], object]:
        body = _list(ending, number)
        return lambda: read_references(f"x.{ending}", body)

    return made


def _prose(number: int) -> str:
    return "\n\n".join(paragraphs(number))


LARGE = {name: 100 * most for name, most in LIMITS.items()}
_CLAIM = "The council planted 400 lime trees on Mill Lane in 1950, and the air was 1.3 degrees cooler, says Karl Lund."
PARSERS: Mapping[str, Make] = {
    **{
        name: _text(parse, markdown if name.startswith("report") else _prose)
        for name, parse in OF_TEXT.items()
        if name not in CAPPED and not name.startswith("check of")
    },
    "passages": _text(lambda text: chunk(text, document_id="d", title="T"), _prose),
    "checks of one claim": _text(lambda text: run_checks(_CLAIM, text), _prose),
    **{
        f"source {ending}": _source(ending, make)
        for ending, make in {
            "md": markdown, "txt": _prose, "html": page, "mhtml": mhtml, "xml": jats, "docx": word, "pdf": pdf,
        }.items()
    },
    **{f"report {ending}": _report(ending, make) for ending, make in {"html": page, "docx": word, "pdf": pdf}.items()},
    **{f"list {ending}": _of_list(ending) for ending in _LISTS},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Growth:
    """Processor seconds for ``number`` paragraphs and for twice as many, of several runs the least."""

    number: int
    once: float
    twice: float

    @property
    def ratio(self) -> float:
        return self.twice / self.once


def growth(make: Make) -> Growth | None:
    """The growth of a parser from the first length that can be measured; None where it reads a bounded part. Of several
    tries the first within ``LIMIT`` counts: a busy machine makes a run dearer, never cheaper."""
    number = 4
    while _least(make(number), 2) < MEASURED_S:
        number *= 2
        if number > LARGEST:
            return None
    best: Growth | None = None
    for _ in range(TRIES):
        measured = Growth(number, _least(make(number), RUNS), _least(make(2 * number), RUNS))
        best = measured if best is None or measured.ratio < best.ratio else best
        if best.ratio <= LIMIT:
            break
    return best


def _least(step: Callable[[], object], runs: int) -> float:
    return min(_cost(step) for _ in range(runs))


def _cost(step: Callable[[], object]) -> float:
    start = time.process_time()
    step()
    return time.process_time() - start


if __name__ == "__main__":
    print("| parser | paragraphs | CPU ms | twice as many | growth |\n| --- | --- | --- | --- | --- |")
    for parser, maker in PARSERS.items():
        measured = growth(maker)
        if measured is None:
            print(f"| {parser} | | | | reads a bounded part |")
        else:
            once, twice = 1000 * measured.once, 1000 * measured.twice
            print(f"| {parser} | {measured.number} | {once:.0f} | {twice:.0f} | {measured.ratio:.2f} |", flush=True)
