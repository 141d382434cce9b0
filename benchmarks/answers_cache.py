"""What the prompt cache saves: the same evidence asked about again, against the loopback server of the tests.

The server speaks the Messages API over HTTP and simulates its prompt cache: a marked prefix is read a twentieth as
long as a new one (``seconds_per_1000_tokens``); the effect on tokens is that of the request as it is really made, the
time is simulated. Each of the golden questions is asked twice with other guidance, as when an answer is asked for again
with another template: rules and passages stay, what comes last changes. ``first``: the first time, ``again``: the
second.
``input_tokens``: tokens that are neither read from nor written to the cache, ``cache_read`` and ``cache_write`` as the
API counts them; ``first_token_ms``: median time to the first token; ``cost_usd``: mean cost by the price list.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.audit_bench import bench, work
from benchmarks.report import Row
from benchmarks.rows import row
from core.backends.anthropic.writer import AnthropicWriter
from core.records import LlmCall
from core.settings.keys import Keys
from core.settings.values import Llm, Settings
from core.workbench.demo import ensure_demo
from tests.servers.messages_api import messages_api

QUESTIONS = 10
PACE_S = 0.3
"""Seconds that the server takes to read 1,000 new tokens."""
_REPLY = json.dumps(
    {"answer": "Trees cool the air [1].", "bullets": ["One [1].", "Two [1].", "Three [1]."], "quotes": []}
)


def run(shared: dict[str, Any], data: Path, cache: Path, *, quick: bool = False) -> list[Row]:
    """Ask each question twice."""
    with (
        tempfile.TemporaryDirectory() as folder,
        bench(Path(folder)) as workbench,
        messages_api(_REPLY, seconds_per_1000_tokens=PACE_S) as api,
    ):
        project, _ = ensure_demo(workbench, audit=False)
        opened = workbench.open(project.slug)
        judged = opened.evaluations.golden()
        assert judged is not None, "the demo has judged questions"
        settings = Settings(llm=Llm(enabled=True, base_url=str(api), budget_usd=100.0))
        keys = Keys(Path(folder), {"ANTHROPIC_API_KEY": "sk-ant-bench"})
        engines = replace(workbench.engines, make_writer=lambda: AnthropicWriter(settings.llm, keys))
        opened.adopt(settings, engines)
        rounds: dict[str, list[LlmCall]] = {"first": [], "again": []}
        for question in list(judged.queries.values())[: 3 if quick else QUESTIONS]:
            for name, guidance in (("first", "Be exact."), ("again", "Write for members of a city council.")):
                opened.answers.ask(question, guidance=guidance)
                work(opened)
                rounds[name].append(opened.language_model.calls(limit=1)[0])
        return [row for name, calls in rounds.items() for row in _rows(name, calls, shared)]


def _rows(name: str, calls: list[LlmCall], shared: dict[str, Any]) -> list[Row]:
    values = {
        "input_tokens": statistics.fmean(call.usage.input for call in calls),
        "cache_read": statistics.fmean(call.usage.cache_read for call in calls),
        "cache_write": statistics.fmean(call.usage.cache_write for call in calls),
        "first_token_ms": statistics.median(call.first_token_ms or 0.0 for call in calls),
        "cost_usd": statistics.fmean(call.cost_usd or 0.0 for call in calls),
    }
    fields = {"n": len(calls), **shared}
    return [
        row("answers", "demo golden", "", f"cache {name}", metric, value, **fields) for metric, value in values.items()
    ]
