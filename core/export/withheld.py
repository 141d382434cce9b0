"""The note on decisions that an export leaves out in blind review, because whoever asked may not see them yet."""

from __future__ import annotations


def withheld_words(count: int) -> str:
    """The sentence that says so; "" where nothing is left out. ``count``: entries of the log about this report."""
    if not count:
        return ""
    which = "1 entry of somebody else is" if count == 1 else f"{count:,} entries of others are"
    return (
        f"Review is blind in this project: {which} left out here (a pack has their hashes only), because whoever asked "
        "for this export has not decided on those items yet. An owner of the project can export everything."
    )
