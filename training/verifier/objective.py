"""The loss, what counts as right, and the learning rate."""

from __future__ import annotations

import torch
from torch.nn import functional

from training.verifier.data import NOT_SUPPORTED


def loss_of(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Mean cross-entropy; for NOT_SUPPORTED rows -log(1 - p(supports))."""
    log = functional.log_softmax(logits.float(), dim=-1)
    binary = labels == NOT_SUPPORTED
    known = -log.gather(1, labels.clamp(max=2).unsqueeze(1)).squeeze(1)
    apart = -torch.logsumexp(log[:, 1:], dim=-1)
    return torch.where(binary, apart, known).mean()


def is_right(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Whether the label is met; a NOT_SUPPORTED row is met by any class but supports."""
    best = logits.argmax(-1)
    return torch.where(labels == NOT_SUPPORTED, best != 0, best == labels)


def learning_rate(progress: float, peak: float, warm: float = 0.05) -> float:
    """Linear warm-up over ``warm`` of the run, then linear decay to 2 % of the peak."""
    return peak * (progress / warm if progress < warm else max(0.02, (1 - progress) / (1 - warm)))
