"""One citation: the claim in its paragraph, the words of the source that decide, the checks, what to do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from core.audit import wording as audit_words
from core.audit.layout import flowing, paragraph_of, readable
from core.audit.outcome import Holding
from core.audit.outcome_words import HOLDINGS, SINGULAR
from core.audit.report_model import Report
from core.errors import WorkbenchError
from core.labels import Status
from core.records import CheckResult, Finding, Outcome, SourceVerdict, Span, Standing
from core.workbench.open_project import OpenProject
from pages.shared.address import Page, go, turn_to
from pages.shared.findings import name_of
from pages.shared.notices import rerun_with
from pages.shared.safe import plain, show_badge, show_evidence
from pages.shared.session import guarded
from pages.shared.source_view import show_cited_passage
from pages.words.audit import NEVER_CITED
from pages.words.llm import about_words, agreement, estimate_words, job_line, opinion_words, page_words, stance_words
from pages.words.overview_rows import standing_line

_SHOWN = 3


def show_opinion(opened: OpenProject, item: str) -> None:
    """The opinion on ``item`` ("finding:ID" or "claim:ID"), and the way to ask for one. Nothing at all where opinions
    are switched off and none was asked for before."""
    opinions = opened.opinions
    kind, _, number = item.partition(":")
    opinion, current = opinions.of_finding(int(number)) if kind == "finding" else opinions.of_claim(int(number))
    off = opinions.why_off()
    words, failed = job_line(opinions.job_of(item))
    if opinion is None and off and not words:
        return
    st.markdown("**A second opinion**")
    if opinion is not None:
        label, (stands, color) = audit_words.LABELS[opinion.label], agreement(opinion)
        with st.container(horizontal=True, vertical_alignment="center"):
            show_badge(label.word.capitalize(), label.icon, label.color)
            st.badge(stands, color=color)  # type: ignore[arg-type]
            st.caption(plain(opinion_words(opinion)))
        st.text(opinion.why)
        if opinion.quotes:
            with st.expander("The words it points to", icon=":material/format_quote:", key=f"opinion-quotes-{number}"):
                for place, quote in enumerate(opinion.quotes[:_SHOWN]):
                    st.caption(plain(f"{stance_words(quote.stance).capitalize()}: {quote.why or 'no reason given'}"))
                    show_cited_passage(opened, quote.document_id, (quote.start, quote.end), f"opinion-{number}-{place}")
        st.caption(plain(about_words(opinion, current=current)))
    if words:
        (st.error if failed else st.caption)(plain(words))
    if off:
        st.caption(f":material/cloud_off: {plain(page_words(off))}")
    elif st.button(
        "Ask again for an opinion" if opinion else "Ask for a second opinion",
        key=f"ask-opinion-{number}",
        icon=":material/forum:",
    ):
        ask_for_opinion(opened, item)


@st.dialog("A second opinion of a language model")
def ask_for_opinion(opened: OpenProject, item: str) -> None:
    """The dialog that names what is sent and the most it costs, and asks once it is confirmed."""
    opinions = opened.opinions
    kind, _, number = item.partition(":")
    finding = kind == "finding"
    try:
        estimate = opinions.estimate_finding(int(number)) if finding else opinions.estimate_claim(int(number))
    except WorkbenchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.text(opinions.goes_out())
    st.text(estimate_words(estimate))
    if st.button("Ask", type="primary", icon=":material/send:", key="confirm-opinion"):
        try:
            if finding:
                opinions.ask_finding(int(number))
            else:
                opinions.ask_claim(int(number))
        except WorkbenchError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        rerun_with("A language model is being asked; its opinion appears here.")


@dataclass(frozen=True, slots=True)
class Card:
    """A citation with what stands beside it: its outcome after machine and people, the rows of the list in its order,
    all rows of the report, titles by document id."""

    finding: Finding
    holding: Holding | None
    standing: Standing | None
    shown: Sequence[Finding]
    findings: Sequence[Finding]
    titles: Mapping[str, str]


def show_card(opened: OpenProject, report: Report, card: Card) -> None:
    """The card of one citation, in a frame of its own that scrolls."""
    finding, titles = card.finding, card.titles
    with st.container(height=640, border=True, key="finding", gap="xsmall"):
        _heading(card)
        with guarded("showing the claim"):
            _show_claim(report, finding)
        show_siblings(finding, card.findings, titles)
        with guarded("showing the passage"):
            show_passage(opened, finding, titles)
        show_why(finding)
        show_supported_part(report, finding)
        if finding.verdict:
            show_checks(finding.verdict)
        with guarded("showing another source"):
            show_rescue(opened, finding)
        if finding.document_id is not None:
            with guarded("showing the second opinion"):
                show_opinion(opened, f"finding:{finding.id}")
        _actions(opened, finding)


def _heading(card: Card) -> None:
    before, after = audit_words.neighbour_ids(card.shown, card.finding.id)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="finding-head"):
        if card.holding is None:
            st.badge(NEVER_CITED, icon=":material/playlist_remove:", color="gray")
        else:
            words = HOLDINGS[card.holding]
            show_badge(SINGULAR[card.holding], words.icon, words.color, words.help)
        st.space("stretch")
        show_step("Before", before, ":material/navigate_before:", "step-Row before")
        show_step("Next", after, ":material/navigate_next:", "step-Row after")
        if st.button("Close", key="finding-close", icon=":material/close:", type="tertiary"):
            turn_to("finding", "")
    if line := standing_line(card.standing):
        st.caption(plain(line))


def _show_claim(report: Report, finding: Finding) -> None:
    """The claim in its sentence, marked, and how it is cited. The paragraph stands in the report beside the card."""
    st.markdown("**What the report says**")
    sentence = _sentence_of(report, finding)
    if sentence is None or finding.claim is None:
        st.text(finding.claim_text or finding.reference_text or "–")
    else:
        start, end = sentence
        show_evidence(flowing(report.text[start:end]), [(finding.claim[0] - start, finding.claim[1] - start)])
    if finding.marker_text:
        with st.container(key="quiet-marker"):
            st.text(cited_as(finding))


def _sentence_of(report: Report, finding: Finding) -> Span | None:
    at = finding.sentence
    if finding.claim is None or at is None or not 0 <= at < len(report.sentences):
        return finding.claim
    sentence = report.sentences[at]
    return min(sentence.start, finding.claim[0]), max(sentence.end, finding.claim[1])


def show_step(label: str, finding_id: int | None, icon: str, key: str) -> None:
    """The button that opens the row before or after; off where there is none (None)."""
    if st.button(label, key=key, icon=icon, disabled=finding_id is None, type="tertiary") and finding_id is not None:
        _open(finding_id)


def _open(finding_id: int) -> None:
    turn_to("finding", str(finding_id))


def show_siblings(finding: Finding, findings: Sequence[Finding], titles: Mapping[str, str]) -> None:
    """The other citations of the same sentence as buttons that open them."""
    others = audit_words.siblings(findings, finding)
    if not others:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("The same sentence also cites")
        for other in others[:12]:
            if st.button(name_of(other, titles), key=f"sibling-{other.id}", type="tertiary"):
                _open(other.id)


def cited_as(finding: Finding) -> str:
    """The marker of a citation and, where it leads to one, its reference."""
    reference = readable(finding.reference_text)
    return f"Cited as {finding.marker_text}" + (f": {reference}" if reference else "")


def show_in_paragraph(report: Report, finding: Finding) -> None:
    """The claim in its paragraph of the report, marked, and how it is cited."""
    st.markdown("**What the report says**")
    around = paragraph_of(report, finding)
    if around is None:
        st.text(finding.claim_text or finding.reference_text or "–")
        return
    start, end = around
    place = finding.claim or finding.marker or finding.reference
    marks = [] if place is None else [(place[0] - start, place[1] - start)]
    show_evidence(flowing(report.text[start:end]), marks)
    if finding.marker_text:
        with st.container(key="quiet-marker"):
            st.text(cited_as(finding))


def show_why(finding: Finding) -> None:
    """The machine's explanation, and what to do."""
    if finding.status in (Status.PASS, None):
        if finding.explanation:
            st.text(finding.explanation)
        return
    st.markdown("**Why it did not pass**" if finding.status is Status.REVIEW else "**Why it could not be checked**")
    if finding.explanation:
        st.text(finding.explanation)
    for reason in finding.reasons:
        words = f"{audit_words.reason_words(reason)}. {audit_words.reason_advice(reason)}"
        st.markdown(f":material/arrow_forward: {plain(words)}")


