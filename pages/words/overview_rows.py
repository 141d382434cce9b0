"""Lines of the overview: a citation with the deciding words, the decisions of people, the report in its shades. Pure
functions over records; text is returned as plain text, never as markup."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.audit.layout import readable
from core.audit.outcome import Holding
from core.audit.summary import FAILING, VERIFIED, WAITING
from core.audit.wording import reason_words, rescue_words
from core.labels import DecisionKind, Reason, Status
from core.records import Finding, HeatSentence, Outcome, Standing
from core.text.words import short
from pages.words.overview import NO_SOURCE, WRONG
from pages.words.review import DECISIONS

QUOTED = 320
"""Characters of a source that are shown beside a sentence at most."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A citation in a few lines. ``claim`` is what the report says, ``quote`` the exact words of the source that
    decide ("" where there are none), ``source`` what is cited, ``why`` a line, ``decided`` what people say of it."""

    id: int
    ordinal: int
    holding: Holding
    claim: str
    marker: str
    source: str
    quote: str
    why: str
    decided: str


@dataclass(frozen=True, slots=True)
class PersonsWork:
    """The decisions of one person that are in force."""

    name: str
    kinds: Mapping[DecisionKind, int] = field(default_factory=dict)


def deciding_words(finding: Finding, text: str | None) -> str:
    """The exact words of the cited source that decide, "" where nothing was compared. ``text`` is the stored text of
    the source, None when it is gone: then the words that were kept with the verdict."""
    verdict = finding.verdict
    if verdict is None or verdict.best is None:
        return ""
    span = verdict.rationale
    if text is not None and span is not None and 0 <= span[0] < span[1] <= len(text):
        return short(text[span[0] : span[1]], QUOTED)
    return short(verdict.best.text, QUOTED)


def why_line(finding: Finding) -> str:
    """The reason why a citation does not pass, without the words of the source: the deciding reason, then the
    differences."""
    if finding.status is Status.PASS or not finding.reasons:
        return ""
    failed = [
        check.explanation for check in (finding.verdict.checks if finding.verdict else ()) if _fails(check.outcome)
    ]
    lines = [f"{reason_words(finding.reasons[0])}.", *dict.fromkeys(failed)]
    if finding.rescue is not None and Reason.WRONG_SOURCE in finding.reasons:
        lines.append(f"“{short(finding.rescue.title, 90)}” {rescue_words(finding.rescue.carries)}.")
    elif finding.verdict is None and finding.explanation:
        lines.append(finding.explanation)
    return short(" ".join(lines), 400)


def _fails(outcome: Outcome) -> bool:
    return outcome is Outcome.FAILED


def standing_line(standing: Standing | None) -> str:
    """The decisions of people on a citation, "" when there is none."""
    if standing is None:
        return ""
    if standing.conflict:
        sides = ", ".join(f"{decision.by} {DECISIONS[decision.kind].past}" for decision in standing.conflict)
        return f"People disagree: {sides}."
    decision = standing.decision
    if decision is None:
        return ""
    line = f"{decision.by} {DECISIONS[decision.kind].past} on {decision.at:%d %B %Y}".replace(" 0", " ")
    if decision.reason:
        line += f" ({_code_words(decision.reason)})"
    lines = [f"{line}."]
    if decision.rewording:
        lines.append(f"It should say: “{short(decision.rewording, 300)}”")
    if decision.note:
        lines.append(f"Note: “{short(decision.note, 300)}”")
    if standing.stale:
        lines.append(f"Changed since: {standing.stale}")
    return " ".join(lines)


def _code_words(code: str) -> str:
    return reason_words(Reason(code)).lower() if code in set(Reason) else short(code.replace("_", " "), 60)


def evidence_of(
    finding: Finding, holding: Holding, standing: Standing | None, source: str, text: str | None
) -> Evidence:
    """The evidence of one citation. ``source`` names what is cited, ``text`` is its stored text."""
    return Evidence(
        id=finding.id,
        ordinal=finding.ordinal + 1,
        holding=holding,
        claim=short(finding.claim_text or finding.reference_text, 400),
        marker=short(readable(finding.marker_text or finding.reference_label), 60),
        source=source,
        quote=deciding_words(finding, text),
        why=why_line(finding),
        decided=standing_line(standing),
    )


def in_order(findings: Sequence[Finding], holdings: Mapping[int, Holding], wanted: Holding) -> list[Finding]:
    """The citations with the outcome ``wanted``, in the order of the report."""
    return [finding for finding in findings if holdings.get(finding.id) is wanted]


def work_of(standings: Mapping[int, Standing]) -> list[PersonsWork]:
    """The decisions by person, those who decided most first. Of a dispute each opinion counts for its person."""
    by: dict[str, Counter[DecisionKind]] = defaultdict(Counter)
    for standing in standings.values():
        for decision in standing.conflict or (() if standing.decision is None else (standing.decision,)):
            by[decision.by][decision.kind] += 1
    return sorted((PersonsWork(name, kinds) for name, kinds in by.items()), key=_most_first)


def _most_first(work: PersonsWork) -> tuple[int, str]:
    return -sum(work.kinds.values()), work.name


_DID: dict[DecisionKind, str] = {
    DecisionKind.ACCEPT: "accepted",
    DecisionKind.REJECT: "rejected",
    DecisionKind.WRONG_SOURCE: "wrong source",
    DecisionKind.REWORD: "reworded",
}


def work_words(work: PersonsWork) -> str:
    """``Ann: 12 accepted, 3 rejected``."""
    parts = [f"{work.kinds[kind]:,} {word}" for kind, word in _DID.items() if work.kinds.get(kind)]
    return f"{short(work.name, 60)}: {', '.join(parts)}"


def reshaded(
    heat: Sequence[HeatSentence], holdings: Mapping[int, Holding], standings: Mapping[int, Standing]
) -> list[HeatSentence]:
    """The heat map of the report by the outcome of its citations, people's decisions included."""
    return [_reshaded(sentence, holdings, standings) for sentence in heat]


def _reshaded(
    sentence: HeatSentence, holdings: Mapping[int, Holding], standings: Mapping[int, Standing]
) -> HeatSentence:
    outcomes = [holdings[key] for key in sentence.findings if key in holdings]
    if not outcomes or sentence.shade not in (VERIFIED, FAILING, WAITING):
        return sentence
    if Holding.FAILS in outcomes:
        shade = WRONG
    elif Holding.OPEN in outcomes:
        shade = FAILING
    elif {Holding.MISSING, Holding.UNSHOWN} & set(outcomes):
        shade = NO_SOURCE
    else:
        shade = WAITING if Holding.WAITING in outcomes else VERIFIED
    lines = [line for key in sentence.findings if (line := standing_line(standings.get(key)))]
    return replace(sentence, shade=shade, why=" ".join([*lines, sentence.why]) if lines else sentence.why)
