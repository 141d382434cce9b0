"""Closed vocabularies, one enum each, and the maps from foreign spellings. Values are the strings that are stored and
exported; they never change once released."""

from __future__ import annotations

from enum import StrEnum


class Label(StrEnum):
    """Relation of a passage to a claim (SPEC, "Words")."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    NEUTRAL = "neutral"

    @classmethod
    def from_foreign(cls, spelling: str) -> Label:
        """Map the label of a public data set to ours. Raises ValueError: the spelling is not known."""
        label = _FOREIGN_LABELS.get(spelling.strip().lower().replace("-", "_").replace(" ", "_"))
        if label is None:
            known = ", ".join(sorted(_FOREIGN_LABELS))
            raise ValueError(f"unknown evidence label {spelling!r}; known spellings: {known}")
        return label


_FOREIGN_LABELS = {
    "supports": Label.SUPPORTS,
    "support": Label.SUPPORTS,
    "supported": Label.SUPPORTS,
    "entailment": Label.SUPPORTS,
    "contradicts": Label.CONTRADICTS,
    "contradict": Label.CONTRADICTS,
    "contradiction": Label.CONTRADICTS,
    "refutes": Label.CONTRADICTS,
    "refute": Label.CONTRADICTS,
    "refuted": Label.CONTRADICTS,
    "neutral": Label.NEUTRAL,
    "nei": Label.NEUTRAL,
    "not_enough_info": Label.NEUTRAL,
    "not_supported": Label.NEUTRAL,
}


class Grade(StrEnum):
    """Quality grade of a source, A best (SPEC 2)."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"
    E = "E"

    @property
    def value_rank(self) -> int:
        """5 for A down to 1 for E, for comparisons: larger is better."""
        return 5 - "ABCDE".index(self.value)

    def at_least(self, minimum: Grade) -> bool:
        """Whether this grade is as good as ``minimum`` or better."""
        return self.value_rank >= minimum.value_rank


class FetchState(StrEnum):
    """What became of one requested source: waiting, stored, or the named reason why not (SPEC 2)."""

    QUEUED = "queued"
    STORED = "stored"
    DUPLICATE = "duplicate"
    CANCELLED = "cancelled"
    # The fetch failed.
    BLOCKED = "blocked"
    ROBOTS_DISALLOWED = "robots_disallowed"
    NOT_FOUND = "not_found"
    GONE = "gone"
    TIMEOUT = "timeout"
    TOO_LARGE = "too_large"
    UNSUPPORTED_TYPE = "unsupported_type"
    NO_TEXT = "no_text"
    NEEDS_JAVASCRIPT = "needs_javascript"
    SERVER_ERROR = "server_error"
    DNS_FAILURE = "dns_failure"
    NO_NETWORK = "no_network"  # no known name can be looked up either, so nothing is known about the source
    NEVER_SEEN = "never_seen"  # not there, and an archive that was asked has no copy
    TLS_ERROR = "tls_error"
    FORBIDDEN_ADDRESS = "forbidden_address"
    # The bytes are there but could not be read.
    ENCRYPTED = "encrypted"
    IMAGE_ONLY = "image_only"
    EMPTY = "empty"
    BROKEN = "broken"

    @property
    def failed(self) -> bool:
        """Whether nothing was stored and it is neither waiting, a duplicate, nor cancelled."""
        return self not in _NOT_FAILED


_NOT_FAILED = frozenset({FetchState.QUEUED, FetchState.STORED, FetchState.DUPLICATE, FetchState.CANCELLED})


class SourceKind(StrEnum):
    """How a source was brought in."""

    URL = "url"
    UPLOAD = "upload"
    PASTE = "paste"
    FOLDER = "folder"


class JobKind(StrEnum):
    """What a job does."""

    ADD = "add"
    ENCODE = "encode"
    REFETCH = "refetch"
    RECHUNK = "rechunk"
    AUDIT = "audit"
    VERIFY = "verify"
    CITED_SOURCES = "cited_sources"
    EXPORT = "export"
    EVALUATE = "evaluate"
    EXPAND = "expand"
    WEB_SEARCH = "web_search"
    ASK = "ask"
    OPINION = "opinion"
    INDEX_LATE = "index_late"
    CHECK = "check"


