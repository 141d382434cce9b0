"""One claim: the passages first, then, closed, what the verdict rests on."""

from collections.abc import Mapping

import streamlit as st

from core.audit.wording import LABELS
from core.labels import ClaimType
from core.records import Claim, ClaimSource, ClaimVerdict
from core.text.words import count_words
from core.workbench.open_project import OpenProject
from pages.shared.address import Page, go, turn_to
from pages.shared.finding_detail import show_checks, show_opinion
from pages.shared.notices import leave_notice, rerun_with
from pages.shared.safe import plain, show_badge, show_heading
from pages.shared.session import guarded, this_project
from pages.shared.source_view import show_cited_passage
from pages.words import claims as wording

FIRST = 6
"""Passages shown at once."""


def show_claim(opened: OpenProject, claim: Claim, titles: Mapping[str, str]) -> None:
    with st.container(border=True, key="claim-detail"):
        words = wording.VERDICTS[wording.state_of(claim)]
        with st.container(horizontal=True, vertical_alignment="center"):
            show_badge(words.word, words.icon, words.color, words.help)
            st.badge(wording.TYPES[claim.type][0], color="gray", help=wording.TYPES[claim.type][1])
            st.space("stretch")
            if st.button("Close", key="claim-close", icon=":material/close:", type="tertiary"):
                turn_to("claim", "")
        show_heading(claim.text, 3)
        if claim.context:
            with st.container(key="quiet-context"):
                st.text(f"Said after: {claim.context}")
        if claim.verdict is None:
            st.text("The sources were not asked about this yet.")
        else:
            st.text(wording.verdict_line(claim.verdict))
            with guarded("showing the passages"):
                show_passages(opened, claim.verdict)
            with guarded("explaining the verdict"):
                show_explanation(claim.verdict, titles)
            with guarded("showing the second opinion"):
                show_opinion(opened, f"claim:{claim.id}")
        with guarded("showing the claim"):
            _about(opened, claim)
        _actions(opened, claim)


def show_passages(opened: OpenProject, verdict: ClaimVerdict) -> None:
    """The passages of the sources, those that take a side first."""
    sources = wording.ordered_sources(verdict)
    sides = [source for source in sources if wording.takes_side(source)]
    others = [source for source in sources if not wording.takes_side(source)]
    for source in sides[:FIRST]:
        _source(opened, source)
    if len(sides) > FIRST:
        with st.expander(f"{count_words(len(sides) - FIRST, 'more source')}", icon=":material/expand_more:"):
            for source in sides[FIRST:]:
                _source(opened, source)
    if not sources:
        st.info("No source good enough was found for it. Add more sources, then check again.")
    elif not sides:
        st.info("No source takes a side. What comes nearest stands below.")
    if others:
        label = f"{count_words(len(others), 'source')} that {'says' if len(others) == 1 else 'say'} neither"
        with st.expander(label, icon=":material/remove:", key=f"neither-{verdict.fingerprint[:8]}"):
            for source in others:
                _source(opened, source)


