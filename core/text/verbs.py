"""Whether words hold a finite verb, without a parser: auxiliaries, inflected forms of common verbs, past tenses. Enough
to tell a statement from a fragment and a clause from a list, not to find the verb of every sentence."""

import re
from enum import StrEnum
from functools import lru_cache

_AUXILIARIES = frozenset(
    """is are was were be been am has have had does do did can could will would shall should may might must cannot
    isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't can't couldn't won't wouldn't shouldn't
    mustn't it's that's there's they're we're you're he's she's we've they've you've i've i'm what's who's here's
    let's ain't""".split()  # noqa: SIM905
)
_BASES = """accelerate accept access account achieve acquire act adapt add address adopt advance affect agree aid aim
    align alleviate allow alter amount amplify analyse analyze announce answer anticipate appear apply approach
    approve argue arise ask assert assess assign assist associate assume attack attain attract attribute augment
    automate average avoid balance bear become begin believe belong bend benefit bind block bloom boost break
    bring build burn buy call capture carry catalyze catch cause challenge change characterize choose cite claim
    clarify classify coexist collect combine come comment commit compare compete complete complicate comply
    compress comprise compute concede concentrate conclude condition conduct confer confirm confuse connect
    consider consist constitute construct consume contain continue contribute control convert convey cook cool
    coordinate correlate cost count cover create criticize culminate curb cut damage deal decide declare decline
    decrease deem define degrade delay delegate deliver demand demonstrate deny depend deploy derive describe
    deserve design detect determine develop diagnose die differ digest dilute diminish disappear disclose
    discover discuss display disrupt distribute diversify divide dominate double doubt draw drink drive drop
    earn eat echo edit elect elevate eliminate embrace emerge emit emphasize employ enable encode encompass
    encourage end enforce enhance enjoy enrich ensure enter equal erode escalate establish estimate evaluate
    evolve exacerbate examine exceed exclude execute exercise exert exhibit exist expand expect experience
    explain exploit explore expose express extend face facilitate fail fall favor favour feature feed feel fetch
    find finish fit flow fluctuate focus follow force form formalize foster free freeze fuel function fund gain
    gather gauge generate get give glow go govern grant grow guarantee guide handle hang happen harbor harm hear
    help hide highlight hinder hinge hold host hunt hurt identify ignite illustrate impact impair implement
    imply impose improve include incorporate increase indicate induce infer influence inform inherit inhibit
    initiate inject innovate insist inspect inspire integrate intend intensify interact interpret introduce
    invade invest involve isolate issue join justify keep kill knit know label lack lag last launch lead learn
    leave lend leverage lie lift limit link list live locate log look lose lower maintain make manage manifest
    manipulate map mark match matter mean measure mediate meet melt merge merit migrate mirror mislead miss
    mitigate modify modulate motivate move need negotiate normalize note nudge obey observe obtain occur offer
    offset open operate oppose optimize orchestrate originate outcompete outline outnumber outpace outperform
    outsell outweigh overcome overlap overlook oversee own participate pass pay peak penetrate perceive perform
    permit perpetuate persist persuade pioneer plague plan plant plateau play point portray pose position
    possess postulate predict prefer prescribe present preserve prevent prioritize proceed process produce
    proliferate promote prompt propagate propose protect prove provide publish pull purchase pursue push put
    qualify quantify quote rain raise range rank rate reach read reason rebound recall receive recognize
    recommend record recover recruit redefine reduce refer reflect regulate reinforce reject relate release rely
    remain remind remove render repair replace report represent require rescue resemble reserve reside resist
    resolve resort respond rest restore restrict result retain retrieve return reveal revolve ride rise risk
    rival rule run save say scale search secure see seek seem select sell send sense separate serve set sew
    shade shape share shift ship show shrink shut signal simplify sink sit sleep slow smell solve sound span
    speak specify speed spend split spread stabilize stand standardize start state stay steer stem stimulate
    stipulate stop store streamline strengthen stress stretch strive struggle study submit succeed suffer
    suggest suit sum summarize supply support suppress surge surpass surround sustain swim switch synthesize
    tackle tailor take target taste tax teach tell tend test threaten thrive throw tie tolerate total tout track
    trade train transfer transform translate transmit travel treat trigger try turn underestimate undergo
    underlie undermine underpin underscore understand unify unlock unveil update uphold urge use utilize
    validate value vary verify view visit vote wait walk want warn wash waste weaken wear weave weigh widen win
    withstand witness work worry write yield""".split()  # noqa: SIM905
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
_BY = re.compile(r"\s+by\b")  # behind a past form without an auxiliary it makes a participle: "achieved by students"
_NO_PAST = frozenset(
    {"need", "seed", "speed", "feed", "breed", "bleed", "embed", "hundred", "kindred", "sacred", "naked", "reed"}
)
_DETERMINERS = frozenset(
    """a an the this that these those its their his her our your my of in on at by for from with to and or as
    no any some each every more most such other""".split()  # noqa: SIM905
)
_ADVERBS = frozenset(
    """also now often still not never always then already soon just even ever only again usually sometimes further
    together instead too""".split()  # noqa: SIM905
)
_PRONOUNS = frozenset(
    """they we you i these those which who that both many some most others all few people personnel
    staff police women men children""".split()  # noqa: SIM905
)


