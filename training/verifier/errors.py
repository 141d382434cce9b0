"""What can be wrong before a training run starts; every message says what, with which thing, and what to do."""

from __future__ import annotations

from core.errors import WorkbenchError


class TrainingError(WorkbenchError):
    """Base of the errors of training."""


class NoTorch(TrainingError):
    """torch is missing, or a build of it without CUDA where CUDA is asked for."""


class NoGpu(TrainingError):
    """No GPU that this run can use."""


class NotEnoughMemory(TrainingError):
    """The GPU has less free memory than the run is expected to need."""


class DataMissing(TrainingError):
    """The pairs, or the collection they are made from, are not there or not whole."""


class StartUnusable(TrainingError):
    """Start weights that are not there, or of a model that reads other ids."""


class Diverged(TrainingError):
    """The loss is no number any more."""
