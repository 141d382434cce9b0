"""One stored document: where it is from, its grade with every reason, its text beside the original."""

from collections.abc import Callable
from datetime import date
from typing import Literal

import streamlit as st

from core.errors import WorkbenchError
from core.labels import Grade, Label
from core.opinion.quotes import Way
from core.records import Document
from core.text.words import GRADE_WORDS, count_words, day_words, kind_words, site_of, title_of
from core.workbench.open_project import OpenProject
from pages.research.sources.document_text import show_passages, show_text
from pages.shared.address import Page, go_back, go_button, turn_to
from pages.shared.notices import leave_notice, rerun_with
from pages.shared.safe import plain, show_heading
from pages.shared.session import guarded, this_project
from pages.shared.source_view import grade_badge, show_cited_passage
from pages.words.llm import estimate_words, job_line, money_words, page_words, stance_words

_WAYS = {
    Way.PASSAGES: "The passages that answer a question",
    Way.EVIDENCE: "The words for and against a claim",
}


def show_quotes(opened: OpenProject, document: Document) -> None:
    """The form, the state of the newest request, and the quotes found last."""
    off = opened.quotations.why_off()
    st.caption(
        "A language model reads this source and names its words. Each is looked up in the stored text; what does not "
        "stand there is dropped, and said."
    )
    if off:
        st.info(plain(page_words(off)), icon=":material/cloud_off:")
        st.page_link(Page.SETTINGS, label="Language model in the settings", icon=":material/settings:")
    else:
        _form(opened, document)
    words, failed = job_line(opened.quotations.job_of(document.id))
    if words:
        (st.error if failed else st.caption)(plain(words))
    _found(opened, document)


def _form(opened: OpenProject, document: Document) -> None:
    way = st.radio("What to look for", list(_WAYS), format_func=lambda key: _WAYS[key], key="quotes-way")
    text = st.text_area("Question or claim", key="quotes-text", height=80, max_chars=2000)
    if not (text or "").strip():
        return
    try:
        estimate = opened.quotations.estimate(document.id, text, Way(way))
        st.caption(plain(f"{estimate_words(estimate)} {opened.quotations.goes_out()}"))
        if st.button("Ask", type="primary", icon=":material/send:", key="quotes-ask"):
            opened.quotations.ask(document.id, text, Way(way))
            rerun_with("A language model is reading the source; what it finds appears here.")
    except WorkbenchError as error:
        st.error(plain(str(error)), icon=":material/error:")


def _found(opened: OpenProject, document: Document) -> None:
    reading = opened.quotations.found(document.id)
    if reading is None:
        return
    st.markdown(f"**{_WAYS[reading.way]}**")
    st.text(reading.text)
    if not reading.current:
        st.warning("The source was changed since; ask again.")
    if not reading.quotes:
        st.info(
            "Nothing was found in it." if not reading.dropped else "None of the words it named stands in the source."
        )
    for number, quote in enumerate(reading.quotes):
        stance = f"{stance_words(Label(quote.stance)).capitalize()}. " if quote.stance else ""
        st.caption(plain(f"{stance}{quote.why or 'No reason was given.'}"))
        show_cited_passage(opened, document.id, (quote.start, quote.end), f"quote-{number}")
    cost = f" It cost {money_words(reading.cost_usd)}." if reading.cost_usd is not None else ""
    st.caption(plain(f"Found by {reading.model}.{cost} {' '.join(reading.notes)}"))
    if reading.dropped:
        with st.expander("What was dropped", icon=":material/delete:", key="quotes-dropped"):
            for words_dropped in reading.dropped:
                st.text(words_dropped)


AS_RULED = "As the rules say"


def show_document(opened: OpenProject, document: Document, close: Callable[[], None]) -> None:
    """All about one source, in a pane; ``close`` forgets which source is open."""

    def leave() -> None:
        close()
        st.rerun()

    _back()
    with st.container(horizontal=True, vertical_alignment="center"):
        show_heading(title_of(document, 300), 2)
        grade_badge(document)
        for tag in document.tags:
            st.badge(plain(tag, 40), color="gray")
    with st.container(key="quiet-origin"):
        st.text(_origin_line(document))
    _waiting(opened, document)
    _duplicates(opened, document)
    for warning in document.warnings:
        st.warning(plain(warning), icon=":material/warning:")
    with st.container(horizontal=True):
        go_button(
            "Search in this source", Page.EVIDENCE, icon=":material/manage_search:", type="primary", docs=document.id
        )
        if document.canonical_url and st.button(
            "Fetch again", icon=":material/refresh:", help="A changed text is stored as a new snapshot."
        ):
            with guarded("fetching again"):
                opened.sources.refetch([document.id])
                leave_notice("The source is being fetched again.")
                leave()
        with st.popover("Delete", icon=":material/delete:"):
            _delete(document, leave)
    parts = {
        "Text and original": show_text,
        "About": _about,
        "Grade": _grade,
        "Passages": show_passages,
        "Quotes": show_quotes,
    }
    for tab, (name, show) in zip(st.tabs(list(parts), key="part", bind="query-params"), parts.items(), strict=True):
        if tab.open:  # only what is looked at is made
            with tab, guarded(f"showing “{name}”"):
                show(opened, document)


def _back() -> None:
    """The buttons back to the citation, claim or item from which the reader came."""
    if "finding" in st.query_params and st.button(
        "Back to the citation", icon=":material/fact_check:", type="tertiary"
    ):
        go_back(Page.CITATIONS)
    if "claim" in st.query_params and st.button("Back to the claim", icon=":material/rule:", type="tertiary"):
        go_back(Page.CLAIMS)
    if "item" in st.query_params and st.button("Back to review", icon=":material/how_to_reg:", type="tertiary"):
        go_back(Page.REVIEW)


