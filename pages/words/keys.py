"""Keys of services as a person sees them: what each is for and where it comes from, never what it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.errors import SettingsError
from core.records import ProviderInfo
from core.settings.keys import Keys

LLM_KEY = "ANTHROPIC_API_KEY"


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
        """Whether there is one, in words."""
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
