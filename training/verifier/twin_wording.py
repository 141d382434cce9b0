"""Claims in slightly other words than their sentence, the same in both twins: a copy is no sign of truth."""

from __future__ import annotations

import random
import re

from training.verifier.twin_change import alike

_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_LEAD = re.compile(
    r"\A(?:(?:RESULTS?|CONCLUSIONS?|FINDINGS|INTERPRETATION|BACKGROUND|METHODS AND RESULTS|SIGNIFICANCE)\b:? |"
    r"(?:However|Moreover|Furthermore|In addition|Additionally|In conclusion|Thus|Therefore|Overall|In contrast|"
    r"Interestingly|Notably|Importantly|Finally|Also|Conversely|Consequently|Indeed|Here, we show that|"
    r"We (?:show|found|find|report|conclude|demonstrate) that|"
    r"(?:Our|These) (?:results|findings|data) (?:show|demonstrate) that|It was found that|In summary),? )",
)  # fmt: skip
_SYNONYMS = {
    "show": ("demonstrate",), "shows": ("demonstrates",), "utilize": ("use",),
    "suppresses": ("inhibits",), "suppress": ("inhibit",), "suppressed": ("inhibited",), "inhibits": ("suppresses",),
    "inhibit": ("suppress",), "inhibited": ("suppressed",), "reduces": ("lowers", "decreases"),
    "reduced": ("decreased", "lowered"), "reduce": ("decrease", "lower"), "reduction": ("decrease",),
    "decreased": ("reduced",), "elevated": ("increased", "raised"), "enhances": ("increases", "strengthens"),
    "enhance": ("increase", "strengthen"), "enhanced": ("increased",), "promotes": ("fosters", "stimulates"),
    "promote": ("foster", "stimulate"), "improves": ("betters",), "impairs": ("damages",), "begins": ("starts",),
    "began": ("started",), "ended": ("finished",), "primarily": ("mainly",), "mainly": ("primarily",),
    "frequently": ("often",), "often": ("frequently",), "usually": ("typically",), "approximately": ("about",),

    "greater": ("higher",), "children": ("kids",), "physicians": ("doctors",),
    "near": ("close to",), "located": ("situated",), "founded": ("established",), "established": ("founded",),
    "purchased": ("bought",), "bought": ("purchased",), "movie": ("film",), "film": ("movie",), "films": ("movies",),
    "author": ("writer",), "several": ("a number of",), "many": ("numerous",),
    "worldwide": ("around the world",), "currently": ("at present",), "due to": ("because of",),
    "because of": ("owing to",), "at least": ("no fewer than",), "nearly": ("almost",),
    "required": ("needed",), "requires": ("needs",), "stated": ("said",),
}  # fmt: skip
_WORD = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, _SYNONYMS), key=len, reverse=True))})\b(?!-)", re.IGNORECASE)


def loosened(sentence: str, seed: str) -> str:
    """A claim from a sentence; two sentences with one difference become two such claims, given one ``seed``."""
    rng = random.Random(seed)
    text = sentence.strip()
    if rng.random() < 0.75:
        text = _LEAD.sub("", text)
    if rng.random() < 0.75:
        text = _BRACKETS.sub("", text)
    share = rng.choice((0.0, 0.3, 0.8))
    text = _WORD.sub(lambda match: _synonym(match, seed, share), text)
    if rng.random() < 0.12:
        text = text.removesuffix(".")
    return f"{text[:1].upper()}{text[1:]}" if rng.random() < 0.9 or text[1:2].isupper() else text


def _synonym(match: re.Match[str], seed: str, share: float) -> str:
    rng = random.Random(f"{seed} {match.group().lower()}")
    if rng.random() > share:
        return match.group()
    return alike(rng.choice(_SYNONYMS[match.group().lower()]), match.group())
