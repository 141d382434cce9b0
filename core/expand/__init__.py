"""Variants of a question (SPEC 3)."""
