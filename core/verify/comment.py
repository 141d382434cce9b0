"""A claim of the form "comment: fact": what a report says of a fact, and the fact that its source has to hold.

"Drought takes much of the benefit away: in August 2022 the difference shrank to 0.6 °C." The words before the colon are
the report's reading of what follows. A source is asked for the fact; the comment must not be contradicted.
"""

from __future__ import annotations

import re

from core.records import Span
from core.text.verbs import has_finite_verb
from core.verify.checks.mentions import mentions
from core.verify.checks.text import content_stems

LONGEST = 16
"""Words of a comment."""
LEAST = 4
"""Content words of a fact."""
_COLON = re.compile(r"(?<!\d):\s+(?=\S)")
_SPECIFIC = re.compile(r"[\d%\"\u201c\u201d\u00ab\u00bb]")
_QUOTE = re.compile(r"[\"\u201c\u201d\u00ab\u00bb]")
_LEANS = re.compile(r"\b(?:it|its|they|their|them|there|this|these|those|he|she|his|her)\b", re.IGNORECASE)
"""What may be named in the comment alone."""
_SAYS = re.compile(
    r"\b(?:says?|said|writes?|wrote|states?|stated|argues?|argued|adds?|added|warns?|warned|finds?|found|shows?|showed"
    r"|concludes?|concluded|reports?|reported|asks?|asked|following|namely|include[sd]?|are|is|were|was)\Z"
)
"""Behind these a colon goes on with the sentence."""


def fact_of(claim: str) -> Span:
    """The span of the fact; the whole claim where it is no comment with a fact.

    The comment is one short statement without figures, names or quotations of its own; the fact a statement with a
    figure, a date or a name.
    """
    whole = 0, len(claim)
    colons = list(_COLON.finditer(claim))
    if len(colons) != 1:
        return whole
    comment, fact = claim[: colons[0].start()].strip(), claim[colons[0].end() :]
    told = _SPECIFIC.search(comment) is None and not _SAYS.search(comment) and not mentions(comment, fact)
    if not told or len(comment.split()) > LONGEST or not has_finite_verb(comment):
        return whole
    concrete = any(map(str.isdigit, fact)) or any(mention.sure for mention in mentions(fact, comment))
    if (
        not concrete
        or _QUOTE.search(fact)
        or _LEANS.search(fact)
        or len(content_stems(fact)) < LEAST
        or not has_finite_verb(fact)
    ):
        return whole
    return colons[0].end(), len(claim)
