"""Who said it: a claim's named speaker beside the speaker that the source gives for the same statement.

A model of this size reads the statement and overlooks whose it is: "the deck is cracked, Holt said" passes where the
source has Amsel say so. The comparison works by rules. It says "differs" only where both sides name somebody; a
company and the person who speaks for it, a name and a role ("a baker") may be the same and are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.records import CheckResult, Outcome, Span
from core.text.terms import fold
from core.text.verbs import has_finite_verb
from core.verify.checks.text import content_stems

NAME = "speaker"
LEAST_OF_STATEMENT = 2
"""Content words of a statement."""
_NEAR = 0.5
"""Share of the statement's content words that a sentence must have to be the same statement."""
_AS_NEAR = 0.15
"""A sentence that is nearly as near as the nearest one, and has another speaker, clears the claim."""
_BACK = 6
"""Sentences before a pronoun or a quotation in which the speaker is looked for."""
_LONGEST = 30
"""Words of a subject with its apposition."""

# fmt: off
_VERBS = (
    r"(?:sa(?:id|ys?)|told|tells?|wr(?:ote|ites?)|argue[sd]?|add(?:s|ed)|warn(?:s|ed)?|claim(?:s|ed)|explain(?:s|ed)|"
    r"insist(?:s|ed)|complain(?:s|ed)|predict(?:s|ed)|expect(?:s|ed)|believe[sd]|announce[sd]|assert(?:s|ed)|"
    r"comment(?:s|ed)|conclude[sd]|estimate[sd]|suggest(?:s|ed)|note[sd]|state[sd]|stress(?:es|ed)|describe[sd]|"
    r"call(?:s|ed)|thinks?|thought|admit(?:s|ted)|acknowledge[sd]|recall(?:s|ed)|promise[sd]|replie[sd]|declare[sd]|"
    r"maintain(?:s|ed)|emphasi[sz]e[sd]|remark(?:s|ed)|point(?:s|ed) out)"
)
# fmt: on
_ACCORDING = re.compile(r"\baccording to (?P<who>[^,;:.“”\"()]{2,90})", re.IGNORECASE)
_INVERTED = re.compile(rf"[,”\"'’?!] ?(?P<verb>{_VERBS}) (?P<who>(?!that\b)[^,;:.“”\"()]{{2,90}})", re.IGNORECASE)
_MIDDLE = re.compile(rf", (?P<who>[^,;:.“”\"()]{{2,60}}) (?P<verb>{_VERBS}),", re.IGNORECASE)
_NO_VERB = r"(?<!\bthe)(?<!\ban)(?<!\ba)(?<!\bits)(?<!\bas)"
"""An article in front makes an adjective of a verb: "the expected rate"."""
_VERB = re.compile(
    rf"(?<=[\w,”\"]){_NO_VERB} (?:(?:has|have|had|also|later|then|again) )?(?P<verb>{_VERBS})\b", re.IGNORECASE
)
_CLAUSE = re.compile(r"[;:”\"(]\s*|,[”\"]\s*")
_OPENING = re.compile(r"\A(?:In|On|At|After|During|As|However|Meanwhile|But|And|Yet|Later|Still)\b[^,]{0,60}, ")
_QUOTED = re.compile(r"\A[“\"«„]|[”\"»]")
_QUOTATION = re.compile(r"[“\"«„][^”\"»]*[”\"»]")
_PRONOUN = re.compile(r"\A(?:he|she|they|it|the (?:report|statement|article|letter|study|authors?|man|woman))\b", re.I)
_PERSON = re.compile(
    r"\b[A-Z][\w'’-]*[a-z]\.?(?: [A-Z]\.)*(?: (?:van|der|de|von|bin|al|la|le|du|da|dos|del|di|ten))*"
    r"(?: [A-Z][\w'’-]+)+"
)
_NO_PERSON = re.compile(
    r"\b(?:university|council|department|ministry|agency|association|institute|commission|company|bank|group|party|"
    r"government|court|party|board|office|service|union|foundation|committee|police|hospital|school|college|society|"
    r"center|centre|protection|control|times|post|news|journal|press|authority|states?|kingdom|city|county)\b",
    re.IGNORECASE,
)
_ALONE = re.compile(r"(?:(?:Mr|Mrs|Ms|Dr|Prof|Sir|Lord)\.? )?([A-Z][\w'’-]+)")
_TITLES = frozenset({"president", "minister", "chancellor", "secretary", "professor", "doctor", "judge", "mayor"})
_PEOPLE = re.compile(
    r"\b(?:doctors|residents|critics|lawyers|families|neighbou?rs|activists|opponents|protesters|campaigners|workers|"
    r"employees|students|patients|parents|farmers|growers|shopkeepers|traders|witnesses|voters|passengers|teachers)\b",
    re.IGNORECASE,
)
_BEGINS_CLAUSE = re.compile(r"(?:so|when|if|while|because|although|though|since|once|where|until)\b", re.IGNORECASE)
_SOURCES = re.compile(r"\bsources?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Said:
    """An attribution: who speaks, with apposition, and the span of it."""

    who: str
    span: Span


def speaker_check(claim: str, sentences: Sequence[str], chosen: Sequence[int] | None = None) -> CheckResult | None:
    """Whether the source gives the claim's statement to somebody else.

    Args:
        claim: one sentence; None is the answer where it names no speaker, or more than one.
        sentences: all sentences of the source in their order.
        chosen: numbers of the sentences that may have the statement; None for all.
    """
    said = list(attributions(claim))
    if len(said) != 1:
        return None
    mine, known = said[0], _surnames(sentences)
    wanted = content_stems(claim) - content_stems(mine.who)
    if len(wanted) < LEAST_OF_STATEMENT or not (_surname(mine.who, known) or _proper(mine.who)):
        return None
    places = range(len(sentences)) if chosen is None else chosen
    shares = {at: len(wanted & content_stems(sentences[at])) / len(wanted) for at in places}
    least = max(_NEAR, max(shares.values(), default=0.0) - _AS_NEAR)
    speakers = [_speaker(sentences, at) for at, share in shares.items() if share >= least]
    others = [theirs for theirs in speakers if theirs is not None and _differ(mine.who, theirs, known)]
    if not others or len(others) < len(speakers):
        return CheckResult(NAME, Outcome.PASSED, "The source does not give the statement to anybody else.")
    why = f"The claim has “{_short(mine.who)}” say so; in the source it is “{_short(others[0])}”."
    return CheckResult(NAME, Outcome.FAILED, why, (mine.span,), (), veto=True)


def attributions(sentence: str) -> Iterator[Said]:
    """Who speaks in a sentence: "according to X", "…, said X", "X said …"; a subject with its apposition."""
    taken: list[Span] = []
    for pattern in (_ACCORDING, _INVERTED, _MIDDLE):
        for match in pattern.finditer(sentence):
            if pattern is not _ACCORDING and not _named(match["who"]):
                continue
            taken.append(match.span())
            yield Said(match["who"].strip(), match.span("who"))
    for match in _VERB.finditer(sentence):
        if any(start <= match.start("verb") < end for start, end in taken):
            continue
        start = _subject_begins(sentence, match.start())
        subject = sentence[start : match.start()]
        if len(subject.split()) <= _LONGEST and _is_subject(subject):
            yield Said(subject.strip(" ,"), (start, match.start()))
            return


def _subject_begins(sentence: str, end: int) -> int:
    """Where the subject of a verb at ``end`` begins: behind an opening ("In an interview, …") or another clause."""
    start = max((cut.end() for cut in _CLAUSE.finditer(sentence, 0, end)), default=0)
    if opening := _OPENING.match(sentence[start:end]):
        start += opening.end()
    first, comma, _ = sentence[start:end].rstrip(" ,").partition(", ")
    if comma and _is_clause(first):
        start = sentence.rindex(", ", start, end) + 2
    return start


def _is_clause(words: str) -> bool:
    """Whether words are more than a noun: they have a verb, or begin as a clause does. A name may look like a verb
    ("Will Moy")."""
    return bool(_BEGINS_CLAUSE.match(words)) or has_finite_verb(_PERSON.sub("Somebody", words))


def _is_subject(words: str) -> bool:
    """Whether a stretch before a verb of speech can be its subject: a pronoun, a name, or a noun with its article."""
    head = words.strip(" ,")
    if _is_clause(head.partition(", ")[0]):
        return False
    return bool(_PRONOUN.match(head) or head[:1].isupper() or re.match(r"(?:the|an?|its|their|his|her) ", head))


def _named(who: str) -> bool:
    """Whether the words behind or before a verb between commas are somebody: a name, or a noun without a verb."""
    begins = re.match(r"(?:the |an? |its |their )?\w*[A-Z]|(?:the|an?|its|their) \w", who)
    return bool(begins) and not _is_clause(who)


def _speaker(sentences: Sequence[str], at: int) -> str | None:
    """Who speaks in a sentence; behind a pronoun, and in a quotation that names nobody, who spoke before. None where
    the source speaks itself or it cannot be told."""
    said = [attribution.who for attribution in attributions(sentences[at])]
    explicit = [who for who in said if not _PRONOUN.match(who)]
    if explicit:
        return " / ".join(explicit)
    if not said and not _QUOTED.search(sentences[at]):
        return None
    for before in range(at - 1, max(-1, at - 1 - _BACK), -1):
        names = [attribution.who for attribution in attributions(sentences[before])]
        if names := [name for name in names if not _PRONOUN.match(name)]:
            return " / ".join(names)
        if said and (people := _people(_QUOTATION.sub("", sentences[before]))):
            return " / ".join(people)
    return None


def _differ(mine: str, theirs: str, known: frozenset[str]) -> bool:
    """Whether two speakers cannot be the same."""
    surname = _surname(mine, known)
    there = {fold(word) for word in re.findall(r"[\w'’-]+", theirs)}
    if surname:
        other = [name for name in map(_last, _people(theirs)) if name]
        single = [name for word in theirs.split() if (name := _surname(word.strip(",."), known))]
        if surname in there:
            return False
        return bool(other or single or _PEOPLE.search(theirs) or _SOURCES.search(theirs)) and not _shares(mine, theirs)
    return bool(_proper(mine) and _PEOPLE.search(theirs) and not _people(theirs)) and not _shares(mine, theirs)


def _shares(mine: str, theirs: str) -> bool:
    """Whether both name the same office, company or role beside the person."""
    names = {fold(word) for name in (*_people(mine), *_people(theirs)) for word in name.split()}
    return bool((content_stems(mine) & content_stems(theirs)) - content_stems(" ".join(names)))


def _people(words: str) -> list[str]:
    return [match.group() for match in _PERSON.finditer(words) if not _NO_PERSON.search(match.group())]


def _last(name: str) -> str:
    return fold(re.sub(r"['’]s?\Z", "", name.split()[-1]))


def _surnames(sentences: Sequence[str]) -> frozenset[str]:
    """Surnames of all persons whom the source names with two names."""
    return frozenset(_last(name) for sentence in sentences for name in _people(sentence))


def _surname(who: str, known: frozenset[str]) -> str:
    """The surname of the person that ``who`` names, "" for a company or a role: two names in a row, or one of the
    ``known`` surnames alone."""
    if people := _people(who):
        return _last(people[0])
    alone = _ALONE.fullmatch(who.strip())
    return fold(alone[1]) if alone and fold(alone[1]) in known - _TITLES else ""


def _proper(who: str) -> bool:
    """Whether ``who`` is a company or office with a name of its own."""
    words = who.split()
    return sum(word[:1].isupper() for word in words) >= min(2, len(words)) and who[:1].isupper()


def _short(who: str) -> str:
    return " ".join(who.split()[:10])
