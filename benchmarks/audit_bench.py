"""A workbench for measuring audits: the product's own wiring, with its judged pairs counted."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.cached_encoder import CachedEncoder
from core.errors import JobError
from core.labels import JobState
from core.ports.engines import Engines
from core.ports.store import CombiningEntailer, Entailer, JointEncoder
from core.records import Combination
from core.settings.values import Settings
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench


class CountingEntailer:
    """The product's judge of evidence; ``pairs`` counts what it was asked to judge."""

    def __init__(self, entailer: Entailer) -> None:
        self._entailer = entailer
        self.pairs = 0

    @property
    def fingerprint(self) -> str:
        """That of the judge."""
        return self._entailer.fingerprint

    @property
    def combination(self) -> Combination | None:
        """That of the judge (``ports.CombiningEntailer``)."""
        return self._entailer.combination if isinstance(self._entailer, CombiningEntailer) else None

    def judge(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """As the judge's."""
        self.pairs += len(pairs)
        return self._entailer.judge(pairs)


@contextmanager
def bench(root: Path, settings: Settings | None = None, *, encoded: Path | None = None) -> Iterator[Workbench]:
    """The workbench over ``root`` as the product opens it, its entailer a :class:`CountingEntailer`.

    With ``encoded``, passages encoded in an earlier run are read from that folder: for measuring what comes out,
    not how long it takes.
    """
    workbench = open_workbench(root, settings or Settings())
    engines = workbench.engines
    load_entailer, load_encoder = engines.make_entailer, engines.make_encoder

    def entailer() -> Entailer:
        return CountingEntailer(load_entailer())

    def encoder() -> JointEncoder:
        return load_encoder() if encoded is None else CachedEncoder(load_encoder(), encoded)

    engines.make_entailer, engines.make_encoder = entailer, encoder
    try:
        yield workbench
    finally:
        workbench.close()


def judged_pairs(engines: Engines) -> int:
    """Pairs judged since the workbench was opened by :func:`bench`."""
    entailer = engines.entailer()
    assert isinstance(entailer, CountingEntailer)
    return entailer.pairs


def work(opened: OpenProject) -> None:
    """Carry out every waiting job of a project in this process.

    Raises:
        JobError: a job failed; the message is the job's own.
    """
    context = opened.job_context()
    while (job := run_next(context, f"benchmark-{os.getpid()}")) is not None:
        if job.state is JobState.FAILED:
            raise JobError(f"Job {job.id} ({job.kind}) failed: {job.error}")


def allowing(settings: Settings, hosts: Sequence[str]) -> Settings:
    """Settings under which these hosts (``name:port``) may be fetched, without waiting and in one try."""
    fetching = settings.fetching.model_copy(
        update={"allowed_hosts": tuple(hosts), "per_host_delay_s": 0.0, "attempts": 1}
    )
    return settings.model_copy(update={"fetching": fetching})