class JobState(StrEnum):
    """Life of a job row."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def active(self) -> bool:
        """Whether the job is still to do or being done."""
        return self in (JobState.PENDING, JobState.RUNNING)


class QueryKind(StrEnum):
    """Where a query string came from (SPEC 3)."""

    ORIGINAL = "original"
    HYDE = "hyde"
    MULTI_QUERY = "multi_query"
    TRANSFORM = "transform"
    FEEDBACK = "feedback"
    MANUAL = "manual"


class Stage(StrEnum):
    """Stages of the retrieval pipeline, in their order (SPEC 4)."""

    LEXICAL = "lexical"
    DENSE = "dense"
    LATE_INTERACTION = "late_interaction"
    FUSION = "fusion"
    MMR = "mmr"
    RERANK = "rerank"


class Status(StrEnum):
    """Outcome of auditing one citation, as the seeds name it (SPEC 7)."""

    PASS = "PASS"
    REVIEW = "REVIEW"
    SOURCE_NOT_INDEXED = "SOURCE_NOT_INDEXED"


class Reason(StrEnum):
    """Why a citation did not pass (SPEC 7)."""

    CONTRADICTED = "contradicted"
    QUOTE_ALTERED = "quote_altered"
    NUMBER_MISMATCH = "number_mismatch"
    WRONG_SOURCE = "wrong_source"
    NOT_MENTIONED = "not_mentioned"
    PARTIAL = "partial"
    LOW_SUPPORT = "low_support"
    SOURCE_UNREADABLE = "source_unreadable"
    LINK_DEAD = "link_dead"
    LINK_NEVER_EXISTED = "link_never_existed"
    ABSTRACT_ONLY = "abstract_only"
    DANGLING_MARKER = "dangling_marker"
    AMBIGUOUS_REFERENCE = "ambiguous_reference"
    FETCH_FAILED = "fetch_failed"
    UNUSED_REFERENCE = "unused_reference"
    SELF_REFERENCE = "self_reference"
    CHECK_FAILED = "check_failed"
    LANGUAGE_DIFFERS = "language_differs"
    NOT_CHECKED = "not_checked"


class ClaimType(StrEnum):
    """How much evidence a claim needs (SPEC 6): central (C1) or supporting (C2)."""

    C1 = "C1"
    C2 = "C2"


class VerdictState(StrEnum):
    """What the evidence of a project says about a claim (SPEC 6)."""

    VERIFIED = "verified"
    CONTRADICTED = "contradicted"
    CONTESTED = "contested"
    INSUFFICIENT = "insufficient"


class ItemKind(StrEnum):
    """What a person decides about (SPEC 8)."""

    CITATION = "citation"
    CLAIM = "claim"


class DecisionKind(StrEnum):
    """What a person decided (SPEC 8). The last two take an earlier decision back or bring it back."""

    ACCEPT = "accept"
    REJECT = "reject"
    WRONG_SOURCE = "wrong_source"
    REWORD = "reword"
    POSTPONE = "postpone"
    NOTE = "note"
    UNDO = "undo"
    REDO = "redo"

    @property
    def settles(self) -> bool:
        """Whether the item leaves the queue with it."""
        return self in (DecisionKind.ACCEPT, DecisionKind.REJECT, DecisionKind.WRONG_SOURCE, DecisionKind.REWORD)


class ItemState(StrEnum):
    """Where an item stands in the queue of one reviewer."""

    OPEN = "open"
    POSTPONED = "postponed"
    STALE = "stale"
    CONFLICT = "conflict"
    DECIDED = "decided"


class Role(StrEnum):
    """What a person may do in a project: look, decide, or also change its review and its people."""

    VIEWER = "viewer"
    REVIEWER = "reviewer"
    OWNER = "owner"


class LlmTask(StrEnum):
    """What a language model is asked for; the settings name a model for each."""

    EXPAND = "expand"
    ANSWER = "answer"
    JUDGE = "judge"
    EXTRACT = "extract"


class CallState(StrEnum):
    """How a call of a language model ended. Started and never finished: the process died."""

    STARTED = "started"
    OK = "ok"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    MALFORMED = "malformed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class ProviderState(StrEnum):
    """What became of one web search at one provider."""

    OK = "ok"
    EMPTY = "empty"
    OFF = "off"
    NO_KEY = "no_key"
    KEY_REJECTED = "key_rejected"
    RATE_LIMITED = "rate_limited"
    REFUSED = "refused"
    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    SERVER_ERROR = "server_error"
    MALFORMED = "malformed"
    COOLDOWN = "cooldown"
    CANCELLED = "cancelled"


class CragClass(StrEnum):
    """What was found is good, bad, or in between (corrective RAG, Yan et al. 2024)."""

    CORRECT = "correct"
    AMBIGUOUS = "ambiguous"
    INCORRECT = "incorrect"


class CragAction(StrEnum):
    """What was done about it."""

    REFINED = "refined"
    COMBINED_WITH_WEB = "combined_with_web"
    REPLACED_BY_WEB = "replaced_by_web"
    KEPT_WITHOUT_WEB = "kept_without_web"
    NOTHING_FOUND = "nothing_found"
    OFF = "off"


class AnswerMode(StrEnum):
    """Whether the sentences are the sources' own or a model's."""

    EXTRACTIVE = "extractive"
    GENERATED = "generated"


class AnswerState(StrEnum):
    """Life of an answer. ``interrupted`` is never stored: the process that wrote the answer is gone, and its job may
    still be taken up."""

    WRITING = "writing"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


class Domain(StrEnum):
    """Subject of a question; ``core/answer/domains.toml`` has the rules and the guidance of each."""

    GENERAL = "general"
    COMPUTING = "computing"
    MATHEMATICS = "mathematics"
    LIFE_SCIENCE = "life_science"
    LAW_POLICY = "law_policy"
