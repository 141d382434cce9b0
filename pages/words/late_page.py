"""Words of the pages about the engine that compares word by word in a project: pure functions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.labels import JobKind
from core.late.choice import CHOICES, LateState
from core.late.index import FALLBACK, NEITHER
from core.records import Job, SearchResult
from core.text.words import count_words, when_words
from pages.words.settings_names import LABELS, SECTIONS

ENGINES = {"exact": "Exact engine (built in)", "ragatouille": "RAGatouille index"}
"""What each engine is called."""
LATE_JOBS = (JobKind.ENCODE, JobKind.INDEX_LATE)
"""The work that a choice of the engine causes, in its order."""
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
"""What RAGatouille needs, in Markdown."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How it stands: a badge (words, icon, colour) and one sentence or two."""

    badge: str
    icon: str
    color: str
    says: str


def stood_in(result: SearchResult) -> bool:
    """Whether the exact engine answered in place of the one that is set; the next search may find that one ready."""
    return any(note.startswith((FALLBACK, NEITHER)) for note in result.notes)


def step_words(engine: str) -> tuple[str, str]:
    """Label and help of the switch that makes one search look at every passage."""
    return EXACT_ONCE if engine == "ragatouille" else COMPARE_ALL


def option_name(choice: str, state: LateState) -> str:
    """A choice as its list names it."""
    name = ENGINES[state.installation]
    return ENGINES.get(choice) or f"As this installation: {name.replace('Exact', 'exact')}"


def option_hints(state: LateState) -> list[str]:
    """What each choice means, in the order of ``CHOICES``."""
    able = f"Looks in an index that is made in the background, with the ColBERT checkpoint “{state.checkpoint}”."
    hints = {
        "": f"Follows Settings → {SECTIONS['models'][0]}, also when that is changed.",
        "exact": "Compares with the passages themselves. Nothing to install, nothing to build.",
        "ragatouille": "Not set up on this computer." if state.problem else able,
    }
    return [hints[choice] for choice in CHOICES]


def standing(state: LateState, jobs: Collection[Job] = ()) -> Standing:
    """How the comparison stands; ``jobs`` are those under way."""
    whose = "Chosen for this project." if state.chosen else "The setting of this installation."
    meanwhile = "Until then searches use the exact engine and say so."
    if state.engine == "exact":
        return Standing(ENGINES["exact"], "check_circle", "green", whose)
    if state.problem:
        said = f"{whose} It cannot be used on this computer: searches use the exact engine and say so."
        return Standing("RAGatouille index: not here", "cloud_off", "orange", said)
    under_way = {job.kind for job in jobs if job.state.active}
    if JobKind.ENCODE in under_way and not state.serves:
        said = f"{whose} The passages are being prepared; its index is made after that. {meanwhile}"
        return Standing("RAGatouille index: to come", "hourglass_top", "blue", said)
    if JobKind.INDEX_LATE in under_way:
        meanwhile = "Until then the earlier one is used." if state.serves else meanwhile
        return Standing(
            "RAGatouille index: being built", "hourglass_top", "blue", f"{whose} It is being built. {meanwhile}"
        )
    if state.failed:
        said = f"{whose} {'The earlier index is used.' if state.serves else meanwhile}"
        return Standing("RAGatouille index: not built", "error", "red", said)
    left = f" {count_words(state.to_encode, 'passage')} not prepared yet." if _stopped(state, under_way) else ""
    if state.built is None:
        few = f"{whose}{left} There is no index yet. {meanwhile}"
        return Standing("RAGatouille index: not built yet", "hourglass_empty", "orange", few)
    if state.rebuild or state.stale:
        said = f"{whose}{left}" if state.serves else f"{whose}{left} {meanwhile}"
        return Standing("RAGatouille index: to be built again", "update", "orange", said)
    return Standing("RAGatouille index: in use", "check_circle", "green", f"{whose}{left}")


def _stopped(state: LateState, under_way: Collection[JobKind]) -> bool:
    return state.to_encode > 0 and JobKind.ENCODE not in under_way


def index_line(state: LateState, now: datetime) -> str:
    """What the index holds and what changed since; "" where there is none."""
    if state.built is None:
        return ""
    held = f"The index holds {count_words(state.indexed, 'passage')}, built {when_words(state.built, now)}."
    if state.engine == "exact":
        return f"{held} It is not used now, and kept for the way back."
    if state.stale:
        return f"{held} It is not used: {state.stale}."
    changes = " and ".join(
        f"{number:,} {what}" for number, what in ((state.added, "added"), (state.removed, "removed")) if number
    )
    if not changes:
        return f"{held} Nothing has changed since."
    return f"{held} Since then {changes}: searches take that into account."


def rebuild_line(state: LateState) -> str:
    """Why the index should be built again, a sentence; "" where it need not, or there is none yet."""
    return f"It should be built again: {state.rebuild}." if state.rebuild and state.serves else ""


def build_label(state: LateState) -> str:
    """What the button that builds says."""
    if state.to_encode:
        return "Prepare the passages and build the index"
    return "Build the index now" if state.built is None else "Build the index again"


def built_words(state: LateState) -> str:
    """What was done by pressing it."""
    if state.to_encode:
        return "The passages are being prepared; the index is built after that."
    return "The index is being built in the background."


def use_label(choice: str) -> str:
    """What the button that chooses says."""
    return {
        "exact": "Use the exact engine in this project",
        "ragatouille": "Use the RAGatouille index in this project",
    }.get(choice, "Follow the installation in this project")


def chosen_words(choice: str, state: LateState, jobs: Sequence[Job]) -> str:
    """What was done by choosing, and what follows."""
    engine = choice or state.installation
    said = {
        "exact": "This project compares word by word with the exact engine.",
        "ragatouille": "This project compares word by word with the RAGatouille index.",
    }[engine]
    kinds = {job.kind for job in jobs}
    if JobKind.ENCODE in kinds:
        after = " Its index is built after that." if engine == "ragatouille" else ""
        return f"{said} The passages are being prepared.{after}"
    return f"{said} Its index is being built." if JobKind.INDEX_LATE in kinds else said
