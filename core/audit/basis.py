"""The content key of everything that a row was judged on: equal basis, equal outcome, so nothing is done again."""

from __future__ import annotations

import json
from collections.abc import Sequence

from core.audit.resolve import Resolution
from core.audit.rows import Case
from core.labels import Status
from core.records import Document
from core.text.hashing import hex_digest

RECIPE = 3
"""Grows when rows are decided in a way that neither texts, models nor settings show."""


def basis_of(case: Case, resolution: Resolution, judged_by: str, beside: Sequence[Resolution]) -> str:
    """Key of a row's own outcome. ``judged_by``: fingerprint of models and settings ("" where no model was asked);
    ``beside``: where the other citations of the same claim lead."""
    row = case.row
    return _digest([
        RECIPE, row.style, row.marker_text, case.claim.text, case.context, row.reference_text, row.url, row.doi,
        [reference.text for reference in case.possible], resolution.document_id, resolution.matched_by,
        list(resolution.candidates), resolution.reason, resolution.why, judged_by,
        sorted(other.document_id or "" for other in beside),
    ])  # fmt: skip


def with_library(basis: str, status: Status | None, library: str) -> str:
    """The key that a row keeps. A row that does not pass also hangs on all the sources that might support its claim
    instead (``library``); one that passes does not, so that a new source leaves it alone."""
    return f"{basis}:{library}" if status is not Status.PASS else basis


def library_of(documents: Sequence[Document], encoder: str) -> str:
    """Key of what can be searched: the current documents, and the encoder that finds them by meaning."""
    return _digest([encoder, sorted(document.id for document in documents if document.superseded_by is None)])[:16]


def copy_key(case: Case) -> str:
    """Key by which a citation of one version of a report equals one of another: claim, place in its sentence, and
    reference; not where it stands in the text."""
    row = case.row
    reference = case.reference
    named = [row.url, row.doi] if reference is None else [reference.url, reference.doi, reference.title, reference.year]
    return _digest([row.style, case.claim.text, case.context, named, len(case.beside), row.reference_text[:2000]])


def _digest(parts: object) -> str:
    return hex_digest(json.dumps(parts, default=str))[:32]
