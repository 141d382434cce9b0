"""Who does what to whom: the agents, patients and complements of the verbs of a parsed sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.records import Parse
from core.verify.aligned.words import conjuncts, is_noun, is_verb, with_dep


@dataclass(frozen=True, slots=True)
class Frame:
    """A verb with the heads of what takes part in it; ``complements`` by preposition."""

    verb: int
    agents: tuple[int, ...]
    patients: tuple[int, ...]
    complements: dict[str, tuple[int, ...]] = field(default_factory=dict)
    passive: bool = False


def frames(parse: Parse) -> list[Frame]:
    """The frames of all verbs, in order. Passives are turned round: "was appointed by Lund" has the agent Lund."""
    return [_frame(parse, at) for at, word in enumerate(parse) if is_verb(word)]


def _frame(parse: Parse, verb: int) -> Frame:
    passive = is_passive(parse, verb)
    agents, patients = _subjects(parse, verb, passive)
    objects = [_referent(parse, verb, at) for at in with_dep(parse, verb, "dobj", "obj", "oprd")]
    objects = _expanded(parse, objects)
    if not objects and (shared := _shared_object(parse, verb)):
        objects = shared
    by = [child for agent in with_dep(parse, verb, "agent") for child in with_dep(parse, agent, "pobj")]
    complements = {
        parse[prep].lemma: tuple(_expanded(parse, with_dep(parse, prep, "pobj")))
        for prep in with_dep(parse, verb, "prep")
    }
    return Frame(
        verb, (*agents, *_expanded(parse, by)), (*patients, *objects), complements, passive
    )  # fmt: skip


def is_passive(parse: Parse, verb: int) -> bool:
    """Whether the verb is a passive: "was appointed", "the man appointed by Lund"."""
    if with_dep(parse, verb, "nsubjpass", "auxpass", "agent"):
        return True
    word = parse[verb]
    return word.dep == "acl" and word.tag == "VBN"


def _subjects(parse: Parse, verb: int, passive: bool) -> tuple[list[int], list[int]]:
    """Agents and patients that stand as subjects, own or shared."""
    own = with_dep(parse, verb, "nsubj", "csubj")
    suffering = with_dep(parse, verb, "nsubjpass", "csubjpass")
    if not own and not suffering:
        shared = _shared_subject(parse, verb)
        own, suffering = ([], shared) if passive else (shared, [])
    own, suffering = ([_referent(parse, verb, at) for at in row] for row in (own, suffering))
    return _expanded(parse, own), _expanded(parse, suffering)


def _referent(parse: Parse, verb: int, at: int) -> int:
    """The noun that "who" or "which" stands for, else the word itself."""
    word = parse[at]
    relative = word.tag in ("WP", "WDT") or (word.lemma == "that" and word.pos in ("PRON", "SCONJ"))
    return parse[verb].head if relative and parse[verb].dep == "relcl" else at


def _shared_subject(parse: Parse, verb: int) -> list[int]:
    """The subject that a verb has from another: of the verb it is joined to, of the verb it completes, of the noun it
    describes."""
    word = parse[verb]
    if word.dep == "acl":
        return [word.head] if is_noun(parse[word.head]) else []
    for _ in range(3):
        if word.dep not in ("conj", "xcomp", "advcl"):
            return []
        head = word.head
        if word.dep == "xcomp" and (objects := with_dep(parse, head, "dobj")):
            return objects
        if subjects := with_dep(parse, head, "nsubj", "nsubjpass"):
            return subjects
        word = parse[head]
    return []


def _shared_object(parse: Parse, verb: int) -> list[int]:
    """The noun that a relative clause without an object of its own describes: "the oaks that Berg planted"."""
    word = parse[verb]
    described = word.dep == "relcl" and is_noun(parse[word.head])
    subject = with_dep(parse, verb, "nsubj")
    if described and subject and _referent(parse, verb, subject[0]) == subject[0]:
        return [word.head]
    return []


def _expanded(parse: Parse, heads: Sequence[int]) -> list[int]:
    return list(dict.fromkeys(at for head in heads for at in conjuncts(parse, head)))
