"""A pack taken in as a project that is thrown away, so that it can be looked at with what the workbench has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from core.ports.context import JobContext
from core.ports.engines import Engines
from core.settings.values import Settings


@contextmanager
def taken_in(pack: Path, engines: Engines, settings: Settings) -> Iterator[JobContext]:
    """The job context of the pack's only project.

    Raises:
        HostileArchive: the pack is refused.
    """
    from core.workbench.wiring import open_workbench

    with TemporaryDirectory(prefix="workbench-verify-") as folder:
        workbench = open_workbench(Path(folder) / "root", settings, engines=engines)
        try:
            yield workbench.open(workbench.catalog.import_archive(pack).slug).job_context()
        finally:
            workbench.close()
