"""Mends that ragatouille 0.0.9.post2 and colbert-ai 0.2.22 need on today's libraries; made in the worker, before they
load. Each mend says why it is there and where upstream speaks of it; each has its test in tests/ragatouille."""

import importlib
import importlib.util
import sys
import types
import warnings
from typing import Any


def mend() -> None:
    """Apply every mend; doing it twice does no harm. Imports colbert (torch, transformers)."""
    _stub_langchain_retrievers()
    _finish_models()
    _fill_checkpoint_settings()
    _cap_clusters()
    # It announces its own 0.0.10, which never came.
    warnings.filterwarnings("ignore", message="(?s).*RAGatouille WARNING: Future Release Notice")


def _stub_langchain_retrievers() -> None:
    """ragatouille imports ``langchain.retrievers``, which langchain 1 no longer has.
    https://github.com/AnswerDotAI/RAGatouille/issues/275 (open). Only the base class is needed, for an integration that
    is not used here; it lives in langchain_core. With ``langchain==0.3.30`` nothing is done."""
    if _has("langchain.retrievers.document_compressors.base"):
        return
    base = importlib.import_module("langchain_core.documents.compressor").BaseDocumentCompressor
    name = "langchain"
    for part in ("retrievers", "document_compressors", "base"):
        name = f"{name}.{part}"
        module: Any = types.ModuleType(name)
        module.__path__ = []
        sys.modules.setdefault(name, module)
    if not _has("langchain"):
        package: Any = types.ModuleType("langchain")
        package.__path__ = []
        sys.modules.setdefault("langchain", package)
    sys.modules[name].BaseDocumentCompressor = base  # type: ignore[attr-defined]


def _has(name: str) -> bool:
    try:
        return name in sys.modules or importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _finish_models() -> None:
    """colbert's ``HF_ColBERT`` ends with ``init_weights()``; transformers 5 wants ``post_init()``, without which
    loading fails with "'HF_ColBERT' object has no attribute 'all_tied_weights_keys'".
    https://github.com/stanford-futuredata/ColBERT/pull/412 (open); the same in rerankers, issue 77."""
    names = ("hf_colbert", "base_colbert")
    modules: list[Any] = [importlib.import_module(f"colbert.modeling.{name}") for name in names]
    factory = modules[0].class_factory
    if getattr(factory, "mended", False):
        return

    def class_factory(name_or_path: str) -> Any:
        model_class = factory(name_or_path)
        begin = model_class.__init__

        def finished(self: Any, config: Any, colbert_config: Any) -> None:
            begin(self, config, colbert_config)
            self.post_init()

        model_class.__init__ = finished
        return model_class

    class_factory.mended = True  # type: ignore[attr-defined]
    for module in modules:
        module.class_factory = class_factory


def _fill_checkpoint_settings() -> None:
    """``artifact.metadata`` without ``root`` and ``experiment`` makes a search fail with FileNotFoundError: the place
    of the index is then put together from defaults. And a ``model_name`` in it is looked up on the hub, though the
    folder holds the whole model. No issue upstream; seen in this project. Filled in where a checkpoint is read, never
    in its files."""
    config = importlib.import_module("colbert.infra.config").ColBERTConfig
    read = config.load_from_checkpoint
    if getattr(read, "mended", False):
        return

    def load_from_checkpoint(checkpoint_path: str) -> Any:
        loaded = read(str(checkpoint_path))
        if loaded is not None:
            for name, value in (("root", "experiments"), ("experiment", "default")):
                if not loaded.assigned.get(name) or not getattr(loaded, name):
                    loaded.set(name, value)
            loaded.set("model_name", None)
        return loaded

    load_from_checkpoint.mended = True  # type: ignore[attr-defined]
    config.load_from_checkpoint = staticmethod(load_from_checkpoint)


def _cap_clusters() -> None:
    """colbert-ai asks for 2^floor(log2(16 √tokens)) clusters, of few short passages more than there are points to
    train with, and faiss refuses that: "Number of training points should be at least as large as number
    of clusters". No issue found upstream; seen in this project."""
    indexer: Any = importlib.import_module("colbert.indexing.collection_indexer")
    train = indexer.compute_faiss_kmeans
    if getattr(train, "mended", False):
        return

    def compute_faiss_kmeans(dim: int, clusters: int, rounds: int, shared_lists: Any, *rest: Any) -> Any:
        return train(dim, min(clusters, len(shared_lists[0][0])), rounds, shared_lists, *rest)

    compute_faiss_kmeans.mended = True  # type: ignore[attr-defined]
    indexer.compute_faiss_kmeans = compute_faiss_kmeans
