"""Matrix products of a training step by the faster of two libraries: torch's own, or numpy's.

torch multiplies float32 with MKL, which leaves a quarter of an AMD processor unused (57 of 78 GFLOP/s on an EPYC
without AVX-512; numpy's OpenBLAS reaches 75 to 81 there). ``use_faster_products`` measures both and takes the faster.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn

WORTH = 1.1
"""How much faster numpy must be, since its results are copied once."""


class _Product(torch.autograd.Function):
    """``x @ weight.T + bias`` of float32 tensors, forward and backward by numpy."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x, weight)
        rows = x.detach().reshape(-1, x.shape[-1]).numpy()
        result = torch.from_numpy(np.matmul(rows, weight.detach().numpy().T))
        return result.add_(bias.detach()).reshape(*x.shape[:-1], weight.shape[0])

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        x, weight = ctx.saved_tensors
        rows = gradient.reshape(-1, gradient.shape[-1]).contiguous().numpy()
        of_x = of_weight = of_bias = None
        if ctx.needs_input_grad[0]:
            of_x = torch.from_numpy(np.matmul(rows, weight.detach().numpy())).reshape(x.shape)
        if ctx.needs_input_grad[1]:
            of_weight = torch.from_numpy(np.matmul(rows.T, x.detach().reshape(-1, x.shape[-1]).numpy()))
        if ctx.needs_input_grad[2]:
            of_bias = torch.from_numpy(rows.sum(0))
        return of_x, of_weight, of_bias


def _by_numpy(layer: nn.Linear) -> Callable[[torch.Tensor], torch.Tensor]:
    def forward(x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = _Product.apply(x, layer.weight, layer.bias)  # type: ignore[no-untyped-call]
        return result

    return forward


def _seconds(product: Callable[[], Any]) -> float:
    product()
    begun = time.process_time()
    for _ in range(4):
        product()
    return time.process_time() - begun


def use_faster_products(model: nn.Module) -> bool:
    """Let the linear layers of ``model`` multiply by numpy where that is faster; whether they do. One thread only:
    set ``OPENBLAS_NUM_THREADS=1``."""
    x, weight = torch.ones(1536, 768), torch.ones(3072, 768)
    torchs = _seconds(lambda: torch.nn.functional.linear(x, weight))
    numpys = _seconds(lambda: np.matmul(x.numpy(), weight.numpy().T))
    if numpys * WORTH > torchs:
        return False
    for layer in model.modules():
        if isinstance(layer, nn.Linear):
            layer.forward = _by_numpy(layer)  # type: ignore[method-assign]
    return True
