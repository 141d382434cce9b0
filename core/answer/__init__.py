"""Grounded answers: compose, templates, grounding (SPEC 5)."""
