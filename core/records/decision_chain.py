"""The log of decisions as a chain of hashes, and the form in which it travels.

The wire form of an entry is a JSON object of its fields; a field that has its default is left out, so fields that are
added later leave old hashes as they are. ``hash`` is the SHA-256 (hex) of the wire form without ``hash``, written with
sorted keys, no spaces, in UTF-8 (close to RFC 8785; numbers as Python's ``json`` writes them). It covers ``previous``,
the hash of the entry before: changing, leaving out or inserting an entry breaks the chain there (linked time-stamping:
Haber & Stornetta 1991). The chain shows changes to whoever knows the newest hash; it is no signature.

An entry that is not handed over is ``Redacted``: ``{"hash": …, "id": …, "previous": …, "redacted": true}``. That the
entries around it follow one another is still checked; that its hash fits its content cannot be.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from functools import cache

from pydantic import TypeAdapter, ValidationError

from core.errors import ReviewError
from core.labels import DecisionKind
from core.records import Decision, DecisionBasis, Redacted

MAX_NOTE = 20_000
"""Characters of a note or a rewording."""
MAX_NAME = 200
"""Characters of a person's name and of a reason."""
MAX_KEY = 500
MAX_TEXT = 1_000_000
MAX_SETTLED = 1_000
MAX_ID = 2**53
"""Ids and versions are smaller: whole numbers that every JSON reader takes exactly."""

_HASH = re.compile(r"(?:[0-9a-f]{64})?")
_SAYS_REDACTED = re.compile(rb'"redacted"\s*:')  # inside a text its quotation marks would be escaped
_UNFIT = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_BACK_AND_FORTH = (DecisionKind.UNDO, DecisionKind.REDO)

Entry = Decision | Redacted
"""An entry of a log that was handed on."""


@cache
def _record_adapter() -> TypeAdapter[Decision]:
    """Built at its first use: the first page needs none."""
    return TypeAdapter(Decision)


def sealed(decision: Decision, previous: str) -> Decision:
    """The entry with ``previous`` and its own ``hash``; the time in UTC. Raises ReviewError: a value is out of its
    range (``check``)."""
    check(decision)
    support, threshold = (
        None if value is None else float(value) for value in (decision.basis.support, decision.basis.threshold)
    )
    basis = replace(decision.basis, support=support, threshold=threshold)
    fresh = replace(decision, basis=basis, at=decision.at.astimezone(UTC), previous=previous, hash="")
    return replace(fresh, hash=_digest(fresh))


def faults_of(decisions: Sequence[Entry], *, after: tuple[int, str] = (0, "")) -> list[str]:
    """Faults of the log, one sentence each; empty when the chain is whole. ``after``: id and hash of the entry before
    the first given one; of a whole log ``(0, "")``."""
    number, previous = after
    items: dict[int, str] = {}
    faults: list[str] = []
    for decision in decisions:
        if decision.id != number + 1:
            faults.append(
                f"Entry {number + 1} of the log of decisions is missing: entry {decision.id} stands in its place."
            )
        elif decision.previous != previous:
            faults.append(f"Entry {decision.id} of the log of decisions does not follow the entry before it.")
        number, previous = decision.id, decision.hash
        if isinstance(decision, Redacted):
            continue
        try:
            check(decision)
            if not fits_hash(decision):
                faults.append(
                    f"Entry {decision.id} of the log of decisions was changed: its hash does not fit its content."
                )
        except ReviewError as error:
            faults.append(f"Entry {decision.id} of the log of decisions is impossible: {error}")
        for earlier in ((decision.target,) if decision.target else ()) + decision.settles:
            if earlier > after[0] and items.get(earlier) != decision.item:
                faults.append(
                    f"Entry {decision.id} of the log of decisions names entry {earlier}, not one on its item."
                )
        items[decision.id] = decision.item
    return faults


def fits_hash(decision: Decision) -> bool:
    """The entry has the hash of its content."""
    return decision.hash == _digest(decision)


def check(decision: Decision) -> None:
    """Refuse an entry that could not be kept or read again. Raises ReviewError: a text is too long or holds a lone
    surrogate, a number is out of its range, the time has no zone, or ``target`` and kind do not belong together."""
    basis = decision.basis
    for what, text, limit in (
        ("note", decision.note, MAX_NOTE),
        ("rewording", decision.rewording, MAX_NOTE),
        ("reason", decision.reason, MAX_NAME),
        ("item", decision.item, MAX_KEY),
    ):
        if len(text) > limit:
            raise ReviewError(f"The {what} of a decision has {len(text)} characters; at most {limit} are kept.")
    require_name(decision.by)
    if not decision.item:
        raise ReviewError("A decision names no item. Choose a citation or claim, then decide.")
    if decision.at.tzinfo is None or not 1900 < decision.at.year < 9999:
        raise ReviewError(f"The time of a decision, {decision.at}, has no zone or lies outside 1901 to 9998.")
    _check_texts(decision)
    _check_numbers(basis)
    _check_earlier(decision)
    for digest in (decision.previous, decision.hash):
        if not _HASH.fullmatch(digest):
            raise ReviewError(f"{digest[:70]!r} in a decision is not a SHA-256.")


def require_name(name: str) -> None:
    """Refuse what no person can be called here (ReviewError): nothing, over 200 characters, control characters."""
    if not name.strip() or name != name.strip() or len(name) > MAX_NAME or _CONTROL.search(name) or _UNFIT.search(name):
        raise ReviewError(
            f"{name[:60]!r} cannot be a reviewer's name: give 1 to {MAX_NAME} characters, no line breaks or control "
            "characters, no spaces at the ends."
        )


