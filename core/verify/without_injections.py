"""Text that addresses a model is kept and shown, but is no evidence: sentences of it are blanked before judging."""

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
"""How a sentence begins that goes on with an instruction of the sentence before."""


def without_flagged(text: str) -> str:
    """The text, of the same length, with spaces in place of sentences that address a model, and of orders that follow
    such a sentence at once."""
    kept, blank = [], False
    at = 0
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        blank = bool(flags(sentence)) or (blank and _GOES_ON.match(sentence) is not None)
        if blank:
            kept += [text[at:start], re.sub(r"\S", " ", sentence)]
            at = end
    return "".join([*kept, text[at:]])
