"""The forms of those notes that travel in a project's zip: nothing missing, nothing unknown, everything bounded. The
same reading decides what is written and what is taken in, so a zip of ours is never refused for its notes."""

import base64
import binascii
import json
import math
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from core import records
from core.errors import StorageError
from core.labels import Domain
from core.text.jsonable import squeeze
from storage.tables.checks import MAX_USD
from storage.tables.notes import LAB, OPINIONS, QUOTES, SETS, TEMPLATES, UNFINISHED
from storage.tables.record_codec import first_fault

MAX_NOTE_BYTES = 30_000_000
"""Characters of one note as it is stored; only uploaded sets come near."""
MAX_SET_BYTES = 100_000_000
"""Bytes of a set of judged queries, unpacked."""
MAX_PLACES = 20_000
"""Judged places of one question."""

_PLACE = re.compile(r"([0-9a-f]{16}):([0-9]{1,9})-([0-9]{1,9})")
_KEY = re.compile(r"[0-9a-f]{32}")
_ITEM = re.compile(r"(finding|claim):[1-9][0-9]{0,9}")
_DOCUMENT = re.compile(r"[0-9a-f]{16}")

Name = Annotated[str, Field(max_length=records.MAX_NAME)]
Words = Annotated[str, Field(max_length=10_000)]
Grades = dict[Name, Annotated[int, Field(ge=-records.MAX_GRADE, le=records.MAX_GRADE)]]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class _Set(_Strict):
    name: Name
    origin: Literal["upload", "golden", "review"]
    qrels: Annotated[dict[Name, Grades], Field(max_length=records.MAX_QUERIES)]
    queries: dict[Name, Annotated[str, Field(max_length=records.MAX_QUERY)]]
    runs: dict[Name, dict[Name, list[Name]]]


class _Quote(_Strict):
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    quote: Words
    why: Words
    stance: Literal["", "supports", "contradicts"] = ""


class QuotesForm(_Strict):
    """Quotes of a source, as ``core.opinion.quotes`` keeps them."""

    text: Words
    way: Literal["passages", "evidence"]
    at: Annotated[str, Field(max_length=50)]
    model: Name
    cost_usd: float | None = Field(ge=0, le=MAX_USD)
    content: str = Field(pattern="^[0-9a-f]{64}$")
    quotes: list[_Quote] = Field(max_length=100)
    dropped: list[str] = Field(max_length=200)
    notes: list[Words] = Field(max_length=200)


@dataclass(frozen=True, slots=True)
class Places:
    """Judged places of one question: the grade by source and characters."""

    grades: Mapping[tuple[str, int, int], int]


Form = Places | records.JudgedQueries | records.Opinion | QuotesForm | dict[str, str] | str

_LAB: TypeAdapter[dict[str, Annotated[int, Field(ge=0, le=3)]]] = TypeAdapter(
    Annotated[dict[str, Annotated[int, Field(ge=0, le=3)]], Field(max_length=MAX_PLACES)]
)
_TEMPLATES: TypeAdapter[dict[str, str]] = TypeAdapter(dict[str, Annotated[str, Field(max_length=records.MAX_GUIDANCE)]])
OPINION: TypeAdapter[records.Opinion] = TypeAdapter(records.Opinion)


def form_of(name: str, value: str) -> Form:
    """The content of a note that belongs into a zip, checked. Raises StorageError: it does not travel, or is not in the
    form in which this version keeps it."""
    if len(value) > MAX_NOTE_BYTES:
        raise StorageError(f"the note {name[:60]!r} is too long")
    try:
        return _read(name, value)
    except ValidationError as error:
        raise StorageError(f"the note {name[:60]!r} is wrong: {first_fault(error)}") from error
    except (ValueError, RecursionError, zlib.error, binascii.Error) as error:
        raise StorageError(f"the note {name[:60]!r} is wrong: {error}") from error


