"""The denials of a text: denying words, and the words that they deny."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.verify.checks.text import flat, stems

_CUE = re.compile(
    r"\b(?:not|never|neither|nor|nobody|nothing|nowhere|none|without|cannot|unable to|incapable of|no one|anything but|"
    r"(?:fail(?:s|ed|ing)?|refus(?:e|es|ed|ing)|neglect(?:s|ed)?|declin(?:e|es|ed)|yet) to|failure to|far from|"
    r"no longer|"
    r"lack(?:s|ed|ing)?|absence of|absent|devoid of|free of|no(?!\.| doubt| one| longer))\b|n't\b",
    re.IGNORECASE,
)
_NO_CUE = re.compile(
    r"\bnot (?:only|just|merely|simply|necessarily|to mention|until)\b|\bno (?:less|more|fewer|later|earlier|matter)\b|"
    r"\b(?:whether or not|none other|nothing but|not unlike|not uncommon|not surprising\w*|not without|if not|"
    r"or not|no doubt|"
    r"can(?:not|'t) (?:help|but)|why not|not (?:much |far )?(?:more|less) than|last but not least)\b|\"[^\"]*\"",
    re.IGNORECASE,
)
_SOFT = re.compile(
    r"\b(?:un(?:able|aware|affected|altered|available|believ\w+|certain\w*|changed|clear|common|complete\w*|"
    r"finished|fit|"
    r"happy|healthy|important|kn?own|likely|marked|married|necessary|paid|published|related|safe|successful\w*|sure|"
    r"usual\w*)|"
    r"dis(?:agree\w*|appear\w*|approv\w*|continu\w*|honest|like\w*|miss\w*|prov\w*|qualif\w*|regard\w*|similar)|"
    r"in(?:active|ability|capable|correct\w*|dependent\w*|effective|frequent\w*|sufficient\w*|complete|visible|"
    r"accurate)|"
    r"im(?:possible|mature|perfect)|il(?:legal|literate)|ir(?:regular|relevant)|non-?\w+|\w{3,}less|rather than|"
    r"instead|only|"
    r"except\w*|unlike|few(?:er)?|little|rarely|seldom|hardly|barely|scarcely|den(?:y|ies|ied)|reject\w*|ban(?:s|ned)?|"
    r"prevent\w*|avoid\w*|stop(?:s|ped)?|ceas\w+|cancel\w*|lost?|false|wrong\w*|opposite|different|other than|former|"
    r"inhibit\w*|block\w*|abolish\w*|oppos\w+|prohibit\w*|exclud\w+|halt\w*|less|zero|nil|negative\w*|myth\w*|contrary|"
    r"blam\w+|died|dead|deletion|deficien\w+|knock-?outs?|defective)\b",
    re.IGNORECASE,
)
_STOP = re.compile(
    r"[.;:!?()]|,\s|\s(?:but|because|although|though|while|whereas|which|who|when|if|unless|until|than)\s"
)
_REACH = 80
SCOPE = 3


@dataclass(frozen=True, slots=True)
class Denial:
    """A word that denies, at ``start``..``end``, and the stems of up to three content words that it denies.

    ``attribute``: words as "lacking" and "without", which mostly describe a thing and deny no sentence.
    """

    start: int
    end: int
    scope: tuple[str, ...]
    reach: int
    attribute: bool = False


_ATTRIBUTE = re.compile(r"lack|absence|absent|devoid|free of|without|far from", re.IGNORECASE)


def in_other_words(text: str) -> bool:
    """True when a denying word stands anywhere, in quotation marks and idioms too."""
    return _CUE.search(flat(text)) is not None


def denials(text: str, start: int = 0, end: int | None = None) -> list[Denial]:
    """The denials of ``text[start:end]``, with offsets into ``text``, without words in double quotation marks."""
    even = flat(text)
    end = len(even) if end is None else end
    skipped = [m.span() for m in _NO_CUE.finditer(even, start, end)]
    result = []
    for cue in _CUE.finditer(even, start, end):
        if any(a <= cue.start() < b for a, b in skipped) or (
            cue.group() == "No" and even[cue.end() : cue.end() + 1] == "."
        ):
            continue
        limit = min(end, cue.end() + _REACH)
        stop = _STOP.search(even, cue.end(), limit)
        reach = stop.start() if stop else limit
        attribute = _ATTRIBUTE.match(cue.group()) is not None
        result.append(Denial(*cue.span(), stems(even[cue.end() : reach])[:SCOPE], reach, attribute))
    return result


def hints(text: str, start: int, end: int) -> re.Match[str] | None:
    """A word that may deny in other words ("only", "rather than", "unlike"): a reason to be unsure."""
    return _SOFT.search(flat(text), start, end)
