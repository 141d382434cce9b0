"""HTML pages by trafilatura: the body text with its headings, and what the page says about itself."""

from __future__ import annotations

from copy import deepcopy
from datetime import date
from itertools import islice
from typing import Any

from core.acquire.read_blocks import Built, TextBuilder, one_line
from core.acquire.read_common import (
    count_references,
    find_doi,
    fit_for_trees,
    is_unsure,
    language_of,
    names,
    parse_date,
    unique,
)
from core.acquire.read_html_body import add_body, refuse_monsters
from core.acquire.read_html_seen import as_seen, figures_of_tables
from core.acquire.stand_in import StandIn, stand_in
from core.errors import SourceError, UnreadableSource
from core.labels import FetchState
from core.records import Extraction
from core.text.urls import joined_url

_SCRIPT_SHELL_CHARS = 200
"""A page with scripts and less visible text than this shows its content only after running them."""
_HEADS = 4
_DOI_TAGS = ("citation_doi", "dc.identifier", "dc.identifier.doi", "prism.doi", "bepress_citation_doi", "doi")
_NOTICES = (
    "//*[not(self::html or self::body)][contains(@id,'cookie') or contains(@class,'cookie') or contains(@id,'consent') "
    "or contains(@class,'consent') or contains(@class,'gdpr')]"
)
_TITLE_TAGS = ("citation_title", "dc.title")
_DATE_TAGS = (
    "citation_publication_date",
    "citation_date",
    "citation_online_date",
    "dc.date",
    "dc.date.issued",
    "article:published_time",
)
_PUBLISHER_TAGS = (
    "citation_journal_title",
    "citation_publisher",
    "prism.publicationname",
    "dc.publisher",
    "og:site_name",
)


def read_html(text: str, *, name: str, url: str | None = None) -> Extraction:
    """Read a decoded page.

    Raises:
        UnreadableSource: ``no_text``, ``needs_javascript``, ``broken`` or ``empty``.
    """
    from trafilatura.utils import load_html

    refuse_monsters(text, name=name)
    text = fit_for_trees(text)
    tree = load_html(text)
    if tree is None:
        tree = _fragment(text)
    if tree is None:
        raise UnreadableSource(FetchState.BROKEN, f"{name} could not be parsed as HTML. Save the page again.")
    facts = _Facts(tree, url)
    as_seen(tree)
    tables, spare = figures_of_tables(tree), deepcopy(tree)
    doc, built = _article(tree, url)
    notice = _notice(built, facts)
    if notice is not None or _leaves_out_most(spare, built.text):
        doc, built, notice = _second_try(spare, url, (doc, built, notice), facts)
    if not built.text or (facts.looks_like_shell and len(built.text) < _SCRIPT_SHELL_CHARS):
        raise _nothing(facts, name)
    if notice is not None:
        raise notice.error(name)
    return Extraction(
        text=built.text,
        media_type="text/html",
        method="trafilatura",
        title=facts.first(_TITLE_TAGS) or one_line(doc.title),
        authors=unique(facts.all("citation_author")) or names(doc.author),
        published=facts.published() or _dated(doc.date, text),
        language=language_of(built.text, facts.language),
        canonical_url=facts.canonical,
        publisher=facts.first(_PUBLISHER_TAGS) or one_line(doc.sitename),
        doi=facts.doi(),
        headings=built.headings,
        references=facts.references or count_references(built.text, built.headings),
        links=facts.links,
        warnings=_lost(tables, built.text),
    )


def _lost(tables: list[list[str]], text: str) -> tuple[str, ...]:
    """A warning where tables of the page were left out of its text."""
    lost = sum(sum(figure in text for figure in figures) < len(figures) / 2 for figures in tables)
    if not lost:
        return ()
    what = "A table with figures was" if lost == 1 else f"{lost} tables with figures were"
    return (f"{what} left out of the text of this page. Compare with the page, and add what is missing as text.",)


def _dated(found: str | None, text: str) -> date | None:
    """The date that trafilatura found in a page, None where the page leaves open which day is meant."""
    day = parse_date(found)
    return None if day is None or is_unsure(day, text) else day


def _article(tree: Any, url: str | None, *, recall: bool = False) -> tuple[Any, Built]:
    """What trafilatura takes for the article, and its text."""
    from trafilatura import bare_extraction
    from trafilatura.settings import set_date_params

    # Not extensive: that takes any year of the text ("cracked since 1998") for the day of publication.
    doc: Any = bare_extraction(
        tree, url=url, with_metadata=True, include_comments=False, include_links=False, favor_recall=recall,
        date_extraction_params=set_date_params(extensive=False),
    )  # fmt: skip
    builder = TextBuilder()
    if doc is not None and doc.body is not None:
        add_body(doc.body, builder)
    return doc, builder.build()


def _notice(built: Built, facts: _Facts) -> StandIn | None:
    return stand_in(built.text.split("\n\n"), facts.heads, asks_password=facts.asks_password)


_Try = tuple[Any, Built, StandIn | None]


