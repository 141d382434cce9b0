"""Words of the pages about the engine that compares word by word: pure functions."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from core.labels import JobKind
from core.late.service import LateState
from core.records import Job, SearchResult
from core.text.words import count_words, when_words
from pages.words.settings_names import LABELS, SECTIONS

ENGINES = {"exact": "Exact engine (built in)", "ragatouille": "RAGatouille index"}
"""Names of the engines."""
LATE_JOBS = (JobKind.ENCODE, JobKind.INDEX_LATE)
"""The work that the engine causes, in its order."""
ABOUT = (
    "Beside words and meaning, each word of a question looks for its best match among the words of a passage. Two "
    "engines can do that."
)
COMPARE_ALL = (
    "Compare word by word with every passage",
    "Instead of only those that words or meaning brought up. Slower in large projects.",
)
EXACT_ONCE = (
    "Exact engine for this search",
    "Compares with every passage itself, in place of RAGatouille's index: to see what the index leaves out. Slower in "
    "large projects.",
)
CHECKPOINT = LABELS["models.late_checkpoint"][0]
NEEDS = (
    "Its packages, torch among them. They are large, so they are no part of a usual installation; whoever runs the "
    "workbench installs them with `pip install '.[ragatouille]'`.",
    "A C++ compiler, because it compiles parts of itself at first use: `apt-get install g++` on Debian or Ubuntu, "
    "`xcode-select --install` on macOS.",
    f"A ColBERT checkpoint, entered under Settings → {SECTIONS['models'][0]} → {CHECKPOINT}: a folder, or a name on "
    "the hub like `colbert-ir/colbertv2.0`.",
)
"""Needs of RAGatouille, in Markdown."""


@dataclass(frozen=True, slots=True)
class Standing:
    """State of the comparison: a badge (words, icon, colour) and one sentence or two."""

    badge: str
    icon: str
    color: str
    says: str


def stood_in(result: SearchResult) -> bool:
    """True when the late engine that is set could not answer; the next search may find it ready."""
    return result.stand_in is not None and bool(result.stand_in.engine)


def step_words(engine: str) -> tuple[str, str]:
    """Label and help of the switch that makes one search look at every passage."""
    return EXACT_ONCE if engine == "ragatouille" else COMPARE_ALL


def standing(state: LateState, jobs: Collection[Job] = ()) -> Standing:
    """State of the comparison; ``jobs`` are those under way."""
    whose = "The setting of this installation."
    if state.engine == "exact":
        return Standing(ENGINES["exact"], "check_circle", "green", whose)
    badge, icon, color, says = _index_standing(state, {job.kind for job in jobs if job.state.active})
    return Standing(f"RAGatouille index: {badge}", icon, color, f"{whose} {says}".strip())


def _index_standing(state: LateState, under_way: Collection[JobKind]) -> tuple[str, str, str, str]:
    """Badge, icon and colour of the index, and what follows from it for searches."""
    meanwhile = "Until then searches use the exact engine and say so."
    if state.problem:
        says = "It cannot be used on this computer: searches use the exact engine and say so."
        return "not here", "cloud_off", "orange", says
    if JobKind.ENCODE in under_way and not state.serves:
        says = f"The passages are being prepared; its index is made after that. {meanwhile}"
        return "to come", "hourglass_top", "blue", says
    if JobKind.INDEX_LATE in under_way:
        meanwhile = "Until then the earlier one is used." if state.serves else meanwhile
        return "being built", "hourglass_top", "blue", f"It is being built. {meanwhile}"
    if state.failed:
        return "not built", "error", "red", "The earlier index is used." if state.serves else meanwhile
    left = f"{count_words(state.to_encode, 'passage')} not prepared yet." if _stopped(state, under_way) else ""
    if state.built is None:
        return "not built yet", "hourglass_empty", "orange", f"{left} There is no index yet. {meanwhile}".strip()
    if state.rebuild or state.stale:
        return "to be built again", "update", "orange", left if state.serves else f"{left} {meanwhile}".strip()
    return "in use", "check_circle", "green", left


def _stopped(state: LateState, under_way: Collection[JobKind]) -> bool:
    return state.to_encode > 0 and JobKind.ENCODE not in under_way


def index_line(state: LateState, now: datetime) -> str:
    """Contents of the index and changes since; "" where there is none."""
    if state.built is None:
        return ""
    size = f"The index holds {count_words(state.indexed, 'passage')}, built {when_words(state.built, now)}."
    if state.engine == "exact":
        return f"{size} It is not used now, and kept for the way back."
    if state.stale:
        return f"{size} It is not used: {state.stale}."
    changes = " and ".join(
        f"{number:,} {what}" for number, what in ((state.added, "added"), (state.removed, "removed")) if number
    )
    if not changes:
        return f"{size} Nothing has changed since."
    return f"{size} Since then {changes}: searches take that into account."


def rebuild_line(state: LateState) -> str:
    """Reason to build the index again, a sentence; "" where it need not, or there is none yet."""
    return f"It should be built again: {state.rebuild}." if state.rebuild and state.serves else ""


def build_label(state: LateState) -> str:
    if state.to_encode:
        return "Prepare the passages and build the index"
    return "Build the index now" if state.built is None else "Build the index again"


def built_words(state: LateState) -> str:
    """Notice after that button was pressed."""
    if state.to_encode:
        return "The passages are being prepared; the index is built after that."
    return "The index is being built in the background."
