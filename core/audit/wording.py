"""Words and rows for people about a citation audit: pure functions over records, nothing of Streamlit or a store.

Text is returned as plain text, never as markup. Every state has a sign and a word, so that none is told by its
colour alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.labels import Label, Reason, Status
from core.records import AuditSummary, CheckResult, Document, Finding, Outcome, SourceVerdict
from core.text.words import count_words, short, title_of


@dataclass(frozen=True, slots=True)
class Display:
    """The display of a state: a sign for tables, the name of an icon, a colour of the theme, a word, its meaning."""

    sign: str
    icon: str
    color: str
    word: str
    help: str


STATUS: dict[Status | None, Display] = {
    Status.PASS: Display("✓", "check_circle", "green", "Pass", "The cited source says what the sentence says."),
    Status.REVIEW: Display("!", "flag", "orange", "Review", "Something does not fit; a person should look."),
    Status.SOURCE_NOT_INDEXED: Display(
        "?", "link_off", "blue", "Source missing", "No text of the cited source is in this project."
    ),
    None: Display("…", "hourglass_empty", "gray", "Waiting", "Not checked yet."),
}
"""Every status of a citation; None is a row that waits."""

REASONS: dict[Reason, tuple[str, str]] = {
    Reason.CONTRADICTED: ("Source says the opposite", "Correct the sentence, or say that sources disagree."),
    Reason.QUOTE_ALTERED: ("Quote was changed", "Quote the source word for word, or drop the quotation marks."),
    Reason.NUMBER_MISMATCH: ("Number differs", "Take the number from the source, with its unit."),
    Reason.WRONG_SOURCE: ("Another source says it", "Cite the source shown below in place of this one."),
    Reason.NOT_MENTIONED: ("Source does not mention it", "Find a source that says it, or take the sentence out."),
    Reason.PARTIAL: ("Only partly supported", "Keep the part that is supported; find a source for the rest."),
    Reason.LOW_SUPPORT: ("Weakly supported", "Read the passage and decide whether it is enough."),
    Reason.SOURCE_UNREADABLE: ("Source could not be read", "Add a readable copy of it, for example as text."),
    Reason.LINK_DEAD: (
        "Link leads nowhere",
        "Check the address, or find the page elsewhere, and add that.",
    ),
    Reason.LINK_NEVER_EXISTED: (
        "Link leads to nothing known",
        "No archive saw it. Check the address; it may be made up.",
    ),
    Reason.ABSTRACT_ONLY: ("Only the abstract is here", "Add the full text; the sentence may rest on it."),
    Reason.DANGLING_MARKER: ("Points to no reference", "Add the reference to the list, or correct the number."),
    Reason.AMBIGUOUS_REFERENCE: ("Fits several references", "Make the citation say which one is meant."),
    Reason.FETCH_FAILED: ("Could not be fetched", "Try again later, or save the page and add the file."),
    Reason.UNUSED_REFERENCE: ("Listed but never cited", "Cite it where it belongs, or take it off the list."),
    Reason.LANGUAGE_DIFFERS: ("Source in another language", "Read the source: this cannot be told across languages."),
    Reason.SELF_REFERENCE: ("Report cites itself", "Cite the source that the statement comes from."),
    Reason.NOT_CHECKED: ("Could not be checked", "Read the source and decide; the program failed on this row."),
    Reason.CHECK_FAILED: ("A detail differs", "Compare the words of both sides below."),
}
"""Every reason in a few words, and what to do about it."""

CHECKS: dict[str, str] = {
    "quotes": "Quoted words",
    "numbers": "Numbers and units",
    "dates": "Dates",
    "negation": "Is or is not",
    "quantifiers": "All, some, none",
    "entities": "Names",
    "side_by_side": "Word beside word",
    "speaker": "Who said it",
}
"""The matter that each deterministic check compares."""

OUTCOMES: dict[Outcome, tuple[str, str, str]] = {
    Outcome.PASSED: ("check_circle", "green", "agree"),
    Outcome.FAILED: ("cancel", "red", "differ"),
    Outcome.BROKEN: ("error", "red", "could not be compared"),
    Outcome.NOT_APPLICABLE: ("remove", "gray", "nothing to compare"),
}
"""Icon, colour and words of what a check found."""

SHADES: dict[str, tuple[str, str]] = {
    "verified": ("✓", "Cited, and the source says it"),
    "failing": ("!", "Cited, but it needs a look or its source is missing"),
    "waiting": ("…", "Cited, not checked yet"),
    "uncited": ("¿", "Should be cited, and is not"),
    "plain": ("", "Nothing to check"),
}
"""Sign and meaning of each shade of the coloured report."""

MATCHES: dict[str, str] = {
    "url": "by its address",
    "redirect": "by an address that led to it",
    "doi": "by its DOI",
    "arxiv": "by its arXiv number",
    "id": "by its mark as a stored source",
    "file": "by the name of its file",
    "title": "by its title",
}
"""The ways in which a cited source is recognised among the stored ones."""

LABELS: dict[Label, Display] = {
    Label.SUPPORTS: Display("✓", "check_circle", "green", "supports it", "The source says what the sentence says."),
    Label.CONTRADICTS: Display("✗", "cancel", "red", "speaks against it", "The source says something else."),
    Label.NEUTRAL: Display("–", "remove", "gray", "says neither", "The source neither says it nor denies it."),
}
"""The stance of a source towards a statement, as a verb."""


def source_words(finding: Finding, titles: Mapping[str, str], width: int = 90) -> str:
    """The target of a citation: the stored source's title, else the reference as the report has it."""
    if finding.document_id and finding.document_id in titles:
        return short(titles[finding.document_id], width)
    return short(finding.reference_text or finding.url or finding.doi or finding.marker_text, width) or "–"


