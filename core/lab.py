"""Placeholder of the contract, replaced in this session."""

from __future__ import annotations


class Lab:
    """See the contract."""

    def __init__(self, *parts: object) -> None:
        self._parts = parts
