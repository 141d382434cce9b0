"""Engines for projects whose engine of late interaction is another than the installation's.

Such a variant shares everything with the installation's engines but the encoder (RAGatouille brings a checkpoint of
its own) and the indexes of late interaction.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from core.late.choice import settings_for
from core.ports.engines import Engines
from core.settings.values import Models, Settings

OWN = ("encoder", "late_indexes")
MakeVariant = Callable[[Settings, Engines], Engines]
"""Given the settings of a choice and the installation's engines: those of the choice."""


class Variant(Engines):
    """Engines that make only what is their own; for the rest the installation's are asked, which keep it."""

    def _get(self, name: str, make: Callable[[], object]) -> object:
        return super()._get(name, make) if name in OWN else make()


def variant_of(base: Engines) -> Variant:
    """All engines of ``base``; what is its own is to be put in its place. Where its encoder cannot be had, that of
    ``base`` stands in."""
    return Variant(
        base.encoder, base.reranker, base.extractor, base.fetcher, base.entailer, base.writer, base.searchers,
        base.archive, base.late_indexes, make_stand_in=base.encoder, late_check=base.late_check,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Held:
    base: Engines
    models: Models
    engines: Engines


class LateVariants:
    """The variants of one process, a variant a choice. Safe to share between threads."""

    def __init__(self, make: MakeVariant) -> None:
        self._make = make
        self._held: dict[str, _Held] = {}
        self._lock = threading.Lock()

    def of(self, choice: str, settings: Settings, engines: Engines) -> tuple[Settings, Engines]:
        """Settings and engines of a project with this choice, given the installation's.

        What an earlier variant made is taken over where its models are the same; else its index is closed at once,
        as it is large, and the rest with ``close``.
        """
        wanted = settings_for(settings, choice)
        if not choice or wanted.models.late_engine == settings.models.late_engine:
            return wanted, engines
        with self._lock:
            held = self._held.get(choice)
            if held is None or held.base is not engines:
                made = self._make(wanted, engines)
                if held is not None:
                    made.succeed(held.engines, OWN if held.models == wanted.models else ())
                held = self._held[choice] = _Held(engines, wanted.models, made)
            return wanted, held.engines

    def close(self) -> None:
        """Stop what the variants made of their own."""
        with self._lock:
            held, self._held = list(self._held.values()), {}
        for one in held:
            one.engines.close()
