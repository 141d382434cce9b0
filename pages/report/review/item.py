"""One item of the queue, laid out to be decided on: the claim, beside it the words of the source. Of the machine's
opinion one line stands below both; the rest is folded."""

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.audit.layout import flowing, paragraph_around
from core.audit.wording import source_words, titles_of
from core.errors import ClaimNotFound, ReportNotFound
from core.labels import ItemKind, ItemState, Status
from core.records import Claim, Decision, Finding, ReviewItem
from core.text.words import count_words, short
from core.workbench.open_project import OpenProject
from pages.shared.address import Page, go, go_button
from pages.shared.claim_detail import show_explanation
from pages.shared.finding_detail import show_checks, show_in_paragraph, show_rescue, show_supported_part, show_why
from pages.shared.reports import report_title
from pages.shared.safe import plain, show_badge, show_evidence, show_heading
from pages.shared.session import guarded, now
from pages.shared.source_view import show_cited_passage
from pages.words import review as wording
from pages.words.claims import ordered_sources, takes_side, verdict_line
from pages.words.overview_rows import why_line

SOURCES_SHOWN = 3
"""Sources of a claim shown at once."""


def show_item(opened: OpenProject, item: ReviewItem, queue: Sequence[ReviewItem], me: str) -> None:
    """Everything needed to decide on one item."""
    _head(opened, item, queue)
    titles = titles_of(opened.sources.documents(superseded=True))
    if item.kind is ItemKind.CITATION:
        with guarded("showing the citation"):
            _citation(opened, item, opened.audits.finding(item.row_id), titles)
    else:
        with guarded("showing the claim"):
            try:
                _claim(opened, item, opened.claims.get(item.row_id), titles)
            except ClaimNotFound:
                st.warning("This claim was deleted meanwhile. Go on to the next item.")
    with guarded("showing the history"):
        show_history(opened.reviews.history(item.key, me), item.earlier, me)


def _head(opened: OpenProject, item: ReviewItem, queue: Sequence[ReviewItem]) -> None:
    word, question, icon = wording.KINDS[item.kind]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="review-head"):
        show_heading(question, 2)
        st.badge(word, icon=f":material/{icon}:", color="gray")
        if item.state is not ItemState.OPEN:
            words = wording.STATES[item.state]
            show_badge(words.word, words.icon, words.color, words.help)
        if item.decision is not None:
            decision = wording.DECISIONS[item.decision.kind]
            show_badge(plain(f"{item.decision.by} {decision.past}", 60), decision.icon, decision.color)
        with st.container(key="quiet-review-why", width="content"):
            parts = [wording.place_words(queue, item.key), _from(opened, item)]
            st.text(" · ".join(part for part in parts if part))
    if item.stale_why:
        st.warning(plain(f"Decided before, and changed since: {item.stale_why}"), icon=":material/update:")


def _from(opened: OpenProject, item: ReviewItem) -> str:
    if item.report_id is None:
        return "typed by hand" if item.kind is ItemKind.CLAIM else ""
    try:
        return f"from “{report_title(opened.audits.report(item.report_id), 70)}”"
    except ReportNotFound:
        return ""


def _citation(opened: OpenProject, item: ReviewItem, finding: Finding, titles: Mapping[str, str]) -> None:
    report = opened.audits.read(finding.report_id)
    left, right = st.columns(2, gap="medium")
    with left, guarded("showing the claim"), st.container(key="review-said", gap="xsmall"):
        show_in_paragraph(report, finding)
        if st.button("Open in the audit", key="review-to-audit", icon=":material/fact_check:", type="tertiary"):
            go(Page.CITATIONS, report=str(finding.report_id), finding=str(finding.id))
    with right, guarded("showing the passage"), st.container(key="review-source", gap="xsmall"):
        _cited(opened, finding, titles)
    _reason("Drawn by lot" if finding.status is Status.PASS else why_line(finding) or short(finding.explanation, 240))
    with machine_panel():
        _machine(item)
        show_why(finding)
        show_supported_part(report, finding)
        if finding.verdict:
            show_checks(finding.verdict)
        with guarded("showing another source"):
            show_rescue(opened, finding)


def _reason(line: str) -> None:
    """The one line that says why this is asked. It stands below both texts, so that it does not speak first."""
    with st.container(key="review-reason"):
        st.caption(f":material/help: {plain(line)}")


