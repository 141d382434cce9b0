"""Bare numbers after what they support, as in Gemini's exports: ``... in institutions.1 Trust is low 3, and``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core.audit.citations.numeric import expand
from core.audit.report_model import BlockKind, Marker, ReferenceKind, Style, Target
from core.audit.tables import heads_of
from core.audit.view import View, marker_text
from core.text.verbs import VerbForm, verb_form

_LIST = r"\d{1,3}(?:, ?\d{1,3}(?![\d,]*[^\W\d_]))*"
_RAISED = re.compile(rf"(?<=[^\W\d_][.!?,;:])(?P<n>{_LIST})(?=\s|[)|]|\Z|\x00)")
_QUOTED = re.compile(rf"(?<=[.!?,;:)\]%][\"'\u201d\u2019)*_])(?P<n>{_LIST})(?=\s|[)|.,;:]|\Z|\x00)")
_CLOSED = re.compile(rf"(?<=[^\W\d_][\"'\u201d\u2019)])(?P<n>{_LIST})(?=\s|[)|.,;:]|\Z|\x00)")
_BRACKET_STOP = re.compile(rf"(?<=[)\]\"\u201d\u2019%*_][.!?,;:])(?P<n>{_LIST})(?=\s|[)|]|\Z|\x00)")
_SPACED = re.compile(
    rf"(?P<before>[^\W\d_][\w'\u2019\-]*[*_]{{0,3}}|etc\.|[\"\u201d\u2019)%?!\]])[ ](?P<n>{_LIST})"
    r"(?=[ ]?[.,;:)|\u2014\u2013](?:\s|\Z|\x00|[^\d])|\s*\Z|\s*\x00|[ \t]*\n|[ ](?P<after>[a-z]+)\b)"
)
_WHOLE_WORD = r"(?<![\w'\u2019\-])(?=\d*[^\W\d_])[\w'\u2019\-]+"
_ROUND = re.compile(
    rf"(?P<before>{_WHOLE_WORD}|[\"\u201d\u2019)%])[.,;:]?[ ]?(?P<whole>\((?P<n>{_LIST}"
    rf"|\d{{1,3}}[\u2013-]\d{{1,3}})\))"
    r"(?=[ ]?[.,;:)|]|\s*\Z|\s*\x00|[ \t]*\n)"
)
_ROUNDED = re.compile(
    rf"(?:(?P<before>{_WHOLE_WORD}|[\"\u201d\u2019)%])(?P<stop>[.,;:]?)\s?)?(?P<whole>\((?P<n>{_LIST}"
    rf"|\d{{1,3}}[\u2013-]\d{{1,3}})\))(?P<after>\s?[^\W\d_])?"
)
_ALONE = re.compile(rf"{_LIST}|\d{{1,3}}[\u2013-]\d{{1,3}}")
_REFERS = re.compile(
    r"\W*(?:sources?|refs?|references?|citations?|works cited|quellen?|nachweise?|fuentes?)\W*", re.IGNORECASE
)
_ANNOUNCE = frozenset(
    """table tables figure figures fig section sections chapter part group no number
    page pages volume vol issue version item items day days week weeks month months year years january
    february march april may june july august september october november december war covid appendix box question
    note line row column article rule act title article eq equation model scenario case hypothesis goal sdg g top
    about around over under than nearly almost approximately roughly some only just up least most of in at by to from
    with for and or the a an is are was were be between on as into per its their this that these those last next first
    past every each least all within until since before after during age aged ages""".split()  # noqa: SIM905
)
_SMALL = frozenset("step phase level stage type class tier grade category priority generation".split())  # noqa: SIM905
_LARGEST_SMALL = 9
_FUNCTION = frozenset(
    """and or but nor yet so while whereas although though because since if when where who whom whose which that than
    as at by for from in into of on onto over through to toward towards under until upon via with within without
    against among amongst across along alongside around before after behind between beyond despite during except
    is are was were be been being has have had do does did can could may might must shall should will would often
    also not rather such including both either these this those the a an its their it they there we suggests suggest
    shows show indicates indicate remains remain signify signifies demonstrate demonstrates reveal reveals
    provide provides create creates make makes lead leads contribute contributes require requires highlight highlights
    offer offers underscore underscores reflect reflects argue argues find finds report reports""".split()  # noqa: SIM905
)
_NUMBERED = frozenset({Style.NUMERIC, Style.FOOTNOTE, Style.SUPERSCRIPT})
_FEWEST = 3
_SMALLEST_SHARE = 3


def has_other_numbers(markers: Iterable[Marker]) -> bool:
    """True when the report numbers its citations in another way."""
    return any(marker.style in _NUMBERED for marker in markers)


def find(view: View, *, numbered_elsewhere: bool = False) -> list[Marker]:
    """Bare numbers, only in a report with a numbered list (of three or more) and no other numbered style.

    Directly after a letter and a stop, or after a closing quote or bracket, a listed number is a marker. After a
    blank it is one only behind a word of content and before a stop, the end, a verb or a function word: ``levels 3,
    often`` but not ``Table 1``, ``in 3 countries``, ``about 5``. In round brackets it is one at the end
    of a clause, and alone in a cell below a head such as "Source". Unless a third of the list is cited so, nothing is.
    """
    listed = {r.number for r in view.references if r.kind is ReferenceKind.NUMBERED and not r.implied}
    if numbered_elsewhere or not listed:
        return []
    markers: list[Marker] = []
    bare = {**_in_cells(view), **_numbers_at(view.text)} if len(listed) >= _FEWEST else {}
    for start, end in sorted({**_in_round_brackets(view.text), **bare}.items()):
        numbers = expand(view.text[start:end])
        if all(number in listed for number in numbers):
            targets = tuple(Target(number=number) for number in numbers)
            markers.append(Marker(Style.TRAILING_DIGITS, start, end, marker_text(view, start, end), targets))
    cited = {target.number for marker in markers for target in marker.targets}
    return markers if _SMALLEST_SHARE * len(cited) >= len(listed) else []


def _numbers_at(text: str) -> dict[int, int]:
    """Ends of the numbers that may be markers, by their starts."""
    spans: dict[int, int] = {}
    for pattern in (_RAISED, _QUOTED, _CLOSED, _BRACKET_STOP):
        for match in pattern.finditer(text):
            spans.setdefault(match.start("n"), match.end("n"))
    for match in _SPACED.finditer(text):
        if _is_content(match["before"], match["n"]) and (match["after"] is None or _goes_on(match["after"])):
            spans.setdefault(match.start("n"), match.end("n"))
    return spans


def _in_round_brackets(text: str) -> dict[int, int]:
    found = (match for match in _ROUND.finditer(text) if _is_content(match["before"], match["n"]))
    return {match.start("whole"): match.end("whole") for match in found}


def round_numbers(view: View) -> list[tuple[int, int]]:
    """Places of listed numbers in round brackets that may cite, where no style took them: ``lindens (1).``, ``Berg (1)
    found``. Numbers that count up within their block (``(1) cheap, (2) fast``) and years count items."""
    listed = {ref.number for ref in view.references if ref.kind is ReferenceKind.NUMBERED and not ref.implied}
    spans: list[tuple[int, int]] = []
    for block in view.blocks if listed else ():
        matches = [match for match in _ROUNDED.finditer(view.text, block.start, block.end) if block.kind.citable]
        items = _items(matches)
        cited = (match for match in matches if match["before"] and match.start("whole") not in items)
        cited = (match for match in cited if listed.issuperset(expand(match["n"])))
        spans += [match.span("whole") for match in cited if _is_content(match["before"], match["n"])]
    return spans


def _items(matches: Sequence[re.Match[str]]) -> set[int]:
    """Where the numbers stand that count up from 1, each before words and behind a comma or a word such as "and"."""
    items: set[int] = set()
    run: list[int] = []
    for match in matches:
        begun = match["after"] and (not run or match["stop"] or not match["before"] or match["before"] in _FUNCTION)
        if not begun or match["n"] != str(len(run) + 1):
            run = []
        if match["after"] and match["n"] == str(len(run) + 1):
            run.append(match.start("whole"))
        if len(run) > 1:
            items.update(run)
    return items


def _goes_on(word: str) -> bool:
    """True for a word before which a number is no quantity: "trust 3 and", "trust 3 erodes", but not "trust"
    " 3 people"."""
    return word in _FUNCTION or verb_form(word) is not VerbForm.NONE


def _in_cells(view: View) -> dict[int, int]:
    """Cells that hold nothing but numbers, in a column whose head says that they are sources."""
    spans: dict[int, int] = {}
    for at, block in enumerate(view.blocks):
        if block.kind is not BlockKind.TABLE_CELL or not _ALONE.fullmatch(view.text, block.start, block.end):
            continue
        head = heads_of(view.blocks, at).get(block.level)
        if head is not None and _REFERS.fullmatch(view.source, head.start, head.end):
            spans[block.start] = block.end
    return spans


def _is_content(word: str, number: str) -> bool:
    """True when a number behind ``word`` is no part of what it says (``Table 1``, ``level 3``)."""
    if word.strip("*_").lower() in _SMALL:
        return number.isdecimal() and int(number) > _LARGEST_SMALL
    return not announces_number(word)


def announces_number(word: str) -> bool:
    """True for a word before which a number is part of what it says: ``Table``, ``Step``, ``about``."""
    return word.strip("*_").lower() in _ANNOUNCE | _SMALL
