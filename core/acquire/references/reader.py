"""Lists of references and sitemaps, parsed in the process that can be killed (``core.acquire.worker``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from core.acquire.references import References, read_references
from core.acquire.references.sitemap import Sitemap, read_sitemap
from core.ports.store import Extractor

if TYPE_CHECKING:
    from pydantic import TypeAdapter

REFERENCES = "references"
SITEMAP = "sitemap"
"""The tasks of reading a list and a sitemap."""
_T = TypeVar("_T")


def read_list(extractor: Extractor, name: str, body: bytes) -> References:
    """The references in a file, as in ``read_references``.

    Raises:
        SourceError: as there, or it takes more time or memory than the settings allow.
    """
    return _read(extractor, REFERENCES, name, body, References)


def read_listed_pages(extractor: Extractor, body: bytes) -> Sitemap:
    """The addresses that a sitemap lists, as in ``read_sitemap`` (SourceError as for ``read_list``)."""
    return _read(extractor, SITEMAP, "the sitemap", body, Sitemap)


def list_task(head: dict[str, Any], body: bytes) -> tuple[dict[str, Any], bytes]:
    """The task of reading a list, in the worker."""
    return {}, _form(References).dump_json(read_references(head["name"], body))


def sitemap_task(_head: dict[str, Any], body: bytes) -> tuple[dict[str, Any], bytes]:
    """The task of reading a sitemap, in the worker."""
    return {}, _form(Sitemap).dump_json(read_sitemap(body))


def _read(extractor: Extractor, task: str, name: str, body: bytes, kind: type[_T]) -> _T:
    def decode(_head: dict[str, Any], output: bytes) -> _T:
        return _form(kind).validate_json(output)

    return extractor.run(task, name, {}, body, decode)


def _form(kind: type[_T]) -> TypeAdapter[_T]:
    """The form in which a result travels. A worker that reads no list does without pydantic: its memory is capped."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


TASKS = {REFERENCES: list_task, SITEMAP: sitemap_task}
