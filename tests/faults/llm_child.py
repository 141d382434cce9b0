"""Asks a language model of a project, one word a call on standard output. Run by test_llm_budget.py."""

from __future__ import annotations

import sys
from pathlib import Path

from core.errors import BudgetReached
from core.labels import LlmTask
from core.llm.budget import LanguageModel
from core.ports.context import ProjectContext
from core.ports.engines import Engines
from core.records import Prompt
from storage import open_catalog
from storage.tables.base import utc_now
from tests.helpers.llm_using import llm_settings, with_writer


def nothing() -> object:
    """In place of engines that no call of a language model needs."""
    raise AssertionError


def main(root: str, slug: str, base_url: str, budget: str, count: int) -> None:
    """Call ``count`` times; "ok" or "budget" after each."""
    settings = llm_settings(base_url, budget_usd=float(budget), timeout_s=60.0)
    engines = with_writer(Engines(*[nothing] * 5), settings, Path(root))  # type: ignore[arg-type]
    store = open_catalog(Path(root)).open(slug)
    model = LanguageModel(ProjectContext(store, engines, settings, utc_now))
    print("ready", flush=True)
    for _ in range(count):
        try:
            model.write(Prompt(LlmTask.ANSWER, "", "Say something.", max_tokens=1000))
            print("ok", flush=True)
        except BudgetReached:
            print("budget", flush=True)
    store.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5]))
