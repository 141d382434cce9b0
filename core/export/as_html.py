"""One HTML file that opens offline: no script, no form, nothing fetched from anywhere, and a policy that says so. The
report stands in colour; a sentence is a link to its evidence further down, so it works by keyboard and on paper.
Addresses are text, not links: nothing in the file leads out of it."""

import base64
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from core.audit.layout import ShadedBlock, ShadedPiece, readable, shaded_blocks
from core.audit.outcome import Holding, counts_of, holdings_of, machine_holding
from core.audit.outcome_words import HOLDINGS, REPORT_SHADES, SINGULAR, by_outcome, holding_words
from core.audit.report_model import BlockKind
from core.audit.wording import REASONS, brief_words
from core.export.cells import legal, one_line
from core.export.content import Content
from core.export.lines import fields, grounds, headline_of, passages, remarks
from core.export.rows import Row, SourcePassage, rows_of
from core.text.hashing import digest

CLASSES = {"PASS": "pass", "REVIEW": "review", "SOURCE_NOT_INDEXED": "missing"}
"""Class of the article of a row, by what the machine says of it: whoever checks a pack compares it with the records."""
_REASON_WORDS = {reason.value: words for reason, (words, _) in REASONS.items()}


def as_html(content: Content) -> bytes:
    """The whole file, UTF-8."""
    rows = rows_of(content)
    page = _Page(content, rows)
    return "\n".join(page.lines()).encode()


def policy(style: str) -> str:
    """The Content-Security-Policy of the file: this one style sheet and nothing else."""
    hashed = base64.b64encode(digest(style)).decode()
    return f"default-src 'none'; style-src 'sha256-{hashed}'; base-uri 'none'; form-action 'none'"


