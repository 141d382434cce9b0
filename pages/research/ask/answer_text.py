"""The text of an answer with its citations as links, and, folded behind it, what was found and done for it."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from core.audit.wording import titles_of
from core.records import Answer
from core.retrieve.stretch import passage_at
from core.text.words import count_words
from core.workbench.open_project import OpenProject
from pages.shared.in_view import bring_into_view
from pages.shared.keyed_table import show_table
from pages.shared.safe import Run, plain, runs_html, show_evidence
from pages.shared.session import guarded
from pages.words import gathered as wording
from pages.words.ask import UNSUPPORTED, Piece, answer_blocks, bullet_pieces, citation_of, unsupported

_OF_A_SOURCE = {"doc", "passage", "mark"}

FLAGS = 20


def show_text(opened: OpenProject, answer: Answer) -> None:
    """Paragraphs and bullets, and what the marks mean."""
    places = places_of(opened, answer)
    blocks = [("p", _runs(pieces, answer, places)) for pieces in answer_blocks(answer)]
    if answer.bullets:
        blocks.append(("h3", [Run("In short")]))
    blocks += [("li", _runs(pieces, answer, places)) for pieces in bullet_pieces(answer)]
    with st.container(key="answer-text"):
        st.html(runs_html(blocks) or "<p></p>")
    bring_into_view(("answer", answer.id))
    marked = unsupported(answer)
    if marked:
        with st.container(key="heat-legend"):
            st.html(
                runs_html(
                    [("p", [Run("No passage that it cites supports this sentence", "failing", "!")])],
                )
            )


def show_growing(answer: Answer) -> None:
    """The text as far as it is written; nothing of it is checked yet."""
    with st.container(key="answer-growing"):
        st.html(
            runs_html([("p", [Run(paragraph)]) for paragraph in answer.text.split("\n\n") if paragraph.strip()])
            or "<p></p>"
        )


def places_of(opened: OpenProject, answer: Answer) -> dict[int, str]:
    """The link into its source for each citation whose source is still here, as a query by the citation's number."""
    params = [
        (key, value) for key in st.query_params for value in st.query_params.get_all(key) if key not in _OF_A_SOURCE
    ]
    stored = {document.id for document in opened.sources.documents(superseded=True)}
    places = {}
    for citation in answer.citations:
        if citation.document_id not in stored:
            continue
        passage = passage_at(opened.sources.passages(citation.document_id), citation.start)
        if passage is not None:
            where = {
                "doc": citation.document_id,
                "passage": str(passage.id),
                "mark": f"{citation.start}-{citation.end}",
            }
            places[citation.marker] = urlencode([*params, *where.items()])
    return places


def _runs(pieces: Sequence[Piece], answer: Answer, places: dict[int, str]) -> list[Run]:
    runs = []
    for piece in pieces:
        if piece.marker is not None:
            cited = citation_of(answer, piece.marker)
            hint = f"{cited.title}: {cited.excerpt[:200]}" if cited else ""
            runs.append(Run(piece.text, "cite", query=places.get(piece.marker, ""), hint=hint))
        elif piece.kind == UNSUPPORTED:
            runs.append(Run(piece.text, "failing", "!" if piece.first else "", hint=piece.why))
        else:
            runs.append(Run(piece.text))
    return runs


def show_details(answer: Answer) -> None:
    """The searches behind an answer, and its fingerprint, folded."""
    if answer.gathered:
        panel = st.expander("What was found and what was done", icon=":material/account_tree:", key="gathered")
        with panel, guarded("showing what was found"):
            _gathered(answer.gathered)
    if answer.fingerprint:
        with st.expander("What produced this answer", icon=":material/fingerprint:", key="fingerprint"):
            st.caption("The same question over the same sources is searched and judged the same way with these.")
            st.json(dict(answer.fingerprint), expanded=1)


def _gathered(gathered: Mapping[str, Any]) -> None:
    with st.container(gap="xxsmall"):
        for line in filter(
            None, (wording.action_words(gathered), wording.refinement_words(gathered), *wording.web_lines(gathered))
        ):
            st.text(line)
    if values := wording.triad_values(gathered):
        with st.container(horizontal=True, key="answer-triad"):
            for name, value in values.items():
                st.metric(name, value)
    attempts = wording.attempts_of(gathered)
    for number, attempt in enumerate(attempts, 1):
        st.subheader(plain(wording.attempt_title(number, len(attempts), attempt), 200))
        with st.container(gap="xxsmall"):
            for line in wording.attempt_lines(attempt, last=number == len(attempts)):
                st.text(line)
        judgement = attempt.get("judgement")
        if isinstance(judgement, Mapping):
            show_table(wording.signal_rows(judgement), "What the judgement of the search rests on.", wide=False)
        with st.expander("Queries", key=f"queries-{number}", type="compact"):
            for text in wording.query_rows(attempt):
                st.text(f"• {text[:500]}")
        with st.expander("Passages", key=f"passages-{number}", type="compact"):
            show_table(wording.passage_rows(attempt), "Passages that this attempt found, best first.")


def show_flags(opened: OpenProject, answer: Answer) -> None:
    """Places in the sources that address a model instead of a reader."""
    if not answer.flags:
        return
    titles = titles_of(opened.sources.documents(superseded=True))
    many = len(answer.flags) != 1
    label = f"{count_words(len(answer.flags), 'place')} in the sources {'address' if many else 'addresses'} a model"
    with st.expander(label, icon=":material/report:", key="flags", expanded=True):
        st.caption(
            "Text like this tries to steer a language model. It was treated as text, never as an instruction; do not "
            "take what it says for evidence."
        )
        for flag in answer.flags[:FLAGS]:
            st.caption(plain(f"{titles.get(flag.document_id, 'A source')} ({flag.where}): {flag.rule}", 300))
            show_evidence(flag.quote[:600])
        if len(answer.flags) > FLAGS:
            st.caption(f"… and {len(answer.flags) - FLAGS:,} more")