def _second_try(tree: Any, url: str | None, first: _Try, facts: _Facts) -> _Try:
    """The article once more, where trafilatura does not look: in ``aside``, and without notices about cookies."""
    for element in tree.xpath(_NOTICES):
        if element.getparent() is not None:
            element.drop_tree()
    for element in tree.iter("aside"):
        element.tag = "div"
    doc, built = _article(tree, url, recall=True)
    notice = _notice(built, facts) if built.text else first[2]
    is_better = len(built.text) > 2 * len(first[1].text) or first[2] is not None
    return (doc, built, notice) if built.text and notice is None and is_better else first


def _leaves_out_most(tree: Any, text: str) -> bool:
    """True when the paragraphs of a page hold far more words than what was taken for its article."""
    paragraphs = tree.xpath("//p[not(ancestor::footer or ancestor::nav or ancestor::form)]")
    return sum(len(p.text_content().split()) for p in paragraphs) > 4 * len(text.split())


def _fragment(text: str) -> Any:
    """A piece of HTML too small for trafilatura to take as a page; None when it is none at all."""
    from lxml import etree, html

    try:
        return html.document_fromstring(text)
    except (etree.LxmlError, ValueError):
        return None


def _nothing(facts: _Facts, name: str) -> UnreadableSource:
    if facts.looks_like_shell:
        return UnreadableSource(
            FetchState.NEEDS_JAVASCRIPT,
            f"{name} shows its text only after running scripts, which the workbench does not do. "
            "Open it in a browser, save it as PDF or paste its text.",
        )
    return UnreadableSource(
        FetchState.NO_TEXT, f"{name} is an HTML page without body text. Check that it is the page meant."
    )


class _Facts:
    """Facts in the head and the links of a parsed page, read before trafilatura cuts the tree down.

    ``links`` are absolute addresses without fragments; ``references`` counts the entries of the list of references, by
    tags or by marked list items.
    """

    def __init__(self, tree: Any, url: str | None) -> None:
        self._url = url
        self._meta: dict[str, list[str]] = {}
        for element in tree.iter("meta"):
            key = (element.get("name") or element.get("property") or "").strip().lower()
            value = one_line(element.get("content"))
            if key and value:
                self._meta.setdefault(key, []).append(value)
        self.language: str | None = tree.get("lang") or tree.get("{http://www.w3.org/XML/1998/namespace}lang")
        canonical = next(
            (e.get("href") for e in tree.iter("link") if (e.get("rel") or "").lower() == "canonical"), None
        )
        self.canonical = self._absolute(canonical) or self._absolute(self.first(("og:url",)))
        self.links = unique(filter(None, (self._absolute(e.get("href")) for e in tree.iter("a"))))
        self.references = len(self._meta.get("citation_reference", ())) or _reference_items(tree)
        self.looks_like_shell = _is_shell(tree)
        self.asks_password = bool(tree.xpath("boolean(//input[@type='password'])"))
        self.heads = [
            head for e in islice(tree.iter("title", "h1", "h2"), _HEADS) if (head := one_line(e.text_content()))
        ]

    def _absolute(self, href: str | None) -> str | None:
        try:
            link = joined_url(self._url or "", href or "")
        except SourceError:
            return None
        return link.partition("#")[0] if href and link.startswith(("http://", "https://")) else None

    def first(self, keys: tuple[str, ...]) -> str | None:
        """The first value of the first of ``keys`` that the page has."""
        return next((self._meta[key][0] for key in keys if key in self._meta), None)

    def all(self, key: str) -> list[str]:
        """Every value of ``key``."""
        return self._meta.get(key, [])

    def published(self) -> date | None:
        """The publication date by the tags scholarly and news sites write."""
        return next((day for key in _DATE_TAGS for value in self.all(key) if (day := parse_date(value))), None)

    def doi(self) -> str | None:
        """The page's own DOI by its tags."""
        return next((doi for key in _DOI_TAGS for value in self.all(key) if (doi := find_doi(value))), None)


def _reference_items(tree: Any) -> int:
    lists = tree.xpath(
        "//*[self::ol or self::ul][contains(@class,'references') or contains(@class,'reference-list') or "
        "contains(@class,'bibliography') or contains(@class,'citation-list') or contains(@id,'reference') or "
        "ancestor::*[position()<4][contains(@class,'reflist') or contains(@class,'references') or "
        "contains(@class,'ref-list') or contains(@id,'references') or contains(@id,'bibliography')]]"
    )
    return sum(sum(1 for child in element if child.tag == "li") for element in lists)


def _is_shell(tree: Any) -> bool:
    """True when scripts have yet to write the text: next to nothing to see, but scripts."""
    scripts, seen = 0, 0
    for element in tree.iter():
        tag = element.tag
        if tag == "script":
            scripts += 1
        if not isinstance(tag, str) or tag in ("script", "style", "noscript", "template", "title", "head"):
            text = ""
        else:
            text = (element.text or "").strip()
        seen += len(text) + len((element.tail or "").strip())
        if seen >= _SCRIPT_SHELL_CHARS:
            return False
    return scripts > 0