def _cited(opened: OpenProject, finding: Finding, titles: Mapping[str, str]) -> None:
    st.markdown("**What the cited source says**")
    verdict = finding.verdict
    if finding.document_id is None:
        if not finding.marker_text:  # else it stands under the sentence
            st.text(source_words(finding, titles, 200))
        st.info("No text of it is in this project, so nobody can read here what it says.", icon=":material/link_off:")
        for candidate in finding.candidates[:5]:
            st.text(f"It could be: {titles.get(candidate, 'a source that was deleted')}")
        if finding.status is Status.SOURCE_NOT_INDEXED and st.button("Add the source", icon=":material/add:"):
            go(Page.SOURCES)
        return
    if verdict is None or verdict.best is None:
        st.text(source_words(finding, titles, 200))
        st.caption("No passage of it was compared with the sentence.")
        return
    best = verdict.best
    show_cited_passage(opened, finding.document_id, (best.start, best.end), "cited", verdict.rationale)
    if verdict.against is not None:
        with st.expander("What in it points the other way", icon=":material/compare_arrows:", key="review-against"):
            against = verdict.against
            show_cited_passage(opened, finding.document_id, (against.start, against.end), "against")


def _claim(opened: OpenProject, item: ReviewItem, claim: Claim, titles: Mapping[str, str]) -> None:
    left, right = st.columns(2, gap="medium")
    with left, guarded("showing the claim"), st.container(key="review-said", gap="xsmall"):
        _said(opened, claim)
        if st.button("Open among the claims", key="review-to-claim", icon=":material/rule:", type="tertiary"):
            go(Page.CLAIMS, claim=str(claim.id))
    with right, guarded("showing the passages"), st.container(key="review-source", gap="xsmall"):
        _sources(opened, claim)
    _reason("The sources were not asked about this yet." if claim.verdict is None else verdict_line(claim.verdict))
    with machine_panel():
        _machine(item)
        if claim.verdict is None:
            st.text("The sources were not asked about this yet.")
        else:
            st.text(verdict_line(claim.verdict))
            show_explanation(claim.verdict, titles)


def _said(opened: OpenProject, claim: Claim) -> None:
    st.markdown("**What is claimed**")
    if claim.report_id is not None and claim.start is not None and claim.end is not None:
        report = opened.audits.read(claim.report_id)
        if 0 <= claim.start < claim.end <= len(report.text):
            start, end = paragraph_around(report, (claim.start, claim.end))
            show_evidence(flowing(report.text[start:end]), [(claim.start - start, claim.end - start)])
            return
    show_heading(claim.text, 4)
    if claim.context:
        with st.container(key="quiet-review-context"):
            st.text(f"Said after: {claim.context}")


def _sources(opened: OpenProject, claim: Claim) -> None:
    st.markdown("**What the sources say**")
    sources = [] if claim.verdict is None else ordered_sources(claim.verdict)
    near = [source for source in sources if takes_side(source)] or sources
    shown = [source for source in near if source.verdict.best is not None]
    if not shown:
        st.info("No passage about it was found in the sources of this project.", icon=":material/link_off:")
        go_button("Add sources", Page.SOURCES, icon=":material/add:")
        return
    for source in shown[:SOURCES_SHOWN]:
        best = source.verdict.best
        assert best is not None, "only sources with a passage are shown"
        key = f"for-{source.document_id[:16]}"
        show_cited_passage(opened, source.document_id, (best.start, best.end), key, source.verdict.rationale)
    if len(shown) > SOURCES_SHOWN:
        st.caption(f"{count_words(len(shown) - SOURCES_SHOWN, 'more source')}, among the claims.")


def machine_panel() -> DeltaGenerator:
    """The panel of the machine's opinion, closed until someone opens it."""
    return st.expander("What the machine says", icon=":material/smart_toy:", key="review-machine")


def _machine(item: ReviewItem) -> None:
    words = wording.machine_words(item)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        show_badge(words.word, words.icon, words.color, words.help)
        for code in item.reasons:
            st.badge(plain(wording.reason_code_words(code), 60), color="gray")
    if line := wording.support_line(item):
        st.text(line)
    if item.worth_why:
        st.caption(plain(f"Why it is in the queue: {item.worth_why}"))


def show_history(history: Sequence[Decision], earlier: Sequence[Decision], me: str) -> None:
    """The decisions on this item, the newest first; then those on the sentence that it replaced."""
    if not history and not earlier:
        return
    label = "History: " + count_words(len(history) + len(earlier), "entry", "entries")
    with st.expander(label, icon=":material/history:", key="review-history"):
        _entries(history, me)
        if earlier:
            st.markdown("**On an earlier wording of this sentence**")
            _entries(earlier, me)


def _entries(entries: Sequence[Decision], me: str) -> None:
    undone = wording.undone_ids(entries)
    for entry in reversed(entries):
        words = wording.DECISIONS[entry.kind]
        with st.container(horizontal=True, vertical_alignment="top", gap="xsmall"):
            show_badge(f"{entry.id:,}", words.icon, words.color)
            lines = [wording.decided_words(entry, now(), me) + (" (taken back)" if entry.id in undone else "")]
            lines += [short(line, 600) for line in wording.decision_details(entry)]
            st.text("\n".join(lines), width="stretch")
