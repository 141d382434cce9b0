"""Foreign text made safe for the places it is written to. Nothing is lost silently: what is cut says so. ``\\u200e``,
``\\u200f`` and the other marks of direction are text (a Hebrew or Arabic sentence needs them) and stay."""

import re

CELL_LIMIT = 32_767
"""The longest text of a cell in a spreadsheet, in UTF-16 units (ECMA-376; Excel's specifications and limits)."""
CUT_MARK = " […] (cut; the whole text is in the JSON export)"

# What XML 1.0 allows (section 2.2, production 2), without DEL and the C1 controls, which it only discourages.
_ILLEGAL = re.compile("[^\t\n\r\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\ufdd0-\ufdef]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE_END = re.compile(r"\r\n?")
# OWASP, "CSV Injection": = + - @ tab CR (LF), and their full-width variants. White space and marks that are not seen
# (format characters, byte order mark) in front of them are skipped by some spreadsheets.
_UNSEEN = "\\s\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
_RUNS = re.compile(rf"[\t\r\n]|[{_UNSEEN}]*[=+\-@\uff1d\uff0b\uff0d\uff20]")
# A spreadsheet that takes the semicolon or the tab for the separator, or cuts a cell at its line ends because it read
# the quotation marks so, would begin a cell here. A run is looked at from its beginning only, so that a megabyte of
# blanks costs no square.
_INNER = re.compile(rf"(?<![;\"{_UNSEEN}])([;\"{_UNSEEN}]++)([=+\-@\uff1d\uff0b\uff0d\uff20])")
_BREAKS = re.compile("[;\t\n]")


def legal(text: str) -> str:
    """``text`` without NUL and other control characters, lone surrogates as U+FFFD, line ends as ``\\n``: what XML,
    spreadsheets and word processors take."""
    if text.isascii() and text.isprintable():  # the common case, and a quick one for a megabyte
        return text
    return _ILLEGAL.sub("", _SURROGATE.sub("\ufffd", _LINE_END.sub("\n", text)))


def encodable(text: str) -> str:
    """``text`` with U+FFFD for lone surrogates and nothing else changed: what UTF-8 takes."""
    return _SURROGATE.sub("\ufffd", text)


def csv_cell(text: str) -> str:
    """``text`` that no spreadsheet runs as a formula: an apostrophe stands in front of what would begin one, at the
    beginning and after a semicolon, tab or line end."""
    # The first look is at the text as it came: a carriage return in front is a danger before it is normalised.
    runs = _RUNS.match(_SURROGATE.sub("\ufffd", text)) is not None
    clean = legal(text)
    if _BREAKS.search(clean):
        clean = _INNER.sub(_separated, clean)
    return f"'{clean}" if runs or _RUNS.match(clean) else clean


def _separated(match: re.Match[str]) -> str:
    run, trigger = match.groups()
    return f"{run}'{trigger}" if _BREAKS.search(run) else match.group()


def sheet_cell(text: str) -> str:
    """``text`` for a string cell of a workbook: legal, and cut with a visible mark where a cell cannot hold it."""
    return cut(legal(text), CELL_LIMIT)


def cut(text: str, limit: int, mark: str = CUT_MARK) -> str:
    """``text`` of at most ``limit`` UTF-16 units, ``mark`` included where something was left out."""
    if _units(text) <= limit:
        return text
    start = text[: limit - _units(mark)]
    while _units(start) > limit - _units(mark):
        start = start[: len(start) - max(1, (_units(start) - limit + _units(mark)) // 2)]
    return start + mark


def one_line(text: str) -> str:
    """``text`` legal and on one line."""
    return " ".join(legal(text).split())


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