def source_key(finding: Finding) -> str:
    """The key by which the cited sources of a report differ."""
    return finding.document_id or finding.url or finding.doi or finding.reference_label or finding.marker_text


def cited_sources(findings: Sequence[Finding], titles: Mapping[str, str]) -> dict[str, str]:
    """The cited sources of a report by ``source_key``, by title."""
    sources = {source_key(finding): source_words(finding, titles) for finding in findings}
    return dict(sorted(sources.items(), key=lambda pair: pair[1].casefold()))


def titles_of(documents: Sequence[Document]) -> dict[str, str]:
    """Titles by document id."""
    return {document.id: title_of(document, 300) for document in documents}


def reason_words(reason: Reason) -> str:
    """A reason in two to five words."""
    return REASONS[reason][0]


def rescue_words(carries: bool) -> str:
    """The verb for a suggested source: only a source whose support lets a citation pass "says it"."""
    return "says it" if carries else "may say it"


def reason_advice(reason: Reason) -> str:
    """The advice about a reason, one sentence."""
    return REASONS[reason][1]


def status_words(status: Status | None) -> str:
    """A status in one or two words."""
    return STATUS[status].word


def reasons_named(words: Sequence[str]) -> list[Reason]:
    """The reasons that these words mean; unknown words are left out."""
    return [reason for reason in Reason if reason_words(reason) in words]


def chosen(findings: Sequence[Finding], reasons: Sequence[str] = (), source: str = "") -> list[Finding]:
    """The findings that pass the filters of the page, given in its words; an empty filter lets everything through."""
    because = reasons_named(reasons)
    return [
        finding
        for finding in findings
        if (not because or any(reason in because for reason in finding.reasons))
        and (not source or source_key(finding) == source)
    ]


def may_be_fetched(finding: Finding) -> bool:
    """True when the cited source is missing and has an address to fetch it from."""
    return finding.status is Status.SOURCE_NOT_INDEXED and bool(finding.url or finding.doi)


