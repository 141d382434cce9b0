"""Names of models to working models. Nothing heavy is imported and no session opened until the first text."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.backends.locate import HEURISTIC, KNOWN, VERIFIER, VERIFIER_LICENSE, Located, locate
from core.errors import ModelError
from core.ports.store import Encoder, Entailer, JointEncoder, LateEncoder, Reranker
from core.records import TokenMatrix, Vector
from core.settings.values import Models


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


_lock = threading.RLock()
_encoders: dict[tuple[str, str | None, str, bool, int], JointEncoder] = {}
_rerankers: dict[tuple[str, bool, int], Reranker] = {}
_entailers: dict[tuple[str, bool, int], Entailer] = {}


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model that the settings name. ``role``: encoder, late, reranker or entailer. ``problem`` says why it is not
    ``available``; ``fingerprint`` is then empty."""

    name: str
    role: str
    source: str
    fingerprint: str
    license: str
    available: bool
    problem: str | None = None


def load_encoder(models: Models) -> JointEncoder:
    """The encoder that the settings name: one a process for equal settings, safe to share between threads. Raises
    ModelNotFound, ModelDamaged, ExtraMissing: see ``core.backends.locate``."""
    late = late_of(models)
    engine = models.late_engine if late is not None else "exact"
    key = (models.encoder, late, engine, models.allow_downloads, models.threads)
    with _lock:
        if key not in _encoders:
            if late is None:
                _encoders[key] = _encoder(models.encoder, models)
            else:
                from core.backends.resolve import PairedEncoder

                alone = models.model_copy(update={"late": "", "late_engine": "exact"})  # one in memory for all pairs
                _encoders[key] = PairedEncoder(load_encoder(alone), _late(late, models))
        return _encoders[key]


def late_of(models: Models) -> str | None:
    """The model that token vectors come from; None where one pass of the encoder feeds both."""
    if models.late_engine == "ragatouille":
        return models.checkpoint
    return models.late if models.late not in ("", models.encoder) else None


def load_reranker(models: Models) -> Reranker:
    """The reranker that the settings name; ``heuristic`` names the one without a model. Raises ModelNotFound,
    ModelDamaged, ExtraMissing: see ``core.backends.locate``."""
    key = (models.reranker, models.allow_downloads, models.threads)
    with _lock:
        if key not in _rerankers:
            _rerankers[key] = _reranker(models.reranker, models)
        return _rerankers[key]


def load_entailer(models: Models) -> Entailer:
    """The judge of evidence that the settings name: ``workbench-verifier`` is the one that is shipped, any other name
    an NLI cross-encoder. Raises ModelNotFound, ModelDamaged, ExtraMissing: see ``core.backends.locate``."""
    key = (models.entailer, models.allow_downloads, models.threads)
    with _lock:
        if key not in _entailers:
            _entailers[key] = _entailer(models.entailer, models)
        return _entailers[key]


def describe_models(models: Models) -> list[ModelInfo]:
    """The models that the settings name, present or not. Reads and hashes files, opens no session."""
    infos = [_describe(models.encoder, "encoder", models)]
    if (late := late_of(models)) is not None:
        infos.append(_describe(late, "late", models))
    if models.late_checkpoint and models.late_engine == "exact":  # whether that engine could be set
        other = models.model_copy(update={"late_engine": "ragatouille"})
        infos.append(_describe(models.late_checkpoint, "late", other))
    infos.append(_describe(models.reranker, "reranker", models))
    infos.append(_describe(models.entailer, "entailer", models))
    return infos


def _describe(name: str, role: str, models: Models) -> ModelInfo:
    if role == "reranker" and name == HEURISTIC:
        return ModelInfo(name, role, "built in", "heuristic@1", "Apache-2.0", True)
    if role == "entailer" and name == VERIFIER:
        return _describe_verifier(models)
    model = KNOWN.get(name)
    license_ = model.license if model else "unknown"
    try:
        if role == "late" and models.late_engine == "ragatouille":
            return _describe_checkpoint(name, license_)
        located = locate(name, allow_downloads=False)
        with _lock:
            fingerprint = _LOADERS[role](name, models).fingerprint
    except ModelError as error:
        return ModelInfo(name or "(none named)", role, "", "", license_, False, str(error))
    return ModelInfo(located.name, role, located.source, fingerprint, license_, True)