def _read(name: str, value: str) -> Form:
    for prefix, read in ((LAB, _places), (SETS, _set)):
        if name.startswith(prefix):
            _require(_KEY.fullmatch(name.removeprefix(prefix)) is not None, "its name is impossible")
            return read(value)
    if name.startswith(OPINIONS):
        return _opinion(name.removeprefix(OPINIONS), value)
    if name.startswith(QUOTES):
        _require(_DOCUMENT.fullmatch(name.removeprefix(QUOTES)) is not None, "its name is impossible")
        return _quotes(name.removeprefix(QUOTES), value)
    if name == TEMPLATES:
        templates = _TEMPLATES.validate_json(value, strict=True)
        _require(set(templates) <= set(Domain), "it is about a domain that there is not")
        return templates
    _require(name == UNFINISHED, "such a note does not travel")
    _require(value in ("", "yes"), "it is neither set nor not")
    return value


def plain(form: Form) -> str:
    if isinstance(form, records.JudgedQueries):
        return squeeze(
            {"name": form.name, "origin": form.origin, "qrels": form.qrels, "queries": form.queries, "runs": form.runs}
        )
    if isinstance(form, records.Opinion):
        return OPINION.dump_json(form, ensure_ascii=True).decode()
    if isinstance(form, QuotesForm):
        return json.dumps(form.model_dump())
    if isinstance(form, str):
        return form
    if isinstance(form, Places):
        return json.dumps({records.place_name(*place): grade for place, grade in form.grades.items()})
    return json.dumps(form, ensure_ascii=False)


def _places(value: str) -> Places:
    places: dict[tuple[str, int, int], int] = {}
    for name, grade in _LAB.validate_json(value, strict=True).items():
        place_match = _PLACE.fullmatch(name)
        _require(place_match is not None, f"{name[:60]!r} is no place in a source")
        assert place_match is not None
        place = (place_match[1], int(place_match[2]), int(place_match[3]))
        _require(place[1] < place[2] and place not in places, f"{name[:60]!r} is no place in a source")
        places[place] = grade
    return Places(places)


def _set(value: str) -> records.JudgedQueries:
    unpacking = zlib.decompressobj()
    body = unpacking.decompress(base64.b85decode(value), MAX_SET_BYTES)
    _require(unpacking.eof and not unpacking.unused_data, "it unpacks to too much, or is cut off")
    judged_set = _Set.model_validate_json(body)
    _require(judged_set.origin == records.UPLOAD, "only sets that somebody gave travel")
    runs: Mapping[str, Mapping[str, tuple[str, ...]]] = {
        name: {query: tuple(rows) for query, rows in run.items()} for name, run in judged_set.runs.items()
    }
    return records.JudgedQueries(judged_set.name, judged_set.origin, judged_set.qrels, judged_set.queries, runs)


def _opinion(item: str, value: str) -> records.Opinion:
    opinion = OPINION.validate_json(value, strict=True, extra="forbid")
    _require(_ITEM.fullmatch(item) is not None and opinion.item == item, "it is about another item than its name says")
    _require(opinion.at.tzinfo is not None, "its time has no zone")
    texts = [opinion.model, opinion.why, opinion.basis, *opinion.notes]
    texts += [text for quote in opinion.quotes for text in (quote.quote, quote.why, quote.document_id)]
    _require(max(map(len, texts)) <= 30_000 and len(texts) <= 500, "it is too long")
    _require(0 <= opinion.confidence <= 100 and 0 <= opinion.dropped <= 1000, "a number in it is impossible")
    cost = opinion.cost_usd
    _require(cost is None or (math.isfinite(cost) and 0 <= cost <= MAX_USD), "its cost is impossible")
    return opinion


def _quotes(document_id: str, value: str) -> QuotesForm:
    quotes = QuotesForm.model_validate_json(value)
    _require(datetime.fromisoformat(quotes.at).tzinfo is not None, "its time has no zone")
    _require(quotes.content.startswith(document_id), "it is about another source than its name says")
    return quotes


def _require(holds: bool, reason: str) -> None:
    if not holds:
        raise ValueError(reason)