def missing_words(total: int, missing: int) -> str:
    """The outcome of ``total`` citations of which none holds and ``missing`` wait for their sources, in one sentence.
    "0 of 7 hold" would accuse a report whose sources nobody has added yet."""
    if missing == total:
        return f"None of {count_words(total, 'citation')} could be checked: the sources are not here yet."
    waits = "waits for its source" if missing == 1 else "wait for their sources"
    checked = f"{total - missing:,} of {count_words(total, 'citation')} could be checked"
    return f"{checked}, none holds so far; {missing:,} {waits}."


def brief_words(summary: AuditSummary) -> str:
    """The counts of a report for a list of reports: ``50 citations · 38 pass · 8 to review · 4 sources missing``."""
    parts = [count_words(summary.citations, "citation")]
    if passed := summary.by_status.get(Status.PASS, 0):
        parts.append(f"{passed:,} pass")
    if review := summary.by_status.get(Status.REVIEW, 0):
        parts.append(f"{review:,} to review")
    if missing := summary.by_status.get(Status.SOURCE_NOT_INDEXED, 0):
        parts.append(f"{count_words(missing, 'source')} missing")
    if summary.waiting:
        parts.append(f"{summary.waiting:,} waiting")
    if summary.unused_references:
        parts.append(f"{count_words(summary.unused_references, 'reference')} never cited")
    return " · ".join(parts)


def share_words(summary: AuditSummary) -> list[str]:
    """Precision and recall of the citations in words; nothing where there is nothing to count."""
    lines = []
    if summary.precision is not None:
        lines.append(f"Of the citations whose source is here, {_percent(summary.precision)} hold (precision).")
    if summary.recall is not None and summary.check_worthy:
        needing = f"{count_words(summary.check_worthy, 'statement')} that should have a source"
        lines.append(f"Of {needing}, {_percent(summary.recall)} have a citation that holds (recall).")
    return lines


def _percent(share: float) -> str:
    # 99.7 % must not read as "all".
    value = round(100 * share)
    if value == 100 and share < 1:
        value = 99
    if value == 0 and share > 0:
        value = 1
    return f"{value} %"


def matched_words(finding: Finding) -> str:
    """The way in which the cited source was found, as the end of a sentence; "" when it was not found."""
    return MATCHES.get(finding.matched_by, "")


def support_words(verdict: SourceVerdict) -> str:
    """The source's stance towards the claim, with the probability that decided."""
    words = LABELS[verdict.label].word
    if verdict.label is Label.CONTRADICTS:
        return f"The source {words} ({verdict.contradicts:.2f} of 1)."
    if verdict.vetoed:
        differs = next((check.explanation for check in verdict.checks if check.veto), "A check found a difference.")
        return f"The wording is close ({verdict.supports:.2f} of 1), but a detail differs. {differs}"
    return f"The source {words} (support {verdict.supports:.2f} of 1)."


def check_name(check: CheckResult) -> str:
    """The matter that a check compares."""
    return CHECKS.get(check.name, check.name.replace("_", " ").capitalize())


def ordered_checks(checks: Sequence[CheckResult]) -> list[CheckResult]:
    """The checks in order: those that could not be made, differences, agreements, those with nothing to compare."""
    order = [Outcome.BROKEN, Outcome.FAILED, Outcome.PASSED, Outcome.NOT_APPLICABLE]
    return sorted(checks, key=lambda check: order.index(check.outcome))


def siblings(findings: Sequence[Finding], finding: Finding) -> list[Finding]:
    """The other citations of the same sentence."""
    if finding.sentence is None:
        return []
    return [other for other in findings if other.sentence == finding.sentence and other.id != finding.id]


def neighbour_ids(findings: Sequence[Finding], finding_id: int) -> tuple[int | None, int | None]:
    """Ids of the rows before and after this one; of a row that is not among them, None and the first."""
    ids = [finding.id for finding in findings]
    if finding_id not in ids:
        return None, ids[0] if ids else None
    at = ids.index(finding_id)
    return (ids[at - 1] if at else None), (ids[at + 1] if at + 1 < len(ids) else None)
