"""Carries out the audits that wait in a project, one acknowledgement a kept judgement, until it is killed or done.
Run by test_audit_resumed.py."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.errors import ModelNotFound
from core.labels import JobKind
from core.ports.engines import Engines
from core.ports.store import JointEncoder
from core.records import SourceVerdict
from core.workbench.jobs import run_next
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench
from storage.store import SqliteProjectStore
from tests.helpers.verifying import WordJudge


def opened_later(root: Path, minutes: int) -> Workbench:
    """The workbench over ``root`` as it is so many minutes from now (claims of killed workers are stale then), with a
    judge of words and without an encoder."""
    moment = datetime.now(UTC) + timedelta(minutes=minutes)
    workbench = open_workbench(root, clock=lambda: moment)
    own = workbench.engines

    def no_encoder() -> JointEncoder:
        raise ModelNotFound("There is no encoder in this test. Sentences are chosen by words.")

    workbench.engines = Engines(no_encoder, own.make_reranker, own.make_extractor, own.make_fetcher, WordJudge)
    return workbench


def acknowledge() -> None:
    """From now on every judgement that was kept is a line on standard output: ``kept KEY``."""
    keep = SqliteProjectStore.keep_verdicts

    def kept(store: SqliteProjectStore, verdicts: Mapping[str, SourceVerdict]) -> None:
        keep(store, verdicts)
        for key in verdicts:
            print("kept", key, flush=True)

    SqliteProjectStore.keep_verdicts = kept  # type: ignore[method-assign]


def main(root: Path, slug: str, minutes: int) -> None:
    acknowledge()
    workbench = opened_later(root, minutes)
    context = workbench.open(slug).job_context()
    while run_next(context, f"child-{minutes}", kinds=[JobKind.AUDIT]) is not None:
        pass
    print("done", "-", flush=True)
    workbench.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
