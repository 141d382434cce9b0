"""Lists of the overview: what does not hold, with the words that decide; the decisions; all citations, on paper."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st

from core.audit.outcome import Holding
from core.audit.outcome_words import HOLDINGS, SINGULAR
from core.audit.wording import STATUS, neighbour_ids, source_words, titles_of
from core.errors import DocumentNotFound
from core.records import Document, Finding, Standing, StoredReport
from core.retrieve.stretch import page_at
from core.text.words import count_words
from core.workbench.open_project import OpenProject
from pages.shared import finding_detail
from pages.shared.address import turn_to
from pages.shared.safe import Run, heading_html, plain, runs_html, show_badge, show_evidence
from pages.shared.session import guarded
from pages.words.overview_rows import Evidence, evidence_of, in_order, standing_line, work_of, work_words

FIRST = 4
"""Rows of what does not hold that are shown at once."""
_ALL = "overview-all"

LONGEST = 400
"""Citations on paper at most; more are in the export."""
FAILING_FIRST = (Holding.FAILS,)
THE_REST = (Holding.OPEN, Holding.MISSING, Holding.WAITING, Holding.UNSHOWN, Holding.HOLDS)


@dataclass
class Shown:
    """A report with the outcome of each citation. ``documents`` and ``texts`` are read when they are first needed."""

    opened: OpenProject
    stored: StoredReport
    findings: Sequence[Finding]
    holdings: Mapping[int, Holding]
    standings: Mapping[int, Standing]
    documents: dict[str, Document | None] = field(default_factory=dict)
    texts: dict[str, str | None] = field(default_factory=dict)

    def document(self, key: str | None) -> Document | None:
        """A stored source, None when it is not here (any more)."""
        if not key:
            return None
        if key not in self.documents:
            try:
                self.documents[key], self.texts[key] = self.opened.sources.document(key), self.opened.sources.text(key)
            except DocumentNotFound:
                self.documents[key] = self.texts[key] = None
        return self.documents[key]

    def evidence(self, finding: Finding) -> Evidence:
        """A citation in a few lines."""
        document = self.document(finding.document_id)
        titles = {document.id: document.title} if document else {}
        source = source_words(finding, titles, 120)
        best = finding.verdict.best if finding.verdict else None
        if document and best and (page := page_at(document.pages, best.start)) is not None:
            source = f"{source}, page {page}"
        text = self.texts.get(finding.document_id or "")
        holding = self.holdings.get(finding.id, Holding.OPEN)
        return evidence_of(finding, holding, self.standings.get(finding.id), source, text)


def show_failing(shown: Shown) -> None:
    """The citations that do not hold, in the order of the report: the sentence, the words of the source, the reason."""
    failing = in_order(shown.findings, shown.holdings, Holding.FAILS)
    with st.container(key="overview-failing", gap="small"):
        st.subheader("What does not hold")
        if not failing:
            st.text("Nothing of what was checked so far.")
        everything = bool(st.session_state.get(_ALL)) or len(failing) <= FIRST + 1
        for finding in failing if everything else failing[:FIRST]:
            _row(shown, finding)
        if not everything and st.button(f"Show all {len(failing):,}", icon=":material/expand_more:", type="tertiary"):
            st.session_state[_ALL] = True
            st.rerun()
        _open_line(shown)


def _row(shown: Shown, finding: Finding) -> None:
    row = shown.evidence(finding)
    words = HOLDINGS[row.holding]
    with st.container(border=True, key=f"overview-row-{row.id}", gap="xsmall"):
        st.markdown(f":{words.color}[:material/{words.icon}:] **{plain(row.why or 'Rejected by a person')}**")
        show_evidence(f"The report: {row.claim}" if row.claim else f"The report cites {row.marker}")
        if row.quote:
            start = len("The source: ")
            show_evidence(f"The source: {row.quote}", [(start, start + len(row.quote))])
        with st.container(key=f"quiet-overview-{row.id}", gap="xxsmall"):
            st.text(" · ".join(part for part in (f"Cited as {row.marker}" if row.marker else "", row.source) if part))
        if row.decided:
            st.markdown(f":material/person: {plain(row.decided)}")
        if st.button("See the evidence", key=f"evidence-{row.id}", type="tertiary", icon=":material/article:"):
            turn_to("finding", str(row.id))


def _open_line(shown: Shown) -> None:
    needing = len(in_order(shown.findings, shown.holdings, Holding.OPEN))
    missing = len(in_order(shown.findings, shown.holdings, Holding.MISSING))
    parts = []
    if needing:
        parts.append(f"{count_words(needing, 'more citation')} {'needs' if needing == 1 else 'need'} a person")
    if missing:
        parts.append(f"{count_words(missing, 'citation')} {'lacks its' if missing == 1 else 'lack their'} source")
    if parts:
        st.caption(f"{' and '.join(parts)}; they are marked in the report.")


def show_decisions(shown: Shown) -> None:
    """The decisions so far, and who took them."""
    decided = {
        finding.id: line for finding in shown.findings if (line := standing_line(shown.standings.get(finding.id)))
    }
    with st.container(key="overview-decisions", gap="xsmall"):
        st.subheader("What people decided")
        if not decided:
            st.text("Nobody has decided on a citation of this report yet.")
            return
        for work in work_of({key: shown.standings[key] for key in decided}):
            st.text(work_words(work))
        with st.expander(f"All {len(decided):,}, in the order of the report", icon=":material/how_to_reg:"):
            for finding in shown.findings:
                if finding.id in decided:
                    _decision(shown, finding, decided[finding.id])


def _decision(shown: Shown, finding: Finding, line: str) -> None:
    words = HOLDINGS[shown.holdings.get(finding.id, Holding.OPEN)]
    st.markdown(f":{words.color}[:material/{words.icon}:] {plain(line)}")
    with st.container(key=f"quiet-decision-{finding.id}"):
        st.text(shown.evidence(finding).claim)


def show_for_print(shown: Shown, title: str, wanted: Sequence[Holding]) -> None:
    """The citations with one of the outcomes ``wanted``, in that order, each with its evidence."""
    findings = [finding for holding in wanted for finding in in_order(shown.findings, shown.holdings, holding)]
    if not findings:
        return
    blocks: list[tuple[str, list[Run]]] = []
    for finding in findings[:LONGEST]:
        blocks += _blocks(shown, finding)
    if len(findings) > LONGEST:
        left = count_words(len(findings) - LONGEST, "more citation")
        blocks.append(("p", [Run(f"{left}: see the export of this report.")]))
    with st.container(key=f"on-paper-{wanted[0].value}"):
        st.html(heading_html(title, 2))
        st.html(runs_html(blocks))


def _blocks(shown: Shown, finding: Finding) -> list[tuple[str, list[Run]]]:
    row = shown.evidence(finding)
    words = HOLDINGS[row.holding]
    marker = f" · {row.marker}" if row.marker else ""
    lines = [("h4", f"{row.ordinal}. {words.sign} {SINGULAR[row.holding].capitalize()}{marker}")]
    lines += [
        ("p", f"{name}{text}")
        for name, text in (
            ("The report: ", row.claim), ("The source: ", row.quote and f"“{row.quote}”"), ("Cited: ", row.source),
            ("Why: ", row.why), ("Decision: ", row.decided),
        )
        if text
    ]  # fmt: skip
    return [(tag, [Run(text)]) for tag, text in lines]


def show_evidence_panel(shown: Shown, finding: Finding) -> None:
    """The sentence of the report, the words of the source, and the decisions of people."""
    opened = shown.opened
    titles = titles_of(opened.sources.documents(superseded=True))
    with st.container(border=True, key="overview-evidence"):
        _heading(shown, finding)
        finding_detail.show_siblings(finding, shown.findings, titles)
        if line := standing_line(shown.standings.get(finding.id)):
            st.markdown(f":material/person: **{plain(line)}**")
        with guarded("showing the claim"):
            _said(finding)
        with guarded("showing the passage"):
            finding_detail.show_passage(opened, finding, titles)
        finding_detail.show_why(finding)
        if finding.verdict:
            with st.expander("Details compared", icon=":material/rule:"):
                finding_detail.show_checks(finding.verdict)
        with guarded("showing another source"):
            finding_detail.show_rescue(opened, finding)


def _heading(shown: Shown, finding: Finding) -> None:
    holding = shown.holdings.get(finding.id)
    before, after = neighbour_ids(shown.findings, finding.id)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if holding is None:
            st.badge("Never cited", icon=":material/playlist_remove:", color="gray")
        else:
            words = HOLDINGS[holding]
            show_badge(SINGULAR[holding].capitalize(), words.icon, words.color, words.help)
        machine = STATUS[finding.status]
        if holding is not Holding.HOLDS or finding.id in shown.standings:
            st.badge(f"Machine: {machine.word}", color="gray", help=machine.help)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        finding_detail.show_step("Before", before, ":material/navigate_before:", "evidence-Before")
        finding_detail.show_step("After", after, ":material/navigate_next:", "evidence-After")
        if st.button("Close", key="evidence-close", icon=":material/close:", type="tertiary"):
            turn_to("finding", "")


def _said(finding: Finding) -> None:
    """The sentence of the report; the paragraph around it stands beside this panel."""
    st.markdown("**What the report says**")
    text = finding.claim_text or finding.reference_text or finding.marker_text
    show_evidence(text, [(0, len(text))])
    with st.container(key="quiet-evidence-marker"):
        st.text(finding_detail.cited_as(finding))