def _origin_line(document: Document) -> str:
    parts = [site_of(document), kind_words(document.media_type)]
    if document.pages:
        parts.append(count_words(len(document.pages), "page"))
    if document.published:
        parts.append(f"published {day_words(document.published)}")
    parts.append(f"fetched {document.fetched.date().isoformat()}")
    return " · ".join(parts)


def _duplicates(opened: OpenProject, document: Document) -> None:
    others = [
        other
        for other in opened.sources.documents()
        if (document.id != other.id and document.near_duplicate_of == other.id)
        or other.near_duplicate_of == document.id
    ]
    for other in others:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge("Nearly the same text", icon=":material/content_copy:", color="orange")
            if st.button(plain(title_of(other), 90), key=f"twin-{other.id}", type="tertiary"):
                turn_to("doc", other.id)
    if document.superseded_by:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge("An older snapshot", icon=":material/history:", color="gray")
            if st.button("Open the newer one", key="newer", type="tertiary"):
                turn_to("doc", document.superseded_by)


def _delete(document: Document, leave: Callable[[], None]) -> None:
    st.write("Its text, its passages, and the file as received are deleted from the project. This cannot be undone.")
    if st.button("Delete for good", type="primary", icon=":material/delete_forever:"):
        with guarded("deleting"):
            this_project().sources.delete(document.id)
            leave_notice(f"“{title_of(document, 80)}” was deleted.")
            leave()


def _facts(document: Document) -> dict[str, str]:
    facts = {
        "Publisher": document.publisher,
        "DOI": document.doi,
        "Language": document.language,
        "Address": document.canonical_url,
        "Also seen at": "\n".join(url for url in document.urls if url != document.canonical_url),
        "File": document.filename,
        "Read by": document.method,
        "Length": f"{document.length:,} characters, {count_words(document.passage_count, 'passage')}",
        "SHA-256 of the text": document.content_hash,
        "SHA-256 of the file": document.blob_hash,
    }
    return {name: value or "–" for name, value in facts.items()}


def _about(opened: OpenProject, document: Document) -> None:
    if document.mended:
        st.caption(plain(f"Corrected by hand: {', '.join(document.mended)}. That counts, whatever the file says."))
    _correct(opened, document)
    tags = st.multiselect(
        "Tags",
        sorted({tag for document in opened.sources.documents() for tag in document.tags}),
        default=list(document.tags),
        accept_new_options=True,
        key=f"tags-{document.id}",
        placeholder="Type a tag and press Enter",
    )
    if list(tags) != list(document.tags) and st.button("Save tags", type="primary"):
        opened.sources.set_tags(document.id, tags)
        rerun_with("Tags saved.")
    for name, value in _facts(document).items():
        left, right = st.columns([1, 3])
        left.caption(name)
        right.text(value)


def _correct(opened: OpenProject, document: Document) -> None:
    with st.form("correct", border=False):
        title = st.text_input("Title", document.title)
        authors = st.text_input("Authors, separated by semicolons", "; ".join(document.authors))
        published = st.date_input(
            "Published", document.published, min_value=date.min, max_value=date.max, format="YYYY-MM-DD"
        )
        if st.form_submit_button("Keep the corrections"):
            now = {"title": title, "authors": tuple(filter(None, map(str.strip, authors.split(";")))),
                   "published": published}  # fmt: skip
            changes = {name: value for name, value in now.items() if value != getattr(document, name)}
            with guarded("correcting"):
                opened.sources.mend(document.id, **changes)
                rerun_with("The corrections are kept, also when the source is read again.")


def _waiting(opened: OpenProject, document: Document) -> None:
    if document.accepted:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge("Fetched for an answer; not accepted", icon=":material/hourglass:", color="orange")
        if st.button("Accept as a source", key="accept"):
            with guarded("accepting"):
                opened.sources.accept(document.id)
                rerun_with("It is a source now: searches, claims and audits use it.")


def _grade(opened: OpenProject, document: Document) -> None:
    by_rules = document.assessment.grade
    st.write(f"By the rules: **{by_rules.value}** ({GRADE_WORDS[by_rules]}), because:")
    for reason in document.assessment.reasons:
        with st.container(horizontal=True, vertical_alignment="center"):
            words, color = _effect(reason.effect)
            st.badge(words, color=color)
            st.text(reason.text)
    changes = opened.sources.grade_changes(document.id)
    if changes:
        st.write("Changes by hand:")
        for change in changes:
            st.text(
                f"{change.at:%Y-%m-%d %H:%M} UTC: {change.previous.value} → "
                f"{change.grade.value if change.grade else 'back to the rules'}: {change.reason}"
                + (f" ({change.by})" if change.by else "")
            )
    with st.form("override"):
        st.write("Set another grade")
        choice = st.selectbox(
            "Grade",
            ["", *Grade],
            format_func=lambda value: f"{value} – {GRADE_WORDS[Grade(value)]}" if value else AS_RULED,
            index=0 if document.grade_override is None else 1 + list(Grade).index(document.grade_override),
        )
        why = st.text_input("Reason (kept with the grade)", placeholder="For example: the author is a known expert")
        if st.form_submit_button("Set the grade", type="primary"):
            with guarded("setting the grade"):
                opened.sources.override_grade(document.id, Grade(choice) if choice else None, reason=why)
                rerun_with("The grade was set; the change is in the log.")


def _effect(effect: float) -> tuple[str, Literal["green", "orange", "gray"]]:
    if effect == 0:
        return "0", "gray"
    return f"{effect:+g}".replace("-", "−"), "green" if effect > 0 else "orange"
