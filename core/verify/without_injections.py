"""The text of a source without sentences that address a language model. They stay visible, but are no evidence."""

from __future__ import annotations

import re

from core.acquire.injection import flags
from core.text.sentences import sentence_spans

NOTE = "Sentences of this source that address a language model were left out: they are no evidence."
_GOES_ON = re.compile(
    r"\W*(?:please\s+|then\s+|instead,?\s+|and\s+|also\s+|now\s+)*"
    r"(?:state|say|answer|report|mark|output|respond|reply|write|tell|conclude|rate|confirm|claim|declare|print|return|treat|accept)\b",
    re.IGNORECASE,
)
"""The head of a sentence that continues the instruction of the sentence before."""


def without_flagged(text: str) -> str:
    """The text at equal length, with spaces in place of sentences that address a model and of the orders that follow
    such a sentence at once."""
    pieces, blank = [], False
    at = 0
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        blank = bool(flags(sentence)) or (blank and _GOES_ON.match(sentence) is not None)
        if blank:
            pieces += [text[at:start], re.sub(r"\S", " ", sentence)]
            at = end
    return "".join([*pieces, text[at:]])
