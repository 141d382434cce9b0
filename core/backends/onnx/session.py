"""One ONNX transformer with its tokenizer: texts to token ids, token ids through the graph, in parallel. Every text
goes through the graph alone. The int8 models quantise activations dynamically over the whole input tensor, so a text's
output would otherwise depend on what it is batched with; and one thread a text is also the fastest way on CPUs
(docs/decisions/0004)."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.backends.files import ModelFiles
from core.errors import ModelDamaged

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

T = TypeVar("T")
R = TypeVar("R")
_SURROGATE = re.compile("[\ud800-\udfff]")


def available_threads(wanted: int) -> int:
    """``wanted``, or as many as this process may use when it is 0."""
    if wanted:
        return wanted
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


class OnnxTransformer:
    """A session opened at first use, safe to share between threads."""

    def __init__(self, files: ModelFiles, threads: int = 0) -> None:
        if files.onnx is None:
            raise ValueError(f"{files.folder} has no ONNX graph")
        self._files = files
        self._threads = available_threads(threads)
        self._lock = threading.Lock()
        self._opened: tuple[Any, Tokenizer, ThreadPoolExecutor] | None = None

    def open(self) -> tuple[Any, Tokenizer, ThreadPoolExecutor]:
        """The session, the tokenizer, and the workers. Raises ModelDamaged: onnxruntime or tokenizers cannot read the
        file."""
        with self._lock:
            if self._opened is None:
                self._opened = self._open()
            return self._opened

    def _open(self) -> tuple[Any, Tokenizer, ThreadPoolExecutor]:
        # Its 1.3x releases report use to their maker, also on Linux and with disable_telemetry_events(); this variable,
        # read when the library loads, is what keeps it silent. Nothing is ever sent unless the user turned it on.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            session = onnxruntime.InferenceSession(str(self._files.onnx), options, providers=["CPUExecutionProvider"])
            tokenizer = Tokenizer.from_file(str(self._files.tokenizer))
        except Exception as error:  # both libraries raise bare Exception subclasses of their own
            raise ModelDamaged(f"{self._files.folder} holds no readable model: {error}. Fetch it again.") from error
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return session, tokenizer, ThreadPoolExecutor(self._threads, thread_name_prefix="encoder")

    def tokenize(self, text: str) -> Encoding:
        """Token ids without special tokens; offsets are code points into ``text``."""
        _, tokenizer, _ = self.open()
        return tokenizer.encode(_SURROGATE.sub("\ufffd", text), add_special_tokens=False)

    def special_ids(self) -> tuple[int, int]:
        """Ids of [CLS] and [SEP]."""
        _, tokenizer, _ = self.open()
        start, end = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
        if start is None or end is None:
            raise ModelDamaged(f"{self._files.tokenizer} knows no [CLS] and [SEP]: not a BERT tokenizer.")
        return start, end

    def run(self, ids: Sequence[int], types: Sequence[int] | None = None) -> NDArray[np.float32]:
        """First output of the graph for one sequence of ids, without the batch axis."""
        session, _, _ = self.open()
        row = np.asarray([ids], dtype=np.int64)
        given = {
            "input_ids": row,
            "attention_mask": np.ones_like(row),
            "token_type_ids": np.zeros_like(row) if types is None else np.asarray([types], dtype=np.int64),
        }
        feeds = {item.name: given[item.name] for item in session.get_inputs()}
        output: NDArray[np.float32] = session.run([session.get_outputs()[0].name], feeds)[0][0]
        return output

    def map(self, function: Callable[[T], R], items: Sequence[T]) -> list[R]:
        """``function`` of every item, in order, by the workers, longest first so that none ends alone."""
        if len(items) == 1:
            return [function(items[0])]
        _, _, workers = self.open()
        order = sorted(range(len(items)), key=lambda at: -_size(items[at]))
        results = dict(zip(order, workers.map(lambda at: function(items[at]), order), strict=True))
        return [results[at] for at in range(len(items))]


def _size(item: object) -> int:
    return len(item) if isinstance(item, str) else sum(map(_size, item)) if isinstance(item, tuple) else 0