_SUBJECTS = (_PRONOUNS - {"that", "these", "those", "some", "most"}) | {"this", "it", "he", "she"}
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
    like most signal address function access ship question exhibit""".split()  # noqa: SIM905
)
"""Verbs that begin a sentence as a noun or an adjective as often as in an instruction."""
AFTER_A_NOUN = re.compile(
    r"(?:is|are|was|were|has|have|had|can|may|might|will|would|could|should|must|does|did|do|of|in|from|between|by"
    r"|among|and|or|on|at|\w+(?:ed|es|[^s\W]s))\Z",
    re.IGNORECASE,
)
"""What follows a noun rather than a verb at the beginning of an instruction."""


_NOUN_GOES_ON = re.compile(
    r"\s*(?:[,:;(/&|]|\Z)|\s+(?:of|in|for|and|or|from|to|on|by|with|between|across|are|is|were|was|have|can|may|will"
    r"|must|that|which|at|per|vs|\w+ed)\b"
)


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
    before = ""
    for match in _WORD.finditer(text):
        word = match[0].lower().replace("\u2019", "'")
        if word in _ADVERBS or (word.endswith("ly") and len(word) > 4):
            continue  # stands between a subject and its verb
        if word in _AUXILIARIES and before != "to":
            return match.start()
        name = bool(before) and match[0][0].isupper()
        if not name and _reads_as_verb(text, match, word, before):
            return match.start()
        before = word
    return None


def _reads_as_verb(text: str, match: re.Match[str], word: str, before: str) -> bool:
    """True when ``word`` reads as a finite verb after the word ``before`` ("" at the beginning)."""
    third, bases = _forms()
    if not before:  # "Maintains a connection": the subject stands before the colon
        noun = word in _nouns_first() and _NOUN_GOES_ON.match(text, match.end())
        return word in third and not noun
    if before in _DETERMINERS and before not in _SUBJECTS:
        return False
    if word in third or word in _IRREGULAR or (_is_past(word) and not _BY.match(text, match.end())):
        return True
    return word in bases and (before in _PRONOUNS or is_plural(before))


@lru_cache(maxsize=1)
def _nouns_first() -> frozenset[str]:
    return frozenset(map(_third_person, NOUNS_FIRST))


class VerbForm(StrEnum):
    """How a single word reads when it can only be a finite verb."""

    AUXILIARY = "auxiliary"
    PAST = "past"
    THIRD = "third"
    NONE = "none"


def verb_form(word: str) -> VerbForm:
    """The form of a word that is a verb beyond doubt, as a lone word can be; NONE for anything that may be a noun."""
    word = word.lower()
    if word in _AUXILIARIES:
        return VerbForm.AUXILIARY
    if word in _IRREGULAR or _is_past(word):
        return VerbForm.PAST
    return VerbForm.THIRD if word in _forms()[0] and word not in _nouns_first() else VerbForm.NONE


def has_finite_verb(text: str) -> bool:
    """Whether some word of ``text`` reads as a finite verb."""
    return finite_verb_at(text) is not None


def _is_past(word: str) -> bool:
    return len(word) > 3 and word.endswith("ed") and word not in _NO_PAST and "-" not in word


def is_plural(word: str) -> bool:
    """Whether a lower-case word looks like a plural noun."""
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
