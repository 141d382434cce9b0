"""Which of a question's words are found, as whole words by their stems."""

from __future__ import annotations

from collections.abc import Sequence

from core.text.terms import index_terms, telling_stems


def content_stems(text: str) -> frozenset[str]:
    """Stems of the words of ``text`` that say something; of all its words where none does."""
    return telling_stems(text) or frozenset(index_terms(text))


def covered(wanted: frozenset[str], texts: Sequence[str]) -> float:
    """Share of the ``wanted`` stems that the ``texts`` have together, in [0, 1]; 0 when nothing is wanted."""
    if not wanted:
        return 0.0
    found = {stem for text in texts for stem in index_terms(text)}
    return len(wanted & found) / len(wanted)