def to_json(decision: Decision) -> dict[str, object]:
    """The wire form: JSON values only, fields with their default left out."""
    return _plain(decision)


def to_line(entry: Entry) -> str:
    """The wire form as one line of JSON, with sorted keys and no spaces."""
    if isinstance(entry, Redacted):
        return _canonical({"id": entry.id, "previous": entry.previous, "hash": entry.hash, "redacted": True})
    return _canonical(to_json(entry))


def redacted(entry: Entry) -> Redacted:
    """The part of an entry that goes out when the entry is withheld."""
    return Redacted(entry.id, entry.previous, entry.hash)


def from_line(line: str | bytes) -> Decision:
    """An entry from its wire form as one line of JSON, nothing missing, nothing unknown, nothing converted.

    Raises:
        ReviewError: it is not the wire form of a possible entry; the message says where. Its hash is not compared:
            that is for ``faults_of``.
    """
    try:
        read = _record_adapter().validate_json(line, strict=True, extra="forbid")
        decision = replace(read, at=read.at.astimezone(UTC) if read.at.tzinfo else read.at)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part)[:40] for part in first["loc"][:6])
        raise ReviewError(f"This is no entry of a log of decisions: {where or 'line'}: {first['msg']}") from error
    except OverflowError as error:
        raise ReviewError(f"This is no entry of a log of decisions: at: {error}") from error
    check(decision)
    return decision


def entry_from_line(line: str | bytes) -> Entry:
    """An entry of a log that was handed on, redacted or not (ReviewError as ``from_line``)."""
    raw = line.encode("utf-8", "replace") if isinstance(line, str) else line
    return _redacted_from(raw) if _SAYS_REDACTED.search(raw) else from_line(line)


def _redacted_from(line: bytes) -> Redacted:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ReviewError(f"This is no entry of a log of decisions: {error}") from error
    if not isinstance(value, dict) or value.keys() != {"id", "previous", "hash", "redacted"}:
        raise ReviewError("This is no entry of a log of decisions: a redacted one has a number and two hashes only.")
    number, previous, own = value["id"], value["previous"], value["hash"]
    if value["redacted"] is not True or type(number) is not int or not 0 < number < MAX_ID:
        raise ReviewError("This is no entry of a log of decisions: the number of a redacted one is none.")
    hashes = [digest for digest in (previous, own) if isinstance(digest, str) and _HASH.fullmatch(digest)]
    if len(hashes) < 2 or not own or bool(previous) == (number == 1):
        raise ReviewError("This is no entry of a log of decisions: the hashes of a redacted one are none.")
    return Redacted(number, previous, own)


def _digest(decision: Decision) -> str:
    value = to_json(decision)
    value.pop("hash", None)
    return hashlib.sha256(_canonical(value).encode()).hexdigest()


def _canonical(value: Mapping[str, object]) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _plain(record: Decision | DecisionBasis) -> dict[str, object]:
    values = ((field, getattr(record, field.name)) for field in fields(record))
    return {field.name: _value(value) for field, value in values if value != field.default}


def _value(value: object) -> object:
    if is_dataclass(value) and isinstance(value, DecisionBasis):
        return _plain(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    return list(value) if isinstance(value, tuple) else value


def _check_texts(decision: Decision) -> None:
    for text in _texts(decision):
        if len(text) > MAX_TEXT:
            raise ReviewError(f"A text in a decision has {len(text)} characters; at most {MAX_TEXT} are kept.")
        if _UNFIT.search(text):
            raise ReviewError("A text in a decision holds half a character (a lone surrogate). Type it again.")


def _texts(record: Decision | DecisionBasis) -> Iterator[str]:
    for field in fields(record):
        value = getattr(record, field.name)
        if isinstance(value, DecisionBasis):
            yield from _texts(value)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, str):
                yield part


def _check_numbers(basis: DecisionBasis) -> None:
    counts = (basis.row_id, basis.row_version, basis.report_id, basis.report_family, basis.start, basis.end)
    if not all(count is None or 0 <= count < MAX_ID for count in counts):
        raise ReviewError("An id, version or place in what a decision rests on is out of its range.")
    place = (basis.start, basis.end)
    if (basis.start is None) != (basis.end is None) or (None not in place and basis.start > basis.end):  # type: ignore[operator]
        raise ReviewError(f"What a decision rests on stands at {basis.start}–{basis.end}, which is no place in a text.")
    if not all(share is None or 0.0 <= share <= 1.0 for share in (basis.support, basis.threshold)):
        raise ReviewError("The support or threshold in what a decision rests on is not between 0 and 1.")


def _check_earlier(decision: Decision) -> None:
    """``id`` 0 is an entry that has not got one yet."""
    if not 0 <= decision.id < MAX_ID:
        raise ReviewError("The id of a decision is out of its range.")
    if (decision.target is not None) != (decision.kind in _BACK_AND_FORTH):
        raise ReviewError("Only undo and redo name the entry that they take back or bring back, and they must.")
    named = ((decision.target,) if decision.target is not None else ()) + decision.settles
    if len(decision.settles) > MAX_SETTLED or len(set(named)) < len(named):
        raise ReviewError("A decision names an entry twice, or too many.")
    if not all(0 < earlier < (decision.id or MAX_ID) for earlier in named):
        raise ReviewError("A decision names an entry that is not before it.")
