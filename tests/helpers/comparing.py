"""Claim and evidence compared by the checks alone."""

from __future__ import annotations

from core.verify.checks import run_checks


def vetoes(claim: str, evidence: str) -> list[str]:
    """The names of the checks that overrule support."""
    return [result.name for result in run_checks(claim, evidence) if result.veto]
