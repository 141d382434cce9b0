"""Words for people about settings and keys: their names, their origin, the effects of a change."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.errors import SettingsError
from core.records import ProviderInfo
from core.settings.keys import Keys
from core.settings.values import VARIABLE, Settings
from core.settings.view import Origin, Setting
from core.text.words import count_words
from pages.words.settings_names import LABELS, SECTIONS, WITHOUT_EFFECT

__all__ = ["LABELS", "SECTIONS", "WITHOUT_EFFECT"]

LLM_KEY = "ANTHROPIC_API_KEY"


@dataclass(frozen=True, slots=True)
class Extent:
    """The projects, documents and passages that a change concerns, all together."""

    projects: int
    documents: int
    passages: int


def label_of(setting: Setting) -> str:
    return LABELS[setting.key][0]


def hint_of(setting: Setting) -> str:
    """The hint of a setting: its effect, its range, its default, and its name in the file."""
    parts = [LABELS[setting.key][1], range_words(setting), f"Default: {value_words(setting.default)}."]
    return " ".join(filter(None, [*parts, f"In the file: {setting.key}"]))


def range_words(setting: Setting) -> str:
    """``From 100 to 5,000.``; "" where anything goes."""
    if setting.low is None and setting.high is None:
        return ""
    low = "" if setting.low is None else f"{'Above' if setting.above else 'From'} {_plain_number(setting.low)}"
    return f"{low or 'Up'} to {_plain_number(setting.high)}." if setting.high is not None else f"{low} on."


def value_words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (tuple, list)):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, (int, float)):
        return _plain_number(value)
    return str(value) or "none"


def origin_words(setting: Setting) -> str:
    return {
        Origin.DEFAULT: "default",
        Origin.FILE: "workbench.toml",
        Origin.OVERRIDE: f"held by {VARIABLE}",
    }[setting.origin]


def change_rows(settings: Sequence[Setting], changes: Mapping[str, object | None]) -> dict[str, list[str]]:
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
    """The effects of a change, one sentence each, the costly first; empty when nothing changes."""
    lines: list[str] = []
    passages, projects = count_words(extent.passages, "passage"), count_words(extent.projects, "project")
    if before.chunking != after.chunking:
        lines.append(
            f"All sources are cut anew: {count_words(extent.documents, 'source')} with {passages} in {projects}, begun "
            "by the worker at once. New passages are prepared for search by meaning again; until then words find them."
        )
    if _prepared_by(before) != _prepared_by(after):
        lines.append(
            f"All passages are prepared for search by meaning again with the new model: {passages} in {projects}, "
            "begun by the worker at once. Until then only words find."
        )
    elif before.models.checkpoint != after.models.checkpoint:
        lines.append("Nothing changes now: the checkpoint is for RAGatouille, which is not the engine that is set.")
    lines += _late_engine(before, after, f"{passages} in {projects}")
    lines += _judging(before, after)
    if before.claims != after.claims:
        lines.append("Claims are decided again under the new needs the next time they are checked.")
    if before.retrieval != after.retrieval:
        lines.append("Searches are answered anew under the new settings; answers kept in memory are not used.")
    if before.models.reranker != after.models.reranker:
        lines.append("Close reading uses the new model from the next search on.")
    if before.fetching != after.fetching:
        lines.append("It holds from the next fetch on; sources that are here stay as they are.")
    if before.parsing != after.parsing:
        lines.append("It holds for the next file that is read; sources that are here stay as they are.")
    if before.models.allow_downloads != after.models.allow_downloads:
        allowed = after.models.allow_downloads
        lines.append("Models may be fetched from the hub." if allowed else "No model is fetched from the hub any more.")
    if before.models.threads != after.models.threads:
        lines.append("Models are loaded again with the new number of threads.")
    return lines + _asking(before, after)


def _late_engine(before: Settings, after: Settings, extent: str) -> list[str]:
    if before.models.late_engine == after.models.late_engine:
        return []
    if after.models.late_engine == "exact":
        return ["Searches compare word by word with the exact engine again, from the next one on."]
    return [
        f"RAGatouille builds an index for each project ({extent}), begun by the worker at once. Until it is there, and "
        f"whenever it cannot answer, searches use the exact engine and say so."
    ]


def _prepared_by(settings: Settings) -> tuple[str, str]:
    """The models whose vectors passages are searched by."""
    models = settings.models
    return models.encoder, models.checkpoint if models.late_engine == "ragatouille" else models.late


def _asking(before: Settings, after: Settings) -> list[str]:
    """The effects where questions are asked, those that send something out first."""
    lines: list[str] = []
    if before.llm != after.llm:
        where = after.llm.base_url or "the API of Anthropic"
        lines += _switched(
            before.llm.enabled,
            after.llm.enabled,
            f"Questions and the passages chosen for them will be sent to {where} when somebody asks for that. It "
            f"costs money: at most ${after.llm.budget_usd:,.2f} in each project.",
            "Nothing is sent to a language model any more.",
            "The next call of a language model follows the new settings.",
        )
    if before.web != after.web:
        named = ", ".join(after.web.providers) or "no provider"
        lines += _switched(
            before.web.enabled,
            after.web.enabled,
            f"Questions will be sent to {named} when somebody searches the web.",
            "Nothing is sent to a search service any more.",
            "The next web search follows the new settings.",
        )
    if (before.expansion, before.crag, before.answering) != (after.expansion, after.crag, after.answering):
        lines.append("The next question follows the new settings; answers that are here stay as they are.")
    return lines


def _switched(before: bool, after: bool, on: str, off: str, changed: str) -> list[str]:
    """The sentence for something that was switched on, switched off, or changed while it was on."""
    if after:
        return [changed if before else on]
    return [off] if before else []


def _judging(before: Settings, after: Settings) -> list[str]:
    judge = (*_prepared_by(before), before.models.entailer) != (*_prepared_by(after), after.models.entailer)
    if not judge and before.verification == after.verification:
        return []
    return [
        "Claims and citations keep what was found until they are checked again; then each is judged anew. Decisions "
        "that people took stay; those on a changed judgement are marked as out of date."
    ]


def _plain_number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.10g}"


@dataclass(frozen=True, slots=True)
class KeyRow:
    """One key. ``origin``: "environment", "file", or "" for none; ``problem``: why the key that is there cannot be
    used, "" otherwise."""

    name: str
    title: str
    about: str
    needed: bool
    origin: str
    problem: str = ""

    @property
    def state(self) -> str:
        if self.problem:
            return "cannot be used"
        return {"environment": "from the environment", "file": "in keys.toml"}.get(self.origin, "none")


def key_rows(keys: Keys, providers: Iterable[ProviderInfo]) -> list[KeyRow]:
    """Every key that something here can use, the language model's first (SettingsError: the file cannot be read)."""
    uses = [(LLM_KEY, "Anthropic", "Answers, variants, second opinions, and quotes by a language model.", True)]
    uses += [
        (provider.key_name, provider.title, provider.about, provider.key_required)
        for provider in providers
        if provider.key_name
    ]
    return [KeyRow(*use, origin=keys.origin(use[0]), problem=_problem(keys, use[0])) for use in uses]


def _problem(keys: Keys, name: str) -> str:
    origin = keys.origin(name)
    try:
        keys.get(name)
    except SettingsError as error:
        return str(error) if origin else ""
    return ""