def show_supported_part(report: Report, finding: Finding) -> None:
    """The part of the claim that the cited source does support."""
    part = finding.supported_part
    if part is None or finding.status is Status.PASS or not 0 <= part[0] < part[1] <= len(report.text):
        return
    st.markdown("**The part that the source does support**")
    start, end = finding.claim or part
    start, end = min(start, part[0]), max(end, part[1])
    show_evidence(report.text[start:end], [(part[0] - start, part[1] - start)])


def show_passage(opened: OpenProject, finding: Finding, titles: Mapping[str, str]) -> None:
    """The cited passage with the deciding words marked; without a source, the sources that it could be."""
    verdict = finding.verdict
    if finding.document_id is None:
        if finding.candidates:
            st.markdown("**Sources that fit the citation**")
            for candidate in finding.candidates[:10]:
                st.text(f"• {titles.get(candidate, 'a source that was deleted')}")
        return
    st.markdown("**What the cited source says**")
    if verdict is None or verdict.best is None:
        st.text(audit_words.source_words(finding, titles, 200))
        st.caption("No passage of it was compared with the claim.")
        return
    best = verdict.best
    show_cited_passage(opened, finding.document_id, (best.start, best.end), "cited", verdict.rationale)
    st.text(audit_words.support_words(verdict))
    if matched := audit_words.matched_words(finding):
        st.caption(f"The source was recognised {matched}.")
    if verdict.against is not None:
        with st.expander("What in the same source points the other way", icon=":material/compare_arrows:"):
            against = verdict.against
            show_cited_passage(opened, finding.document_id, (against.start, against.end), "against")


