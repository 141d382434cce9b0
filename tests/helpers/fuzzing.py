"""Random and damaged input for every parser of foreign text and bytes: each call returns or raises a typed error.

``python -m tests.helpers.fuzzing 600 16`` goes round the parsers for 600 seconds (seed 16), and counts the calls and
the raw exceptions of each.
"""

from __future__ import annotations

import logging
import random
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel

from core import demo
from core.acquire.injection import flags
from core.acquire.read_common import find_doi, language_of, links_in, names, parse_date
from core.acquire.read_source import read
from core.acquire.reference_entries import reference_spans
from core.acquire.references import of_text, read_references
from core.acquire.references.sitemap import listed_in_robots, read_sitemap
from core.answer.exact_quotes import QuoteFinder
from core.audit.report import read_markdown, read_report, read_text
from core.audit.rows import cases_of
from core.errors import WorkbenchError
from core.expand.by_model import texts_of
from core.llm.reply_json import parsed
from core.records import Completion, Fetched, TokenUsage
from core.text.sentences import sentence_spans
from core.text.terms import stored_terms
from core.text.urls import canonical_url, doi_of, fetchable_url, joined_url, parse_urls
from core.verify.check_worthy import check_worthy
from core.verify.checks import CHECKS
from core.verify.clauses import clauses
from core.verify.without_injections import without_flagged
from tests.helpers.hostile_runs import COMMON
from tests.hostile.test_growth import UNITS
from tests.hostile.test_references_fuzzed import PARTS

SOURCES = Path(demo.__file__).parent / "sources"
LIMITS = {"max_bytes": 5_000_000, "max_text_chars": 2_000_000}
LONGEST = 3_000
"""Characters of a text: what is wrong shows in short ones, and short ones are many."""
PIECES = (
    *COMMON, *UNITS, *(part for parts in PARTS.values() for part in parts), "\x00", "\ud800", "\u202e", "\ufeff",
    "1e999", "31.02.2020", "\u00bd", "\u0664\u0662", "\u4e09\u767e", "http://[::1", "%ff%fe", "doi:10.1/\u00a0",
    "-" * 50, "1,000,000,000,000,000", "10^999", "\u2212", "\ufffd", "<x " + "a='b' " * 9, "&#xd800;", "]]>", "```\n",
)  # fmt: skip
DRAWN_AT_ONCE = 40


class _Form(BaseModel):
    answer: str
    bullets: list[str] = []
    number: int = 0


def _source(name: str) -> Callable[[bytes], object]:
    return lambda body: read(Fetched(body, "", filename=name), **LIMITS)


def _report(name: str) -> Callable[[bytes], object]:
    return lambda body: cases_of(read_report(Fetched(body, "", filename=name), **LIMITS))


