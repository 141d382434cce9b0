"""Word tables of the seeded errors: each entry keeps the sentence grammatical."""

from __future__ import annotations

UNIT_SWAPS = {
    "percentage points": "per cent", "per cent": "percentage points", "percent": "percentage points",
    "%": " percentage points", "kilometres": "miles", "kilometers": "miles", "km": "miles", "miles": "kilometres",
    "metres": "kilometres", "meters": "kilometers", "feet": "miles", "kilograms": "grams", "kg": "g", "mg": "g",
    "tonnes": "kilograms", "tons": "pounds", "billion": "million", "million": "billion", "thousand": "million",
    "°C": "°F", "degrees Celsius": "degrees Fahrenheit", "$": "€", "£": "$", "€": "£", "hectares": "acres",
    "acres": "hectares", "grams": "kilograms",
}  # fmt: skip
DIRECTION_SWAPS = {
    "rose": "fell", "fell": "rose", "risen": "fallen", "fallen": "risen", "rising": "falling", "falling": "rising",
    "increased": "decreased", "decreased": "increased", "increases": "decreases", "decreases": "increases",
    "increase": "decrease", "decrease": "increase", "increasing": "decreasing", "decreasing": "increasing",
    "grew": "shrank", "growth": "decline", "decline": "growth", "declined": "grew", "dropped": "climbed",
    "gained": "lost", "more than": "less than", "less than": "more than", "at least": "at most", "at most": "at least",
    "over": "under", "fewer than": "more than", "higher": "lower", "lower": "higher", "up": "down", "down": "up",
}  # fmt: skip
NUMBER_WORDS = (  # noqa: SIM905
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety"
).split()
MONTH_NAMES = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)  # fmt: skip
STRONGER = {
    "some of": ("all of", "none of"), "many of": ("all of", "none of"), "most of": ("all of", "none of"),
    "several of": ("all of",), "some": ("all",), "many": ("all",), "most": ("all",), "several": ("all",),
    "a few": ("all",), "few": ("no",), "often": ("always",), "usually": ("always",), "sometimes": ("always",),
    "frequently": ("always",), "generally": ("always",), "commonly": ("always",), "typically": ("always",),
    "mainly": ("only",), "mostly": ("only",), "primarily": ("only",), "partly": ("only",), "at least one": ("every",),
    "one of the": ("the only one of the",), "rarely": ("never",), "numerous": ("all",), "various": ("all",),
}  # fmt: skip
VERBS = {
    "starred": "star", "stars": "star", "played": "play", "plays": "play", "won": "win", "wins": "win",
    "wrote": "write",
    "directed": "direct", "released": "release", "appeared": "appear", "appears": "appear", "received": "receive",
    "became": "become", "began": "begin", "made": "make", "worked": "work", "works": "work", "lived": "live",
    "lives": "live", "contains": "contain", "includes": "include", "included": "include", "increases": "increase",
    "reduces": "reduce", "affects": "affect", "causes": "cause", "requires": "require", "produced": "produce",
    "produces": "produce", "performed": "perform", "sold": "sell", "took": "take", "takes": "take", "went": "go",
    "died": "die", "earned": "earn", "featured": "feature", "features": "feature", "served": "serve", "joined": "join",
    "led": "lead", "helps": "help", "provides": "provide", "happens": "happen", "occurs": "occur", "means": "mean",
    "needs": "need", "uses": "use", "used": "use", "attended": "attend", "married": "marry", "founded": "found",
    "created": "create", "developed": "develop", "recorded": "record", "inhibits": "inhibit", "increased": "increase",
    "reported": "report", "announced": "announce", "expects": "expect", "grew": "grow", "fell": "fall", "rose": "rise",
    "gives": "give", "gave": "give", "came": "come", "comes": "come", "ended": "end", "ran": "run", "held": "hold",
    "discussed": "discuss", "mentioned": "mention", "suggested": "suggest", "offered": "offer", "decreased": "decrease",
}  # fmt: skip
THIRD_PERSON = frozenset(
    verb for verb, base in VERBS.items() if verb.endswith("s") and verb[:-1].rstrip("e") == base.rstrip("e")
)
"""Verbs that take "does not", the others "did not"."""
