"""Whether words hold a finite verb, without a parser: auxiliaries, inflected forms of common verbs, past tenses.

Enough to tell a statement from a fragment and a clause from a list, not to find the verb of every sentence.
"""

from __future__ import annotations

import re
from functools import lru_cache

_AUXILIARIES = frozenset(
    """is are was were be been am has have had does do did can could will would shall should may might must cannot
    isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't can't couldn't won't wouldn't shouldn't
    mustn't it's that's there's they're we're you're he's she's we've they've you've i've i'm what's who's here's
    let's ain't""".split()  # noqa: SIM905
)
_BASES = """accept accelerate access account achieve acquire act adapt add address adopt advance affect agree aid aim
    align allow alter amount analyze analyse announce answer appear apply approach approve argue arise ask
    assert assess assign assist associate assume attain attract attribute augment average avoid become begin
    believe belong benefit boost bring build call capture carry cause challenge change claim clarify collect
    combine come comment commit compare compete complete comply comprise concede conclude conduct confirm
    connect consider consist consume contain continue contribute control convert cool correlate cost count cover
    create criticize cut damage deal decide declare decline decrease define degrade deliver demand demonstrate
    deny depend derive describe deserve design detect determine develop differ diminish disappear disclose
    discover discuss display disrupt distribute divide dominate double draw drive drop earn edit elect eliminate
    emerge emphasize employ enable encode encourage end enhance enjoy enrich ensure enter equal establish
    estimate evaluate evolve examine exceed exclude exhibit exist expand expect experience explain explore
    express extend face facilitate fail fall favor favour feature feed feel fetch find finish fit flow focus
    follow force form foster function fund gain gather generate get give go govern grant grow handle happen help
    highlight hold identify illustrate impact implement imply impose improve include incorporate increase
    indicate induce influence inform inhibit inherit initiate integrate intend introduce invest involve isolate
    issue join keep kill know lack lag last launch lead learn leave leverage lie limit link list live locate
    look lose lower maintain make manage manifest mark matter mean measure mediate meet merge mirror miss modify
    modulate motivate move need note obey observe obtain occur offer open operate oppose optimize outline
    outpace outperform outweigh overcome own pay peak perform permit persist plan play point pose possess
    predict prefer present prevent process produce promote propose protect prove provide publish pursue push put
    quantify raise range rank rate reach read reason recall receive recognize recommend record recover redefine
    reduce refer reflect reject relate release rely remain remove render replace report represent require
    reserve reside resolve respond rest restrict result retain return reveal rise risk run save say scale secure
    see seek seem sell send separate serve set shape share shift show shrink signal simplify sit slow solve span
    speak specify spend split spread stabilize stand start state stay stem stimulate stop store strengthen
    stress stretch strive struggle study submit succeed suffer suggest suit summarize supply support suppress
    surge surpass sustain take target teach tell tend test thrive tie total track trade train transfer transform
    translate transmit travel treat trigger try turn undergo underlie undermine underscore understand unify
    unlock update urge use utilize vary view vote wait walk want warn waste weaken weigh widen win work worry
    yield write alleviate amplify anticipate attack automate balance bind block break buy catalyze characterize
    choose cite coexist complicate compress compute concentrate condition confer constitute construct convey
    coordinate culminate curb deem delay delegate deploy diagnose digest dilute doubt echo elevate embrace emit
    encompass enforce erode escalate exacerbate execute exert expose fluctuate formalize free fuel gauge
    guarantee guide harbor harm host hinder hinge ignite impair infer inject innovate insist inspect inspire
    interact interpret invade isolate justify label lend lift log map match merit migrate mitigate negotiate
    normalize nudge offset orchestrate originate outcompete outnumber overlap overlook oversee participate pass
    penetrate perceive perpetuate persuade pioneer plague plant plateau portray postulate prescribe preserve
    prioritize proceed proliferate prompt propagate purchase quote rebound recruit regulate reinforce remind
    repair rescue resemble resist restore retrieve revolve rival search select sense shade ship speed
    standardize steer stipulate streamline surround switch synthesize tackle tailor threaten tolerate tout treat
    underestimate underpin unveil uphold validate value visit withstand witness""".split()  # noqa: SIM905
