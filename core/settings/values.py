"""Settings as frozen values, loaded from TOML, with a fingerprint. Order of precedence: the defaults here, then
``workbench.toml`` in the root folder, then the file named by the environment variable ``WORKBENCH_SETTINGS``."""

import difflib
import logging
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticKnownError

from core.errors import SettingsError
from core.settings.problems import problems_of
from core.text.hashing import hex_digest
from core.text.urls import url_parts

log = logging.getLogger(__name__)

FILE = "workbench.toml"
VARIABLE = "WORKBENCH_SETTINGS"


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    @field_validator("*", mode="before")
    @classmethod
    def _switches_are_booleans(cls, value: object, info: ValidationInfo) -> object:
        """Text that pydantic would take for true ("yes", "on") switches nothing on, nor does a number."""
        if cls.model_fields[info.field_name or ""].annotation is bool and not isinstance(value, bool):
            raise PydanticKnownError("bool_type")
        return value


class Chunking(_Frozen):
    """Passages: ``size`` and ``overlap`` in characters."""

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
    """Limits of fetching. ``allowed_hosts`` may be private addresses the user trusts by name."""

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
    """Knobs of the pipeline. ``fusion``: how the stages of one query are joined, by ``scores`` (convex combination) or
    by ``ranks`` (RRF); several queries are joined by RRF always. The weights say how much each stage counts in either.
    Measured in docs/decisions/0005-fusion.md. ``weight_variants``: how much all queries made from the question count
    together, the question itself counting 1 (docs/decisions/0012-expansion.md)."""

    k: int = Field(10, ge=1, le=200)
    depth: int = Field(100, ge=1, le=1000)
    rrf_k: int = Field(60, ge=1)
    fusion: Literal["scores", "ranks"] = "scores"
    weight_lexical: float = Field(1.0, ge=0, le=10)
    weight_dense: float = Field(2.0, ge=0, le=10)
    weight_late: float = Field(2.0, ge=0, le=10)
    weight_rerank: float = Field(1.0, ge=0, le=10)
    weight_variants: float = Field(0.4, ge=0, le=10)
    mmr_lambda: float = Field(0.9, ge=0, le=1)
    mmr_pool: int = Field(30, ge=1, le=500)
    rerank_depth: int = Field(30, ge=1, le=200)
    excerpt_chars: int = Field(350, ge=20, le=5000)
    quality_threshold: float = Field(0.3, ge=0, le=1)
    cache_entries: int = Field(500, ge=0)


class Models(_Frozen):
    """Names resolved by ``core.backends.resolve``; ``allow_downloads`` opens the hub. ``encoder`` feeds dense search,
    ``late`` late interaction (equal to ``encoder`` when one pass feeds both). ``late_engine``: late interaction in
    searches is computed exactly, or comes from RAGatouille (the extra ``ragatouille``;
    docs/decisions/0015-ragatouille.md). RAGatouille uses the ColBERT checkpoint ``late_checkpoint``, or ``late`` where
    that is empty (see ``checkpoint``)."""

    encoder: str = "bge-small-en-v1.5"
    late: str = "bge-small-en-v1.5"
    reranker: str = "ms-marco-MiniLM-L-12-v2"
    entailer: str = "workbench-verifier"
    late_engine: Literal["exact", "ragatouille"] = "exact"
    late_checkpoint: str = ""
    allow_downloads: bool = False
    threads: int = Field(0, ge=0, le=64, description="0: as many as there are cores")

    @property
    def checkpoint(self) -> str:
        """The checkpoint that somebody named for RAGatouille; "" when nobody did."""
        default = type(self).model_fields["late"].default
        return self.late_checkpoint or (self.late if self.late != default else "")


class Verification(_Frozen):
    """Judging a claim inside one source. Thresholds are on calibrated probabilities. ``sentences`` are looked at
    closely, in at most ``windows`` windows of up to ``window_sentences`` sentences
    (docs/decisions/0009-evidence-inside-a-source.md). ``pass_support``: support above it passes; ``contradiction``:
    from it on a source speaks against the claim; ``mentioned``: below it (and without contradiction) the source does
    not mention the claim."""

    sentences: int = Field(12, ge=1, le=200)
    windows: int = Field(14, ge=1, le=500)
    window_sentences: int = Field(8, ge=1, le=12)
    pass_support: float = Field(0.7, ge=0, le=1)
    contradiction: float = Field(0.8, ge=0, le=1)
    mentioned: float = Field(0.2, ge=0, le=1)


