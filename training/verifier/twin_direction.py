"""Directions and antonyms: increase / decrease, promote / suppress, anti- / pro-, higher / lower, before / after."""

from __future__ import annotations

import re
from collections.abc import Iterator

from training.verifier.twin_change import OPPOSITE, OTHER, Change, denied, replaced

_VERBS = """
increase/decrease improve/worsen promote/suppress enhance/impair activate/inactivate stimulate/inhibit
accelerate/delay strengthen/weaken upregulate/downregulate up-regulate/down-regulate elevate/reduce
facilitate/hinder encourage/discourage accept/reject confirm/refute overestimate/underestimate
potentiate/attenuate aggravate/alleviate
exacerbate/ameliorate lengthen/shorten widen/narrow
""".split()  # noqa: SIM905
_BOTH_WAYS = """
won/lost supported/opposed raises/lowers
increases/decreases gains/losses improvement/deterioration activation/inhibition
upregulation/downregulation up-regulation/down-regulation elevation/reduction success/failure advantage/disadvantage
advantages/disadvantages activator/inhibitor agonist/antagonist majority/minority maximum/minimum
surplus/deficit imports/exports overexpression/underexpression stabilization/destabilization
higher/lower greater/smaller better/worse longer/shorter older/younger faster/slower
stronger/weaker highest/lowest largest/smallest longest/shortest oldest/youngest best/worst
warmer/cooler hotter/colder heavier/lighter wider/narrower deeper/shallower taller/shorter richer/poorer
positively/negatively favorable/unfavorable favourable/unfavourable effective/ineffective beneficial/harmful
superior/inferior successful/unsuccessful successfully/unsuccessfully safe/unsafe sensitive/resistant
efficient/inefficient hypertension/hypotension hyperglycemia/hypoglycemia
hyperthyroidism/hypothyroidism hyperkalemia/hypokalemia hypermethylation/hypomethylation
hypermethylated/hypomethylated overweight/underweight pro-inflammatory/anti-inflammatory
proinflammatory/antiinflammatory pro-apoptotic/anti-apoptotic proapoptotic/antiapoptotic pro-angiogenic/anti-angiogenic
prothrombotic/antithrombotic oncogene/tumor-suppressor accelerated/delayed attractive/unattractive legal/illegal
""".split()  # noqa: SIM905
_OTHER = """
preoperative/postoperative preoperatively/postoperatively prenatal/postnatal premenopausal/postmenopausal
intracellular/extracellular benign/malignant proximal/distal anterior/posterior aerobic/anaerobic acute/chronic
maternal/paternal inpatient/outpatient inpatients/outpatients male/female males/females men/women boys/girls
sons/daughters son/daughter brother/sister father/mother husband/wife northern/southern eastern/western
northeastern/southwestern northwestern/southeastern internal/external directly/indirectly vertical/horizontal
urban/rural public/private domestic/foreign dominant/recessive systolic/diastolic arterial/venous
afferent/efferent unilateral/bilateral symmetric/asymmetric homozygous/heterozygous monogamous/polygamous
offensive/defensive professional/amateur morning/evening summer/winter spring/autumn
evaporation/condensation melting/freezing predator/prey herbivores/carnivores renewable/nonrenewable
""".split()  # noqa: SIM905
_FIXED = {
    "in the presence of": "in the absence of", "in the absence of": "in the presence of",
    "more likely": "less likely", "less likely": "more likely", "more common": "less common",
    "less common": "more common", "more frequent": "less frequent", "less frequent": "more frequent",
    "more effective": "less effective", "less effective": "more effective", "more severe": "less severe",
    "less severe": "more severe", "more often": "less often", "more frequently": "less frequently",
    "more sensitive": "less sensitive", "more efficient": "less efficient", "more pronounced": "less pronounced",
    "positive correlation": "negative correlation", "negative correlation": "positive correlation",
    "positive association": "negative association", "inverse association": "positive association",
    "inversely associated": "positively associated", "inversely correlated": "positively correlated",
    "inversely related": "positively related", "gain of function": "loss of function",
    "high levels": "low levels", "low levels": "high levels", "high risk": "low risk", "low risk": "high risk",
    "high rate": "low rate", "low rate": "high rate", "good prognosis": "poor prognosis",
    "poor prognosis": "good prognosis", "poor outcome": "good outcome", "a decrease in": "an increase in",
    "an increase in": "a decrease in", "a reduction in": "an increase in", "a rise in": "a fall in",
    "growth in": "decline in", "decline in": "growth in", "weight loss": "weight gain", "weight gain": "weight loss",
    "bone loss": "bone gain",
    "earlier than": "later than", "later than": "earlier than", "years later": "years earlier",
    "years earlier": "years later", "months later": "months earlier", "days later": "days earlier",
    "earlier onset": "later onset", "later onset": "earlier onset", "early stage": "late stage",
    "protects against": "increases the risk of", "protect against": "increase the risk of",
} | {
    f"{one} {link}": f"{other} {link}"
    for pair in ("rose/fell", "rises/falls", "risen/fallen", "rising/falling", "grew/shrank", "climbed/dropped")
    for one, other in (pair.split("/"), pair.split("/")[::-1])
    for link in ("by", "from", "to", "sharply", "significantly", "slightly", "steadily")
}  # fmt: skip
_TIME = {
    "before": "after", "after": "before", "prior to": "following", "previously": "subsequently",
    "subsequently": "previously", "the day before": "the day after", "during": "after",
}  # fmt: skip
_NOT_COMPARED = re.compile(
    r"\blower (?:extremit|limb|leg|back|respirat|urin|gastro|body|house|court|lip|jaw|abdom|bound|third|half|lobe|"
    r"motor|esoph|uterine)|\bhigher (?:education|order|plants?)|\bgreater (?:london|manchester|than)|\bbest known|"
    r"\bbest (?:selling|actor|actress|picture|director|film|album|friend|[A-Z])|\bworst case|\bbetter (?:known|off)|"
    r"\b(?:next|second|third|fourth|fifth|\w+th|\d+(?:st|nd|rd)|one of the|among the|[tT]op) (?:[\w-]+ )?\w+est\b|"
    r"\bsafe (?:haven|house)|\bat best\b|\bmajority (?:leader|owner)",
    re.IGNORECASE,
)
_NOT_TIME = re.compile(
    r"\b(?:after|before) (?:all|adjust\w*|control\w*|correct\w*|account\w*|which|that|being|named|long|his|her|the "
    r"(?:death|fall))\b|\b(?:named|called|look\w*|soon|shortly|immediately|only|long|year|day|seek\w*|go(?:es)?) "
    r"(?:after|before)\b|\bthe day (?:before|after)\b|\bduring (?:the|a|an|his|her|its|their)\b(?=.{0,6}\d)",
    re.IGNORECASE,
)