class _Page:
    def __init__(self, content: Content, rows: Sequence[Row]) -> None:
        self._content, self._rows = content, rows
        self._by_id = {row.finding: row for row in rows}
        self._findings = {finding.id: finding for finding in content.findings}
        self._holdings = holdings_of(content.findings, content.standing)
        self._heat = by_outcome(content.heat, self._holdings)
        self._anchors: dict[int, str] = {}
        for sentence in self._heat:
            for finding in sentence.findings:
                self._anchors.setdefault(finding, f"t{sentence.start}")

    def lines(self) -> Iterator[str]:
        style = files("core.export").joinpath("html_style.css").read_text("utf-8")
        title = _text(f"Citation audit: {self._content.title}")
        yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
        yield f'<meta http-equiv="Content-Security-Policy" content="{escape(policy(style))}">'
        yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
        yield '<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">'
        yield f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>"
        yield '<a class="skip" href="#citations">To the citations</a>'
        yield from self._top()
        yield from self._report()
        yield from self._table()
        yield '<h2 id="evidence">Each citation with its evidence</h2>'
        for row in self._rows:
            yield from self._article(row)
        yield '<h2 id="grounds">What this file rests on</h2>'
        yield from _list(grounds(self._content))
        yield "</main>\n</body>\n</html>\n"

    def _top(self) -> Iterator[str]:
        content = self._content
        yield f'<header><p class="quiet" dir="auto">{_text(content.project)}</p>'
        yield f'<h1 dir="auto">{_text(content.title)}</h1>'
        yield f'<p class="headline">{_text(headline_of(content))}</p></header>\n<main>'
        counts = counts_of(content.findings, content.standing)
        yield '<ul class="tiles">'
        for holding, words in HOLDINGS.items():
            number = counts.of(holding)
            if number or holding in (Holding.HOLDS, Holding.FAILS, Holding.OPEN):
                yield f"<li><b>{number}</b>{words.sign} {_text(holding_words(holding, number))}</li>"
        yield f'</ul>\n<p class="quiet">The machine alone: {_text(brief_words(content.summary))}.</p>'
        yield from _list(remarks(content, self._rows))

    def _report(self) -> Iterator[str]:
        yield '<h2 id="report">The report</h2>\n<ul class="legend">'
        for shade, (sign, meaning) in REPORT_SHADES.items():
            if shade != "plain":
                yield f'<li><span class="s {shade}"><sup>{sign}</sup>{_text(meaning)}</span></li>'
        yield '</ul>\n<div class="report">'
        listed = False
        for block in shaded_blocks(self._content.read, self._heat):
            item = block.kind is BlockKind.LIST_ITEM
            if item != listed:
                yield "<ul>" if item else "</ul>"
            listed = item
            tag = "li" if item else "h3" if block.kind is BlockKind.HEADING else "p"
            yield f'<{tag} dir="auto">{self._block(block)}</{tag}>'
        yield f"{'</ul>' if listed else ''}</div>"

    def _block(self, block: ShadedBlock) -> str:
        between = " | " if block.kind is BlockKind.TABLE_CELL else ""
        text = self._content.read.text
        parts: list[str] = []
        for piece in block.pieces:
            if parts and between and text[piece.start - 1 : piece.start] != " ":
                parts.append(between)
            parts.append(self._piece(piece))
        return "".join(parts)

    def _piece(self, piece: ShadedPiece) -> str:
        words = escape(legal(readable(self._content.read.text[piece.start : piece.end]))).replace("\n", "<br>")
        linked = [key for key in piece.findings if key in self._by_id]
        if piece.shade == "plain" and not linked:
            return words
        shade = "failing" if piece.shade == "plain" else piece.shade
        sign = REPORT_SHADES.get(shade, ("", ""))[0]
        inner = f"<sup>{sign}</sup>{words}"
        if not linked:
            return f'<span class="s {shade}">{inner}</span>'
        first = self._by_id[linked[0]]
        return f'<a class="s {shade}" id="t{piece.start}" href="#c{first.ordinal}">{inner}</a>'

    def _table(self) -> Iterator[str]:
        yield '<h2 id="citations">Citations</h2>\n<div class="wide"><table>'
        yield "<caption>Every citation of the report. The number leads to its evidence.</caption>"
        heads = ("Number", "Outcome", "Claim", "Source", "Support", "Decision")
        columns = "".join(f'<th scope="col">{head}</th>' for head in heads)
        yield f"<thead><tr>{columns}</tr></thead>\n<tbody>"
        for row in self._rows:
            support = "" if row.support is None else f"{row.support:.2f}"
            source = row.source_title or row.reference or row.url
            yield (
                f'<tr><td><a href="#c{row.ordinal}">{row.ordinal}</a></td><td>{self._outcome(row)}</td>'
                f'<td dir="auto">{_short(row.claim, 200)}</td><td dir="auto">{_short(source, 100)}</td>'
                f"<td>{support}</td><td>{_text(row.decision.replace('_', ' '))}</td></tr>"
            )
        yield "</tbody></table></div>"

    def _holding(self, row: Row) -> Holding:
        """The outcome of a row; of an entry that nothing cites, what the machine says."""
        return self._holdings.get(row.finding) or machine_holding(self._findings[row.finding])

    def _outcome(self, row: Row) -> str:
        holding = self._holding(row)
        return f'<span class="{holding.value}">{HOLDINGS[holding].sign} {_text(SINGULAR[holding])}</span>'

    def _article(self, row: Row) -> Iterator[str]:
        yield f'<article id="c{row.ordinal}" class="{CLASSES.get(row.status, "waiting-row")}">'
        reasons = ", ".join(_text(_REASON_WORDS.get(reason, reason)) for reason in row.reasons)
        yield f"<h3>{row.ordinal}. {self._outcome(row)}{f': {reasons}' if reasons else ''}</h3>"
        if row.claim:
            yield f'<p class="claim" dir="auto">{_text(row.claim)}</p>'
        shown = passages(row)
        for name, words, where in shown[:1]:
            yield _figure(name, words, where, row.deciding.text if row.deciding else "")
        yield from _list(fields(row))
        for name, words, where in shown[1:]:
            yield _figure(name, words, where, "")
        anchor = self._anchors.get(row.finding)
        where_to = f'<a href="#{anchor}">Back to the sentence</a>' if anchor else '<a href="#report">To the report</a>'
        yield f'<p class="back">{where_to}</p></article>'


def _list(named: Sequence[tuple[str, str]]) -> Iterator[str]:
    yield "<dl>"
    for name, value in named:
        yield f'<dt>{_text(name)}</dt><dd dir="auto">{_text(value)}</dd>'
    yield "</dl>"


def _figure(name: str, words: SourcePassage, where: str, deciding: str) -> str:
    text = legal(words.text)
    at = text.find(legal(deciding)) if deciding.strip() else -1
    if at >= 0:
        end = at + len(legal(deciding))
        body = f"{escape(text[:at])}<mark>{escape(text[at:end])}</mark>{escape(text[end:])}"
    else:
        body = escape(text)
    caption = f"{_text(name)} {_text(where)}"
    return f'<figure><figcaption>{caption}</figcaption><blockquote dir="auto">{body}</blockquote></figure>'


def _short(text: str, width: int) -> str:
    line = one_line(text)
    return escape(line if len(line) <= width else line[: width - 1].rstrip() + "…")


def _text(text: str) -> str:
    return escape(one_line(text))