class Claims(_Frozen):
    """Requirements of a claim: the least grade and the number of independent sources, by type."""

    c1_min_grade: Literal["A", "B", "C", "D", "E"] = "B"
    c1_sources: int = Field(2, ge=1, le=20)
    c2_min_grade: Literal["A", "B", "C", "D", "E"] = "C"
    c2_sources: int = Field(1, ge=1, le=20)
    candidates: int = Field(8, ge=1, le=100, description="sources looked at closely for one claim")


class Expansion(_Frozen):
    """Variants of a question. ``hyde`` and ``multi_query`` ask a language model, and so does ``transform`` with
    ``transform_llm``; they run only where one is switched on. Feedback is RM3 (Abdul-Jaleel et al. 2004):
    ``feedback_terms`` from ``feedback_passages``, the question weighing ``feedback_weight``."""

    hyde: bool = False
    multi_query: bool = False
    transform: bool = True
    transform_variants: int = Field(4, ge=3, le=5)
    transform_llm: bool = False
    feedback: bool = True
    feedback_passages: int = Field(3, ge=1, le=100)
    feedback_terms: int = Field(10, ge=1, le=100)
    feedback_weight: float = Field(0.5, ge=0, le=1)


class Web(_Frozen):
    """Searching the web. Nothing is sent unless ``enabled``. ``endpoints`` are entries ``provider=URL`` in
    place of a provider's own address (SearXNG has none of its own). ``wayback``: look dead links up in the archive."""

    enabled: bool = False
    providers: tuple[str, ...] = ("openalex", "crossref", "semantic_scholar", "wikipedia")
    endpoints: tuple[str, ...] = ()
    max_results: int = Field(10, ge=1, le=100)
    timeout_s: float = Field(10.0, gt=0, le=120)
    cooldown_s: float = Field(60.0, ge=0, le=3600)
    contact: str = Field("", description="an e-mail address that polite APIs ask for")
    wayback: bool = False


