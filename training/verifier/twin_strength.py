"""How strongly, how certainly, how many: may / does, associated with / causes, some / all, at least / at most."""

from __future__ import annotations

import re
from collections.abc import Iterator

from training.verifier.twin_change import OPPOSITE, OTHER, STRONGER, Change, aims, denied, replaced

_CERTAIN = {
    "suggest that": "prove that", "suggests that": "proves that", "suggested that": "proved that",
    "suggesting that": "proving that", "suggest": "prove", "appears to be": "is", "appear to be": "are",
    "appeared to be": "was", "seems to be": "is", "seem to be": "are", "is likely to": "is certain to",
    "are likely to": "are certain to", "is probably": "is certainly", "is thought to be": "is known to be",
    "are thought to be": "are known to be", "is believed to be": "is known to be",
    "are believed to be": "are known to be", "a potential": "a proven",
    "a possible": "a proven", "a promising": "a proven", "potentially": "definitely", "possibly": "certainly",
    "probably": "certainly", "presumably": "certainly", "may be": "is", "might be": "is", "could be": "is",
    "plan to": "have begun to", "plans to": "has begun to", "planned to": "began to", "proposed": "adopted",
    "was nominated for": "won", "were nominated for": "won", "is expected to": "is certain to",
    "are expected to": "are certain to", "was expected to": "was certain to", "reportedly": "demonstrably",
    "allegedly": "demonstrably", "attempted to": "managed to", "tried to": "managed to", "hoped to": "managed to",
    "was accused of": "was convicted of", "were accused of": "were convicted of",
    "was charged with": "was found guilty of",
}  # fmt: skip
_CAUSAL = {
    "is associated with": "causes", "are associated with": "cause", "was associated with": "caused",
    "were associated with": "caused", "is linked to": "causes", "are linked to": "cause", "was linked to": "caused",
    "were linked to": "caused", "is correlated with": "causes", "are correlated with": "cause",
    "was correlated with": "caused", "were correlated with": "caused", "a risk factor for": "the cause of",
    "contributes to": "alone causes", "contribute to": "alone cause", "contributed to": "alone caused",
    "plays a role in": "is solely responsible for", "play a role in": "are solely responsible for",
    "plays an important role in": "is solely responsible for", "is implicated in": "causes",
    "are implicated in": "cause", "coincided with": "caused",
}  # fmt: skip
_MORE = {
    "some of": "all of", "many of": "all of", "most of": "all of", "several of": "all of", "most": "all",
    "many": "all", "some": "all", "several": "all", "often": "always", "usually": "always", "sometimes": "always",
    "frequently": "always", "generally": "always", "commonly": "always", "typically": "always", "mainly": "only",
    "mostly": "only", "primarily": "only", "partly": "entirely", "partially": "completely", "rarely": "never",
    "almost all": "all", "nearly all": "all", "almost every": "every", "the majority of": "all", "a majority of": "all",
    "a few": "all", "few": "no", "selected": "all", "approximately": "exactly", "about half": "all",
    "almost always": "always",
    "in part": "entirely", "one of the": "the only one of the", "a subset of": "all",
}  # fmt: skip
_BOUND = {
    "at least": "at most", "at most": "at least", "more than": "less than", "fewer than": "more than",
    "less than": "more than", "over": "under", "up to": "at least", "no more than": "no less than",
    "no fewer than": "no more than", "nearly": "over", "almost": "over", "above": "below", "below": "above",
    "exceeding": "below", "as little as": "as much as", "half": "twice", "twice": "half", "doubled": "halved",
    "two-fold": "four-fold", "tripled": "doubled",
}  # fmt: skip
_COUNTED = re.compile(
    r"(?:at least|at most|(?:more|fewer|less) than|over|up to|no (?:more|fewer) than|nearly|almost|above|below|"
    r"exceeding|as (?:little|much) as) (?:(?:US)?[$£€])?(?:\d|(?:two|three|four|five|six|seven|eight|nine|ten|twelve|"
    r"twenty|thirty|forty|fifty|half|a (?:hundred|thousand|million|billion|dozen|third|quarter|decade)|"
    r"one (?:hundred|thousand|million))\b)"
    r"(?!\S* (?:weeks?|months?|years?|days?|hours?|min)\b)|(?:doubled|tripled|twice as|half as)\b",
    re.IGNORECASE,
)
_OF = re.compile(
    r"\A(?! (?:thousand|hundred|million|other|more|years|times|such)\b)(?: of)? "
    r"(?:the |these |those |its |their )?(?:[\w-]+ ){0,2}[\w-]+s\b"
)
_BEGINS = re.compile(r"(?:\A|[,;] |\b(?:that|and|by|of|for|among|when|because|while|although|where|by which) )\Z")
"""What stands before "some" or "many" where it speaks of a subject: "has many lakes" is not "has all lakes"."""
_MANY = ("some", "many", "most", "several", "few", "a few", "selected")
_HELPED = re.compile(
    r"\b(?:may|might|could|can|will|would|to|that|which|also|\w+ly) "
    r"(?:contributed?|plays?|correlate|is|are|was|were)\b"
    r"(?= (?:to|a|an|associated|correlated|linked|implicated|role)\b)"
)
"""Words before a verb that would not stand before what replaces it."""
_MODAL = re.compile(r"\b(?:may|might|could)( also| thus| therefore)? ([a-z]+)\b(?! not)")
_PLURALS = frozenset(
    "data people children women men mice police bacteria criteria media teeth feet phenomena".split()  # noqa: SIM905
)
_NO_BASE = frozenset(
    ("not", "have", "be", "well", "only", "also", "even", "still", "explain", "or", "and", "potentially")
)
_IRREGULAR = {"do": "does", "go": "goes", "have": "has"}


