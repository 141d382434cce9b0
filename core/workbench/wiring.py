"""The one place where core meets storage and the backends; used by the pages, the command line and the worker."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from core.errors import StorageError
from core.late.engine import LateEngine
from core.late.index import LateIndexes
from core.ports.asking import WebArchive, WebSearcher, Writer
from core.ports.engines import Engines
from core.ports.parsing import Parser
from core.ports.store import Clock, Entailer, Extractor, Fetcher, JointEncoder, Reranker
from core.settings.keys import Keys
from core.settings.values import Models, Settings, load_settings, settings_stamp
from core.workbench.workbench import Workbench


def utc_now() -> datetime:
    """The clock of the product."""
    return datetime.now(UTC)


def open_workbench(
    root: Path, settings: Settings | None = None, *, clock: Clock = utc_now, engines: Engines | None = None
) -> Workbench:
    """The workbench over a root folder, which is made when missing (SettingsError, StorageError). Engines that are
    given are used whatever the settings become, and are not closed with the workbench."""
    from storage import engine_description, open_catalog

    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"{root} cannot be used as the folder of the projects ({error.strerror}). "
            "Name another with --root or WORKBENCH_ROOT."
        ) from error
    watch = None if settings else _Watch(root, clock, fixed=engines is not None)
    loaded = settings or load_settings(root)
    catalog = open_catalog(root, clock=clock)
    return Workbench(
        catalog, engines or _engines(loaded, clock, Keys(root)), loaded, clock, storage_note=engine_description(),
        reload=watch, owns_engines=engines is None,
    )  # fmt: skip


class _Watch:
    """Looks whether the files of settings were written since the last look, and loads them if they were. Engines that
    are ``fixed`` stay whatever the settings become."""

    def __init__(self, root: Path, clock: Clock, *, fixed: bool) -> None:
        self._fixed = fixed
        self._root = root
        self._clock = clock
        self._seen = settings_stamp(root)

    def __call__(self, before: Settings, engines: Engines) -> tuple[Settings, Engines] | None:
        stamp = settings_stamp(self._root)
        if stamp == self._seen:
            return None
        self._seen = stamp
        loaded = load_settings(self._root)
        if self._fixed:
            return loaded, engines
        fresh = _engines(loaded, self._clock, Keys(self._root))
        same = [name for name, section in _MADE_OF.items() if getattr(before, section) == getattr(loaded, section)]
        fresh.succeed(engines, same)
        return loaded, fresh


_MADE_OF = {
    "encoder": "models",
    "reranker": "models",
    "entailer": "models",
    "extractor": "parsing",
    "fetcher": "fetching",
    "writer": "llm",
    "searchers": "web",
    "archive": "web",
    "late_engine": "models",
    "parser": "models",
    "no parser": "models",
}
"""Which section of the settings each engine is made of."""


def _engines(settings: Settings, clock: Clock, keys: Keys) -> Engines:
    # Imported inside: painting a page or listing projects must not pay for models, parsers, or HTTP.
    def reranker() -> Reranker:
        from core.backends.resolve import load_reranker

        return load_reranker(settings.models)

    def extractor() -> Extractor:
        from core.acquire.worker_pool import WorkerExtractor
        from core.audit import reader_process

        return WorkerExtractor(settings.parsing, program=reader_process.__name__)

    def fetcher() -> Fetcher:
        from core.acquire.fetch import HttpFetcher

        return HttpFetcher(settings.fetching, clock=clock)

    def entailer() -> Entailer:
        from core.backends.resolve import load_entailer

        return load_entailer(settings.models)

    def writer() -> Writer:
        from core.backends.anthropic.writer import AnthropicWriter

        return AnthropicWriter(settings.llm, keys)

    def searchers() -> Sequence[WebSearcher]:
        from core.backends.web.providers import web_searchers

        return web_searchers(settings.web, keys)

    def archive() -> WebArchive | None:
        if not settings.web.wayback:
            return None
        from core.backends.web.wayback import Wayback

        return Wayback(settings.web)

    def parser() -> Parser:
        from core.backends.spacy_parser import SpacyParser

        return SpacyParser()

    models = settings.models
    return Engines(
        _encoder_of(models),
        reranker,
        extractor,
        fetcher,
        entailer,
        writer,
        searchers,
        archive,
        _late_engine_of(models),
        parser,
    )


def _encoder_of(models: Models) -> Callable[[], JointEncoder]:
    def encoder() -> JointEncoder:
        from core.backends.resolve import load_encoder

        return load_encoder(models)

    return encoder


def _late_engine_of(models: Models) -> Callable[[], LateEngine | None]:
    def late_engine() -> LateEngine | None:
        if models.late_engine == "exact":
            return None
        from core.backends.ragatouille.checkpoint import check_late_engine
        from core.backends.ragatouille.engine import RagatouilleEngine

        late = models.late if models.late != models.checkpoint else ""  # it named the checkpoint
        return LateEngine(
            LateIndexes(RagatouilleEngine(models)),
            make_encoder=_encoder_of(models),
            make_stand_in=_encoder_of(models.model_copy(update={"late_engine": "exact", "late": late})),
            check=lambda: check_late_engine(models),
        )

    return late_engine
