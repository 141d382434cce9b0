"""Markdown (CommonMark with tables and footnote definitions as text) by markdown-it-py."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from core.acquire.read_blocks import TextBuilder, one_line
from core.acquire.read_common import (
    count_references,
    find_doi,
    fit_for_trees,
    language_of,
    links_in,
    names,
    parse_date,
    unique,
)
from core.errors import UnreadableSource
from core.labels import FetchState
from core.records import Extraction
from core.text.hyphens import on_one_line
from core.text.plain_yaml import yaml_problem

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_MAX_FRONT_MATTER = 50_000
_LINE_BREAK = re.compile(r"<br\b[^>]{0,200}> ?", re.IGNORECASE)
_IMAGE = re.compile(r"<img\b[^>]{0,2000}\balt=\"([^\"]{0,1000})\"[^>]{0,2000}>")


def read_markdown(text: str, *, name: str) -> Extraction:
    """Read decoded Markdown: the stored text is what a reader sees, without marks.

    Raises:
        UnreadableSource: no text is left.
    """
    from markdown_it import MarkdownIt

    text = text.replace("\r\n", "\n").replace("\r", "\n")
    meta, body, warnings = _front_matter(text)
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": 50}).enable(["table", "strikethrough"])
    builder = TextBuilder()
    walker = _Walker(builder, parser)
    walker.walk(parser.parse(body))
    built = builder.build()
    if not built.text:
        raise UnreadableSource(FetchState.EMPTY, f"{name} has no text once its Markdown marks are taken away.")
    top = next((heading.text for heading in built.headings if heading.level == 1), None)
    return Extraction(
        text=built.text,
        media_type="text/markdown",
        method="markdown-it",
        title=one_line(_text_of(meta.get("title"))) or top,
        authors=_authors(meta.get("authors") or meta.get("author")),
        published=parse_date(_text_of(meta.get("date"))),
        language=language_of(built.text, _text_of(meta.get("lang") or meta.get("language"))),
        doi=find_doi(_text_of(meta.get("doi"))),
        headings=built.headings,
        references=count_references(built.text, built.headings),
        links=unique([*walker.links, *links_in(body)]),
        warnings=warnings,
    )


def _front_matter(text: str) -> tuple[dict[str, Any], str, tuple[str, ...]]:
    match = _FRONT_MATTER.match(text[:_MAX_FRONT_MATTER])
    if not match:
        return {}, text, ()
    import yaml  # type: ignore[import-untyped,unused-ignore]

    if problem := yaml_problem(match[1]):
        return {}, text, (f"The front matter {problem} and was read as text.",)
    meta = yaml.load(match[1], Loader=yaml.BaseLoader)  # which makes strings of everything
    if not isinstance(meta, dict):
        return {}, text, ()
    return {str(key).lower(): value for key, value in meta.items()}, text[match.end() :], ()


def _text_of(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _authors(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return names(value)
    if isinstance(value, list):
        return names([item.get("name", "") if isinstance(item, dict) else str(item) for item in value])
    return ()


class _Walker:
    """Turns block tokens into blocks; list items and table rows are tight lines."""

    def __init__(self, builder: TextBuilder, parser: MarkdownIt) -> None:
        self.links: list[str] = []
        self._builder = builder
        self._parser = parser
        self._level: int | None = None
        self._pending = ""
        self._cells: list[str] | None = None
        self._ordinals: list[int | None] = []

    def walk(self, tokens: list[Token]) -> None:
        """Add the blocks of a parsed text."""
        for token in tokens:
            kind = token.type
            if kind in ("heading_open", "heading_close"):
                self._level = int(token.tag[1:]) if kind == "heading_open" else None
            elif kind in ("tr_open", "tr_close"):
                self._row(begins=kind == "tr_open")
            elif kind == "inline":
                self._text(self._inline(token))
            elif kind in ("fence", "code_block"):
                self._builder.add(token.content)
            elif kind == "html_block":
                self._builder.add(_as_seen(token.content, self.links))
            else:
                self._list(kind, token)

    def _inline(self, token: Token) -> str:
        """The words of a block; where HTML or struck words stand among them, by way of HTML."""
        from markdown_it.renderer import RendererHTML

        children = token.children or []
        if not any(child.type in _IN_HTML for child in children):
            return _inline(token, self.links)
        pieces = RendererHTML().renderInline(children, self._parser.options, {})
        pieces = _LINE_BREAK.sub("\u2028", on_one_line(pieces))
        return _as_seen(_IMAGE.sub(r"\1", pieces), self.links).replace("\u2028", "\n")

    def _list(self, kind: str, token: Token) -> None:
        if kind in ("bullet_list_open", "ordered_list_open"):
            self._ordinals.append(int(token.attrs.get("start", 1)) if kind[0] == "o" else None)
        elif kind in ("bullet_list_close", "ordered_list_close"):
            self._ordinals.pop()
        elif kind == "list_item_open":
            number = self._ordinals[-1]
            self._pending = "- " if number is None else f"{number}. "
            if number is not None:
                self._ordinals[-1] = number + 1

    def _row(self, *, begins: bool) -> None:
        if not begins and self._cells is not None:
            self._builder.add(" | ".join(self._cells), tight=True)
        self._cells = [] if begins else None

    def _text(self, words: str) -> None:
        if self._cells is not None:
            self._cells.append(words.replace("\n", " "))
        else:
            tight = bool(self._ordinals) and self._level is None
            self._builder.add(self._pending + words, level=self._level, tight=tight)
            self._pending = ""


_IN_HTML = frozenset({"html_inline", "s_open"})


def _inline(token: Token, links: list[str]) -> str:
    parts: list[str] = []
    for child in token.children or ():
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type == "softbreak":
            parts.append("\n")
        elif child.type == "hardbreak":
            parts.append("\u2028")
        elif child.type == "link_open":
            links.append(str(child.attrs.get("href", "")))
        elif child.type == "image":
            parts.append(child.content)
    return on_one_line("".join(parts)).replace("\u2028", "\n")


def _as_seen(html: str, links: list[str]) -> str:
    """The text of a piece of HTML as people see it."""
    from lxml import html as lxml_html
    from lxml.etree import ParserError

    from core.acquire.read_html_seen import as_seen

    try:
        tree = lxml_html.fromstring(f"<div>{fit_for_trees(html)}</div>")
    except (ParserError, ValueError):
        return ""
    links.extend(tree.xpath("//a/@href"))
    as_seen(tree, is_page=False)
    for element in tree.xpath("//script|//style|//comment()"):
        element.drop_tree()
    return str(tree.text_content())
