"""The domain of a question, chosen by counting words, and the guidance for a model in each domain. The rules and the
guidance stand in ``domains.toml``. A project may replace the guidance of a domain, and so may a single question."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from core.errors import AnswerError

AUTO, GENERAL = "auto", "general"
_STRONG = 2
_LOOKED_AT = 5000
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Template:
    """The guidance for answers of a domain. ``edited`` is True for the project's own guidance."""

    name: str
    title: str
    guidance: str
    edited: bool = False


@dataclass(frozen=True, slots=True)
class DomainChoice:
    """A domain, and a sentence on why it was chosen."""

    name: str
    why: str


def domain_names() -> list[str]:
    """The names of all domains, ``general`` first."""
    return list(_rules())


def template(name: str, overrides: Mapping[str, str] | None = None) -> Template:
    """The template of a domain. ``overrides``: the project's own guidance by domain. Raises AnswerError: there is no
    such domain."""
    rule = _rules().get(name)
    if rule is None:
        raise AnswerError(f"There is no domain {name!r}. Choose one of: auto, {', '.join(_rules())}.")
    own = (overrides or {}).get(name)
    return Template(name, str(rule["title"]), own or str(rule["guidance"]).strip(), own is not None)


def choose_domain(question: str) -> DomainChoice:
    """The domain with most words in the question; ``general`` when no domain has enough. Ties go to the earlier one."""
    scored = {name: _matches(question, rule) for name, rule in _rules().items() if name != GENERAL}
    best = max(scored, key=lambda name: sum(scored[name].values()))
    points = sum(scored[best].values())
    if points < int(_loaded()["least"]):
        return DomainChoice(GENERAL, "No domain has enough of its words in the question.")
    words = ", ".join(f"\u201c{word}\u201d" for word in list(scored[best])[:4])
    return DomainChoice(best, f"The question has words of this domain: {words}.")


def _matches(question: str, rule: Mapping[str, Any]) -> dict[str, int]:
    """The words of a domain that stand in the question, with their points. A plural s makes no other word."""
    text = f" {' '.join(_WORD.findall(question[:_LOOKED_AT].casefold()))} "
    matches: dict[str, int] = {}
    for key, points in (("strong", _STRONG), ("words", 1)):
        for word in rule.get(key, ()):
            small = word.casefold()
            if f" {small} " in text or f" {small}s " in text:
                matches.setdefault(word, points)
    return matches


@cache
def _loaded() -> dict[str, Any]:
    return tomllib.loads((files("core.answer") / "domains.toml").read_bytes().decode("utf-8"))


def _rules() -> dict[str, dict[str, Any]]:
    return {name: value for name, value in _loaded().items() if isinstance(value, dict)}
