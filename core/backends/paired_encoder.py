"""Two encoders behind the joint port, for settings that name different models for dense and late interaction."""

from collections.abc import Sequence

from core.ports.store import Encoder, LateEncoder
from core.records import TokenMatrix, Vector


class PairedEncoder:
    """Dense vectors from one model, token vectors from another: two forward passes a text."""

    def __init__(self, dense: Encoder, late: LateEncoder, late_dim: int | None = None) -> None:
        self._dense = dense
        self._late = late
        self._late_dim = late_dim

    @property
    def fingerprint(self) -> str:
        """Both fingerprints."""
        return f"{self._dense.fingerprint}+{self._late.fingerprint}"

    @property
    def dim(self) -> int:
        """Size of a dense vector."""
        return self._dense.dim

    @property
    def late_dim(self) -> int:
        """Size of a token vector."""
        if self._late_dim is None:
            self._late_dim = int(getattr(self._late, "late_dim", self._late.dim))
        return self._late_dim

    def encode_queries(self, texts: Sequence[str]) -> Vector:
        return self._dense.encode_queries(texts)

    def encode_passages(self, texts: Sequence[str]) -> Vector:
        return self._dense.encode_passages(texts)

    def encode_query_tokens(self, texts: Sequence[str]) -> list[TokenMatrix]:
        return self._late.encode_query_tokens(texts)

    def encode_passage_tokens(self, texts: Sequence[str]) -> list[TokenMatrix]:
        return self._late.encode_passage_tokens(texts)

    def encode_queries_jointly(self, texts: Sequence[str]) -> tuple[Vector, list[TokenMatrix]]:
        """Both, one model after the other."""
        return self.encode_queries(texts), self.encode_query_tokens(texts)

    def encode_passages_jointly(self, texts: Sequence[str]) -> tuple[Vector, list[TokenMatrix]]:
        """Both, one model after the other."""
        return self.encode_passages(texts), self.encode_passage_tokens(texts)
