"""A project with something of everything, and its zip."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from core.labels import ClaimType, DecisionKind, FetchState, Grade, Role, SourceKind, Status
from core.ports.engines import Engines
from core.ports.store import ProjectStore
from core.records import Document, Fetched, Heading, PageSpan, Person, ReviewPolicy
from storage.catalog import SqliteCatalog
from storage.tables.base import utc_now
from tests.contract.builders import add
from tests.contract.judged import JUDGED, REPORT, add_report, judged, make_claim, make_verdict, verdict_on
from tests.contract.reviewed import decide, take_back
from tests.helpers.serving import Served, Town, served, town
from tests.hostile.service_requests import OPTIONS

TEXT = "Otters swim in the tidal mill.\nHerons wait. 東京 ½ \u2028 end."


@pytest.fixture(scope="session")
def full_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root with one project, ``full``, to be copied."""
    root = tmp_path_factory.mktemp("full") / "root"
    made = SqliteCatalog(root, utc_now)
    store = made.open(made.create("Full").slug)
    (upload, failed, waiting) = store.request(
        SourceKind.UPLOAD,
        [("a.html", Fetched(b"<p>otters</p>", "text/html")), ("https://gone/", None), ("https://later/", None)],
        "batch",
    )
    first = add(
        store,
        TEXT,
        size=20,
        context="Mills › tides",
        acquisition=upload.id,
        blob_hash=upload.blob_hash,
        title="A <title>",
        urls=("https://a/", "https://b/"),
        published=date(2020, 1, 2),
        language="en",
        tags=("x", "y"),
        signature=b"\x00\xff",
        pages=(PageSpan(1, 0, 20), PageSpan(2, 20, 40)),
        headings=(Heading(1, 0, 6, "Otters"),),
        authors=("Ann",),
    )
    store.finish_acquisition(failed.id, FetchState.GONE, "410")
    old = add(store, "An old page.")
    add(store, "A new page. " * 5000, supersedes=old.id, near_duplicate_of=first.id)
    store.override_grade(first.id, Grade.A, "peer reviewed", "ann")
    assert store.acquisition(waiting.id).state is FetchState.QUEUED
    missing = store.missing("e", 1000)
    store.put_vectors("e", [one for one, _ in missing], np.ones((len(missing), 4), np.float32), None)
    _audit(store, first)
    _review(store)
    store.close()
    return root


@pytest.fixture
def catalog(full_root: Path, tmp_path: Path) -> SqliteCatalog:
    """That root for one test alone."""
    return SqliteCatalog(shutil.copytree(full_root, tmp_path / "root"), utc_now)


def _audit(store: ProjectStore, document: Document) -> None:
    """Two versions of a report, rows with and without an outcome, claims with and without a verdict."""
    old = add_report(store)
    new = add_report(store, REPORT + "More.", supersedes=old.id)
    rows = store.findings(new.id)
    store.put_findings([judged(row, document, TEXT) for row in rows[:2]])
    store.put_findings([judged(store.findings(old.id)[0], document, TEXT, status=Status.PASS, reasons=())])
    found, typed = store.add_claims([make_claim(report_id=new.id, start=0, end=11), make_claim("typed")])
    store.put_claims([replace(found, verdict=verdict_on(document, TEXT), verified=JUDGED, basis="b")])
    store.put_claims([replace(typed, type=ClaimType.C1)])
    store.keep_verdicts({"k": make_verdict(document, TEXT)})


def _review(store: ProjectStore) -> None:
    """Three people, a policy, and a log with everything that one can hold, on rows of which one is gone."""
    for name, role in (("ann", Role.OWNER), ("bo", Role.REVIEWER), ("Zoë 東京", Role.VIEWER)):
        store.put_person(Person(name, role, JUDGED))
    store.set_review_policy(ReviewPolicy(blind=True, threshold=0.75, target_precision=0.9))
    rows, claims = store.findings(store.reports()[0].id), store.claims()
    (gone,) = store.add_claims([make_claim("deleted later")])
    first, second, _, _ = store.append_decisions(
        [
            decide(rows[0]),
            decide(rows[0], DecisionKind.REWORD, by="bo", rewording="Otters\u2028swim\r\n."),
            decide(claims[0], DecisionKind.NOTE, note="½\x00"),
            decide(gone, DecisionKind.POSTPONE),
        ]
    )
    undone = store.append_decisions([take_back(first)])[0]
    store.append_decisions([take_back(undone, DecisionKind.REDO), decide(rows[0], settles=(first.id, second.id))])
    store.delete_claims([gone.id])


@pytest.fixture
def sound(catalog: SqliteCatalog, tmp_path: Path) -> Path:
    """An archive of it."""
    return catalog.export("full", tmp_path / "full.zip")


@pytest.fixture(scope="module")
def streets(tmp_path_factory: pytest.TempPathFactory, engines: Engines) -> Iterator[Town]:
    with town(tmp_path_factory.mktemp("hostile") / "root", engines) as made:
        yield made


@pytest.fixture(scope="module")
def at(streets: Town) -> Iterator[Served]:
    with served(streets.workbench, OPTIONS) as made:
        yield made
