"""JATS XML, the archive format of scholarly journals (ANSI/NISO Z39.96), by lxml with entities and network off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from html.entities import html5
from typing import Any

from core.acquire.math_text import math_text
from core.acquire.raised_text import Rise, written
from core.acquire.read_blocks import TextBuilder, one_line
from core.acquire.read_common import find_doi, language_of, make_date, unique
from core.errors import UnreadableSource
from core.labels import FetchState
from core.records import Extraction

_SKIPPED = frozenset(
    {"graphic", "inline-graphic", "media", "tex-math", "object-id", "permissions", "supplementary-material"}
)
_SECTIONS = frozenset({"sec", "ack", "app", "app-group", "boxed-text", "fn-group", "glossary", "notes", "ref-list"})
_INSIDE_PARAGRAPHS = frozenset({"list", "disp-quote", "table-wrap", "boxed-text"})
"""Elements that make blocks of their own where they stand in a paragraph."""
_TEX_FRAME = re.compile(r"\A.*\\begin\{document\}|\\end\{document\}.*\Z", re.DOTALL)
_ENTITY = re.compile(rb"<!ENTITY\b", re.IGNORECASE)
_PROLOGUE = 100_000
_NAMED = re.compile(rb"&([A-Za-z][A-Za-z0-9]{1,30});")
_XLINK = "{http://www.w3.org/1999/xlink}href"
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def parse_xml(body: bytes, *, name: str) -> tuple[Any, str | None]:
    """Root element of hostile XML, and its first error if it was read in spite of one.

    No entity is expanded, no DTD or file is loaded, depth is capped by libxml2; a file that declares entities
    is refused. Names such as ``&nbsp;``, which the DTD of JATS declares, become characters.

    Raises:
        UnreadableSource: the bytes are not XML, or declare entities.
    """
    from lxml import etree

    if _ENTITY.search(body[:_PROLOGUE]):
        raise UnreadableSource(
            FetchState.BROKEN,
            f"{name} declares XML entities of its own, as files made to harm do. Remove the declarations to add it.",
        )
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        recover=True,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(_NAMED.sub(_as_number, body), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableSource(FetchState.BROKEN, f"{name} is not well-formed XML: {error}.") from error
    if root is None:
        raise UnreadableSource(FetchState.BROKEN, f"{name} is not well-formed XML: it has no root element.")
    for element in root.iter(etree.Element):  # a prefix or namespace of JATS says nothing the local name does not
        if "}" in element.tag:
            element.tag = element.tag.rpartition("}")[2]
    errors = [entry.message for entry in parser.error_log if entry.level >= etree.ErrorLevels.ERROR]
    return root, errors[0] if errors else None


def _as_number(match: re.Match[bytes]) -> bytes:
    name = match[1].decode("ascii")
    codes = "" if name in ("amp", "lt", "gt", "quot", "apos") else html5.get(f"{name};", "")
    return "".join(f"&#{ord(char)};" for char in codes).encode() or match[0]


def read_jats(body: bytes, *, name: str) -> Extraction:
    """Read a JATS article: title, abstract and body with sections as headings.

    Raises:
        UnreadableSource: not XML, not JATS, or without text.
    """
    root, damage = parse_xml(body, name=name)
    article = root if root.tag == "article" else root.find(".//article")
    if article is None:
        raise UnreadableSource(
            FetchState.UNSUPPORTED_TYPE,
            f"cannot read {name} because it is XML with the root <{root.tag}>, not a JATS <article>. "
            "Save it as HTML, PDF or plain text.",
        )
    builder = TextBuilder()
    for abstract in article.findall(".//article-meta/abstract"):
        builder.add(_words(abstract.find("title")) or "Abstract", level=2)
        _blocks(abstract, builder, 3, skip_title=True)
    for part in (article.find("body"), article.find("back")):
        if part is not None:
            _blocks(part, builder, 2)
    built = builder.build()
    if not built.text:
        raise UnreadableSource(FetchState.NO_TEXT, f"{name} is a JATS record without abstract or body.")
    warnings = [] if article.find("body") is not None else ["The file holds no body, only what stands before it."]
    if damage:
        warnings.append(f"The XML has errors ({damage}); text near them may be missing.")
    references = len(article.findall(".//ref-list//ref"))
    links = [link.get(_XLINK, "") for link in article.iter("ext-link", "uri")]
    return Extraction(
        text=built.text,
        media_type="application/jats+xml",
        method="jats",
        headings=built.headings,
        references=references,
        links=unique(links),
        warnings=tuple(warnings),
        **_metadata(article, built.text),
    )


def _metadata(article: Any, text: str) -> dict[str, Any]:
    meta = article.find(".//article-meta")
    journal = _words(article.find(".//journal-meta//journal-title")) or _words(article.find(".//publisher-name"))
    language = language_of(text, article.get(_XML_LANG))
    if meta is None:
        return {"publisher": journal, "language": language}
    doi = next((find_doi(_words(e)) for e in meta.findall("article-id") if e.get("pub-id-type") == "doi"), None)
    return {
        "title": _words(meta.find(".//article-title")),
        "authors": _authors(meta),
        "published": _published(meta),
        "doi": doi,
        "publisher": journal,
        "language": language,
    }


def _authors(meta: Any) -> tuple[str, ...]:
    people = []
    for contrib in meta.findall(".//contrib"):
        if contrib.get("contrib-type", "author") != "author":
            continue
        parts = [_words(contrib.find(f".//{tag}")) for tag in ("given-names", "surname")]
        person = " ".join(part for part in parts if part)
        people.append(person or _words(contrib.find(".//collab")) or _words(contrib.find(".//string-name")) or "")
    return unique(people, 500)


def _published(meta: Any) -> date | None:
    """The earliest publication date given."""
    days = (
        make_date(e.findtext("year"), e.findtext("month"), e.findtext("day")) or make_date(e.findtext("year"))
        for e in meta.findall("pub-date")
    )
    return min((day for day in days if day), default=None)


def _words(element: Any) -> str | None:
    """Text of an element on one line."""
    return one_line(written(_pieces(element, Rise.NONE))) if element is not None else None


def _pieces(element: Any, rise: Rise) -> Iterator[tuple[str, Rise]]:
    """The text in an element and how it stands; struck words left out, formulas as a line."""
    yield element.text or "", rise
    for child in element:
        yield from _pieces_of(child, rise)
        yield child.tail or "", rise


def _pieces_of(element: Any, rise: Rise = Rise.NONE) -> Iterator[tuple[str, Rise]]:
    """An element in running text."""
    if element.tag == "math":
        yield math_text(element), rise
    elif element.tag == "tex-math":
        if not any(child.tag == "math" for child in element.getparent()):
            yield _TEX_FRAME.sub("", element.text or ""), rise
    elif element.tag == "sup" and not rise:
        linked = next(element.iter("xref"), None) is not None or next(element.iterancestors("xref"), None) is not None
        yield from _pieces(element, Rise.NOTE if linked else Rise.RAISED)
    elif element.tag != "strike":
        yield from _pieces(element, rise)


def _blocks(parent: Any, builder: TextBuilder, level: int, *, skip_title: bool = False) -> None:
    """Add the children of ``parent``; sections nest at most as deep as libxml2 lets them (256)."""
    for child in parent:
        if not isinstance(child.tag, str) or child.tag in _SKIPPED or (child.tag == "title" and skip_title):
            continue
        if child.tag in _SECTIONS:
            _section(child, parent, builder, level)
        else:
            _block(child, builder, level)


def _section(section: Any, parent: Any, builder: TextBuilder, level: int) -> None:
    if section.tag == "ref-list" and section.find("title") is None:
        builder.add("References", level=min(level, 6))
    deeper = section.tag == "sec" and parent.tag == "sec"
    _blocks(section, builder, level + deeper)


def _block(element: Any, builder: TextBuilder, level: int) -> None:
    tag = element.tag
    if tag == "title":
        builder.add(_words(element) or "", level=min(level, 6))
    elif tag == "p" and any(child.tag in _INSIDE_PARAGRAPHS for child in element):
        _mixed(element, builder, level)
    elif tag == "list":
        for item in element.iter("list-item"):
            builder.add("- " + (_words(item) or ""), tight=True)
    elif tag in ("table-wrap", "fig"):
        _figure(element, builder)
    elif tag == "ref":
        builder.add(_reference(element), tight=True)
    elif tag != "label":
        builder.add(_words(element) or "")


def _mixed(paragraph: Any, builder: TextBuilder, level: int) -> None:
    """A paragraph with lists or tables inside: its own words first, in one block each."""
    words = [(paragraph.text or "", Rise.NONE)]
    for child in paragraph:
        if child.tag in _INSIDE_PARAGRAPHS:
            builder.add(written(words))
            words = [(child.tail or "", Rise.NONE)]
            wrapper = paragraph.makeelement("sec")
            child.tail = None
            index = paragraph.index(child)
            wrapper.append(child)
            _blocks(wrapper, builder, level)
            paragraph.insert(index, wrapper)
        else:
            words += [*_pieces_of(child), (child.tail or "", Rise.NONE)]
    builder.add(written(words))


def _figure(element: Any, builder: TextBuilder) -> None:
    caption = " ".join(filter(None, (_words(element.find("label")), _words(element.find("caption")))))
    builder.add(caption)
    for row in element.iter("tr"):
        builder.add(" | ".join(_words(cell) or "" for cell in row if cell.tag in ("td", "th")), tight=True)


def _reference(ref: Any) -> str:
    parts = [one_line(" ".join(e.itertext())) for e in ref if isinstance(e.tag, str)]
    return " ".join(part for part in parts if part)