def _describe_checkpoint(name: str, license_: str) -> ModelInfo:
    from core.backends.ragatouille.checkpoint import find_checkpoint
    from core.backends.ragatouille.needs import check_extra

    check_extra()
    checkpoint = find_checkpoint(name, allow_downloads=False)
    return ModelInfo(checkpoint.name, "late", str(checkpoint.folder), checkpoint.fingerprint, license_, True)


def _describe_verifier(models: Models) -> ModelInfo:
    try:
        fingerprint = load_entailer(models.model_copy(update={"entailer": VERIFIER})).fingerprint
    except ModelError as error:
        return ModelInfo(VERIFIER, "entailer", "", "", VERIFIER_LICENSE, False, str(error))
    return ModelInfo(VERIFIER, "entailer", "built in", fingerprint, VERIFIER_LICENSE, True)


def _encoder(name: str, models: Models) -> JointEncoder:
    located = locate(name, allow_downloads=models.allow_downloads)
    if located.files.onnx is None:
        from core.backends.sentence_transformers.encoders import load_joint_encoder

        return load_joint_encoder(located.files, located.name, threads=models.threads)
    return _onnx_encoder(located, models.threads)


def _late(name: str, models: Models) -> LateEncoder:
    if models.late_engine == "ragatouille":
        # The very checkpoint that its index is made with: the carried one of the same name lacks the projection.
        from core.backends.ragatouille.checkpoint import find_checkpoint
        from core.backends.ragatouille.needs import check_extra
        from core.backends.sentence_transformers.encoders import load_late_encoder

        check_extra()
        checkpoint = find_checkpoint(name, allow_downloads=models.allow_downloads)
        return load_late_encoder(checkpoint.files, checkpoint.name, threads=models.threads)
    located = locate(name, allow_downloads=models.allow_downloads)
    if located.files.onnx is None:
        from core.backends.sentence_transformers.encoders import load_late_encoder

        return load_late_encoder(located.files, located.name, threads=models.threads)
    return _onnx_encoder(located, models.threads)


def _onnx_encoder(located: Located, threads: int) -> JointEncoder:
    from core.backends.files import sha256
    from core.backends.onnx.encoder import OnnxJointEncoder, load_shipped

    assert located.files.onnx is not None
    projection = load_shipped()
    fits = sha256(located.files.onnx) == projection.model_sha256
    return OnnxJointEncoder(located.files, located.name, projection=projection if fits else None, threads=threads)


def _reranker(name: str, models: Models) -> Reranker:
    if name == HEURISTIC:
        from core.backends.heuristic_reranker import HeuristicReranker

        return HeuristicReranker()
    located = locate(name, allow_downloads=models.allow_downloads)
    if located.files.onnx is None:
        from core.backends.sentence_transformers.encoders import load_cross_encoder

        return load_cross_encoder(located.files, located.name, threads=models.threads)
    from core.backends.onnx.reranker import OnnxReranker

    return OnnxReranker(located.files, located.name, threads=models.threads)


def _entailer(name: str, models: Models) -> Entailer:
    if name == VERIFIER:
        from core.backends.onnx.entailer import OnnxEntailer

        return OnnxEntailer(threads=models.threads)
    located = locate(name, allow_downloads=models.allow_downloads)
    from core.backends.sentence_transformers.entailer import NliEntailer

    return NliEntailer(located.files, located.name, threads=models.threads)


_LOADERS: Mapping[str, Callable[[str, Models], Encoder | LateEncoder | Reranker | Entailer]] = {
    "encoder": _encoder,
    "late": _late,
    "reranker": _reranker,
    "entailer": _entailer,
}
