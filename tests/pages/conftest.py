"""The real pages over real storage, reader and models, driven by Streamlit's own test runner."""

from __future__ import annotations

import functools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from core.labels import JobKind, Role
from core.ports.engines import Engines
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench

NAVIGATION = Path(__file__).resolve().parents[2] / "pages" / "shared" / "navigation.py"


@pytest.fixture(scope="session", autouse=True)
def scanned_once() -> Iterator[None]:
    """The packages that bring components of Streamlit are looked for once. ``AppTest`` does it for each tab and reads
    the metadata of all that is installed, which took two thirds of the CPU of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        scan = functools.cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", scan)
        yield


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engines: Engines) -> Iterator[Workbench]:
    """The workbench that the pages of this test use."""
    from pages.shared import session

    monkeypatch.setenv("WORKBENCH_ROOT", str(tmp_path / "root"))
    st.cache_resource.clear()
    made = session.workbench()
    own, made.engines = made.engines, engines
    yield made
    made.engines = own
    made.close()
    st.cache_resource.clear()


@pytest.fixture
def visit(bench: Workbench) -> Callable[..., AppTest]:
    """``visit("evidence", project=…, q=…)``: a browser tab opened at that address."""

    def opened(page: str = "projects", **params: str | list[str]) -> AppTest:
        at = AppTest.from_file(NAVIGATION, default_timeout=60)
        if page != "projects":
            # AppTest.switch_page knows a page's address only after a first run, which would be one at another page.
            at._page_hash = calc_hash(page)
        for name, value in params.items():
            at.query_params[name.rstrip("_")] = value
        return at.run()

    return opened


@pytest.fixture(scope="session")
def filled_root(tmp_path_factory: pytest.TempPathFactory, engines: Engines) -> Path:
    """A root with a project of three read and encoded sources, one of them hostile; made once, copied for each test."""
    root = tmp_path_factory.mktemp("filled") / "root"
    made = open_workbench(root, engines=engines)
    opened = made.open(made.create("Heat").slug)
    opened.sources.add_files(
        [
            ("pumps.md", PUMPS.encode(), "text/markdown"),
            ("trees.md", TREES.encode(), "text/markdown"),
            ("hostile.md", HOSTILE.encode(), "text/markdown"),
        ]
    )
    work(opened)
    made.close()
    return root


@pytest.fixture
def filled(bench: Workbench, filled_root: Path) -> OpenProject:
    """That project, in the workbench of this test."""
    shutil.copytree(filled_root, bench.root, dirs_exist_ok=True)
    return bench.open("heat")


@pytest.fixture(scope="session")
def audited_root(tmp_path_factory: pytest.TempPathFactory, engines: Engines) -> Path:
    """A root with the sources of the demo, not encoded, and its report with the rows of its key; made once."""
    from core import demo
    from tests.pages.audited_demo import keep_audited_report

    root = tmp_path_factory.mktemp("audited") / "root"
    made = open_workbench(root, engines=engines)
    opened = made.open(made.create("Trees").slug)
    opened.sources.add_snapshots([(source.url, source.body, source.media_type) for source in demo.sources()])
    while run_next(opened.job_context(), "test", kinds=[JobKind.ADD]) is not None:
        pass
    keep_audited_report(opened)
    made.close()
    return root


@pytest.fixture
def audited(bench: Workbench, audited_root: Path) -> OpenProject:
    """That project, in the workbench of this test."""
    shutil.copytree(audited_root, bench.root, dirs_exist_ok=True)
    return bench.open("trees")


def work(opened: OpenProject) -> None:
    """Carry out what the worker process would."""
    context = opened.job_context()
    while run_next(context, "test") is not None:
        pass


def texts(at: AppTest) -> str:
    """Everything a reader sees, in one string."""
    heads = (at.title, at.header, at.subheader)
    kinds = (*heads, at.markdown, at.caption, at.text, at.error, at.warning, at.info, at.success)
    words = [element.value for group in kinds for element in group]
    words += [element.proto.body for element in at.get("html")]
    return "\n".join(str(word) for word in words).replace("\\", "").replace("\u2060", "")


def button(at: AppTest, label: str) -> object:
    """The first button with this label."""
    return next(one for one in at.button if one.label.replace("\\", "").replace("\u2060", "") == label)


PUMPS = """# Heat pumps in winter

Heat pumps move heat from cold outdoor air into a house. Field tests in Norway found that they still deliver three
units of heat for one unit of electricity at minus ten degrees.

## Noise

Modern outdoor units are about as loud as a quiet conversation.
"""
TREES = """# Trees in the street

Street trees shade the pavement. On summer afternoons the air below a closed canopy is about one degree cooler.
"""
HOSTILE = """# <img src=x onerror=alert(1)> ![](http://evil.example/a.png)

The parrot said <script>alert('x')</script> and ![pixel](http://evil.example/b.png) in the attic. </mark></p> It then
flew to https://evil.example/ without a word about anything else that would matter in this text.
"""


@pytest.fixture
def ours(audited: OpenProject) -> OpenProject:
    """The audited demo with an owner, a reviewer, and someone who may only look."""
    audited.reviews.people.set_role("Ann", Role.OWNER, by="Ann")
    audited.reviews.people.set_role("Bob", Role.REVIEWER, by="Ann")
    audited.reviews.people.set_role("Vi", Role.VIEWER, by="Ann")
    return audited
