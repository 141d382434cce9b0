"""What a claim says of the source itself and not of its subject: who wrote it, and when ("a 2021 study found")."""

from __future__ import annotations

import re
from datetime import date

from core.records import CheckResult
from core.verify.checks import CHECKS, dates, entities

_WORKS = (
    "study|studies|trial|paper|report|survey|review|article|analysis|meta-analysis|experiment|investigation|poll|census|"
    "book|dissertation|thesis|evaluation|assessment|audit|publication|preprint"
)
_AFTER = re.compile(rf"[ -](?:[\w-]+ ){{0,3}}(?:{_WORKS})\b", re.IGNORECASE)
_BEFORE = re.compile(rf"\b(?:(?:{_WORKS})(?: published)?|published(?: online)?) (?:of|from|in|on)[ ]\Z", re.IGNORECASE)
_AUTHOR = re.compile(r"\b[A-Z][\w'\u2019-]+(?: et al\.?| and (?:colleagues|[A-Z][\w'\u2019-]+))?,? \(\Z")


def of_itself(claim: str, result: CheckResult, window: str, authors: str, published: date | None) -> str:
    """Why what ``result`` missed in ``window`` is no error: a name that is an author of the source, or the year of a
    study that is the year of the source. "" where it is neither."""
    if result.name == entities.NAME and authors and not _vetoes(result.name, claim, f"{window} {authors}."):
        return "It is an author of the source."
    if result.name != dates.NAME or published is None or not result.claim_spans:
        return ""
    start, end = result.claim_spans[0]
    of_work = _AFTER.match(claim, end) or _BEFORE.search(claim, 0, start) or _AUTHOR.search(claim, 0, start)
    if of_work and not _vetoes(result.name, claim, f"{window} {published:%d %B %Y}."):
        return f"The source is of {published:%d %B %Y}."
    return ""


def _vetoes(name: str, claim: str, evidence: str) -> bool:
    return CHECKS[name](claim, evidence).veto
