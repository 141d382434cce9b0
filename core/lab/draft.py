"""The variants of one question while a person works on them: pure functions on frozen values. A draft is what the query
lab shows. It begins with the question alone, takes in what the kinds of expansion make, and keeps what a person
changed, switched off, removed, or added."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime

from core.expand.question import checked_question, manual, original, same
from core.labels import QueryKind
from core.records import Expansion, Question, Variant

ORDER = (
    QueryKind.ORIGINAL,
    QueryKind.TRANSFORM,
    QueryKind.FEEDBACK,
    QueryKind.MULTI_QUERY,
    QueryKind.HYDE,
    QueryKind.MANUAL,
)
"""Kinds as they stand side by side: each brings what those before it did not."""


@dataclass(frozen=True, slots=True)
class Draft:
    """``kinds``: those whose variants were taken in (a person may have removed them since). ``saved``: the stored
    question it was opened from, None for a new one. ``notes``: why a kind made nothing."""

    question: str
    variants: tuple[Variant, ...]
    kinds: frozenset[QueryKind] = frozenset()
    saved: Question | None = None
    notes: tuple[str, ...] = ()


def begin(question: str) -> Draft:
    """The question alone."""
    return Draft(question, (original(question),))


def of_saved(saved: Question) -> Draft:
    variants = saved.variants or (original(saved.text),)
    return Draft(saved.text, variants, frozenset(variant.kind for variant in variants), saved)


def with_made(draft: Draft, expansion: Expansion, kinds: Collection[QueryKind]) -> Draft:
    """The draft with the variants of an expansion. Those of ``kinds`` replace earlier ones; the rest stays as it is."""
    variants = [variant for variant in draft.variants if variant.kind not in kinds]
    taken = {other.key for other in variants}
    for variant in expansion.variants:
        if variant.kind in kinds and variant.kind is not QueryKind.ORIGINAL:
            key = free_key(variant.key, taken)
            taken.add(key)
            variants.append(replace(variant, key=key))
    notes = tuple(dict.fromkeys((*draft.notes, *expansion.notes)))
    return replace(draft, variants=_ordered(variants), kinds=draft.kinds | set(kinds), notes=notes)


def without(draft: Draft, kinds: Collection[QueryKind]) -> Draft:
    """The draft without the variants of these kinds and the notes about them."""
    rest = tuple(variant for variant in draft.variants if variant.kind not in kinds)
    return replace(draft, variants=rest, kinds=draft.kinds - set(kinds), notes=())


def edited(draft: Draft, key: str, text: str) -> Draft:
    """The draft with another text for one variant. Where index and web were asked the same, they still are."""

    def change(variant: Variant) -> Variant:
        if variant.text == text:
            return variant
        web = text if variant.web_text in (variant.text, "") and variant.web_text else variant.web_text
        return replace(variant, text=text, web_text=web, edited=True)

    return _changed(draft, key, change)


def edited_web(draft: Draft, key: str, web_text: str) -> Draft:
    """The draft with another text that one variant puts to the web."""
    return _changed(
        draft,
        key,
        lambda variant: variant if variant.web_text == web_text else replace(variant, web_text=web_text, edited=True),
    )


def switched(draft: Draft, key: str, on: bool) -> Draft:
    """The draft with one variant on or off."""
    return _changed(draft, key, lambda variant: replace(variant, on=on))


def removed(draft: Draft, key: str) -> Draft:
    """The draft without one variant. The question itself stays; it can be switched off."""
    rest = tuple(variant for variant in draft.variants if variant.key != key or variant.kind is QueryKind.ORIGINAL)
    return replace(draft, variants=rest)


def added(draft: Draft, text: str) -> Draft:
    """The draft with a variant written by hand, or the same draft where a variant says the same already (QueryError:
    empty or over 2,000 characters)."""
    there = {same(variant.text) for variant in draft.variants}
    if same(checked_question(text)) in there:
        return draft
    return replace(draft, variants=(*draft.variants, manual(text, draft.variants)))


def running(draft: Draft) -> tuple[Variant, ...]:
    """The variants that are put to the index: switched on and not empty."""
    return tuple(variant for variant in draft.variants if variant.on and variant.text.strip())


def web_queries(draft: Draft) -> list[str]:
    """The texts that are put to the web, each once."""
    return list(dict.fromkeys(text for variant in draft.variants if variant.on and (text := variant.web_text.strip())))


def expansion_of(draft: Draft) -> Expansion:
    """The draft as a search takes it."""
    return Expansion(draft.question, running(draft), draft.notes)


def unsaved(draft: Draft) -> bool:
    """True when the draft differs from what is stored."""
    return draft.saved is None or draft.saved.text != draft.question or draft.saved.variants != draft.variants


def question_of(draft: Draft, now: datetime) -> Question:
    """The draft as it is saved: the next version of what it was opened from, or a new question."""
    if draft.saved is not None:
        return replace(draft.saved, text=draft.question, variants=draft.variants)
    return Question(0, 0, draft.question, draft.variants, now, now)


def free_key(wanted: str, taken: Collection[str]) -> str:
    """``wanted``, or the next number of it that is free."""
    stem, _, number = wanted.rpartition("-")
    if not stem or not number.isdigit():
        stem, number = wanted, "1"
    key, at = wanted, int(number)
    while key in taken:
        at += 1
        key = f"{stem}-{at}"
    return key


def _ordered(variants: list[Variant]) -> tuple[Variant, ...]:
    return tuple(sorted(variants, key=lambda variant: ORDER.index(variant.kind)))


def _changed(draft: Draft, key: str, change: Callable[[Variant], Variant]) -> Draft:
    return replace(
        draft, variants=tuple(change(variant) if variant.key == key else variant for variant in draft.variants)
    )
