"""From ranked passages to the names that judgements use. Judgements name a document of the project in any way that
people do: its id, an address, a DOI, a file name with or without its ending, its title; or a place in it as ``<document
id>:<start>-<end>`` (code points of the stored text)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from core.records import Document, place_name

ShownPassage = tuple[str, int, int]
"""A returned passage: its document, where it begins and where it ends."""

LEAST_SHARE = 0.5
"""Share of a judged place that a passage must show to count: passages are cut without regard to it."""

_PLACE = re.compile(r"(.+):([0-9]{1,9})-([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Place:
    """A document, or the characters ``span`` of it."""

    document_id: str
    span: tuple[int, int] | None = None

    def shown_by(self, passage: ShownPassage) -> bool:
        """True when a passage shows this document, or at least half of this place."""
        document, start, end = passage
        if document != self.document_id:
            return False
        if self.span is None:
            return True
        shared = min(end, self.span[1]) - max(start, self.span[0])
        return shared > 0 and shared >= LEAST_SHARE * (self.span[1] - self.span[0])


def names_of(documents: Iterable[Document]) -> dict[str, str]:
    """Every name that means exactly one document, and that document's id; an id means itself whatever else it is."""
    meant: dict[str, set[str]] = {}
    ids = set()
    for document in documents:
        ids.add(document.id)
        file = PurePosixPath(document.filename or "")
        names = {*document.urls, document.canonical_url, document.doi, file.name, file.stem, document.title}
        for name in names - {None, ""}:
            meant.setdefault(" ".join(str(name).split()), set()).add(document.id)
    single = {name: next(iter(ids)) for name, ids in meant.items() if len(ids) == 1}
    return {**single, **{id_: id_ for id_ in ids}}


def place_of(name: str, names: Mapping[str, str]) -> Place | None:
    """The place that a judgement names, None when this project does not hold it."""
    if name in names:
        return Place(names[name])
    match = _PLACE.fullmatch(name)
    if match is None or match[1] not in names or int(match[2]) >= int(match[3]):
        return None
    return Place(names[match[1]], (int(match[2]), int(match[3])))


def ranked(passages: Sequence[ShownPassage], judged: Mapping[str, Place]) -> list[str]:
    """The names in the order in which the passages show them, each once. Where whole documents are judged a document
    stands at its best passage and its other passages take no place. Where places are judged a passage that shows
    nothing new takes a place of its own. ``judged``: those of one query, the better grades first; of several that one
    passage shows the first new one counts."""
    by_place = any(place.span is not None for place in judged.values())
    of_document: dict[str, list[tuple[str, Place]]] = {}
    for name, place in judged.items():
        of_document.setdefault(place.document_id, []).append((name, place))
    names: dict[str, None] = {}
    for passage in passages:
        shown = [name for name, place in of_document.get(passage[0], ()) if place.shown_by(passage)]
        new = next((name for name in shown if name not in names), None)
        if new is not None:
            names[new] = None
        elif by_place:
            names[place_name(*passage)] = None
        elif not shown:
            names[passage[0]] = None
    return list(names)
