"""Two processes cannot overspend, and a process that dies in a call leaves its reservation behind."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from core.labels import CallState
from core.llm.budget import LanguageModel
from core.ports.context import ProjectContext
from core.ports.engines import Engines
from core.settings.values import Settings
from core.workbench.workbench import Workbench
from storage import open_catalog
from storage.tables.base import utc_now
from tests.servers.messages_api import Reply, messages_api

TEXT = "word " * 400  # 500 tokens by the server's count: half a cent each


def child(root: Path, slug: str, base_url: str, budget: float, count: int) -> subprocess.Popen[str]:
    arguments = [str(root), slug, str(base_url), str(budget), str(count)]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.faults.llm_child", *arguments], stdout=subprocess.PIPE, text=True
    )


def test_processes_that_call_at_once_stay_within_the_budget(workbench: Workbench) -> None:
    slug = workbench.create("Budget").slug
    budget = 0.032  # three calls at most at a time (each reserves 0.0104), and about six in the end
    with messages_api(Reply(TEXT, first_token_s=0.05)) as api:
        children = [child(workbench.root, slug, api, budget, 6) for _ in range(3)]
        said = [one.communicate(timeout=60)[0].split() for one in children]
        asked = len(api.requests)
    assert all(words[0] == "ready" and len(words) == 7 for words in said)
    results = [word for words in said for word in words[1:]]
    assert set(results) == {"ok", "budget"}
    store = open_catalog(workbench.root).open(slug)
    spent, reserved = store.spent()
    assert reserved == 0
    assert 0 < spent <= budget
    assert len(store.calls()) == asked == results.count("ok")
    store.close()


def test_a_process_killed_in_a_call_leaves_it_as_started(workbench: Workbench, engines: Engines) -> None:
    slug = workbench.create("Killed").slug
    with messages_api(Reply("never", first_token_s=60.0)) as api:
        process = child(workbench.root, slug, api, 1.0, 1)
        until = time.monotonic() + 30
        while not api.requests and time.monotonic() < until:
            time.sleep(0.02)
        process.kill()
        process.communicate(timeout=10)
    store = open_catalog(workbench.root).open(slug)
    [call] = store.calls()
    assert call.state is CallState.STARTED
    spending = LanguageModel(ProjectContext(store, engines, Settings(), utc_now)).spending()
    assert spending.reserved_usd > 0.01
    assert spending.failed == 0
    store.close()
