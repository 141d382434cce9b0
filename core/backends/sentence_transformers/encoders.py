"""Adapters of sentence-transformers 6 behind the ports: the ``neural`` extra. ``SentenceTransformer`` gives dense and
token vectors of one pass, ``MultiVectorEncoder`` loads ColBERT checkpoints (Stanford's and PyLate's form),
``CrossEncoder`` reranks. Passages that are longer than the model reads are cut into windows at token borders; queries
are read up to the checkpoint's own query length."""

from __future__ import annotations

import importlib
import importlib.util
import json
import string
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.backends.files import ModelFiles
from core.backends.sentence_transformers.lazy_model import LazyModel
from core.backends.windows import windows
from core.errors import ModelError
from core.records import TokenMatrix, Vector

_SPECIAL_TOKENS = 3  # [CLS], [SEP], and the marker of a ColBERT checkpoint


def load_joint_encoder(files: ModelFiles, name: str, *, threads: int = 0) -> SentenceTransformerEncoder:
    """Dense and token vectors of a sentence-transformers folder. Raises ExtraMissing (sentence-transformers is not
    installed) or ModelError (the folder holds a ColBERT checkpoint, which has no dense vectors)."""
    if is_colbert(files):
        raise ModelError(f"{name} is a ColBERT checkpoint: name it as models.late, not as models.encoder.")
    return SentenceTransformerEncoder(files, name, threads)


def load_late_encoder(files: ModelFiles, name: str, *, threads: int = 0) -> MultiVectorLateEncoder:
    """Token vectors of a ColBERT checkpoint, or of a plain encoder without a projection (ExtraMissing)."""
    return MultiVectorLateEncoder(files, name, threads)


def load_cross_encoder(files: ModelFiles, name: str, *, threads: int = 0) -> CrossEncoderReranker:
    """A cross-encoder with torch weights (ExtraMissing)."""
    return CrossEncoderReranker(files, name, threads)


def is_colbert(files: ModelFiles) -> bool:
    """True when the folder is a late-interaction checkpoint in Stanford's, PyLate's, or sentence-transformers' form."""
    config, modules = files.folder / "config.json", files.folder / "modules.json"
    stanford = config.is_file() and "HF_ColBERT" in json.loads(config.read_text("utf-8")).get("architectures", ())
    listed = modules.read_text("utf-8") if modules.is_file() else ""
    return stanford or "multi_vector_encoder" in listed or "pylate" in listed


class SentenceTransformerEncoder:
    """``SentenceTransformer`` as a joint encoder; the token vectors are its token states, unit length."""

    def __init__(self, files: ModelFiles, name: str, threads: int = 0) -> None:
        self._lazy = LazyModel(
            files, name, threads, lambda lib, path: lib.SentenceTransformer(path, device="cpu", local_files_only=True)
        )

    @property
    def fingerprint(self) -> str:
        """Name and content hash."""
        return self._lazy.fingerprint

    @property
    def dim(self) -> int:
        """Size of a dense vector."""
        return int(self._lazy.get().get_embedding_dimension())

    @property
    def late_dim(self) -> int:
        """Size of a token vector."""
        return int(self._passes(["a"], "encode_document")[1][0].vectors.shape[1])

    def encode_queries(self, texts: Sequence[str]) -> Vector:
        return self._passes(texts, "encode_query")[0]

    def encode_passages(self, texts: Sequence[str]) -> Vector:
        return self._passes(texts, "encode_document")[0]

    def encode_query_tokens(self, texts: Sequence[str]) -> list[TokenMatrix]:
        return self._passes(texts, "encode_query")[1]

    def encode_passage_tokens(self, texts: Sequence[str]) -> list[TokenMatrix]:
        return self._passes(texts, "encode_document")[1]

    def encode_queries_jointly(self, texts: Sequence[str]) -> tuple[Vector, list[TokenMatrix]]:
        return self._passes(texts, "encode_query")

    def encode_passages_jointly(self, texts: Sequence[str]) -> tuple[Vector, list[TokenMatrix]]:
        return self._passes(texts, "encode_document")

    def _passes(self, texts: Sequence[str], method: str) -> tuple[Vector, list[TokenMatrix]]:
        model = self._lazy.get()
        prompt = model.prompts.get(method.removeprefix("encode_")) or ""
        pieces = [_pieces(model.tokenizer, text, model.max_seq_length) for text in texts]
        flat = [text[a:b] for text, spans in zip(texts, pieces, strict=True) for a, b in spans]
        outputs = iter(getattr(model, method)(flat, output_value=None, show_progress_bar=False) if flat else [])
        dense, tokens = [], []
        for text, spans in zip(texts, pieces, strict=True):
            parts = [(next(outputs), start) for start, _ in spans]
            dense.append(_unit(np.mean([_unit(_array(part["sentence_embedding"])) for part, _ in parts], axis=0)))
            tokens.append(_matrix(model.tokenizer, prompt, text, spans, [part for part, _ in parts], worded=True))
        size = (len(texts), self.dim) if not texts else (len(texts), -1)
        return np.asarray(dense, dtype=np.float32).reshape(size), tokens


