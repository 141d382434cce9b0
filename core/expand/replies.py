"""Reading what a language model replied to an expansion: lists of short texts, or nothing at all."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from core.errors import LlmMalformed
from core.expand.question import cut, one_line, same
from core.records import Completion, Prompt

Write = Callable[[Prompt], Completion]
"""How a stage reaches a language model; whoever passes it in keeps to the budget."""

MAX_REPLY_CHARS = 2_000_000
"""The longest reply that is parsed: what the writer lets through at most. A long text in it is cut, as SPEC 3 says."""
_FENCED = re.compile(r"```(?:json)?\s*(.*?)\s*```", re.DOTALL)


def texts_of(reply: str, question: str, *, least: int, most: int, limit: int) -> list[str]:
    """The texts of a JSON array, each cut to ``limit`` characters at a word.

    Raises:
        LlmMalformed: it is no JSON array of ``least`` to ``most`` different texts other than the question.
    """
    if len(reply) > MAX_REPLY_CHARS:
        raise LlmMalformed(f"The model replied {len(reply):,} characters where a list of short texts was asked for.")
    fenced = _FENCED.fullmatch(reply.strip())
    try:
        found = json.loads(fenced[1] if fenced else reply)
    except (ValueError, RecursionError) as error:
        raise LlmMalformed(f"The model's reply is not JSON: it begins {reply[:40]!r}.") from error
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise LlmMalformed("The model's reply is not a list of texts.")
    wanted = str(least) if least == most else f"{least} to {most}"
    if not least <= len(found) <= most:
        raise LlmMalformed(f"The model gave {len(found)} texts where {wanted} were asked for.")
    texts = [cut(one_line(one), limit) for one in found]
    words = [same(text) for text in texts]
    if not all(words) or len(set(words)) < len(words) or same(question) in words:
        raise LlmMalformed("The model gave an empty text, repeated one, or repeated the question.")
    return texts