def show_checks(verdict: SourceVerdict) -> None:
    """The deterministic checks, one by one: differences first."""
    if not verdict.checks:
        return
    st.markdown("**Details compared word for word**")
    for check in audit_words.ordered_checks(verdict.checks):
        if check.outcome is not Outcome.NOT_APPLICABLE:
            _check(check)
    nothing = [audit_words.check_name(check) for check in verdict.checks if check.outcome is Outcome.NOT_APPLICABLE]
    if nothing:
        st.caption(plain(f"Nothing to compare: {', '.join(nothing).lower()}."))


def _check(check: CheckResult) -> None:
    icon, color, words = audit_words.OUTCOMES[check.outcome]
    with st.container(horizontal=True, vertical_alignment="top", gap="xsmall"):
        show_badge(plain(f"{audit_words.check_name(check)} {words}"), icon, color)
        st.text(check.explanation, width="stretch")


def show_rescue(opened: OpenProject, finding: Finding) -> None:
    """Another source that says it or may say it, with a citation to copy."""
    rescue = finding.rescue
    if rescue is None:
        return
    st.markdown(f"**Another source here {audit_words.rescue_words(rescue.carries)}**")
    st.caption(f"Support {rescue.supports:.2f} of 1. The citation, ready to copy:")
    st.code(rescue.citation, language=None, wrap_lines=True)
    show_cited_passage(opened, rescue.document_id, (rescue.start, rescue.end), "rescue")


def _actions(opened: OpenProject, finding: Finding) -> None:
    with st.container(horizontal=True), guarded("asking for another check"):
        if audit_words.may_be_fetched(finding) and st.button(
            "Fetch and check again", key="fetch-one", icon=":material/cloud_download:", type="primary"
        ):
            opened.audits.fetch_cited(finding.report_id, [finding.id])
            rerun_with("The source is being fetched; this row is checked again when it is here.")
        if finding.status is Status.SOURCE_NOT_INDEXED and st.button("Add it by hand", icon=":material/add:"):
            go(Page.SOURCES)
        if finding.status is not None and st.button("Decide on it", key="review-one", icon=":material/how_to_reg:"):
            go(Page.REVIEW, report=str(finding.report_id), item=opened.reviews.key_of_finding(finding.id))
        if finding.status is not None and st.button("Check again", key="again-one", icon=":material/refresh:"):
            opened.audits.audit(finding.report_id, [finding.id])
            rerun_with("This row is being checked again.")
