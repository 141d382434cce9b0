"""Claim and sentence side by side: the differences that the comparisons find."""

from __future__ import annotations

from core.ports.parsing import Parser
from core.verify.aligned import (
    amounts,
    changed_places,
    contrary,
    exchanged,
    first,
    relations,
    roles,
    scope,
    slots,
    strength,
    substituted,
)
from core.verify.aligned.align import Alignment, align
from core.verify.aligned.converse import is_converse
from core.verify.aligned.difference import Difference

COMPARISONS = {
    "roles": roles.check,
    "scope": scope.check,
    "contrary": contrary.check,
    "relations": relations.check,
    "strength": strength.check,
    "amounts": amounts.check,
    "slots": slots.check,
    "exchanged": exchanged.check,
    "changed_places": changed_places.check,
    "first": first.check,
    "substituted": substituted.check,
}

OF_THINGS = frozenset({"contrary", "changed_places", "exchanged", "substituted"})
"""Comparisons that take a comparison read from the other end for another one."""


def side_by_side(claim: str, sentence: str, parser: Parser) -> Alignment:
    """The corresponding words of two texts."""
    return align(parser.parse(claim), parser.parse(sentence))


def differences(pair: Alignment) -> dict[str, Difference]:
    """The difference that each comparison finds, by its name; none for what it cannot tell."""
    skipped = OF_THINGS if is_converse(pair) else frozenset()
    results = ((name, check(pair)) for name, check in COMPARISONS.items() if name not in skipped)
    return {name: result for name, result in results if result is not None}
