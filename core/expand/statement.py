"""A question as the beginning of its answer, by patterns: documents state, they do not ask (English only)."""

import re

from core.expand.word_forms import base_verbs, with_s

_SHAPES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), shape)
    for pattern, shape in (
        (r"how (?:much|many|often|long|far|well|fast|strongly) (?:do|does|did) (?P<rest>.+)", "{clause}"),
        (r"how (?:can|could|should|do|does|did|would|might) (?:we|one|you|i|people) (?P<rest>.+)", "to {rest}"),
        (r"how (?:do|does|did) (?P<rest>.+)", "{clause} by"),
        (r"how (?:is|are|was|were) (?P<rest>.+)", "{rest} by"),
        (r"how to (?P<rest>.+)", "to {rest}"),
        (r"why (?:do|does|did) (?P<rest>.+)", "{clause} because"),
        (r"why (?:is|are|was|were) (?P<rest>.+)", "{rest} because"),
        (r"(?:when|where) (?:do|does|did) (?P<rest>.+)", "{clause} in"),
        (r"(?:when|where) (?:is|are|was|were) (?P<rest>.+)", "{rest} in"),
        (r"(?:what|which) (?P<be>is|are|was|were) (?P<rest>.+)", "{rest} {be}"),
        (
            r"(?:what|which) (?P<noun>[\w-]+(?: [\w-]+){0,3}?) (?P<be>is|are|was|were) (?P<rest>.+)",
            "{noun} {be} {rest}",
        ),
        (r"what (?:do|does|did) (?P<rest>.+)", "{clause}"),
        (r"what (?P<rest>(?:causes?|reduces?|increases?|determines?|drives?|affects?|leads?|explains?) .+)", "{rest}"),
        (r"(?:what|which|who) (?P<rest>.+)", "{rest}"),
        (r"(?:do|does|did) (?P<rest>.+)", "{clause}"),
        (r"(?P<be>is|are|was|were|can|could|may|might|will|would|should|has|have|had) (?P<rest>.+)", "{moved}"),
        (r"(?P<rest>.+)", "is it true that {rest}"),
    )
)
_ENDS_SUBJECT = re.compile(r"(?:ed|ing|ive|able|ible|ful|ous|al|ent|ant)$")
_LEAST_STATED = 4
"""Fewer words than this are a topic and claim nothing."""
_NEVER_VERB = frozenset(["a", "an", "the", "of", "in", "on", "for", "to", "and", "or", "by", "with", "from"])


def statement(question: str) -> str:
    """The statement with which an answer might begin; for a text that is a statement already, the question that it
    answers. The grammar is that of patterns, not of a parser: what comes out is a query, it need not be good English.
    Empty when nothing is left to say."""
    text = question.strip().rstrip("?!.\u2026 ").strip()
    asks = question.rstrip().endswith("?")
    for pattern, shape in _SHAPES:
        match = pattern.fullmatch(text)
        if match is None or (shape.startswith("is it true") and (asks or len(text.split()) < _LEAST_STATED)):
            continue
        parts = match.groupdict()
        rest = str(parts["rest"])
        text_of_shape = shape.format(
            rest=rest,
            clause=_clause(rest, text),
            moved=_moved(str(parts.get("be") or ""), rest),
            be=parts.get("be"),
            noun=parts.get("noun"),
        )
        return text_of_shape[:1].upper() + text_of_shape[1:] if text_of_shape else ""
    return ""


def _clause(rest: str, whole: str) -> str:
    """``shade lower X`` of "does shade lower X" as ``shade lowers X``: after "does" the verb gets its ending back."""
    words = rest.split()
    if not re.search(r"\bdoes\b", whole, re.IGNORECASE):
        return rest
    for at, word in enumerate(words[1:], start=1):
        if word in base_verbs() and words[at - 1].lower() not in _NEVER_VERB:
            words[at] = with_s(word)
            break
    return " ".join(words)


def _moved(be: str, rest: str) -> str:
    """``X is Y`` of "is X Y": the verb goes where the subject seems to end; a "can" without a place is left out."""
    words = rest.split()
    if not be or len(words) < 2:
        return rest
    forms_of_be = be.lower() in ("is", "are", "was", "were")
    for at, word in enumerate(words[1:], start=1):
        low, before = word.lower(), words[at - 1].lower()
        if before in _NEVER_VERB:
            continue
        if (low in ("a", "an", "the") or _ENDS_SUBJECT.search(low)) if forms_of_be else low in base_verbs():
            break
    else:
        if not forms_of_be:
            return rest
        at = len(words) - 1
    return " ".join([*words[:at], be.lower(), *words[at:]])
