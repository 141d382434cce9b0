"""What several tests of judging start from: a project of streets and trees, with a judge that compares words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.ports.engines import Engines
from core.records import StoredReport
from core.review.review import Reviews
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.helpers.auditing import SOURCES, audited, judged_by
from tests.helpers.verifying import WordJudge


@pytest.fixture
def judge() -> WordJudge:
    return WordJudge()


@pytest.fixture
def bench(workbench: Workbench, engines: Engines, judge: WordJudge) -> Iterator[Workbench]:
    with judged_by(workbench, engines, judge) as made:
        yield made


@pytest.fixture
def project(bench: Workbench) -> OpenProject:
    opened = bench.open(bench.create("Streets").slug)
    opened.sources.add_snapshots(SOURCES)
    return opened


@pytest.fixture
def report(bench: Workbench, project: OpenProject) -> StoredReport:
    return audited(bench, project)


@pytest.fixture
def reviews(project: OpenProject, report: StoredReport) -> Reviews:
    return project.reviews