# Past tenses that no rule makes, and that are not nouns or adjectives as often.
_IRREGULAR = frozenset(
    """became began bore bought brought broke built came caught chose cost cut dealt did drew drove fell fed felt
    found forbade fought gave got grew held hit kept knew laid led left lent let lost made meant met paid put
    ran read rose said sat saw set sent shook shot showed shrank sold sought spent spoke spread stood stuck struck
    swept swore taught threw took told thought understood underwent went withdrew won wore wrote overcame overtook
    undertook arose withheld outgrew shrunk""".split()  # noqa: SIM905
)
# In base form these are read as verbs behind a plural or a pronoun only ("trees cool", "they use").
_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")
_NO_PAST = frozenset(
    {"need", "seed", "speed", "feed", "breed", "bleed", "embed", "hundred", "kindred", "sacred", "naked", "reed"}
)
_DETERMINERS = frozenset(
    """a an the this that these those its their his her our your my of in on at by for from with to and or as
    no any some each every more most such other""".split()  # noqa: SIM905
)
_PRONOUNS = frozenset(
    """they we you i these those which who that both many some most others all few people""".split()  # noqa: SIM905
)


_SUBJECTS = _PRONOUNS - {"that", "these", "those", "some", "most"}
NOUNS_FIRST = frozenset(
    """access account act aid average benefit boost challenge change claim contract control cost cover damage deal
    decline decrease demand design display drop estimate experience face feature focus form function fund gain
    government grant help host impact increase influence interest issue lack launch lead limit link list live look
    map mark matter mean measure move need note offer open own plan plant point present process produce progress
    purchase range rank rate reason record release report research result return rise risk scale search sense set
    shade shape share shift show sit spread stand start state stem stress study supply support surge survey target
    test tie total track trade transfer travel trigger try turn update use value view visit vote waste work yield
    label log match patient force advance answer approach attack balance block cause concern condition contribute
    delay doubt end free fuel guide harm lift slow separate secure speed store switch train treat water select read
    like most""".split()  # noqa: SIM905
)
"""Verbs that begin a sentence as a noun or an adjective as often as in an instruction."""
AFTER_A_NOUN = re.compile(
    r"(?:is|are|was|were|has|have|had|can|may|might|will|would|could|should|must|does|did|do|of|in|from|between|by"
    r"|among|and|or|on|at|\w+(?:ed|es|[^s\W]s))\Z",
    re.IGNORECASE,
)
"""What follows a noun rather than a verb at the beginning of an instruction."""


def _third_person(base: str) -> str:
    if base.endswith(("s", "sh", "ch", "x", "z", "o")):
        return base + "es"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + "s"


@lru_cache(maxsize=1)
def _forms() -> tuple[frozenset[str], frozenset[str]]:
    """Third persons and base forms."""
    return frozenset(map(_third_person, _BASES)), frozenset(_BASES)


def is_base_verb(word: str) -> bool:
    """Whether a lower-case word is the base form of a common verb."""
    return word in _forms()[1]


def finite_verb_at(text: str) -> int | None:
    """Offset of the first word of ``text`` that reads as a finite verb; None where there is none."""
    third, bases = _forms()
    before = ""
    for match in _WORD.finditer(text):
        word = match[0].lower().replace("\u2019", "'")
        if word in _AUXILIARIES and before != "to":
            return match.start()
        if before and (before not in _DETERMINERS or before in _SUBJECTS):
            if word in third or word in _IRREGULAR or _is_past(word):
                return match.start()
            if word in bases and (before in _PRONOUNS or is_plural(before)):
                return match.start()
        elif not before and word in third:
            return match.start()  # "Maintains a connection": the subject stands before the colon
        before = word
    return None


def has_finite_verb(text: str) -> bool:
    """Whether some word of ``text`` reads as a finite verb."""
    return finite_verb_at(text) is not None


def _is_past(word: str) -> bool:
    return len(word) > 3 and word.endswith("ed") and word not in _NO_PAST and "-" not in word


def is_plural(word: str) -> bool:
    """Whether a lower-case word looks like a plural noun."""
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