def inflected(verb: str) -> tuple[str, str, str, str]:
    """Plain form, third person, past and -ing form of a regular verb."""
    stem = verb[:-1] if verb.endswith("e") else verb
    person = f"{verb}es" if verb.endswith(("sh", "ch", "s", "x")) else f"{verb}s"
    return verb, person, f"{stem}ed", f"{stem}ing"


def _both_ways(pairs: list[str]) -> dict[str, str]:
    table: dict[str, str] = {}
    for pair in pairs:
        one, other = pair.split("/")
        table.setdefault(one, other)
        table.setdefault(other, one)
    return table


_DIRECTIONS = _both_ways([
    f"{a}/{b}" for pair in _VERBS
    for a, b in zip(inflected(pair.split("/")[0]), inflected(pair.split("/")[1]), strict=True)
] + _BOTH_WAYS) | _FIXED  # fmt: skip
_SIDES = _both_ways(_OTHER)
for _word in ("narrow", "strengthening"):  # mostly an adjective, and a kind of exercise
    _DIRECTIONS.pop(_word, None)


def directions(sentence: str) -> Iterator[Change]:
    """The sentence with one direction reversed; none where it denies something or compares unclearly."""
    if not denied(sentence) and not _NOT_COMPARED.search(sentence):
        yield from replaced(sentence, _DIRECTIONS, "direction", OPPOSITE)


def sides(sentence: str) -> Iterator[Change]:
    """The sentence with one word for the other side, part or sex."""
    if not denied(sentence):
        yield from replaced(sentence, _SIDES, "side", OTHER)


def times(sentence: str) -> Iterator[Change]:
    """Before for after, after for before."""
    if not denied(sentence) and not _NOT_TIME.search(sentence):
        yield from replaced(sentence, _TIME, "time", OTHER)
