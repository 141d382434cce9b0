"""Reading a report: bytes or text to blocks, references, markers and sentences with exact offsets.

Offsets of a Markdown or plain report are those of the text as given. HTML and DOCX are written as Markdown first
(``from_html``, ``from_docx``) so that links, raised numbers and notes keep their place; ``Report.text`` is then
that Markdown. Text out of a PDF is read as plain text with the headings that the extraction found.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.audit.blocks import Outline, markdown_outline
from core.audit.citations import find_markers, numeric
from core.audit.front_matter import FrontMatter, KeyedEntry, read_front_matter
from core.audit.leftovers import leftovers_of, warnings_of
from core.audit.menus import menus_of
from core.audit.plain_blocks import plain_outline
from core.audit.reference_list import Piece, find_entries
from core.audit.references import build_references, keys_of, with_self
from core.audit.report_model import Block, BlockKind, Reference, ReferenceKind, Report, Style
from core.audit.split import split_sentences
from core.audit.view import view_of
from core.errors import UnreadableSource
from core.labels import FetchState
from core.records import Extraction, Fetched, Heading
from core.text.urls import doi_of

_MARKDOWN = re.compile(r"(?m)^(?:#{1,6} \S|\s*\[\^[^\]\s]+\]:|\|.+\|\s*$|```)|\]\(https?://|\*\*\S[^*\n]*\*\*")
_TITLE = 300


def read_report(
    fetched: Fetched,
    *,
    max_bytes: int = 100_000_000,
    max_text_chars: int = 20_000_000,
    bibliography: Sequence[KeyedEntry] = (),
) -> Report:
    """Read a report of any format in this process: Markdown, HTML, DOCX, plain text, PDF. Foreign bytes are read by
    ``report_reader``, in a process that can be killed.

    ``bibliography`` are entries from elsewhere for pandoc keys; reading BibTeX is not done here.

    Raises:
        UnreadableSource: with the state that says why.
    """
    from core.acquire.read_source import read, refuse_length, refuse_size
    from core.acquire.source_format import Format, detect, name_of

    refuse_size(fetched, max_bytes)
    name, kind = name_of(fetched), detect(fetched)
    if kind in (Format.PDF, Format.JATS):
        return read_extraction(read(fetched, max_bytes=max_bytes, max_text_chars=max_text_chars), url=fetched.url)
    url, media_type = fetched.url, kind.value
    if kind is Format.DOCX:
        from core.audit.from_docx import docx_as_markdown

        text = docx_as_markdown(fetched.body, name=name)
    elif kind is Format.HTML:
        from core.audit.from_html import canonical_link, html_as_markdown

        text, url = html_as_markdown(fetched, name=name), url or canonical_link(fetched.body)
    else:
        from core.acquire.read_text import charset_of, decode

        text, _ = decode(fetched.body, charset_of(fetched.media_type))
        if not text.strip():
            raise UnreadableSource(FetchState.EMPTY, f"{name} is empty. Give a report with text in it.")
        if kind is not Format.MARKDOWN and not looks_like_markdown(text):
            refuse_length(name, text, max_text_chars)
            return read_text(text, url=url)
        media_type = "text/markdown"
    refuse_length(name, text, max_text_chars)
    return replace(read_markdown(text, url=url, bibliography=bibliography), media_type=media_type)


def looks_like_markdown(text: str) -> bool:
    """True when pasted text has marks that only Markdown has."""
    return bool(_MARKDOWN.search(text))


def read_markdown(text: str, *, url: str | None = None, bibliography: Sequence[KeyedEntry] = ()) -> Report:
    """Read Markdown; offsets are those of ``text``. Broken Markdown is read as far as it goes, never refused."""
    outline = markdown_outline(text)
    front = read_front_matter(text, *outline.front_matter) if outline.front_matter else FrontMatter()
    return _built(text, outline, front, media_type="text/markdown", url=url, bibliography=bibliography)


def read_text(text: str, *, url: str | None = None, headings: Sequence[Heading] = ()) -> Report:
    """Read text without marks; offsets are those of ``text``."""
    return _built(text, plain_outline(text, headings), FrontMatter(), media_type="text/plain", url=url)


def read_extraction(extraction: Extraction, *, url: str | None = None) -> Report:
    """Read an extraction, its text and headings. Offsets are those of ``extraction.text``."""
    report = read_text(extraction.text, url=url, headings=extraction.headings)
    warnings = (*report.warnings, *extraction.warnings)
    return replace(report, media_type=extraction.media_type, title=extraction.title or report.title, warnings=warnings)


def _built(
    text: str,
    outline: Outline,
    front: FrontMatter,
    *,
    media_type: str,
    url: str | None,
    bibliography: Sequence[KeyedEntry] = (),
) -> Report:
    listed_entries = find_entries(text, outline.blocks)
    blocks, pieces = listed_entries.blocks, listed_entries.pieces
    blocks += [Block(BlockKind.REFERENCE, item.start, item.end, item.start) for item in outline.definitions]
    blocks.sort(key=lambda block: (block.start, block.end))
    references = build_references(text, pieces, outline.definitions, front.entries)
    references = _with_outside(references, bibliography)
    references = _counted(text, blocks, references, pieces)
    title = front.title or _title(text, blocks)
    # Addresses in the front matter may be those of its references; which are the report's own, ``front`` says.
    after = outline.front_matter[1] if outline.front_matter else 0
    listed = [
        reference.start for reference in references if reference.end > reference.start and reference.start >= after
    ]
    body = text[after : min(listed, default=len(text))]
    own = own_keys(body, (url, *front.addresses))
    references = with_self(references, title, own)
    menus = menus_of(text, blocks)
    view = view_of(text, blocks, references).without((menu.start, menu.end) for menu in menus)
    markers = find_markers(view)
    leftovers = leftovers_of(view, markers, [*listed_entries.leftovers, *menus])
    sentences = split_sentences(text, blocks, markers)
    warnings = [*front.warnings, *warnings_of(text, leftovers)]
    keyed = any(reference.kind is ReferenceKind.KEYED for reference in references)
    if not keyed and any(marker.style is Style.PANDOC for marker in markers):
        named = f" ({front.bibliography})" if front.bibliography else ""
        warnings.append(f"The report cites keys of a bibliography{named} that was not given with it.")
    return Report(
        text, media_type, title, tuple(blocks), references, markers, sentences, url, tuple(warnings), own, leftovers
    )


def _title(text: str, blocks: Sequence[Block]) -> str | None:
    top = next((block for block in blocks if block.kind is BlockKind.HEADING and block.level <= 1), None)
    return text[top.start : min(top.end, top.start + _TITLE)].strip(" *_#") if top else None


def _with_outside(references: tuple[Reference, ...], entries: Sequence[KeyedEntry]) -> tuple[Reference, ...]:
    """The references followed by those of a bibliography file; these have no place in the text (offsets 0, 0)."""
    keys = {reference.key for reference in references if reference.kind is ReferenceKind.KEYED}
    added = [
        Reference(
            0, ReferenceKind.KEYED, f"@{entry.key}", 0, 0, "", key=entry.key, url=entry.url, doi=entry.doi,
            title=entry.title, authors=entry.authors, year=entry.year,
        )
        for entry in entries
        if entry.key not in keys
    ]  # fmt: skip
    first = len(references)
    return (*references, *(replace(reference, id=first + at) for at, reference in enumerate(added)))


def _counted(
    text: str, blocks: Sequence[Block], references: tuple[Reference, ...], pieces: Sequence[Piece]
) -> tuple[Reference, ...]:
    """The references with numbers by position, for a list without numbers, when the report cites by numbers that all
    fit into it."""
    listed = [reference for reference in references if reference.kind is ReferenceKind.UNNUMBERED]
    if not listed or any(reference.kind is ReferenceKind.NUMBERED for reference in references):
        return references
    groups = {piece.start: piece.group for piece in pieces}
    last = max(groups.values(), default=0)
    listed = [reference for reference in listed if groups.get(reference.start) == last]
    markers = numeric.find(view_of(text, blocks, references))
    numbers = [target.number or 0 for marker in markers for target in marker.targets]
    if not numbers or max(numbers) > len(listed):
        return references
    order = {reference.id: at for at, reference in enumerate(listed, start=1)}
    return tuple(
        replace(ref, kind=ReferenceKind.NUMBERED, number=order[ref.id], label=str(order[ref.id]), implied=True)
        if ref.id in order
        else ref
        for ref in references
    )


_HEAD = 3000
"""Characters of a report that are its head at most; it ends before the second heading."""
_HEADING = re.compile(r"^#{1,6} ", re.MULTILINE)
_SAYS = re.compile(
    r"^[ \t>*_\-]*(?:url|permalink|canonical(?: url)?|doi|web address|published (?:at|under|online(?: at)?)"
    r"|available (?:at|from|online(?: at)?)|online at"
    r"|this (?:report|page|document|article|paper)(?: is(?: available| published)? at)?)[*_ \t]*[:\uff1a]?[*_ \t<]*"
    r"(?P<address>https?://[^\s<>)\]]+|(?:doi:[ ]?)?10\.\d{4,9}/[^\s<>)\]]+)",
    re.IGNORECASE | re.MULTILINE,
)


def own_keys(text: str, known_addresses: Sequence[str | None]) -> frozenset[str]:
    """Keys of the report's own addresses (``references.keys_of``).

    Args:
        text: the report, front matter included.
        known_addresses: addresses and DOIs that are known to be the report's: where it was fetched, its front matter.
    """
    head = text[:_HEAD]
    headings = [match.start() for match in _HEADING.finditer(head)]
    head = head[: headings[1]] if headings[1:] else head
    stated = [match["address"].rstrip(".,;*_") for match in _SAYS.finditer(head)]
    keys: frozenset[str] = frozenset()
    for address in filter(None, (*known_addresses, *stated)):
        doi = doi_of(address)
        keys |= keys_of(address if address.lower().startswith(("http://", "https://")) else None, doi)
    return keys
