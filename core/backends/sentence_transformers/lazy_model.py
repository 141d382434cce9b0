"""A model of sentence-transformers that is loaded at its first text: the ``neural`` extra."""

import importlib
import importlib.util
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from core.backends.files import ModelFiles
from core.errors import ExtraMissing, ModelDamaged

RECIPE = 1

log = logging.getLogger(__name__)
_quiet = threading.RLock()


class LazyModel:
    """Loaded at first use under a lock; ``fingerprint`` is name and content hash. Raises ExtraMissing:
    sentence-transformers is not installed."""

    def __init__(self, files: ModelFiles, name: str, threads: int, load: Callable[[Any, str], Any]) -> None:
        try:
            spec = importlib.util.find_spec("sentence_transformers")
        except ValueError:
            spec = None
        if spec is None:
            raise ExtraMissing(f"The model {name} has torch weights, which need an extra: pip install '.[neural]'")
        self._folder, self._name, self._threads, self._load = files.folder, name, threads, load
        self._lock = threading.Lock()
        self._model: Any = None
        self.fingerprint = f"{name}@{files.content_hash()[:16]}-r{RECIPE}"

    def get(self) -> Any:
        """The model (ModelDamaged when it cannot be read)."""
        with self._lock:
            if self._model is None:
                library = importlib.import_module("sentence_transformers")
                if self._threads:
                    importlib.import_module("torch").set_num_threads(self._threads)
                try:
                    with _quietly():
                        self._model = self._load(library, str(self._folder))
                except (MemoryError, ImportError):
                    raise
                except Exception as error:  # of broken files the readers raise errors of their own (SafetensorError)
                    raise ModelDamaged(f"The model {self._name} cannot be loaded: {error}. Fetch it again.") from error
            return self._model


class _ToOurLog(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        log.info("%s", record.getMessage())


@contextmanager
def _quietly() -> Iterator[None]:
    """A context in which what transformers prints while it loads (progress bars, a report that names the weights of a
    projection, which are read by another library, as unexpected) goes to our log instead of standard error; its
    settings are put back."""
    transformers_log = importlib.import_module("transformers.utils.logging")
    ours = _ToOurLog()
    with _quiet:
        bars = transformers_log.is_progress_bar_enabled()
        transformers_log.disable_progress_bar()
        transformers_log.disable_default_handler()
        transformers_log.add_handler(ours)
        try:
            yield
        finally:
            transformers_log.remove_handler(ours)
            transformers_log.enable_default_handler()
            if bars:
                transformers_log.enable_progress_bar()
