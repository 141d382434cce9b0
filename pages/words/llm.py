"""Words about language models and their price: pure functions."""

from __future__ import annotations

import re

from core.records import Estimate, LlmSpending

_NAME_IN_FILE = re.compile(r" \((?:llm|web|models)\.[a-z_]+\)")


def page_words(reason: str) -> str:
    """Why something is off, as a page says it: without the name that the setting has in its file, which helps those who
    edit the file or read it on the command line."""
    return _NAME_IN_FILE.sub("", reason)


def money_words(usd: float | None) -> str:
    """``$1.20``, ``$0.0031``, ``less than $0.0001``; a price that is not known says so."""
    if usd is None:
        return "a price that is not known"
    if usd <= 0:
        return "$0"
    if usd < 0.0001:
        return "less than $0.0001"
    return f"${usd:.4f}" if usd < 0.1 else f"${usd:,.2f}"


def estimate_words(estimate: Estimate) -> str:
    """What a call costs at most, before it is made."""
    tokens = f"about {estimate.input_tokens:,} tokens in, up to {estimate.max_output_tokens:,} out"
    if estimate.cost_usd is None:
        return f"The price of {estimate.model} is not in the price list ({tokens})."
    return f"At most {money_words(estimate.cost_usd)} with {estimate.model} ({tokens})."


def price_label(estimate: Estimate | None) -> str:
    """The price as part of a button: ``at most $0.0031``."""
    if estimate is None or estimate.cost_usd is None:
        return "price not known"
    return f"at most {money_words(estimate.cost_usd)}"


def budget_words(spending: LlmSpending) -> str:
    """What this project has spent of what it may."""
    spent = spending.spent_usd + spending.reserved_usd
    return f"{money_words(spent)} of {money_words(spending.budget_usd)} spent in this project."
