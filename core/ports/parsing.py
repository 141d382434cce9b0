"""The seam of the parser."""

from __future__ import annotations

from typing import Protocol

from core.records import Parse


class Parser(Protocol):
    """A parser of English sentences. Safe to share between threads."""

    @property
    def fingerprint(self) -> str:
        """Name and version of what parses."""
        ...

    def parse(self, text: str) -> Parse:
        """The words of ``text`` with their relations. Never raises on any text; a text that is too long has none."""
        ...