def _source(opened: OpenProject, source: ClaimSource) -> None:
    verdict, words = source.verdict, LABELS[source.verdict.label]
    with st.container(border=True, gap="xsmall", key=f"claim-source-{source.document_id[:16]}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            show_badge(words.word.capitalize(), words.icon, words.color)
            if not source.counts and wording.takes_side(source):
                st.badge("Does not count", color="gray")
            st.caption(plain(source.why))
        if verdict.best is None:
            st.text("It holds no text that bears on the claim.")
            return
        span = (verdict.best.start, verdict.best.end)
        show_cited_passage(opened, source.document_id, span, f"source-{source.document_id[:16]}", verdict.rationale)
        if verdict.checks:
            with st.expander("Details compared", key=f"checks-{source.document_id[:16]}", type="compact"):
                show_checks(verdict)


def show_explanation(verdict: ClaimVerdict, titles: Mapping[str, str]) -> None:
    """The checklist of a verdict and the groups of independent sources, closed."""
    met = sum(requirement.met for requirement in verdict.checklist)
    label = f"Checklist: {met} of {len(verdict.checklist)} met"
    with st.expander(label, icon=":material/checklist:", key="checklist"):
        for requirement in verdict.checklist:
            with st.container(horizontal=True, vertical_alignment="top", gap="xsmall"):
                word, icon, color = (
                    ("Met", "check_circle", "green") if requirement.met else ("Missing", "cancel", "orange")
                )
                show_badge(word, icon, color)
                st.text(f"{wording.requirement_words(requirement.name)}: {requirement.text}", width="stretch")
        if verdict.excluded:
            st.caption(f"{count_words(verdict.excluded, 'source')} below the grade this claim needs: not looked at.")
    if not verdict.clusters:
        return
    groups = count_words(len(verdict.clusters), "group")
    with st.expander(f"Which sources are independent: {groups}", icon=":material/hub:", key="clusters"):
        for number, cluster in enumerate(verdict.clusters, 1):
            st.markdown(f"**Group {number}**")
            for title in wording.cluster_words(cluster, titles):
                st.text(f"• {title}")
            for reason in cluster.reasons:
                with st.container(key=f"quiet-cluster-{number}-{abs(hash(reason))}"):
                    st.text(f"Counted as one: {reason}")


def _about(opened: OpenProject, claim: Claim) -> None:
    with st.expander("About this claim, and its type", icon=":material/info:", key="about-claim"):
        st.text(("Worth checking: " if claim.check_worthy else "Not worth checking: ") + (claim.check_reason or "–"))
        st.text(f"{wording.TYPES[claim.type][0]}: {claim.type_reason or '–'}")
        if claim.parts:
            st.text("It says several things:")
            for part in claim.parts:
                st.text(f"• {part}")
        seen = _version_seen(claim)
        with st.form(f"type-{claim.id}", border=False):
            names = {kind: f"{word}. {needs}" for kind, (word, needs) in wording.TYPES.items()}
            kind = st.radio(
                "Type", list(names), index=list(names).index(claim.type), format_func=lambda key: names[key]
            )
            by = st.text_input("Your name (kept with the change)", placeholder="May stay empty")
            if st.form_submit_button("Set the type"):
                with guarded("setting the type"):
                    opened.claims.set_type(claim.id, ClaimType(kind), by=by, version=seen)
                    rerun_with("The type was set. A claim that had a verdict is checked again.")


def _version_seen(claim: Claim) -> int:
    """The version of the claim that this tab showed before this run, which is what the person saw who pressed a button
    now. Another tab may have changed the claim since; that must be shown, not lost."""
    key = f"type-seen-{claim.id}"
    seen = int(st.session_state.get(key, claim.version))
    st.session_state[key] = claim.version
    return seen


def _actions(opened: OpenProject, claim: Claim) -> None:
    with st.container(horizontal=True), guarded("asking for a check"):
        label = "Check against all sources" if claim.verdict is None else "Check again"
        kind = "primary" if claim.verdict is None else "secondary"
        if st.button(label, key="verify-one", icon=":material/rule:", type=kind):  # type: ignore[arg-type]
            opened.claims.verify([claim.id])
            rerun_with("The claim is being checked.")
        if claim.report_id is not None and st.button("Citations of its report", icon=":material/fact_check:"):
            go(Page.CITATIONS, report=str(claim.report_id))
        if claim.verdict is not None and not claim.verdict.sources and st.button("Add sources", icon=":material/add:"):
            go(Page.SOURCES)
        if st.button("Delete", key="delete-claim", icon=":material/delete:", type="tertiary"):
            delete_claim(claim)


@st.dialog("Delete this claim")
def delete_claim(claim: Claim) -> None:
    st.text(claim.text)
    st.write("The claim and its verdict are deleted; reports and sources stay.")
    if st.button("Delete", type="primary", icon=":material/delete_forever:"):
        with guarded("deleting"):
            this_project().claims.delete([claim.id])
            leave_notice("The claim was deleted.")
            turn_to("claim", "")
