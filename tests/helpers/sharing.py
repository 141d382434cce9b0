"""Models shared by the tests of one run, lent to a workbench with engines of its own."""

from __future__ import annotations

from collections.abc import Collection

from core.ports.engines import Engines


def share(own: Engines, shared: Engines, names: Collection[str]) -> None:
    """Lend what ``shared`` made under ``names``. The rest of it (its fetcher, say) stays open when ``own`` is closed:
    ``Engines.succeed`` alone would retire and close it, and the next test of this worker would find it closed."""
    own.succeed(shared, names)
    own._retired.clear()
