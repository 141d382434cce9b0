"""Adapters of sentence-transformers behind the ports (the ``neural`` extra)."""

from __future__ import annotations

from core.backends.files import ModelFiles
from core.errors import ExtraMissing
from core.ports import JointEncoder, Reranker


def load_joint_encoder(files: ModelFiles, name: str, *, threads: int = 0) -> JointEncoder:
    """Dense and token vectors of a folder with torch weights."""
    raise ExtraMissing(f"{name} has torch weights only: pip install '.[neural]'")


def load_cross_encoder(files: ModelFiles, name: str, *, threads: int = 0) -> Reranker:
    """A cross-encoder with torch weights."""
    raise ExtraMissing(f"{name} has torch weights only: pip install '.[neural]'")
