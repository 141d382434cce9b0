"""Torch models behind sentence-transformers: the ``neural`` extra."""
