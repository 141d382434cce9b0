"""The models of the requests. The OpenAPI document is made of them, so it says what is checked."""

import base64
from datetime import date
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from core.claims.extract import LONGEST
from core.labels import ClaimType, Grade, QueryKind
from core.records import Filters, Query, SearchRequest, StageSwitches
from core.retrieve.request import MAX_DEPTH, MAX_QUERIES, MAX_QUERY_CHARS, MAX_RESULTS

MOST_SOURCES = 1000
LONGEST_WAIT_S = 60.0
MAX_ID = 2**53
_ID = Field(max_length=64, min_length=1)
_NAME = Field(max_length=500)


def _decoded(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return base64.b64decode(value.encode("ascii"), validate=True)
    except ValueError as error:
        raise ValueError("not base64 (RFC 4648, section 4)") from error


Base64 = Annotated[
    bytes, BeforeValidator(_decoded), WithJsonSchema({"type": "string", "contentEncoding": "base64", "minLength": 4})
]
"""Bytes, in JSON as base64."""


def _digits(value: object) -> object:
    """In an address a whole number is written in digits alone: 1.0, +1 and 1_0 are other addresses, not this job's."""
    if isinstance(value, str) and not (value.isascii() and value.isdigit()):
        raise ValueError("not a whole number, written in digits")
    return value


Slug = Annotated[str, Field(pattern=r"^[a-z0-9]([a-z0-9-]*[a-z0-9])?$", max_length=80, description="The project.")]
Text = Annotated[str, Field(min_length=1)]
Wait = Annotated[
    float,
    Field(
        ge=0, le=LONGEST_WAIT_S, allow_inf_nan=False, description="Seconds to wait for the job before answering 202."
    ),
]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def _one_of(*names: str) -> dict[str, Any]:
    return {"oneOf": [{"required": [name]} for name in names]}


def _only_one(body: BaseModel, *names: str) -> None:
    given = [name for name in names if name in body.model_fields_set]
    if len(given) != 1:
        raise ValueError(f"give exactly one of {', '.join(names)}")


class FilterBody(_Body):
    """Conditions that hold before anything is ranked; a field left out does not filter."""

    min_grade: Grade | None = None
    documents: list[Annotated[str, _ID]] = Field([], max_length=MOST_SOURCES)
    published_from: date | None = None
    published_to: date | None = None
    languages: list[Annotated[str, _ID]] = Field([], max_length=100)
    tags: list[Annotated[str, _NAME]] = Field([], max_length=100)

    def record(self) -> Filters:
        return Filters(
            self.min_grade, tuple(self.documents), self.published_from, self.published_to, tuple(self.languages),
            tuple(self.tags),
        )  # fmt: skip


class StageBody(_Body):
    """Which stages run. ``rerank``: a cross-encoder reorders the best."""

    lexical: bool = True
    dense: bool = True
    late_interaction: bool = True
    mmr: bool = True
    rerank: bool = False

    def record(self) -> StageSwitches:
        return StageSwitches(**self.model_dump())


QueryText = Annotated[str, Field(min_length=1, max_length=MAX_QUERY_CHARS)]


class QueryBody(_Body):
    """One query and what it is: the question itself or something made from it."""

    text: QueryText
    kind: QueryKind = QueryKind.ORIGINAL


class SearchBody(_Body):
    """``k`` passages of at most ``depth`` candidates per index (left out: as the settings of the service say); with
    ``exact`` late interaction looks at every passage."""

    project: Slug
    queries: list[QueryText | QueryBody] = Field(min_length=1, max_length=MAX_QUERIES)
    filters: FilterBody = FilterBody()
    stages: StageBody = StageBody()
    k: int | None = Field(None, ge=1, le=MAX_RESULTS)
    depth: int | None = Field(None, ge=1, le=MAX_DEPTH)
    exact: bool = False

    def record(self, k: int, depth: int) -> SearchRequest:
        """The engine's record, with ``k`` and ``depth`` of the settings where the request names none."""
        queries = [Query(query) if isinstance(query, str) else Query(query.text, query.kind) for query in self.queries]
        count = self.k or k
        return SearchRequest(
            tuple(queries), self.filters.record(), self.stages.record(), count, self.depth or max(depth, count),
            self.exact,
        )  # fmt: skip


class TextBody(_Body):
    """A pasted text."""

    title: str = Field("", max_length=500)
    text: Text


class _Carried(_Body):
    """Bytes, as ``text`` (sent as UTF-8) or as ``content`` (base64)."""

    model_config = ConfigDict(json_schema_extra=_one_of("text", "content"))

    media_type: str = Field("", max_length=200, description="Left out: found from name and bytes.")
    text: Text = ""
    content: Base64 = b""

    @model_validator(mode="after")
    def _has_one(self) -> Self:
        _only_one(self, "text", "content")
        return self

    def body(self) -> bytes:
        """The bytes."""
        return self.content or self.text.encode("utf-8")


class SnapshotBody(_Carried):
    """A page saved earlier, with the address it came from; nothing is fetched."""

    url: str = Field(min_length=1, max_length=8192)


class FileBody(_Carried):
    """A file by its name, which is no path and is read nowhere."""

    name: str = Field(min_length=1, max_length=255)


class IndexBody(_Body):
    """Sources to add: exactly one of ``texts``, ``urls`` (fetched under the rules of the settings), ``snapshots`` and
    ``files``."""

    model_config = ConfigDict(json_schema_extra=_one_of("texts", "urls", "snapshots", "files"))

    project: Slug
    texts: list[TextBody] = Field([], min_length=1, max_length=MOST_SOURCES)
    urls: list[Annotated[str, Field(min_length=1, max_length=8192)]] = Field([], min_length=1, max_length=MOST_SOURCES)
    snapshots: list[SnapshotBody] = Field([], min_length=1, max_length=MOST_SOURCES)
    files: list[FileBody] = Field([], min_length=1, max_length=MOST_SOURCES)
    wait_s: Wait = 0.0

    @model_validator(mode="after")
    def _has_one(self) -> Self:
        _only_one(self, "texts", "urls", "snapshots", "files")
        return self


class SourceBody(_Body):
    """Corrections of a stored document by a person: a ``grade`` with its ``reason``, corrections of ``title``,
    ``authors`` and ``published`` (null: unknown), or, with ``accept``, that a page fetched for an answer is a source.
    What is left out stays."""

    project: Slug
    document: Annotated[str, _ID]
    grade: Grade | None = None
    reason: str = Field("", max_length=2000)
    title: str = Field("", min_length=1, max_length=1000)
    authors: list[Annotated[str, _NAME]] = Field([], max_length=500)
    published: date | None = None
    accept: bool = False

    def corrections(self) -> dict[str, object]:
        """The fields of the document that were given."""
        given = {"title": self.title, "authors": tuple(self.authors), "published": self.published}
        return {name: value for name, value in given.items() if name in self.model_fields_set}


class VerifyBody(_Body):
    """A claim to verify: in one ``document`` (answered at once, nothing is kept), or, without one, in all sources of
    the project (the claim is kept there, a job verifies it). ``type`` is C1 (central) or C2; its wording decides where
    it is left out. ``context`` stands before the claim, for one that begins with a pronoun."""

    project: Slug
    claim: str = Field(min_length=1, max_length=LONGEST)
    type: ClaimType | None = None
    document: Annotated[str, _ID] | None = None
    context: str = Field("", max_length=LONGEST)
    wait_s: Wait = 0.0


class AuditBody(_Carried):
    """A report whose citations are checked. One that is in the project already is audited again; another text under
    its name or title becomes its next version."""

    project: Slug
    name: str = Field(min_length=1, max_length=255)
    wait_s: Wait = 0.0


class ProjectParameters(_Body):
    """The project, as ``?project=``."""

    project: Slug


class JobParameters(ProjectParameters):
    """A job of a project."""

    id: Annotated[int, BeforeValidator(_digits)] = Field(
        ge=1, le=MAX_ID, description="The job's number in this project."
    )


class JobWaitParameters(JobParameters):
    """A job of a project, and how long to wait for its end."""

    wait_s: Wait = 0.0
