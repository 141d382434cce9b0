"""Where a text denies something, and what it denies."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.terms import STOP_WORDS, fold, terms
from core.verify.checks.text import flat

_CUE = re.compile(
    r"\b(?:not|never|neither|nor|nobody|nothing|nowhere|none|without|cannot|unable to|incapable of|no one|anything but|"
    r"(?:fail(?:s|ed|ing)?|refus(?:e|es|ed|ing)|neglect(?:s|ed)?|declin(?:e|es|ed)|yet) to|failure to|far from|no longer|"
    r"lack(?:s|ed|ing)?|absence of|absent|devoid of|free of|no(?!\.| doubt| one| longer))\b|n't\b",
    re.IGNORECASE,
)
_NO_CUE = re.compile(
    r"\bnot (?:only|just|merely|simply|necessarily|to mention|until)\b|\bno (?:less|more|fewer|later|earlier|matter)\b|"
    r"\b(?:whether or not|none other|nothing but|not unlike|not uncommon|not surprising\w*|not without|if not|or not|no doubt|"
    r"can(?:not|'t) (?:help|but)|why not|not (?:much |far )?(?:more|less) than|last but not least)\b|\"[^\"]*\"",
    re.IGNORECASE,
)
_SOFT = re.compile(
    r"\b(?:un(?!it|iv|ion|ifo|ifi|iq|der|til|less|to\b|ce|cl|animous)\w{4,}|dis(?!tr|cu|co|ea|tin|pla|ne|tanc|pos|k)\w{4,}|in(?:active|ability|capable|dependent|effective|sufficient|"
    r"complete|valid|visible|frequent\w*|accurate)|im(?:possible|mature|perfect)|il(?:legal|literate)|ir(?:regular|relevant)|"
    r"non-?\w+|\w{3,}less|rather than|instead|only|except\w*|but|however|although|despite|unlike|few(?:er)?|little|rarely|seldom|hardly|"
    r"barely|scarcely|den(?:y|ies|ied)|reject\w*|ban(?:s|ned)?|prevent\w*|avoid\w*|stop(?:s|ped)?|end(?:s|ed)|ceas\w+|cancel\w*|"
    r"los(?:e|es|t|ing)|false|wrong\w*|opposite|different|separate|other than|former|replac\w*|inhibit\w*|block\w*|abolish\w*|"
    r"against|oppos\w+|prohibit\w*|exclud\w+|halt\w*|independent\w*|minor|low(?:er)?|less|unless|too|alone|still|remain\w*|"
    r"died|dead|killed|missing|removed?|rest|zero|nil|negative\w*|resist\w+|impair\w*|insufficient\w*|fiction\w*|myth\w*|contrary|"
    r"limited|restricted|fail\w*|absence|poor(?:ly)?|dropped|withdr[ae]w\w*|broke|left|abandon\w*|similar|same|both)\b",
    re.IGNORECASE,
)
_STOP = re.compile(r"[.;:!?()]|,\s|\s(?:but|because|although|though|while|whereas|which|who|when|if|unless|until|than)\s")
_REACH = 80
SCOPE = 3


@dataclass(frozen=True, slots=True)
class Denial:
    """A word that denies, at ``start``..``end``, and the stems of up to three content words that it denies."""

    start: int
    end: int
    scope: tuple[str, ...]
    reach: int


def denials(text: str, start: int = 0, end: int | None = None) -> list[Denial]:
    """All denials of ``text[start:end]``; offsets into ``text``. Words in double quotation marks are left out."""
    even = flat(text)
    end = len(even) if end is None else end
    skipped = [m.span() for m in _NO_CUE.finditer(even, start, end)]
    found = []
    for cue in _CUE.finditer(even, start, end):
        if any(a <= cue.start() < b for a, b in skipped) or (cue.group() == "No" and even[cue.end() : cue.end() + 1] == "."):
            continue
        limit = min(end, cue.end() + _REACH)
        stop = _STOP.search(even, cue.end(), limit)
        reach = stop.start() if stop else limit
        found.append(Denial(*cue.span(), _stems(even[cue.end() : reach])[:SCOPE], reach))
    return found


def hints(text: str, start: int, end: int) -> re.Match[str] | None:
    """A word that may deny in other words ("only", "rather than", "unlike"): reason to be unsure, no more."""
    return _SOFT.search(flat(text), start, end)


def _stems(piece: str) -> tuple[str, ...]:
    return tuple(t.stem for t in terms(piece) if fold(piece[t.start : t.end]) not in STOP_WORDS)
