"""Words and rows for people about claims: pure functions over records, nothing of Streamlit or a store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.audit.wording import LABELS, Display
from core.labels import ClaimType, Label, VerdictState
from core.records import Claim, ClaimSource, ClaimVerdict, Cluster, Document
from core.text.words import count_words, short, title_of

VERDICTS: dict[VerdictState | None, Display] = {
    VerdictState.VERIFIED: Display(
        "✓", "check_circle", "green", "Verified", "Enough good, independent sources say it."
    ),
    VerdictState.CONTRADICTED: Display("✗", "cancel", "red", "Contradicted", "Good sources speak against it."),
    VerdictState.CONTESTED: Display("≠", "compare_arrows", "orange", "Contested", "Good sources stand on both sides."),
    VerdictState.INSUFFICIENT: Display("–", "help", "gray", "Not enough", "Too little was found to decide."),
    None: Display("…", "hourglass_empty", "gray", "Not checked", "Nobody has asked the sources yet."),
}
"""Every verdict; None is a claim that was not verified."""

TYPES: dict[ClaimType, tuple[str, str]] = {
    ClaimType.C1: ("Central", "Needs better sources, and more than one."),
    ClaimType.C2: ("Supporting", "One usable source is enough."),
}
"""Every type of claim in a word, and what it needs."""

REQUIREMENTS: dict[str, str] = {
    "grade": "Good sources were looked at",
    "support": "A source supports it",
    "independence": "Enough of them are independent",
    "no_contradiction": "No source speaks against it",
}
"""The words for each line of the checklist."""

WORTH = {"Worth checking": True, "The rest": False}
"""The choices of the filter by check-worthiness."""


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One line of the table. ``supporting`` and ``against`` count sources that count; None before a verdict."""

    id: int
    verdict: str
    text: str
    type: str
    supporting: int | None
    against: int | None
    worth: str


def claim_row(claim: Claim) -> ClaimRow:
    words = VERDICTS[claim.verdict.state if claim.verdict else None]
    return ClaimRow(
        id=claim.id,
        verdict=f"{words.sign} {words.word}",
        text=short(claim.text, 300),
        type=TYPES[claim.type][0],
        supporting=_counted(claim.verdict, Label.SUPPORTS),
        against=_counted(claim.verdict, Label.CONTRADICTS),
        worth=("yes: " if claim.check_worthy else "no: ") + claim.check_reason,
    )


def _counted(verdict: ClaimVerdict | None, label: Label) -> int | None:
    if verdict is None:
        return None
    return sum(source.counts and source.verdict.label is label for source in verdict.sources)


def state_of(claim: Claim) -> VerdictState | None:
    """The verdict on a claim, None before there is one."""
    return claim.verdict.state if claim.verdict else None


def chosen_claims(
    claims: Sequence[Claim], types: Sequence[str] = (), verdicts: Sequence[str] = (), worth: str | None = None
) -> list[Claim]:
    """The claims that pass the filters of the page, given in its words; an empty filter lets everything through."""
    wanted = None if worth is None else WORTH.get(worth)
    return [
        claim
        for claim in claims
        if (not types or TYPES[claim.type][0] in types)
        and (not verdicts or VERDICTS[state_of(claim)].word in verdicts)
        and (wanted is None or claim.check_worthy is wanted)
    ]


def claims_headline(claims: Sequence[Claim]) -> str:
    """The number of claims, and how many were decided."""
    worth = [claim for claim in claims if claim.check_worthy]
    decided = sum(claim.verdict is not None for claim in worth)
    words = f"{count_words(len(claims), 'claim')}, {len(worth):,} worth checking"
    return f"{words}, {decided:,} of them checked"


def to_verify(claims: Sequence[Claim]) -> list[int]:
    """Ids of the claims that are worth checking and have no verdict."""
    return [claim.id for claim in claims if claim.check_worthy and claim.verdict is None]


def verdict_line(verdict: ClaimVerdict) -> str:
    supporting = _counted(verdict, Label.SUPPORTS) or 0
    against = _counted(verdict, Label.CONTRADICTS) or 0
    parts = [f"{count_words(supporting, 'source')} for it", f"{against:,} against it"]
    if supporting > 1:
        parts.append(f"{verdict.independent:,} independent")
    return ", ".join(parts) + "."


def ordered_sources(verdict: ClaimVerdict) -> list[ClaimSource]:
    """Sources that take a side and count first, the surest first; then those that do not count, then the others."""

    def rank(source: ClaimSource) -> tuple[int, float]:
        sure = max(source.verdict.supports, source.verdict.contradicts)
        if source.verdict.label is Label.NEUTRAL:
            return 2, -sure
        return (0 if source.counts else 1), -sure

    return sorted(verdict.sources, key=rank)


def takes_side(source: ClaimSource) -> bool:
    """True when the source supports the claim or speaks against it."""
    return source.verdict.label is not Label.NEUTRAL


def requirement_words(name: str) -> str:
    return REQUIREMENTS.get(name, name.replace("_", " ").capitalize())


def cluster_words(cluster: Cluster, titles: Mapping[str, str]) -> list[str]:
    return [short(titles.get(key, "a source that was deleted"), 120) for key in cluster.documents]


def cell_words(source: ClaimSource | None) -> str:
    """The verdict of a source on a claim as a cell of the matrix: sign and probability; in brackets when it does not
    count, empty when the source was not looked at."""
    if source is None:
        return ""
    verdict = source.verdict
    if verdict.label is Label.NEUTRAL:
        return LABELS[Label.NEUTRAL].sign
    value = verdict.supports if verdict.label is Label.SUPPORTS else verdict.contradicts
    words = f"{LABELS[verdict.label].sign} {value:.2f}"
    return words if source.counts else f"({words})"


def column_names(documents: Sequence[Document], width: int) -> list[str]:
    """A short, unique name for each document, its grade first."""
    names: list[str] = []
    for document in documents:
        grade = document.grade_in_force.value
        name = short(f"{grade} · {title_of(document, 200)}", width)
        count = 2
        unique = name
        while unique in names:
            unique = f"{short(name, width - 3)} {count}"
            count += 1
        names.append(unique)
    return names
