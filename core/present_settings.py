"""Words for people about settings: what each is called, what it does, and what a change of it causes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.present import count_words
from core.settings import VARIABLE, Settings
from core.settings_file import Origin, Setting

SECTIONS: dict[str, tuple[str, str]] = {
    "models": ("Models", "What finds by meaning, reads closely, and judges. All run on this machine."),
    "verification": ("Verification", "When a source is said to support or to contradict a claim."),
    "claims": ("Claims", "How many sources, and how good, a claim needs."),
    "retrieval": ("Retrieval", "How the searches are joined and ordered."),
    "chunking": ("Passages", "How long the pieces are into which sources are cut."),
    "fetching": ("Fetching", "How sources are fetched from the web."),
    "parsing": ("Reading files", "Limits for reading one file, so that a bad one cannot stop the rest."),
}
"""Every section in the order of the page: its name, and what it is about."""

LABELS: dict[str, tuple[str, str]] = {
    "chunking.size": (
        "Size of a passage (characters)",
        "Longer passages hold more context; shorter ones are more exact.",
    ),
    "chunking.overlap": ("Overlap of passages (characters)", "At most half of the size."),
    "parsing.timeout_s": ("Longest time for one file (seconds)", ""),
    "parsing.memory_mb": ("Most memory for one file (MB)", ""),
    "parsing.max_bytes": ("Largest file (bytes)", ""),
    "parsing.max_text_chars": ("Longest text of one source (characters)", ""),
    "fetching.timeout_s": ("Longest wait for a site (seconds)", ""),
    "fetching.max_bytes": ("Largest page or file (bytes)", ""),
    "fetching.max_redirects": ("Most redirects to follow", ""),
    "fetching.attempts": ("Attempts", "How often a fetch is tried before it counts as failed."),
    "fetching.per_host_delay_s": ("Pause between two fetches from one site (seconds)", ""),
    "fetching.concurrency": ("Fetches at one time", "From different sites."),
    "fetching.user_agent": ("Name told to sites", "Sites see it in their logs."),
    "fetching.allowed_hosts": (
        "Private hosts that may be fetched",
        "One a line. Addresses inside private networks are refused unless they are named here.",
    ),
    "fetching.obey_robots": ("Obey robots.txt", "Do not fetch what a site forbids robots."),
    "retrieval.k": ("Results of a search", "When a search names no other number."),
    "retrieval.depth": ("Candidates of each search", "How many passages each kind of search brings in."),
    "retrieval.rrf_k": ("Flatness of joining by rank", "Larger: later ranks count for more (RRF)."),
    "retrieval.fusion": ("Join the searches by", "Their scores, or their ranks."),
    "retrieval.weight_lexical": ("Weight of words", ""),
    "retrieval.weight_dense": ("Weight of meaning", ""),
    "retrieval.weight_late": ("Weight of word by word", ""),
    "retrieval.weight_rerank": ("Weight of close reading", ""),
    "retrieval.mmr_lambda": ("Relevance against variety", "1: only relevance. 0: only variety."),
    "retrieval.mmr_pool": ("Passages among which variety counts", ""),
    "retrieval.rerank_depth": ("Passages read closely", "More is slower."),
    "retrieval.excerpt_chars": ("Length of an excerpt (characters)", ""),
    "retrieval.quality_threshold": ("Least quality of a passage", "Below it a passage counts as noise."),
    "retrieval.cache_entries": ("Answers kept in memory", "0: none."),
    "models.encoder": ("Finds by meaning", "A name that is known, or a folder with model.onnx and tokenizer.json."),
    "models.late": ("Compares word by word", "The same as above: one pass feeds both."),
    "models.reranker": ("Reads closely", "“heuristic” needs no model."),
    "models.entailer": ("Judges evidence", "“workbench-verifier” is built in."),
    "models.allow_downloads": ("Models may be downloaded", "From the hub, when a model is not on this machine."),
    "models.threads": ("Processor threads for models", "0: as many as there are cores."),
    "verification.sentences": ("Sentences of a source looked at closely", "More is slower."),
    "verification.windows": ("Groups of sentences judged", "More is slower."),
    "verification.window_sentences": ("Most sentences in a group", ""),
    "verification.pass_support": (
        "A citation passes above this support",
        "Higher: fewer pass, and more of them rightly.",
    ),
    "verification.contradiction": ("A source contradicts from this probability on", ""),
    "verification.mentioned": ("Below this support a source does not mention the claim", ""),
    "claims.c1_min_grade": ("Least grade for a central claim", ""),
    "claims.c1_sources": ("Independent sources for a central claim", ""),
    "claims.c2_min_grade": ("Least grade for a supporting claim", ""),
    "claims.c2_sources": ("Independent sources for a supporting claim", ""),
    "claims.candidates": ("Sources looked at closely for one claim", "More is slower."),
}
"""Every setting: what it is called, and a hint ("" for none)."""


WITHOUT_EFFECT = frozenset({"retrieval.k", "retrieval.quality_threshold"})
"""Settings that nothing reads yet: shown, not offered for change."""


@dataclass(frozen=True, slots=True)
class Extent:
    """What there is that a change concerns: projects, documents, passages, all together."""

    projects: int
    documents: int
    passages: int


def label_of(setting: Setting) -> str:
    """What a setting is called."""
    return LABELS[setting.key][0]


def hint_of(setting: Setting) -> str:
    """What it does, its range, its default, and its name in the file."""
    parts = [LABELS[setting.key][1], range_words(setting), f"Default: {value_words(setting.default)}."]
    return " ".join(filter(None, [*parts, f"In the file: {setting.key}"]))


def range_words(setting: Setting) -> str:
    """``From 100 to 5,000.``; "" where anything goes."""
    if setting.low is None and setting.high is None:
        return ""
    low = "" if setting.low is None else f"{'Above' if setting.above else 'From'} {_plain_number(setting.low)}"
    return f"{low or 'Up'} to {_plain_number(setting.high)}." if setting.high is not None else f"{low} on."


def value_words(value: object) -> str:
    """A value as a person reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (tuple, list)):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, (int, float)):
        return _plain_number(value)
    return str(value) or "none"


