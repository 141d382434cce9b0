"""Where a run computes: everything that differs by device is here.

``Workers`` is what two CPU cores are used with: one process of one thread a core, gradients averaged over gloo.
``Single`` is one process on one device, the pairs kept there as ids, so that a step uploads row numbers only. It runs
on a GPU, and on the CPU for trying it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
import torch.distributed as dist

from training.verifier.batches import PAD, Encoded, tensors
from training.verifier.errors import NoGpu, NotEnoughMemory, NoTorch

Inputs = dict[str, torch.Tensor]
GIB = 2**30
MULTIPLE = 8
"""Widths are rounded up to it: tensor cores want it."""


class Feed(Protocol):
    """Pairs as the model reads them."""

    @property
    def rows(self) -> Sequence[Any]:
        """What batches are made of."""
        ...

    def __call__(self, batch: Sequence[Any]) -> tuple[Inputs, torch.Tensor, int]:
        """Inputs of the model (n, longest), class numbers (n,), and the number of ids that are not padding."""
        ...


class Place(Protocol):
    """One process of a run, its device, and the other processes of the run."""

    device: torch.device
    rank: int
    workers: int
    held_rows: int

    def feed(self, pairs: Sequence[Encoded], limit: int) -> Feed:
        """``pairs`` at ``limit`` ids."""
        ...

    def average(self, parameters: Iterable[torch.nn.Parameter]) -> None:
        """Gradients become the mean over all processes."""
        ...

    def agree(self, value: float) -> float:
        """The value of the first process."""
        ...

    def gather(self, found: dict[str, list[float]]) -> list[dict[str, list[float]]]:
        """What every process found."""
        ...


def autocast(place: Place) -> torch.autocast:
    """bfloat16 where the operation allows it; it needs no scaling of the loss."""
    return torch.autocast(place.device.type, dtype=torch.bfloat16)


class Assembled:
    """Batches put together on the CPU from lists of ids."""

    def __init__(self, pairs: Sequence[Encoded], limit: int) -> None:
        self.rows = pairs
        self._limit = limit

    def __call__(self, batch: Sequence[Encoded]) -> tuple[Inputs, torch.Tensor, int]:
        """See ``Feed``."""
        given = tensors(batch, self._limit)
        labels = given.pop("labels")
        return given, labels, int(given["attention_mask"].sum())


@dataclass(frozen=True, slots=True)
class Row:
    """A pair that lies on the device: its number, its ids, its set."""

    at: int
    length: int
    source: str

    def size(self, limit: int) -> int:
        """Number of ids at ``limit``."""
        return min(limit, self.length)


class Resident:
    """Every pair on the device as one long row of ids; a batch is gathered there from the numbers of its pairs.

    Nothing here waits for the device: sizes are known on the host, and row numbers go up from pinned memory.
    """

    def __init__(self, pairs: Sequence[Encoded], limit: int, device: torch.device) -> None:
        rows = [pair.ids(limit) for pair in pairs]
        lengths = np.array([len(ids) for ids, _ in rows], dtype=np.int64)
        flat = np.fromiter((one for ids, _ in rows for one in ids), dtype=np.int32, count=int(lengths.sum()))
        self.rows = [
            Row(at, len(ids), pair.source) for at, ((ids, _), pair) in enumerate(zip(rows, pairs, strict=True))
        ]
        self._device = device
        self._flat = torch.from_numpy(flat).to(device)
        self._lengths = torch.from_numpy(lengths).to(device)
        self._starts = torch.from_numpy(lengths.cumsum() - lengths).to(device)
        self._heads = torch.tensor([head for _, head in rows], device=device)
        self._labels = torch.tensor([pair.label for pair in pairs], device=device)

    def __call__(self, batch: Sequence[Row]) -> tuple[Inputs, torch.Tensor, int]:
        """See ``Feed``."""
        width = -(-max(row.length for row in batch) // MULTIPLE) * MULTIPLE
        numbers = torch.tensor([row.at for row in batch])
        if self._device.type == "cuda":
            numbers = numbers.pin_memory().to(self._device, non_blocking=True)
        span = torch.arange(width, device=self._device)
        inside = span < self._lengths[numbers].unsqueeze(1)
        places = (self._starts[numbers].unsqueeze(1) + span).clamp(max=self._flat.numel() - 1)
        ids = self._flat[places].long().masked_fill(~inside, PAD)
        types = inside & (span >= self._heads[numbers].unsqueeze(1))
        given = {"input_ids": ids, "attention_mask": inside.long(), "token_type_ids": types.long()}
        return given, self._labels[numbers], sum(row.length for row in batch)


class Workers:
    """This process is one of several of one thread each; gloo must be up."""

    device = torch.device("cpu")
    held_rows = 32

    def __init__(self) -> None:
        self.rank = dist.get_rank()
        self.workers = dist.get_world_size()

    def feed(self, pairs: Sequence[Encoded], limit: int) -> Feed:
        """Lists of ids, put together batch by batch."""
        return Assembled(pairs, limit)

    def average(self, parameters: Iterable[torch.nn.Parameter]) -> None:
        """One sum over all gradients at once."""
        gradients = [p.grad for p in parameters if p.grad is not None]
        flat = torch.cat([gradient.reshape(-1) for gradient in gradients])
        dist.all_reduce(flat)
        flat /= self.workers
        at = 0
        for gradient in gradients:
            gradient.copy_(flat[at : at + gradient.numel()].view_as(gradient))
            at += gradient.numel()

    def agree(self, value: float) -> float:
        """So that all stop at the same step."""
        told = torch.tensor([value], dtype=torch.float64)
        dist.broadcast(told, 0)
        return float(told)

    def gather(self, found: dict[str, list[float]]) -> list[dict[str, list[float]]]:
        """From every worker."""
        parts: list[Any] = [None] * self.workers
        dist.all_gather_object(parts, found)
        return parts


class Single:
    """One process, one device."""

    rank, workers = 0, 1
    held_rows = 256

    def __init__(self, device: torch.device) -> None:
        self.device = device
        if device.type == "cuda":
            torch.set_float32_matmul_precision("high")  # what autocast leaves in float32 may use TF32

    def feed(self, pairs: Sequence[Encoded], limit: int) -> Feed:
        """All of it on the device, once."""
        return Resident(pairs, limit, self.device)

    def average(self, parameters: Iterable[torch.nn.Parameter]) -> None:
        """There is nobody else."""

    def agree(self, value: float) -> float:
        """The value itself."""
        return value

    def gather(self, found: dict[str, list[float]]) -> list[dict[str, list[float]]]:
        """The one part."""
        return [found]


def single(device: str) -> Single:
    """The place for ``device`` ("cuda" or "cpu").

    Raises:
        NoTorch: this torch was built without CUDA.
        NoGpu: no GPU is seen, or it has no bfloat16.
    """
    if device != "cuda":
        return Single(torch.device(device))
    if torch.version.cuda is None:
        raise NoTorch(
            f"torch {torch.__version__} was built without CUDA: use a torch that has it, or --device cpu to try."
        )
    if not torch.cuda.is_available():
        raise NoGpu("No CUDA GPU is seen (see nvidia-smi). Train on the CPU: python -m training.verifier.train")
    if torch.cuda.get_device_capability() < (8, 0):
        raise NoGpu(f"{torch.cuda.get_device_name()} does not compute in bfloat16: compute capability 8.0 is needed.")
    return Single(torch.device("cuda"))


def needed(model: torch.nn.Module, tokens: int, limit: int, ids: int) -> int:
    """Bytes that training is expected to take on a GPU, generously.

    Weights, gradients and two moments in float32; activations of a transformer in 16 bit after Korthikanti et al. 2022
    (34 + 5 heads x length / width bytes for each token, layer and unit of width), half as much again for what stays
    float32; the ids; 1 GiB for the libraries.
    """
    config: Any = model.config
    wide, layers, heads = config.hidden_size, config.num_hidden_layers, config.num_attention_heads
    weights = 16 * sum(parameter.numel() for parameter in model.parameters())
    kept = 1.5 * tokens * layers * wide * (34 + 5 * heads * limit / wide)
    return int(weights + kept + 4 * ids + GIB)


def check_memory(place: Place, need: int) -> None:
    """Nothing on a CPU.

    Raises:
        NotEnoughMemory: less is free than ``need`` bytes.
    """
    if place.device.type != "cuda":
        return
    free, total = torch.cuda.mem_get_info()
    if free < need:
        raise NotEnoughMemory(
            f"{torch.cuda.get_device_name()} has {free / GIB:.1f} of {total / GIB:.1f} GiB free and about "
            f"{need / GIB:.1f} are needed. End what holds it, or take fewer --tokens a batch."
        )