def certainty(sentence: str) -> Iterator[Change]:
    """What may be as what is; what is suggested as what is proven; what was tried as what was done."""
    if not denied(sentence):
        yield from (c for c in replaced(sentence, _CERTAIN, "certainty", STRONGER) if _agrees(c, sentence))
        yield from _without_modal(sentence)


def _agrees(change: Change, sentence: str) -> bool:
    """Whether "may be" became "is" behind a subject that is one thing."""
    found = re.search(r"(\S+ )?(\S+) (?:may|might|could) be\b", sentence)
    return found is None or change.new != "is" or _one(sentence[: found.end(2)])


def _without_modal(sentence: str) -> Iterator[Change]:
    for match in _MODAL.finditer(sentence):
        verb = match[2]
        if verb in _NO_BASE or verb.endswith("ly") or len(_MODAL.findall(sentence)) > 1:
            continue
        said = verb if not _one(sentence[: match.start()].rstrip()) else third_person(verb)
        yield Change(
            f"{sentence[: match.start()]}{(match[1] or '').strip()} {said}{sentence[match.end() :]}".replace("  ", " "),
            "certainty", STRONGER, said,
        )  # fmt: skip


def third_person(verb: str) -> str:
    """The verb as it stands behind "it"."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if re.search(r"(?:s|x|z|ch|sh)\Z", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y\Z", verb) else f"{verb}s"


def _one(subject: str) -> bool:
    """Whether the words before a verb end in a subject that is one thing, as far as its last words tell."""
    clause = re.split(r"[,;:]|\bthat\b|\bwhich\b", subject)[-1].split()
    if not clause or clause[-1].lower() in ("we", "they", "these", "those", "and", "which", "who"):
        return False
    if "and" in clause[-6:] or clause[-1].lower() in ("you", "i"):
        return False
    heads = [word for word in clause if word.lower() not in ("of", "in")]
    before_of = clause[: clause.index("of")] if "of" in clause else heads
    head = (before_of or heads)[-1]
    if head.lower() in _PLURALS:
        return False
    return not re.search(r"(?<![sui])s\Z", head)


def causes(sentence: str) -> Iterator[Change]:
    """What goes together with something as what causes it."""
    if not denied(sentence) and not _HELPED.search(sentence):
        yield from replaced(sentence, _CAUSAL, "cause", STRONGER)


def quantifiers(sentence: str) -> Iterator[Change]:
    """Some as all, often as always."""
    if denied(sentence):
        return
    for change in replaced(sentence, _MORE, "quantifier", STRONGER):
        at = _start(sentence, change.text)
        word = re.match(r"(?:a )?\w+", sentence[at:])
        if "most" in sentence[at : at + 5].lower() and not re.match(r"most (?:of|[\w-]+s)\b", sentence[at:], re.I):
            continue
        if word and word.group().lower() in _MANY and not _OF.match(sentence[at + len(word.group()) :]):
            continue
        if re.search(
            r"\b(?:the|its|their|his|her|one|as|so|how|too|very|more|less|most|least) \Z", sentence[:at], re.IGNORECASE
        ):
            continue
        if word and word.group().lower() in _MANY and not _BEGINS.search(sentence[:at]):
            continue
        yield change


def _start(one: str, other: str) -> int:
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    return one.rfind(" ", 0, same + 1) + 1


def bounds(sentence: str) -> Iterator[Change]:
    """At least as at most, more than as fewer than: only before a number."""
    if denied(sentence) or re.search(r"\b(?:can|may|could|might)\b", sentence):
        return
    for change in replaced(sentence, _BOUND, "bound", OTHER):
        at = _start(sentence, change.text)
        if any(found.start() <= at < found.end() for found in _COUNTED.finditer(sentence)):
            yield change


_SIGNIFICANT = re.compile(r"\b(was|were|is|are|did|has|have) (significantly|strongly|independently)\b")
_NO_SIGNIFICANT = re.compile(r"\b(no) ((?:statistically |clinically )?significant (\w+))")


def significance(sentence: str) -> Iterator[Change]:
    """Significantly as not significantly, no significant difference as a significant one."""
    if aims(sentence):
        return
    found = _SIGNIFICANT.search(sentence)
    if found and not denied(sentence):
        yield Change(f"{sentence[: found.end(1)]} not{sentence[found.end(1) :]}", "significance", OPPOSITE, "not")
    none = _NO_SIGNIFICANT.search(sentence)
    if none and len(re.findall(r"\b(?:no|not|nor|neither)\b", sentence, re.IGNORECASE)) == 1:
        article = "" if none[3].endswith("s") else "a "
        text = f"{sentence[: none.start()]}{article}{none[2]}{sentence[none.end() :]}"
        yield Change(text[0].upper() + text[1:], "significance", OPPOSITE, "a significant")