def _check(name: str) -> Callable[[str], object]:
    return lambda text: CHECKS[name](text[: len(text) // 2], text[len(text) // 2 :])


OF_TEXT: Mapping[str, Callable[[str], object]] = {
    "sentences": sentence_spans,
    "clauses": clauses,
    "terms": stored_terms,
    "injection": flags,
    "without injections": without_flagged,
    "addresses": parse_urls,
    "links": links_in,
    "doi": find_doi,
    "doi of address": lambda text: doi_of(text[:200]),
    "fetchable": lambda text: fetchable_url(f"https://{text[:60]}"),
    "canonical": lambda text: canonical_url(f"https://a.example/{text[:200]}"),
    "joined": lambda text: joined_url("https://a.example/b/", text[:200]),
    "names": names,
    "date": lambda text: parse_date(text[:60]),
    "language": language_of,
    "worthy": check_worthy,
    "entries": reference_spans,
    "robots": listed_in_robots,
    "pasted list": of_text,
    "quotes": lambda text: QuoteFinder(text).find(text[len(text) // 3 : len(text) // 2]),
    "reply": lambda text: parsed(Completion(text, "m", TokenUsage(), 0.0, 1.0, 1.0), _Form),
    "variants": lambda text: texts_of(text, "q", least=2, most=2, limit=300),
    "report as Markdown": lambda text: cases_of(read_markdown(text)),
    "report as text": lambda text: cases_of(read_text(text)),
    **{f"check of {name}": _check(name) for name in CHECKS},
}
OF_BYTES: Mapping[str, Callable[[bytes], object]] = {
    "sitemap": read_sitemap,
    **{f"list {name}": (lambda body, name=name: read_references(name, body)) for name in PARTS},  # type: ignore[misc]
    **{f"source {ending}": _source(f"x.{ending}") for ending in ("md", "txt", "html", "xml", "mhtml")},
    **{f"report {ending}": _report(f"x.{ending}") for ending in ("html", "txt")},
}
OF_FILES: Mapping[str, tuple[Callable[[bytes], object], str]] = {
    "source pdf": (_source("x.pdf"), "register-1987-sheet-14-scan.pdf"),
    "source docx": (_source("x.docx"), "unequal-shade-2023.docx"),
    "report docx": (_report("x.docx"), "unequal-shade-2023.docx"),
    "source jats": (_source("x.xml"), "varga-2023-paired-streets.xml"),
}
"""Parsers of whole files, which are damaged in a few bytes: they cost most, and have the fewest calls."""


@dataclass
class Counts:
    """The calls of each parser, the typed refusals among them, and the raw exceptions with the input of the first."""

    calls: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    raw: dict[str, str] = field(default_factory=dict)

    def call(self, name: str, step: Callable[[], object], shown: object) -> None:
        self.calls[name] += 1
        try:
            step()
        except WorkbenchError:
            self.refused[name] += 1
        except Exception as error:
            self.raw.setdefault(f"{name}: {type(error).__name__}: {str(error)[:80]}", repr(shown)[:2000])


def texts() -> list[str]:
    """Paragraphs to damage: those of the demo's report and of its readable sources."""
    files = [demo.report(), *(path.read_text("utf-8") for path in SOURCES.iterdir() if path.suffix in (".md", ".html"))]
    return [part for file in files for part in file.split("\n\n") if part.strip()]


def draw(drawn: random.Random, known: list[str]) -> str:
    """A text: hostile pieces, a paragraph, or a paragraph with some of its parts cut, turned, repeated or replaced."""
    way = drawn.random()
    if way < 0.35:
        pieces = drawn.choice((PIECES, PIECES, *PARTS.values()))
        return "".join(drawn.choices(pieces, k=drawn.randrange(1, 60)))[:LONGEST]
    text = drawn.choice(known)[:LONGEST]
    for _ in range(drawn.randrange(0 if way > 0.9 else 1, 8)):
        start = drawn.randrange(len(text) + 1)
        end = min(len(text), start + drawn.randrange(1, 40))
        new = drawn.choice(
            ("", text[start:end] * 2, text[start:end][::-1], drawn.choice(PIECES), chr(drawn.randrange(0x11000)))
        )
        text = text[:start] + new + text[end:]
    return text[:LONGEST]


def damaged(drawn: random.Random, body: bytes) -> bytes:
    """A file with up to nine of its bytes changed, and perhaps without its end."""
    changed = bytearray(body)
    for _ in range(drawn.randrange(1, 10)):
        changed[drawn.randrange(len(changed))] = drawn.randrange(256)
    return bytes(changed[: drawn.randrange(len(changed))] if drawn.random() < 0.2 else changed)


def fuzz(seed: int, goes_on: Callable[[], bool]) -> Counts:
    """Go round all parsers while ``goes_on``: each of 40 texts through each of them, then the files."""
    drawn, counts, known = random.Random(seed), Counts(), texts()
    files = {name: (SOURCES / file).read_bytes() for name, (_, file) in OF_FILES.items()}
    while goes_on():
        for _ in range(DRAWN_AT_ONCE):
            text = draw(drawn, known)
            body = text.encode("utf-8", "surrogatepass")
            for name, parse in OF_TEXT.items():
                counts.call(name, lambda parse=parse, text=text: parse(text), text)  # type: ignore[misc]
            for name, parse_bytes in OF_BYTES.items():
                counts.call(name, lambda parse=parse_bytes, body=body: parse(body), body)  # type: ignore[misc]
        for name, (parse_bytes, _) in OF_FILES.items():
            body = damaged(drawn, files[name])
            counts.call(name, lambda parse=parse_bytes, body=body: parse(body), (seed, name))  # type: ignore[misc]
    return counts


if __name__ == "__main__":
    logging.disable()
    warnings.simplefilter("ignore")
    end = time.monotonic() + float(sys.argv[1])
    made = fuzz(int(sys.argv[2]), lambda: time.monotonic() < end)
    for parser, number in sorted(made.calls.items()):
        print(f"{parser}: {number:,} calls, {made.refused[parser]:,} refused")
    for what, sample in made.raw.items():
        print(f"RAW {what}\n    {sample}")
    print(f"{made.calls.total():,} calls of {len(made.calls)} parsers, {len(made.raw)} kinds of raw exceptions")
