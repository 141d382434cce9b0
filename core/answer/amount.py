"""The amount that a question asks for, and whether a sentence gives one of that kind. Words and units decide, so a
sentence with the amount of something else may pass; one without any amount of the kind does not."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from core.answer.figures import Figure, Figures, asks_for_figure
from core.answer.relevance import content_stems
from core.verify.checks.currencies import is_currency

_ASKS = re.compile(
    r"\bwhat (?:did|does|do|will|would|has|have)\b.{1,80}\bcost\b"
    r"|\bwhat (?:is|was|are|were) the (?:\w+ )?(?:share|percentage|proportion|fraction|number|amount|prices?|costs?)\b",
    re.IGNORECASE,
)
_OF = re.compile(r"\b\d[\d,.]*\s+(?:out\s+)?of\s+(?:the\s+|every\s+)?\d", re.IGNORECASE)
_SPAN_OF_TIME = re.compile(
    r"\b(?:\d[\d,.]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several|hundreds? of)[\s-]+"
    r"(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|decades?|centur(?:y|ies))\b"
    r"|\b(?:daily|weekly|monthly|yearly|annually|hourly|once|twice)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\bhow many\s+((?:[\w'\u2019-]+\s+){0,2}?[\w'\u2019-]+)(?=[\s?]|$)", re.IGNORECASE)

_DEATHS = re.compile(r"\b(?:die[ds]?|dead|deaths?|kill(?:s|ed)?|fatalit(?:y|ies))\b", re.IGNORECASE)
_BY_WORDS = re.compile(r"\b(?:halved|twice|doubled?|tripled?|no difference)\b", re.IGNORECASE)
"""Words that say how much without a figure."""

Kind = Callable[[str, tuple[Figure, ...]], bool]
"""A sentence and its figures → True where it gives an amount of the kind."""


def _is_money(_: str, figures: tuple[Figure, ...]) -> bool:
    return any(is_currency(figure.unit) for figure in figures)


def _is_share(sentence: str, figures: tuple[Figure, ...]) -> bool:
    small = any(figure.unit == "" and 0 < figure.high < 1 for figure in figures)
    return small or any("percent" in figure.unit for figure in figures) or bool(_OF.search(sentence))


def _is_length(sentence: str, figures: tuple[Figure, ...]) -> bool:
    return any(figure.unit == "metre" for figure in figures) or bool(_SPAN_OF_TIME.search(sentence))


def _is_time(sentence: str, _: tuple[Figure, ...]) -> bool:
    return bool(_SPAN_OF_TIME.search(sentence))


def _is_warmth(_: str, figures: tuple[Figure, ...]) -> bool:
    return any(figure.unit.startswith("degree") for figure in figures)


def _is_weight(_: str, figures: tuple[Figure, ...]) -> bool:
    return any(figure.unit == "gram" for figure in figures)


def _is_any(sentence: str, figures: tuple[Figure, ...]) -> bool:
    return bool(figures) or bool(_SPAN_OF_TIME.search(sentence))


_KINDS: tuple[tuple[re.Pattern[str], Kind], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), kind)
    for pattern, kind in (
        (r"\b(?:costs?|worth|prices?|priced|pay|pays|paid|spend|spends|spent|earns?|budget|revenues?|expensive|fee)\b",
         _is_money),
        (r"\b(?:share|percentage|proportion|fraction|per ?cent)\b", _is_share),
        (r"\b(?:hot|hotter|cold|colder|warm|warmer|cool|cooler|temperatures?)\b", _is_warmth),
        (r"\bhow (?:old|often|soon)\b", _is_time),
        (r"\bhow (?:long|far|high|tall|deep|wide)\b(?! (?:is|are|was|were) (?:the|its) (?:share|rate|number|level))",
         _is_length),
        (r"\bhow heavy\b", _is_weight),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Amount:
    """The amount asked for: its ``kind``, what is ``counted`` (stems, empty where nothing is), and the ``subject``: the
    stems of the question, one of which a sentence must share. ``deaths``: those who died are counted, whatever they are
    called."""

    kind: Kind
    counted: frozenset[str]
    subject: frozenset[str]
    figures: Figures
    deaths: bool = False

    def is_in(self, sentence: str) -> bool:
        """A sentence that gives an amount of this kind and speaks of the question: True for one."""
        figures = tuple(self.figures(sentence))
        stems = content_stems(sentence)
        if self.counted:
            bare = any(figure.unit == "" for figure in figures)
            return bare and bool(_DEATHS.search(sentence) if self.deaths else self.counted & stems)
        given = self.kind(sentence, figures) or (self.kind is not _is_money and bool(_BY_WORDS.search(sentence)))
        return given and bool(self.subject & stems)


def amount_asked(question: str, figures: Figures) -> Amount | None:
    """The amount that ``question`` asks for, None where it asks for none. ``figures`` reads those of a sentence."""
    if not asks_for_figure(question) and not _ASKS.search(question):
        return None
    counted = _COUNTED.search(question)
    kind = next((kind for pattern, kind in _KINDS if pattern.search(question)), _is_any)
    subject = content_stems(question)
    stems = content_stems(counted[1]) if counted else frozenset()
    return Amount(kind, stems, subject, figures, bool(_DEATHS.search(question)))
