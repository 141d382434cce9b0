"""Checks that the page of a foreign pack is one that we would write: nothing in it runs, loads or leads away, and it
shows the outcome that the records have."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.export.as_html import CLASSES, policy
from core.export.cells import legal
from core.export.rows import CONFLICT, Row

_TAGS = frozenset({
    "html", "head", "meta", "title", "style", "body", "a", "header", "main", "p", "h1", "h2", "h3", "ul", "li", "b",
    "dl", "dt", "dd", "div", "span", "sup", "br", "table", "caption", "thead", "tbody", "tr", "th", "td", "article",
    "figure", "figcaption", "blockquote", "mark",
})  # fmt: skip
_ATTRIBUTES = frozenset({"lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "dir", "scope"})


def page_faults(body: bytes, statuses: Mapping[int, str]) -> list[str]:
    """Faults of ``report.html``, one sentence each. ``statuses``: the status of each row, by its number from
    1 (``PASS`` …, ``waiting``)."""
    from lxml import etree, html

    try:
        tree = html.document_fromstring(body.decode())
    except (UnicodeDecodeError, ValueError, etree.LxmlError):
        return ["report.html cannot be read as a page."]
    strange = sorted(_strange(tree))
    if strange:
        return [f"report.html holds {', '.join(strange[:5])}, which no page of ours has: do not open it."]
    styles = tree.xpath("//style")
    rules = tree.xpath("//meta[@http-equiv]/@content")
    if len(styles) != 1 or rules != [policy(styles[0].text or "")] or b"@import" in body or b"url(" in body:
        return ["report.html lacks its own policy or style sheet: do not open it."]
    shown = {str(article.get("id")): str(article.get("class")) for article in tree.xpath("//article")}
    wanted = {f"c{number}": CLASSES.get(status, "waiting-row") for number, status in statuses.items()}
    return _told(shown, wanted)


def rows_not_shown(body: bytes, rows: Sequence[Row]) -> list[str]:
    """Parts of rows that the page does not show, one sentence each, whatever version wrote it: claim, source, grade,
    words of the passage, and what people decided."""
    from lxml import etree, html

    try:
        tree = html.document_fromstring(body.decode())
    except (UnicodeDecodeError, ValueError, etree.LxmlError):
        return []  # told by ``page_faults``
    articles = {str(article.get("id")): _flat(article.text_content()) for article in tree.xpath("//article")}
    missing: list[str] = []
    for row in rows:
        shown = articles.get(f"c{row.ordinal}", "")
        missing += [
            f"report.html does not show the {name} of row {row.ordinal}: “{_flat(words)[:80]}”."
            for name, words in _to_show(row, shown)
            if _flat(words) not in shown
        ]
    return missing


def _to_show(row: Row, shown: str) -> Iterator[tuple[str, str]]:
    yield from (("claim", row.claim), ("reference", row.reference), ("explanation", row.explanation))
    if row.source_title and row.source_id:
        yield from (("source", row.source_title), ("text of the source", row.source_hash))
        if "grade " in shown:
            yield "grade", f"grade {row.source_grade}"
    if row.passage is not None:
        yield "passage", row.passage.text
    if row.decision and row.decision != CONFLICT:
        yield from (("decision", row.decision.replace("_", " ")), ("time of the decision", _minute(row.decided)))
    yield from (("person", row.decided_by), ("note", row.note), ("rewording", row.rewording))


def _minute(moment: str) -> str:
    return moment[:16].replace("T", " ")


def _flat(text: str) -> str:
    return " ".join(legal(text).split())


def _strange(tree: Any) -> set[str]:
    """Elements, attributes and links that our pages do not have."""
    strange: set[str] = set()
    for element in tree.iter():
        if not isinstance(element.tag, str):
            strange.add("a comment or instruction")
            continue
        if element.tag not in _TAGS:
            strange.add(f"<{element.tag[:20]}>")
        strange |= {f"{name[:20]}=" for name in element.attrib if name not in _ATTRIBUTES}
        if not (element.get("href") or "#").startswith("#"):
            strange.add("a link that leads out")
        if (element.get("http-equiv") or "Content-Security-Policy") != "Content-Security-Policy":
            strange.add("an instruction to the browser")
    return strange


def _told(shown: Mapping[str, str], wanted: Mapping[str, str]) -> list[str]:
    if set(shown) != set(wanted):
        return ["report.html shows other rows than the records hold."]
    return [
        f"report.html shows another outcome of row {key[1:]} than its record."
        for key in wanted
        if shown[key] != wanted[key]
    ]
