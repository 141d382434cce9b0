"""Records that are kept as one JSON value: reports' rows, claims, judged pairs, questions, answers, calls. The columns
beside a value exist for filters, order and versions; where both say something, the columns win. What is written is read
back and compared before it is kept, so that nothing is stored that could not be read again."""

import re
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from core.errors import StorageError
from core.records import Answer, Claim, Finding, LlmCall, Question, SourceVerdict, StoredReport
from core.text.jsonable import adapter
from storage.database.codec import damaged, sealed

Record = TypeVar("Record")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")

REPORT: TypeAdapter[StoredReport] = adapter(StoredReport)
FINDING: TypeAdapter[Finding] = adapter(Finding)
CLAIM: TypeAdapter[Claim] = adapter(Claim)
VERDICT: TypeAdapter[SourceVerdict] = adapter(SourceVerdict)
QUESTION: TypeAdapter[Question] = adapter(Question)
ANSWER: TypeAdapter[Answer] = adapter(Answer)
LLM_CALL: TypeAdapter[LlmCall] = adapter(LlmCall)


def pack(adapter: TypeAdapter[Record], record: Record) -> tuple[Record, str]:
    """The record as it will be read again, and its compact JSON with its checksum; lone surrogates become U+FFFD.
    Raises StorageError: a value has another type than the record says, or is no finite number; nothing was stored."""
    try:
        body = _dump(adapter, record)
    except PydanticSerializationError:
        record = cleaned(record)
        try:
            body = _dump(adapter, record)
        except PydanticSerializationError as error:
            raise _unfit(record, str(error)) from error
    try:
        again = adapter.validate_json(body, strict=True, extra="forbid")
    except ValidationError as error:
        raise _unfit(record, first_fault(error)) from error
    if again != record:
        raise _unfit(record, "it reads back differently; use the types that the record names")
    return again, sealed(body.decode())


def unpack(adapter: TypeAdapter[Record], body: str, what: str) -> Record:
    """The record again; ``what`` names it in the error. Raises DatabaseDamaged: the value is not one that ``pack``
    wrote."""
    if not isinstance(body, str) or sealed(body[:-8]) != body:
        raise damaged(what, "its checksum differs")
    try:
        return adapter.validate_json(body[:-8], strict=True, extra="forbid")
    except ValidationError as error:
        raise damaged(what, first_fault(error)) from error


def cleaned(value: Record) -> Record:
    """The same value with U+FFFD for every lone surrogate in its texts."""
    changed: object = value
    if isinstance(value, str) and not isinstance(value, Enum):
        changed = _LONE_SURROGATE.sub("\ufffd", value)
    elif isinstance(value, dict):
        changed = {cleaned(key): cleaned(one) for key, one in value.items()}
    elif isinstance(value, tuple):
        changed = tuple(cleaned(one) for one in value)
    elif is_dataclass(value) and not isinstance(value, type):
        changed = replace(value, **{field.name: cleaned(getattr(value, field.name)) for field in fields(value)})
    return changed  # type: ignore[return-value]


def first_fault(error: ValidationError) -> str:
    """Where the first fault is and what it is, on one line, without the value."""
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part)[:40] for part in first["loc"][:6])
    return f"{where}: {first['msg']}" if where else str(first["msg"])


def _dump(adapter: TypeAdapter[Record], record: Record) -> bytes:
    return adapter.dump_json(record, warnings="error")


def _unfit(record: object, why: str) -> StorageError:
    return StorageError(f"A {type(record).__name__} cannot be stored ({why}). Nothing of this step was stored.")
