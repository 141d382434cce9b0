"""Markdown that shows foreign text letter for letter: no HTML, link, image or table border comes out of it."""

from collections.abc import Iterator, Sequence

from core.export.cells import cut, one_line
from core.export.content import Content
from core.export.lines import facts, fields, headline_of, passages
from core.export.rows import Row, rows_of

_CELL = 160
_LONGEST = 20_000
_MARKUP = frozenset("\\`*_[]<>|#!~$&:@")


def as_markdown(content: Content) -> bytes:
    """Outcome, table of citations, then each row with its passage."""
    rows = rows_of(content)
    lines = [f"# Citation audit: {escaped(content.title)}", "", headline_of(content), "", "| | |", "|---|---|"]
    lines += [f"| {name} | {escaped(value)} |" for name, value in facts(content, rows)]
    lines += ["", "## Citations", "", *_table(rows), "", "## Each citation", ""]
    for row in rows:
        lines += _section(row)
    return ("\n".join(lines).rstrip() + "\n").encode()


def _table(rows: Sequence[Row]) -> Iterator[str]:
    yield "| # | citation | claim | source | status | reason | support | decision |"
    yield "|---|---|---|---|---|---|---|---|"
    for row in rows:
        support = "" if row.support is None else f"{row.support:.2f}"
        cells = (
            str(row.ordinal), escaped(row.marker, 40), escaped(row.claim, _CELL),
            escaped(row.source_title or row.reference or row.url, 80), row.status,
            ", ".join(reason.replace("_", " ") for reason in row.reasons), support, escaped(row.decision),
        )  # fmt: skip
        yield f"| {' | '.join(cells)} |"


def _section(row: Row) -> Iterator[str]:
    yield f"### {row.ordinal}. {row.status.replace('_', ' ')}{_reasons(row)}"
    yield ""
    if row.claim:
        yield from (f"**{escaped(cut(row.claim, _LONGEST))}**", "")
    for name, value in fields(row):
        yield f"- {name}: {escaped(cut(value, _LONGEST))}"
    for name, words, where in passages(row):
        yield from ("", f"{name} {escaped(where)}:", "")
        yield f"> {escaped(cut(words.text, _LONGEST))}"
    yield ""


def _reasons(row: Row) -> str:
    return f": {', '.join(reason.replace('_', ' ') for reason in row.reasons)}" if row.reasons else ""


def escaped(text: str, width: int = 0) -> str:
    """Foreign text on one line as Markdown that shows its signs and makes no markup; ``width`` > 0 cuts it."""
    line = one_line(text)
    if width and len(line) > width:
        line = line[: width - 1].rstrip() + "…"
    # An address that stands alone becomes a link in many readers; an escaped colon and full stop keep it text.
    shown = "".join(f"\\{letter}" if letter in _MARKUP else letter for letter in line)
    return shown.replace("www.", "www\\.")
