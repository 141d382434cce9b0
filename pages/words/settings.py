"""Words for people about settings: what each is called, what it does, and what a change of it causes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.settings.values import VARIABLE, Settings
from core.settings.view import Origin, Setting
from core.text.words import count_words
from pages.words.settings_names import LABELS, SECTIONS, WITHOUT_EFFECT

__all__ = ["LABELS", "SECTIONS", "WITHOUT_EFFECT"]


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
    if _prepared_by(before) != _prepared_by(after):
        said.append(
            f"All passages are prepared for search by meaning again with the new model: {passages} in {projects}, "
            "begun by the worker at once. Until then only words find."
        )
    elif before.models.checkpoint != after.models.checkpoint:
        said.append("Nothing changes now: the checkpoint is for RAGatouille, which is not the engine that is set.")
    said += _late_engine(before, after, f"{passages} in {projects}")
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
    return said + _asking(before, after)


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
    """What changes where questions are asked: what goes out first."""
    said: list[str] = []
    if before.llm != after.llm:
        where = after.llm.base_url or "the API of Anthropic"
        if not before.llm.enabled and after.llm.enabled:
            said.append(
                f"Questions and the passages chosen for them will be sent to {where} when somebody asks for that. It "
                f"costs money: at most ${after.llm.budget_usd:,.2f} in each project."
            )
        elif before.llm.enabled and not after.llm.enabled:
            said.append("Nothing is sent to a language model any more.")
        elif after.llm.enabled:
            said.append("The next call of a language model follows the new settings.")
    if before.web != after.web:
        if not before.web.enabled and after.web.enabled:
            named = ", ".join(after.web.providers) or "no provider"
            said.append(f"Questions will be sent to {named} when somebody searches the web.")
        elif before.web.enabled and not after.web.enabled:
            said.append("Nothing is sent to a search service any more.")
        elif after.web.enabled:
            said.append("The next web search follows the new settings.")
    if (before.expansion, before.crag, before.answering) != (after.expansion, after.crag, after.answering):
        said.append("The next question follows the new settings; answers that are here stay as they are.")
    return said


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
