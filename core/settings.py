"""Settings as frozen values, loaded from TOML, with a fingerprint.

Order of precedence: the defaults here, then ``workbench.toml`` in the root folder, then the file named
by the environment variable ``WORKBENCH_SETTINGS``.
"""

from __future__ import annotations

import hashlib
import os
import tomllib
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from core.errors import SettingsError


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Chunking(_Frozen):
    """Passages: ``size`` and ``overlap`` in characters (SPEC 2)."""

    size: int = Field(500, ge=100, le=5000)
    overlap: int = Field(50, ge=0, le=1000)

    @model_validator(mode="after")
    def _overlap_is_a_part(self) -> Self:
        if self.overlap * 2 > self.size:
            raise ValueError(f"overlap {self.overlap} is over half of size {self.size}")
        return self


class Parsing(_Frozen):
    """Caps of the worker that reads one foreign file."""

    timeout_s: float = Field(60.0, gt=0, le=3600)
    memory_mb: int = Field(2048, ge=256)
    max_bytes: int = Field(100_000_000, ge=1)
    max_text_chars: int = Field(20_000_000, ge=1)


class Fetching(_Frozen):
    """Limits of fetching (SPEC 2). ``allowed_hosts`` may be private addresses the user trusts by name."""

    timeout_s: float = Field(30.0, gt=0, le=600)
    max_bytes: int = Field(50_000_000, ge=1)
    max_redirects: int = Field(5, ge=0, le=20)
    attempts: int = Field(3, ge=1, le=10)
    per_host_delay_s: float = Field(1.0, ge=0, le=60)
    concurrency: int = Field(8, ge=1, le=64)
    user_agent: str = "evidence-workbench/0.1 (+research; respects robots.txt)"
    allowed_hosts: tuple[str, ...] = ()
    obey_robots: bool = True


class Retrieval(_Frozen):
    """Knobs of the pipeline (SPEC 4).

    ``fusion``: how the stages of one query are joined, by ``scores`` (convex combination) or by ``ranks`` (RRF);
    several queries are joined by RRF always. The weights say how much each stage counts in either.
    Measured in docs/decisions/0005-fusion.md.
    """

    k: int = Field(10, ge=1, le=200)
    depth: int = Field(100, ge=1, le=1000)
    rrf_k: int = Field(60, ge=1)
    fusion: Literal["scores", "ranks"] = "scores"
    weight_lexical: float = Field(1.0, ge=0, le=10)
    weight_dense: float = Field(2.0, ge=0, le=10)
    weight_late: float = Field(2.0, ge=0, le=10)
    weight_rerank: float = Field(1.0, ge=0, le=10)
    mmr_lambda: float = Field(0.9, ge=0, le=1)
    mmr_pool: int = Field(30, ge=1, le=500)
    rerank_depth: int = Field(30, ge=1, le=200)
    excerpt_chars: int = Field(350, ge=20, le=5000)
    quality_threshold: float = Field(0.3, ge=0, le=1)
    cache_entries: int = Field(500, ge=0)


class Models(_Frozen):
    """Names resolved by ``core.backends.resolve``; ``allow_downloads`` opens the hub.

    ``encoder`` feeds dense search, ``late`` late interaction (equal to ``encoder`` when one pass feeds both).
    """

    encoder: str = "bge-small-en-v1.5"
    late: str = "bge-small-en-v1.5"
    reranker: str = "ms-marco-MiniLM-L-12-v2"
    entailer: str = "workbench-verifier"
    allow_downloads: bool = False
    threads: int = Field(0, ge=0, le=64, description="0: as many as there are cores")


class Verification(_Frozen):
    """Judging a claim inside one source (SPEC 6, 7). Thresholds are on calibrated probabilities.

    ``sentences`` are looked at closely, in at most ``windows`` windows of up to ``window_sentences`` sentences
    (docs/decisions/0009-evidence-inside-a-source.md).
    ``pass_support``: support above it passes; ``contradiction``: from it on a source speaks against the claim;
    ``mentioned``: below it (and without contradiction) the source does not mention the claim.
    """

    sentences: int = Field(12, ge=1, le=200)
    windows: int = Field(14, ge=1, le=500)
    window_sentences: int = Field(8, ge=1, le=12)
    pass_support: float = Field(0.7, ge=0, le=1)
    contradiction: float = Field(0.7, ge=0, le=1)
    mentioned: float = Field(0.2, ge=0, le=1)


class Claims(_Frozen):
    """What a claim needs (SPEC 6): the least grade and the number of independent sources, by type."""

    c1_min_grade: Literal["A", "B", "C", "D", "E"] = "B"
    c1_sources: int = Field(2, ge=1, le=20)
    c2_min_grade: Literal["A", "B", "C", "D", "E"] = "C"
    c2_sources: int = Field(1, ge=1, le=20)
    candidates: int = Field(8, ge=1, le=100, description="sources looked at closely for one claim")


class Settings(_Frozen):
    """All settings of a root folder."""

    chunking: Chunking = Chunking()
    parsing: Parsing = Parsing()
    fetching: Fetching = Fetching()
    retrieval: Retrieval = Retrieval()
    models: Models = Models()
    verification: Verification = Verification()
    claims: Claims = Claims()

    def fingerprint(self) -> str:
        """First 16 hex digits of the SHA-256 of the settings as canonical JSON."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:16]


def load_settings(root: Path) -> Settings:
    """Settings for ``root``.

    Raises:
        SettingsError: a file is not TOML, or has an unknown or out-of-range setting.
    """
    merged: dict[str, dict[str, object]] = {}
    named = os.environ.get("WORKBENCH_SETTINGS")
    for path in (root / "workbench.toml", Path(named) if named else None):
        if path is None or not path.is_file():
            continue
        try:
            data = tomllib.loads(path.read_text("utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SettingsError(f"{path} is not valid TOML: {error}. Mend the file or remove it.") from error
        for section, values in data.items():
            if not isinstance(values, dict):
                raise SettingsError(f"{path}: {section!r} must be a section like [retrieval].")
            merged.setdefault(section, {}).update(values)
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise SettingsError(f"Setting {where!r}: {first['msg']}. See core/settings.py for names and ranges.") from error
