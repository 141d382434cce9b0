"""The type of a claim: central (C1) or supporting (C2), by wording and position. The rules stand in
``claim_types.toml``."""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.labels import ClaimType

FILE = Path(__file__).with_name("claim_types.toml")
_LONGEST = 4000


@dataclass(frozen=True, slots=True)
class _Rule:
    weight: float
    reason: str
    fact: str
    section: re.Pattern[str] | None
    text: re.Pattern[str] | None
    raw: re.Pattern[str] | None


@lru_cache(maxsize=1)
def _rules() -> tuple[float, tuple[_Rule, ...]]:
    table = tomllib.loads(FILE.read_text("utf-8"))

    def pattern(rule: dict[str, object], name: str) -> re.Pattern[str] | None:
        return re.compile(str(rule[name]), re.IGNORECASE) if name in rule else None

    rules = tuple(
        _Rule(
            float(rule["weight"]),
            str(rule["reason"]),
            str(rule.get("fact", "")),
            pattern(rule, "section"),
            pattern(rule, "text"),
            pattern(rule, "raw"),
        )
        for rule in table["rule"]
    )
    return float(table["central"]), rules


def claim_type(
    text: str, *, raw: str = "", section: str = "", first: bool = False, kind: str = "prose", lead: bool = False
) -> tuple[ClaimType, str]:
    """The type of a claim, and the reason: the rules that matched. ``text`` is plain, ``raw`` as written, ``section``
    the heading above it. ``first`` is True for the first sentence under the heading, ``lead`` for a sentence before the
    first section."""
    facts = {"first": first, "lead": lead, kind: True}
    central, rules = _rules()
    matched = [rule for rule in rules if _holds(rule, text[:_LONGEST], raw[:_LONGEST], section, facts)]
    in_favour = [rule.reason for rule in matched if rule.weight > 0]
    against = [rule.reason for rule in matched if rule.weight < 0]
    if sum(rule.weight for rule in matched) >= central:
        return ClaimType.C1, f"central: {'; '.join(in_favour)}"
    if not in_favour:
        return ClaimType.C2, f"supporting: {'; '.join(against or ['nothing marks it as central'])}"
    but = f", but {'; '.join(against)}" if against else "; that alone is not enough"
    return ClaimType.C2, f"supporting: {'; '.join(in_favour)}{but}"


def _holds(rule: _Rule, text: str, raw: str, section: str, facts: dict[str, bool]) -> bool:
    if rule.fact:
        return facts.get(rule.fact, False)
    if rule.section is not None:
        return rule.section.search(section[:300]) is not None
    if rule.raw is not None:
        return rule.raw.search(raw) is not None
    return rule.text is not None and rule.text.search(text) is not None
