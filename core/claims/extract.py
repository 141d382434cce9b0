"""Claims of a report: its sentences with their section, each judged worth checking or not, with its context and its
simple statements, and its type: central (C1) or supporting (C2), by wording and position (``claim_types.toml``)."""

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from core.audit.report_model import BlockKind, Report
from core.labels import ClaimType
from core.records import Claim
from core.verify.check_worthy import check_worthy
from core.verify.compound import simple_statements
from core.verify.markdown_to_text import plain

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


LONGEST = 4000
"""Most characters of a claim, far over any sentence that people write."""
_KINDS = frozenset({"prose", "list_item", "quote", "table_cell"})
_FAR = 3
_MARKS = " *_#`"
_READ = 4 * LONGEST  # characters of a sentence that are read: its marks may be longer than its words
_LEANS = re.compile(
    r"\A(?:(?:but|and|yet|so|still|also|however|moreover|furthermore|in addition|similarly|in fact|indeed|thus|hence"
    r"|therefore|instead|by contrast|in contrast|overall|likewise),?\s+)?"
    r"(?:(?:according to|in|of|at|by|for|from|on|under|with|among|despite|after|during|to)\s+)?"
    r"(?:it|its|it's|this|that|these|those|they|their|them|he|she|his|her|him|such|both|the (?:same|latter|former|rest"
    r"|others?|two)|another|others|some of (?:them|these)|(?:one|most|many|all|each|half|some|none) of (?:them|these"
    r"|those|which))\b",
    re.IGNORECASE,
)
_LEANS_INSIDE = re.compile(
    r"\b(?:of|in|by|at|for|with|from|under|on|to) (?:that|this|these|those|them|it)\b(?!,? (?:is|was|has))"
    r"|\bthe same (?:team|study|authors?|report|period|year|survey|data|group|researchers|paper)\b"
    r"|\b(?:this|these|those) [a-z]+\b|\b(?:she|he) (?:also )?[a-z]+s\b",
    re.IGNORECASE,
)
_LEANS_UNSPACED = re.compile(
    "\\A(?:\u4f46\u662f?|\u540c\u65f6|\u6b64\u5916|\u56e0\u6b64)?[\uff0c,]?(?:\u8fd9|\u8be5|\u5176|\u5b83|\u4ed6|\u5979|\u6b64(?!\u5916))"
)
_EXISTS = re.compile(
    r"\A(?:it|this|that) (?:is|was|has been|would be) (?:\w+ )?(?:that|to)\b|\Athose (?:who|of us)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a report. ``text`` is as written; ``start``/``end`` its place in the report (None for pasted text).
    ``kind`` is the kind of its block, ``section`` the heading above it ("" before the first). ``first`` is True for the
    first sentence of prose under that heading, ``lead`` for a sentence before the first section."""

    text: str
    start: int | None = None
    end: int | None = None
    kind: str = "prose"
    section: str = ""
    first: bool = False
    lead: bool = False


def statements_of(report: Report) -> list[Statement]:
    """The sentences of a report in order, each with its section: the headings above it without the report's title."""
    statements: list[Statement] = []
    path: list[tuple[int, str]] = []
    first = True
    title = (report.title or "").strip(_MARKS)
    for sentence in report.sentences:
        text = report.text[sentence.start : sentence.end]
        if sentence.kind is BlockKind.HEADING:
            level, name = report.blocks[sentence.block].level, text.strip(_MARKS)
            path = [heading for heading in path if heading[0] < level]
            if name != title:
                path.append((level, name))
            first = True
        is_first = first and sentence.kind is BlockKind.PROSE
        section = " \u203a ".join(name for _, name in path)
        statements.append(
            Statement(
                text, sentence.start, sentence.end, sentence.kind.value, section, first=is_first and bool(path),
                lead=not path,
            )
        )  # fmt: skip
        first = first and not is_first
    return statements


def extract_claims(statements: Iterable[Statement], *, created: datetime, report_id: int | None = None) -> list[Claim]:
    """The claims in the order of the report; ids are 0 until they are stored. Every sentence of prose, lists and
    quotations is a claim, also one that is not worth checking (with the reason). A table cell is a claim only when it
    states something. Headings, code and reference lists have no claims."""
    claims: list[Claim] = []
    before: list[str] = []
    for statement in statements:
        if statement.kind not in _KINDS:
            if statement.kind == "heading":
                before.clear()
            continue
        text = plain(statement.text[:_READ])
        claim = _claim(statement, text, before, created, report_id)
        if text and (claim.check_worthy or statement.kind != "table_cell"):
            claims.append(claim)
        if text and statement.kind != "table_cell":
            before.append(text)
            del before[:-_FAR]
    return claims


def typed_claim(text: str, *, created: datetime) -> Claim:
    """A claim that somebody typed: always worth checking, with a type by its wording."""
    text = " ".join(text.split())
    type_, type_reason = claim_type(text)
    return Claim(
        0, text, type_, type_reason, True, "typed to be checked", created, parts=simple_statements(plain(text))
    )


def _claim(statement: Statement, text: str, before: Sequence[str], created: datetime, report_id: int | None) -> Claim:
    worthy, reason = check_worthy(statement.text, kind=statement.kind)
    if len(text) > LONGEST:
        worthy, reason = False, f"longer than {LONGEST:,} characters: no single statement"
        text = text[: LONGEST - 1] + "\u2026"
    type_, type_reason = claim_type(
        text,
        raw=statement.text,
        section=statement.section,
        first=statement.first,
        kind=statement.kind,
        lead=statement.lead,
    )
    return Claim(
        0,
        text,
        type_,
        type_reason,
        worthy,
        reason,
        created,
        report_id=report_id,
        start=statement.start,
        end=statement.end,
        context=_context(text, before) if worthy else "",
        parts=simple_statements(text) if worthy else (),
    )


def leans(text: str) -> bool:
    """True when plain ``text`` refers to the text before it ("It also cut …", "By the end of that year …")."""
    if _EXISTS.match(text):
        return False
    if _LEANS.match(text) or _LEANS_UNSPACED.match(text):
        return True
    return _LEANS_INSIDE.search(text, 0, 80) is not None


def _context(text: str, before: Sequence[str]) -> str:
    """The sentences before a claim that leans on them: back to the first one that stands alone, at most three, not
    beyond a heading. "" for a claim that stands alone."""
    if not leans(text):
        return ""
    taken: list[str] = []
    for words in reversed(before):
        if len(words) > LONGEST // 4:
            break
        taken.insert(0, words)
        if not leans(words):
            break
    return " ".join(taken)
