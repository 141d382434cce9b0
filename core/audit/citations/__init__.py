"""One module a citation style; each has ``find(view) -> list[Marker]``. ``find_markers`` runs them all."""

from __future__ import annotations

from collections.abc import Callable

from core.audit.citations import (
    alpha_key,
    author_year,
    bare_url,
    doi,
    footnote,
    inline_link,
    numeric,
    pandoc,
    reference_link,
    short_form,
    superscript,
    trailing_digits,
)
from core.audit.report_model import Marker
from core.audit.view import View, spans_of

FINDERS: tuple[Callable[[View], list[Marker]], ...] = (
    numeric.find_anchored,
    inline_link.find,
    reference_link.find,
    footnote.find,
    pandoc.find,
    doi.find,
    bare_url.find,
    alpha_key.find,
    author_year.find,
    superscript.find,
    numeric.find,
)
"""In this order: what one has found is hidden from those after it (a number inside a link is no number)."""


def find_markers(view: View) -> tuple[Marker, ...]:
    """All markers in the order of the text; none overlap. ``trailing_digits`` runs only where nothing else numbers."""
    view = view.without(inline_link.images(view))
    all_markers: list[Marker] = []
    for find in FINDERS:
        markers = find(view)
        view = view.without(spans_of(markers))
        if find is inline_link.find:
            view = view.without(inline_link.other_targets(view))
            view = view.knowing(author_year.named_links(view.source, markers))
        all_markers.extend(markers)
    all_markers.extend(trailing_digits.find(view, numbered_elsewhere=trailing_digits.has_other_numbers(all_markers)))
    all_markers.sort(key=lambda marker: marker.start)
    all_markers.extend(short_form.find(view.without(spans_of(all_markers)), all_markers))
    return tuple(sorted(all_markers, key=lambda marker: marker.start))
