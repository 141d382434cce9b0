"""The one place where core meets storage and the backends; used by app.py, the command line and the worker."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from core.engines import Engines
from core.errors import StorageError
from core.ports import Clock, Entailer, Extractor, Fetcher, JointEncoder, Reranker
from core.settings import Settings, load_settings
from core.workbench import Workbench


def utc_now() -> datetime:
    """The clock of the product."""
    return datetime.now(UTC)


def open_workbench(root: Path, settings: Settings | None = None, *, clock: Clock = utc_now) -> Workbench:
    """The workbench over a root folder, which is made when missing (SettingsError, StorageError)."""
    from storage import engine_description, open_catalog

    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"{root} cannot be used as the folder of the projects ({error.strerror}). "
            "Name another with --root or WORKBENCH_ROOT."
        ) from error
    loaded = settings or load_settings(root)
    catalog = open_catalog(root, clock=clock)
    return Workbench(catalog, _engines(loaded, clock), loaded, clock, storage_note=engine_description())


def _engines(settings: Settings, clock: Clock) -> Engines:
    # Imported inside: painting a page or listing projects must not pay for models, parsers, or HTTP.
    def encoder() -> JointEncoder:
        from core.backends.resolve import load_encoder

        return load_encoder(settings.models)

    def reranker() -> Reranker:
        from core.backends.resolve import load_reranker

        return load_reranker(settings.models)

    def extractor() -> Extractor:
        from core.acquire.extract import WorkerExtractor

        return WorkerExtractor(settings.parsing)

    def fetcher() -> Fetcher:
        from core.acquire.fetch import HttpFetcher

        return HttpFetcher(settings.fetching, clock=clock)

    def entailer() -> Entailer:
        from core.backends.resolve import load_entailer

        return load_entailer(settings.models)

    return Engines(encoder, reranker, extractor, fetcher, entailer)
