"""The order of two events: "A precedes B" beside "B before A", "B followed A", "after B, A"."""

from __future__ import annotations

from collections.abc import Sequence

from core.records import Parse
from core.verify.aligned.align import Alignment
from core.verify.aligned.difference import Difference, compared
from core.verify.aligned.words import has_content, with_dep

_EARLIER = frozenset({"before", "precede", "predate"})
_LATER = frozenset({"after", "follow"})
ORDER = _EARLIER | _LATER
_JOINS = frozenset({"before", "after"})
"""Words that may stand in front of both clauses: "After the vote, the ministry resigned"."""

_Sides = tuple[list[int], list[int]]


def check(pair: Alignment) -> Difference | None:
    """The claim's order of two events where the sentence has the other one, or None."""
    mine, theirs = _sides(pair.claim), _sides(pair.sentence)
    if mine is None or theirs is None:
        return None
    first, second = ({pair.pairs[at] for at in side if at in pair.pairs} for side in mine)
    crossed = min(len(first & set(theirs[1])), len(second & set(theirs[0])))
    straight = len(first & set(theirs[0])) + len(second & set(theirs[1]))
    if not crossed or straight:
        return None
    return compared(pair.claim, [*mine[0], *mine[1]], pair.sentence, [*theirs[0], *theirs[1]])


def _sides(parse: Parse) -> _Sides | None:
    """The content words of the earlier and of the later event; None without exactly one word for their order."""
    marks = [at for at in range(len(parse)) if _orders(parse, at)]
    if len(marks) != 1:
        return None
    mark = marks[0]
    left, right = _content(parse, range(mark)), _content(parse, range(mark + 1, len(parse)))
    if not left and parse[mark].lemma in _JOINS:
        left, right = _fronted(parse, mark)
    later = (parse[mark].lemma in _LATER) is not _passive(parse, mark)  # "followed by" and "precedes" are alike
    sides = (right, left) if later else (left, right)
    return sides if all(sides) else None


def _orders(parse: Parse, at: int) -> bool:
    word = parse[at]
    if word.lemma not in ORDER:
        return False
    return word.lemma in _JOINS or bool(with_dep(parse, at, "dobj", "obj", "agent"))


def _passive(parse: Parse, mark: int) -> bool:
    """A passive mark: "followed by", "preceded by"."""
    return bool(with_dep(parse, mark, "agent"))


def _fronted(parse: Parse, mark: int) -> _Sides:
    """The two sides of "after B, A" and "after B A": what the word governs, and the rest."""
    under = {mark}
    for _ in parse:
        under |= {at for at, word in enumerate(parse) if word.head in under and at != word.head}
    top = parse[mark].head
    if parse[mark].dep == "mark":  # a conjunction hangs on the verb of its clause
        under |= {top}
        for _ in parse:
            under |= {at for at, word in enumerate(parse) if word.head in under and at != word.head}
    governed = sorted(under - {mark})
    rest = [at for at in range(len(parse)) if at not in under]
    return _content(parse, rest), _content(parse, governed)


def _content(parse: Parse, places: Sequence[int]) -> list[int]:
    return [at for at in places if has_content(parse[at])]
