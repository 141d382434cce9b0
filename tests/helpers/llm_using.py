"""A language model of a test: the real writer against the loopback server of ``tests.servers.messages_api``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.backends.anthropic.writer import AnthropicWriter
from core.ports.engines import Engines
from core.settings.keys import Keys
from core.settings.values import Llm, Settings

KEY = "sk-ant-test-0123456789"


def llm_settings(base_url: str, **changes: object) -> Settings:
    """Settings with language models on; ``changes`` are of the section llm."""
    section = {"enabled": True, "base_url": str(base_url), "timeout_s": 60.0, **changes}
    return Settings(llm=Llm.model_validate(section))


def with_writer(engines: Engines, settings: Settings, root: Path, key: str | None = KEY) -> Engines:
    """The engines, with a writer by these settings. The models that were made stay shared."""
    keys = Keys(root, {"ANTHROPIC_API_KEY": key} if key else {})
    made = replace(engines, make_writer=lambda: AnthropicWriter(settings.llm, keys), _made=dict(engines._made))
    made._made.pop("writer", None)
    return made
