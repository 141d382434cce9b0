"""Whether ``report.html`` of a pack is the page that its records give: it is written once more and compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from core.engines import Engines
from core.errors import WorkbenchError
from core.export.as_html import as_html
from core.export.content import product_version
from core.export.gather import gather
from core.settings import Settings, Verification

_NOT_COMPARED = "report.html was not compared with the records and is not to be trusted for itself"


def compare_page(
    pack: Path, engines: Engines, page: bytes | None, info: Mapping[str, object], verification: Verification,
    threshold: float | None, models: Mapping[str, str],
) -> tuple[list[str], list[str]]:  # fmt: skip
    """Problems and notes. ``info`` is ``pack.json``; the rest of it was checked already.

    Only a page of this version can be written again byte for byte; of another one a note says so.
    """
    if page is None:
        return ["report.html is missing."], []
    by = info.get("by")
    made_by = str(by.get("version"))[:40] if isinstance(by, dict) else "unknown"
    if made_by != product_version():
        return [], [f"{_NOT_COMPARED}: version {made_by} wrote it, this is {product_version()}."]
    try:
        made = datetime.fromisoformat(str(info.get("made")))
        own = _written(pack, engines, made, verification, threshold, models)
    except (WorkbenchError, ValueError) as error:
        return [], [f"{_NOT_COMPARED}: {error}"]
    if own != page:
        return [
            "report.html is not the page that the records give: something in it was changed. Do not rely on it."
        ], []
    return [], []


def _written(
    pack: Path, engines: Engines, made: datetime, verification: Verification, threshold: float | None,
    models: Mapping[str, str],
) -> bytes:  # fmt: skip
    from core.wiring import open_workbench

    settings = Settings(verification=verification)
    with TemporaryDirectory(prefix="workbench-page-") as folder:
        workbench = open_workbench(Path(folder) / "root", settings)
        own, workbench.engines = workbench.engines, engines
        try:
            store = workbench.open(workbench.import_archive(pack).slug).job_context().store
            (report,) = store.reports()
            content = gather(store, engines, settings, made, report.id, models=models)
            return as_html(replace(content, threshold=threshold))
        finally:
            workbench.engines = own
            workbench.close()
