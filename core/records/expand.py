"""Variants of a question, and what each of them brings."""

from dataclasses import dataclass
from datetime import datetime

from core.labels import QueryKind
from core.records.search import SearchResult


@dataclass(frozen=True, slots=True)
class Variant:
    """One query made from a question. ``text`` is put to the index; ``web_text`` to the web ("" : not put there), such
    as the first 100 characters of a hypothetical answer. ``on``: whether it runs. ``why`` says how it came about in a
    few words; ``edited``: a person changed it. ``key`` names it within its question."""

    key: str
    kind: QueryKind
    text: str
    web_text: str = ""
    on: bool = True
    why: str = ""
    edited: bool = False


@dataclass(frozen=True, slots=True)
class Expansion:
    """All variants of one question, the question itself first, and sentences about kinds that could not be made."""

    question: str
    variants: tuple[Variant, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VariantYield:
    """The yield of a variant: the ``passages`` it returns, and those and the documents that no earlier variant
    brought."""

    variant: str
    passages: int
    new_passages: tuple[int, ...]
    new_documents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExpandedSearch:
    """A search over variants: the joined result (``result.request.queries`` are the variants that ran, in order; the
    waterfall is in the trails) and each variant's yield."""

    expansion: Expansion
    result: SearchResult
    yields: tuple[VariantYield, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the project with its variants, as saved. ``version`` grows with every change (RowMoved)."""

    id: int
    version: int
    text: str
    variants: tuple[Variant, ...]
    created: datetime
    changed: datetime
