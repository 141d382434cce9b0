"""Names that stand for one another: countries and their people, months and titles that are no entities."""

from __future__ import annotations

_NATIONS = """
united states|america|american|americans|us|u.s|usa|u.s.a|united states of america|states
united kingdom|britain|british|uk|u.k|great britain|english|england|scottish|scotland|welsh|wales|briton
england|english|englishman
scotland|scottish|scots|scot
wales|welsh
ireland|irish
france|french|frenchman
germany|german|germans
italy|italian|italians
spain|spanish|spaniard|spaniards
portugal|portuguese
netherlands|dutch|holland
belgium|belgian
switzerland|swiss
austria|austrian
denmark|danish|dane|danes
sweden|swedish|swede
norway|norwegian
finland|finnish
iceland|icelandic
poland|polish
czech republic|czech
hungary|hungarian
romania|romanian
bulgaria|bulgarian
greece|greek|greeks
turkey|turkish|turk|turks
russia|russian|russians
soviet union|soviet|ussr|u.s.s.r|soviets
ukraine|ukrainian
serbia|serbian
croatia|croatian
china|chinese|people's republic of china|prc
japan|japanese
korea|korean|south korea|south korean|north korea|north korean
india|indian|indians
pakistan|pakistani
bangladesh|bangladeshi
sri lanka|sri lankan
nepal|nepalese
indonesia|indonesian
malaysia|malaysian
philippines|filipino|philippine
thailand|thai
vietnam|vietnamese
australia|australian|australians
new zealand|new zealander|kiwi
canada|canadian|canadians
mexico|mexican
brazil|brazilian
argentina|argentine|argentinian
chile|chilean
colombia|colombian
peru|peruvian
cuba|cuban
egypt|egyptian
israel|israeli
iran|iranian|persian|persia
iraq|iraqi
syria|syrian
saudi arabia|saudi
afghanistan|afghan
south africa|south african
nigeria|nigerian
kenya|kenyan
ethiopia|ethiopian
"""
_OTHER = """
africa|african
europe|european|europeans
asia|asian
north america|north american
south america|south american
latin america|latin american
rome|roman|romans
christianity|christian|christians
islam|muslim|muslims|islamic
judaism|jewish|jew|jews
catholicism|catholic|catholics
buddhism|buddhist
hinduism|hindu|hindus
world war i|world war 1|first world war|wwi|ww1|great war
world war ii|world war 2|second world war|wwii|ww2
new york city|nyc|new york
los angeles|la|l.a
washington, d.c|washington|d.c|washington dc
european union|eu|e.u
united nations|un|u.n
television|tv|tvs
academy award|academy awards|oscar|oscars
grammy|grammys|grammy award|grammy awards
emmy|emmys|emmy award|emmy awards
bible|biblical
covid|covid19|covid 19|sars cov|sars cov2|sars cov 2|sarscov2|coronavirus|2019 ncov|ncov
nazi|nazis|nazism|nazi germany
"""
_GROUPS = [frozenset(line.split("|")) for line in (_NATIONS + _OTHER).split("\n") if line]
ALIASES: dict[str, frozenset[str]] = {
    name: frozenset().union(*(group for group in _GROUPS if name in group)) for group in _GROUPS for name in group
}
_NATION_NAMES = frozenset(name for line in _NATIONS.split("\n") if line for name in line.split("|"))
REGIONS = frozenset(
    """
    africa african asia asian europe european europeans america american western eastern northern southern north south
    east west central latin middle scandinavian nordic arab arabic baltic balkan mediterranean caribbean
    """.split()  # noqa: SIM905
)
TITLES = frozenset(
    """
    mr mrs ms miss dr prof professor sir lord lady dame king queen prince princess emperor empress pope saint st
    president senator governor mayor captain colonel general admiral major lieutenant sergeant judge justice reverend
    duke duchess count countess baron earl sheikh sultan tsar minister secretary chairman ceo director coach
    """.split()  # noqa: SIM905
)


def aliases(name: str) -> frozenset[str]:
    """The names with the meaning of ``name`` (lower case), itself included."""
    return ALIASES.get(name, frozenset()) | {name}


def is_nation(name: str) -> bool:
    """True for a country or its people (in lower case)."""
    return name in _NATION_NAMES


def is_demonym(word: str) -> bool:
    """True for a people or faith: "12 Americans" is a count, "21 Jump Street" a name."""
    return is_nation(word.lower())
