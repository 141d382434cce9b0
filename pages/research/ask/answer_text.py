"""The answer itself: its sentences, those that nothing supports marked, and its citations as links into the sources."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import streamlit as st

from core.records import Answer
from core.retrieve.stretch import passage_at
from core.workbench.open_project import OpenProject
from pages.shared.in_view import bring_into_view
from pages.shared.safe import Run, runs_html
from pages.words.ask import UNSUPPORTED, Piece, answer_blocks, bullet_pieces, citation_of, unsupported

_OF_A_SOURCE = {"doc", "passage", "mark"}


def show_text(opened: OpenProject, answer: Answer) -> None:
    """Paragraphs and bullets, and what the marks mean."""
    places = places_of(opened, answer)
    blocks = [("p", _runs(pieces, answer, places)) for pieces in answer_blocks(answer)]
    if answer.bullets:
        blocks.append(("h4", [Run("In short")]))
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
        st.html(runs_html([("p", [Run(one)]) for one in answer.text.split("\n\n") if one.strip()]) or "<p></p>")


def places_of(opened: OpenProject, answer: Answer) -> dict[int, str]:
    """For each citation whose source is still here, the query of the link that opens it there."""
    kept = [
        (key, value) for key in st.query_params for value in st.query_params.get_all(key) if key not in _OF_A_SOURCE
    ]
    held = {document.id for document in opened.sources.documents(superseded=True)}
    places = {}
    for citation in answer.citations:
        if citation.document_id not in held:
            continue
        passage = passage_at(opened.sources.passages(citation.document_id), citation.start)
        if passage is not None:
            where = {
                "doc": citation.document_id,
                "passage": str(passage.id),
                "mark": f"{citation.start}-{citation.end}",
            }
            places[citation.marker] = urlencode([*kept, *where.items()])
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