class MultiVectorLateEncoder:
    """``MultiVectorEncoder`` as a late encoder, with the checkpoint's own markers, lengths and skipped marks."""

    def __init__(self, files: ModelFiles, name: str, threads: int = 0) -> None:
        load = _load_colbert if is_colbert(files) else _load_plain_as_multi_vector
        self._lazy = LazyModel(files, name, threads, load)

    @property
    def fingerprint(self) -> str:
        """Name and content hash."""
        return self._lazy.fingerprint

    @property
    def dim(self) -> int:
        return int(self.encode_passage_tokens(["a"])[0].vectors.shape[1])

    def encode_query_tokens(self, texts: Sequence[str]) -> list[TokenMatrix]:
        """Token vectors of queries, expansion tokens included (with empty spans)."""
        model = self._lazy.get()
        outputs = model.encode_query(list(texts), output_value=None, show_progress_bar=False) if texts else []
        prompt = model.prompts.get("query") or ""
        return [
            _matrix(model.tokenizer, prompt, text, [(0, len(text))], [output])
            for text, output in zip(texts, outputs, strict=True)
        ]

    def encode_passage_tokens(self, texts: Sequence[str]) -> list[TokenMatrix]:
        model = self._lazy.get()
        length = getattr(model[0], "document_length", None) or model.max_seq_length
        pieces = [_pieces(model.tokenizer, text, length) for text in texts]
        flat = [text[a:b] for text, spans in zip(texts, pieces, strict=True) for a, b in spans]
        outputs = iter(model.encode_document(flat, output_value=None, show_progress_bar=False) if flat else [])
        prompt = model.prompts.get("document") or ""
        return [
            _matrix(model.tokenizer, prompt, text, spans, [next(outputs) for _ in spans])
            for text, spans in zip(texts, pieces, strict=True)
        ]


class CrossEncoderReranker:
    """``CrossEncoder`` as a reranker: raw logits, long texts by their best window."""

    def __init__(self, files: ModelFiles, name: str, threads: int = 0) -> None:
        self._lazy = LazyModel(
            files, name, threads, lambda lib, path: lib.CrossEncoder(path, device="cpu", local_files_only=True)
        )

    @property
    def fingerprint(self) -> str:
        """Name and content hash."""
        return self._lazy.fingerprint

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n,) raw logits, larger is better."""
        if not texts:
            return np.zeros(0, dtype=np.float32)
        model = self._lazy.get()
        identity = importlib.import_module("torch").nn.Identity()
        room = int(model.max_seq_length or 512)
        used = min(room // 2, len(model.tokenizer(query, add_special_tokens=False)["input_ids"]))
        pieces = [_pieces(model.tokenizer, text, room - used) for text in texts]
        pairs = [(query, text[a:b]) for text, spans in zip(texts, pieces, strict=True) for a, b in spans]
        logits = iter(model.predict(pairs, activation_fn=identity, show_progress_bar=False).reshape(-1).tolist())
        return np.asarray([max(next(logits) for _ in spans) for spans in pieces], dtype=np.float32)


def _load_colbert(library: Any, path: str) -> Any:
    return library.MultiVectorEncoder(path, device="cpu", local_files_only=True)


def _load_plain_as_multi_vector(library: Any, path: str) -> Any:
    transformer = importlib.import_module("sentence_transformers.base.modules").Transformer(path)
    mask = importlib.import_module("sentence_transformers.multi_vector_encoder.modules").MultiVectorMask(
        skiplist_words=list(string.punctuation), skiplist_tasks=["document"]
    )
    normalize = importlib.import_module("sentence_transformers.sentence_transformer.modules").Normalize(
        module_input_name="token_embeddings"
    )
    return library.MultiVectorEncoder(modules=[transformer, mask, normalize], device="cpu")


def _pieces(tokenizer: Any, text: str, limit: int) -> list[tuple[int, int]]:
    """Character spans of windows that fit the model; the whole text when it fits."""
    offsets = _offsets(tokenizer, text, special=False)
    spans = windows(len(offsets), limit - _SPECIAL_TOKENS)
    if len(spans) == 1:
        return [(0, len(text))]
    return [(offsets[a][0], offsets[b - 1][1]) for a, b in spans]


def _offsets(tokenizer: Any, text: str, *, special: bool) -> list[tuple[int, int]]:
    encoded = tokenizer(text, add_special_tokens=special, truncation=False, return_offsets_mapping=True, verbose=False)
    return [(int(a), int(b)) for a, b in encoded["offset_mapping"]]


def _matrix(
    tokenizer: Any, prompt: str, text: str, spans: Sequence[tuple[int, int]], parts: Sequence[Any], worded: bool = False
) -> TokenMatrix:
    """Vectors of the scored tokens of all pieces, with their spans in ``text``; tokens that stand for no character
    (markers, [CLS], expansion) have an empty span. ``worded`` keeps only tokens with a letter or digit."""
    rows, places = [], []
    for part, (start, end) in zip(parts, spans, strict=True):
        vectors, scored = _array(part["token_embeddings"]), _array(part["attention_mask"]).astype(bool)
        offsets = _offsets(tokenizer, prompt + text[start:end], special=True)
        for at in np.flatnonzero(scored).tolist():
            a, b = offsets[at] if at < len(offsets) else (0, 0)
            a, b = max(0, a - len(prompt)) + start, max(0, b - len(prompt)) + start
            if worded and not any(map(str.isalnum, text[a:b])):
                continue
            rows.append(vectors[at])
            places.append((a, b))
    size = _array(parts[0]["token_embeddings"]).shape[1]
    matrix = np.asarray(rows, dtype=np.float32).reshape(-1, size)
    norms = np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)
    return TokenMatrix((matrix / norms).astype(np.float32), np.asarray(places, dtype=np.int32).reshape(-1, 2))


def _array(tensor: Any) -> NDArray[np.float32]:
    return np.asarray(tensor.detach().cpu().numpy(), dtype=np.float32)


def _unit(vector: NDArray[np.float32]) -> Vector:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12), dtype=np.float32)
