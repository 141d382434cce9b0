"""The words of a parsed text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """A word (or sign) of a parsed text.

    Attributes:
        text: as written; ``source[start:end] == text`` in code points.
        lemma: its dictionary form in lower case.
        pos: part of speech by Universal Dependencies (``NOUN``, ``VERB`` …).
        tag: part of speech by Penn Treebank (``VBD``, ``JJR`` …).
        dep: its relation to its head, by the ClearNLP labels of spaCy's English models (``nsubj``, ``pobj`` …).
        head: the index of its head in the text; its own index at the root of a sentence.
        entity: the kind of name or figure it belongs to (``PERSON``, ``DATE`` …), "" for none.
    """

    text: str
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int
    start: int
    end: int
    entity: str = ""


Parse = tuple[Word, ...]
"""The words of a text in order."""