def origin_words(setting: Setting) -> str:
    """Where an effective value comes from."""
    return {
        Origin.DEFAULT: "default",
        Origin.FILE: "workbench.toml",
        Origin.OVERRIDE: f"held by {VARIABLE}",
    }[setting.origin]


def change_rows(settings: Sequence[Setting], changes: Mapping[str, object | None]) -> dict[str, list[str]]:
    """Changes as a table: what, from, to."""
    changed = [setting for setting in settings if setting.key in changes]
    return {
        "Setting": [f"{SECTIONS[setting.section][0]}: {label_of(setting)}" for setting in changed],
        "Now": [value_words(setting.value) for setting in changed],
        "Then": [
            f"{value_words(setting.default)} (default)"
            if changes[setting.key] is None
            else value_words(changes[setting.key])
            for setting in changed
        ],
    }


def effective_rows(settings: Sequence[Setting]) -> dict[str, list[str]]:
    """Every setting with its effective value and where that comes from."""
    return {
        "Setting": [f"{SECTIONS[setting.section][0]}: {label_of(setting)}" for setting in settings],
        "Value": [value_words(setting.value) for setting in settings],
        "From": [
            origin_words(setting) + (" (has no effect yet)" if setting.key in WITHOUT_EFFECT else "")
            for setting in settings
        ],
        "Range": [range_words(setting).rstrip(".") or "–" for setting in settings],
        "Default": [value_words(setting.default) for setting in settings],
        "In the file": [setting.key for setting in settings],
    }


def effects(before: Settings, after: Settings, extent: Extent) -> list[str]:
    """What a change causes, one sentence each, the costly first; empty when nothing changes."""
    said: list[str] = []
    passages, projects = count_words(extent.passages, "passage"), count_words(extent.projects, "project")
    if before.chunking != after.chunking:
        said.append(
            f"All sources are cut anew: {count_words(extent.documents, 'source')} with {passages} in {projects}, begun "
            "by the worker at once. New passages are prepared for search by meaning again; until then words find them."
        )
    if (before.models.encoder, before.models.late) != (after.models.encoder, after.models.late):
        said.append(
            f"All passages are prepared for search by meaning again with the new model: {passages} in {projects}, "
            "begun by the worker at once. Until then only words find."
        )
    said += _judging(before, after)
    if before.claims != after.claims:
        said.append("Claims are decided again under the new needs the next time they are checked.")
    if before.retrieval != after.retrieval:
        said.append("Searches are answered anew under the new settings; answers kept in memory are not used.")
    if before.models.reranker != after.models.reranker:
        said.append("Close reading uses the new model from the next search on.")
    if before.fetching != after.fetching:
        said.append("It holds from the next fetch on; sources that are here stay as they are.")
    if before.parsing != after.parsing:
        said.append("It holds for the next file that is read; sources that are here stay as they are.")
    if before.models.allow_downloads != after.models.allow_downloads:
        allowed = after.models.allow_downloads
        said.append("Models may be fetched from the hub." if allowed else "No model is fetched from the hub any more.")
    if before.models.threads != after.models.threads:
        said.append("Models are loaded again with the new number of threads.")
    return said


def _judging(before: Settings, after: Settings) -> list[str]:
    models = ("encoder", "late", "entailer")
    judge = [getattr(before.models, name) for name in models] != [getattr(after.models, name) for name in models]
    if not judge and before.verification == after.verification:
        return []
    return [
        "Claims and citations keep what was found until they are checked again; then each is judged anew. Decisions "
        "that people took stay; those on a changed judgement are marked as out of date."
    ]


def _plain_number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.10g}"
