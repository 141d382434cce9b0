"""Hashes by which contents are recognised."""

from __future__ import annotations

import hashlib


def text_hash(index_text: str) -> bytes:
    """SHA-256 of a passage's ``index_text``: vectors are kept under it."""
    return hashlib.sha256(index_text.encode()).digest()


def content_hash(text: str) -> str:
    """SHA-256 of a document's stored text, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()