class Llm(_Frozen):
    """A language model by the Anthropic API. Nothing is sent unless ``enabled`` and a key is there.
    ``budget_usd`` is for each project. ``base_url``: "" is the API's own. ``prices`` are entries ``model=input/output``
    in US dollars per million tokens, for models that the price list does not know or that cost something else."""

    enabled: bool = False
    base_url: str = ""
    model_answer: str = "claude-sonnet-5-5"
    model_expand: str = "claude-haiku-5-5"
    model_judge: str = "claude-haiku-5-5"
    model_extract: str = "claude-haiku-5-5"
    budget_usd: float = Field(5.0, ge=0, le=100_000)
    prices: tuple[str, ...] = ()
    timeout_s: float = Field(120.0, gt=0, le=3600)
    attempts: int = Field(3, ge=1, le=10)
    native_citations: bool = False
    opinion: bool = Field(False, description="a second opinion of the model beside the local judge")

    @field_validator("base_url")
    @classmethod
    def _safe_for_a_key(cls, value: str) -> str:
        parts = url_parts(value)
        near = parts.hostname in ("localhost", "127.0.0.1", "::1")
        if value and not (parts.hostname and (parts.scheme == "https" or (parts.scheme == "http" and near))):
            raise ValueError(
                "the address must begin with https:// (http:// only on this machine), as the key goes there"
            )
        if "@" in parts.netloc:  # settings are shown, logged and exported, so they hold no secret
            raise ValueError("the address must hold no user name or password (the part before @); keys have a place")
        return value

    @field_validator("model_answer", "model_expand", "model_judge", "model_extract")
    @classmethod
    def _named(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("a model must be named")
        return value.strip()

    @field_validator("prices")
    @classmethod
    def _readable(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for entry in value:
            if not re.fullmatch(r"[^=\s]+\s*=\s*\d+(\.\d+)?\s*/\s*\d+(\.\d+)?", entry.strip()):
                raise ValueError(f"the price {entry[:60]!r} is not like claude-sonnet-5-5=2/10")
        return value


class Crag(_Frozen):
    """Corrective retrieval and the confidence gate. All but the budget in [0, 1]."""

    enabled: bool = True
    correct: float = Field(0.7, ge=0, le=1)
    incorrect: float = Field(0.3, ge=0, le=1)
    weight_rerank: float = Field(0.4, ge=0, le=1)
    weight_coverage: float = Field(0.3, ge=0, le=1)
    weight_agreement: float = Field(0.3, ge=0, le=1)
    strip_relevance: float = Field(0.5, ge=0, le=1)
    token_budget: int = Field(4096, ge=64, le=200_000)
    gate: float = Field(0.35, ge=0, le=1)
    use_web: bool = Field(True, description="ask the web where what was found is not good enough, if web search is on")
    web_searches: int = Field(10, ge=0, le=10_000, description="searches of the web for answers, a project and day")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.incorrect >= self.correct:
            raise ValueError(f"incorrect {self.incorrect} is not below correct {self.correct}")
        if self.weight_rerank + self.weight_coverage + self.weight_agreement <= 0:
            raise ValueError("all three weights are 0")
        return self


class Answering(_Frozen):
    """Grounded answers. ``grounding`` is the share of sentences that must be supported; ``strict``: all."""

    passages: int = Field(10, ge=1, le=50)
    grounding: float = Field(0.7, ge=0, le=1)
    strict: bool = False
    domain: Literal["auto", "general", "computing", "mathematics", "life_science", "law_policy"] = "auto"


class Settings(_Frozen):
    """All settings of a root folder."""

    chunking: Chunking = Chunking()
    parsing: Parsing = Parsing()
    fetching: Fetching = Fetching()
    retrieval: Retrieval = Retrieval()
    models: Models = Models()
    verification: Verification = Verification()
    claims: Claims = Claims()
    expansion: Expansion = Expansion()
    web: Web = Web()
    llm: Llm = Llm()
    crag: Crag = Crag()
    answering: Answering = Answering()

    def fingerprint(self) -> str:
        """First 16 hex digits of the SHA-256 of the settings as canonical JSON."""
        return hex_digest(self.model_dump_json())[:16]


def load_settings(root: Path) -> Settings:
    """Settings for ``root``. Raises SettingsError: a file is not TOML, or has an unknown or out-of-range setting."""
    merged: dict[str, dict[str, object]] = {}
    for path in settings_files(root):
        for section, values in read_sections(path).items():
            merged.setdefault(section, {}).update(values)
    return settings_of(merged)


def settings_files(root: Path) -> list[Path]:
    """The files that may hold settings for ``root``, a later one wins."""
    named = os.environ.get(VARIABLE)
    return [root / FILE, *([Path(named)] if named else [])]


def settings_stamp(root: Path) -> tuple[tuple[str, int, int, int] | None, ...]:
    """Grows different when a file of settings is written, made, removed or another one is named: cheap to ask often."""
    return tuple(_stamp(path) for path in settings_files(root))


def _stamp(path: Path) -> tuple[str, int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return str(path), status.st_mtime_ns, status.st_size, status.st_ino


def read_sections(path: Path) -> dict[str, dict[str, object]]:
    """The values of one file of settings, by section; none when there is no such file. Raises SettingsError: it cannot
    be read, is not TOML, or holds something outside a section."""
    try:
        data = tomllib.loads(path.read_bytes().decode("utf-8")) if path.is_file() else {}
    except (ValueError, RecursionError) as error:  # not TOML, not UTF-8, a number too long to read, nested without end
        raise SettingsError(f"{path} is not valid TOML: {error}. Mend the file or remove it.") from error
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}. Check its permissions.") from error
    for section, values in data.items():
        if not isinstance(values, dict):
            raise SettingsError(f"{path}: {section!r} must be a section like [retrieval].")
    return data


def unknown_sections(sections: Iterable[str]) -> list[str]:
    """Those that this version does not know: perhaps of another version or another tool, they are left alone."""
    return [section for section in sections if section not in Settings.model_fields]


def settings_of(sections: Mapping[str, Mapping[str, object]]) -> Settings:
    """Checked settings; sections of other versions and tools are left out. Raises SettingsError: an unknown setting,
    one out of its range, or a section whose name is mistyped."""
    for section in unknown_sections(sections):
        if meant := difflib.get_close_matches(section, Settings.model_fields, n=1, cutoff=0.75):
            raise SettingsError(f"There is no section [{section}] of settings. Is [{meant[0]}] meant?")
        log.warning("The section [%s] of the settings is not known to this version and is not used.", section)
    try:
        return Settings.model_validate({key: value for key, value in sections.items() if key in Settings.model_fields})
    except ValidationError as error:
        raise SettingsError(" ".join(problems_of(error).values())) from error
