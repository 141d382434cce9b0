"""Claims of a project: kept once, verified against all sources of a fitting grade, and not judged twice for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.claims.claims import Claims
from core.claims.job import run_verify
from core.errors import ClaimError, ClaimNotFound, JobCancelled, ModelNotFound, ReportNotFound, RowMoved
from core.labels import ClaimType, Grade, JobKind, Label, VerdictState
from core.ports.context import JobContext, ProjectContext
from core.ports.engines import Engines
from core.ports.store import JointEncoder, ProjectStore
from core.records import Document, Job, StoredReport
from core.settings.values import Settings
from storage import open_catalog
from tests.contract.builders import START, FakeClock, add
from tests.helpers.verifying import WordJudge

CLAIM = "The city planted 31,640 trees by 2024."
SAYS_SO = "The programme began in 2018. The city planted 31,640 trees by 2024."
DENIES_IT = "The city did not have water. The city planted not 31,640 trees by 2024."
ELSE = "Trams run every ten minutes in the old town."
REPORT = """# Trees

## Summary

The city planted 31,640 trees by 2024 [1]. It was paid for by the province and the harbour [1].

## Cost

What did it cost?
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ProjectStore]:
    catalog = open_catalog(tmp_path / "root", clock=FakeClock())
    made = catalog.open(catalog.create("Claims").slug)
    yield made
    made.close()


class Bench:
    """The facade and the job over one store, with a judge of words and no encoder."""

    def __init__(self, store: ProjectStore, engines: Engines, settings: Settings | None = None) -> None:
        self.store, self.judge, self.clock = store, WordJudge(), FakeClock()
        self.settings = settings or Settings()
        self.engines = Engines(_no_encoder, _nothing, engines.extractor, _nothing, lambda: self.judge)
        self.claims = Claims(ProjectContext(store, self.engines, self.settings, self.clock))

    def run(self, *ids: int) -> dict[str, object]:
        return dict(self.do(self.claims.verify(ids)))

    def do(self, job: Job, progress=lambda done, total, message="": None) -> dict[str, object]:  # type: ignore[no-untyped-def]
        context = JobContext(self.store, self.engines, self.settings, self.clock, intake=None)  # type: ignore[arg-type]
        return dict(run_verify(context, job, progress))


def _no_encoder() -> JointEncoder:
    raise ModelNotFound("The model 'none' was not found. Install it.")


def _nothing():  # type: ignore[no-untyped-def]
    raise AssertionError("verifying asks for no other engine")


@pytest.fixture
def bench(store: ProjectStore, engines: Engines) -> Bench:
    return Bench(store, engines)


def graded(store: ProjectStore, text: str, grade: Grade, **changes: object) -> Document:
    return add(store, text, grade=grade, **changes)


def stored_report(store: ProjectStore, text: str = REPORT, name: str = "report.md") -> StoredReport:
    blob = store.put_blob(text.encode())
    report = StoredReport(0, name, None, "text/markdown", blob, blob, START, length=len(text))
    return store.add_report(report, text, [])


# ---------------------------------------------------------------- taking claims out


def test_claims_of_a_report_stand_at_their_place_and_twice_is_once(bench: Bench) -> None:
    report = stored_report(bench.store)
    found = bench.claims.extract(report.id)
    assert [claim.check_worthy for claim in found] == [True, True, False]
    assert all(REPORT[claim.start : claim.end].startswith(claim.text[:20]) for claim in found)
    assert found[0].type is ClaimType.C1
    assert found[1].context == "The city planted 31,640 trees by 2024."
    assert bench.claims.extract(report.id) == found == bench.claims.all(report_id=report.id)
    with pytest.raises(ReportNotFound):
        bench.claims.extract(999)


def test_pasted_text_gives_claims_without_a_place_each_once(bench: Bench) -> None:
    first = bench.claims.extract_text(f"{CLAIM} {CLAIM} Why so few?")
    assert [(claim.text, claim.report_id, claim.start) for claim in first] == [
        (CLAIM, None, None),
        ("Why so few?", None, None),
    ]
    assert bench.claims.extract_text(CLAIM) == first[:1]
    assert len(bench.claims.all()) == 2


def test_a_file_that_is_stored_as_a_report_gives_that_reports_claims(bench: Bench) -> None:
    report = stored_report(bench.store)
    assert {one.report_id for one in bench.claims.extract_file("r.md", REPORT.encode())} == {report.id}


@pytest.mark.parametrize("text", ["", " \n ", "…!?", "x" * 4001])
def test_a_claim_that_is_none_is_refused_with_what_to_do(bench: Bench, text: str) -> None:
    with pytest.raises(ClaimError, match=r"Type the statement|Paste it as text"):
        bench.claims.add(text)


def test_a_typed_claim_takes_the_type_that_was_chosen(bench: Bench) -> None:
    claim = bench.claims.add(CLAIM, ClaimType.C1)
    assert (claim.type, claim.id > 0, claim.check_worthy) == (ClaimType.C1, True, True)
    assert bench.claims.add(f" {CLAIM} ") == claim


# ---------------------------------------------------------------- verifying


def test_two_independent_sources_verify_a_central_claim(bench: Bench) -> None:
    graded(bench.store, SAYS_SO, Grade.A, publisher="Office")
    graded(bench.store, SAYS_SO + " It is said.", Grade.B, publisher="Courier")
    graded(bench.store, ELSE, Grade.A)
    claim = bench.claims.add(CLAIM, ClaimType.C1)
    assert bench.run(claim.id) == {"claims": 1, "outcomes": {"verified": 1}}
    found = bench.claims.get(claim.id)
    assert found.verdict is not None
    assert found.verdict.state is VerdictState.VERIFIED
    assert found.verdict.independent == 2
    assert found.verified == START
    best = max(found.verdict.sources, key=lambda one: one.verdict.supports).verdict
    assert best.label is Label.SUPPORTS
    assert best.rationale is not None
    assert bench.store.text(best.document_id)[slice(*best.rationale)] == CLAIM


def test_sources_below_the_grade_are_left_out_before_ranking_and_counted(bench: Bench) -> None:
    for at in range(12):  # more of them than are looked at closely, and nearer to the claim
        graded(bench.store, f"{CLAIM} Number {at}.", Grade.E, publisher=f"P{at}")
    good = graded(bench.store, SAYS_SO + " Trams run.", Grade.C)
    claim = bench.claims.add(CLAIM, ClaimType.C2)
    bench.run(claim.id)
    verdict = bench.claims.get(claim.id).verdict
    assert verdict is not None
    assert [one.document_id for one in verdict.sources] == [good.id]
    assert (verdict.state, verdict.excluded) == (VerdictState.VERIFIED, 12)
    assert "12 sources below that grade were not searched" in verdict.checklist[0].text


def test_one_source_twice_does_not_verify_a_central_claim(bench: Bench) -> None:
    graded(bench.store, SAYS_SO, Grade.A, publisher="Office")
    graded(bench.store, SAYS_SO + " Again.", Grade.A, publisher="The Office, Ltd.")
    claim = bench.claims.add(CLAIM, ClaimType.C1)
    bench.run(claim.id)
    verdict = bench.claims.get(claim.id).verdict
    assert verdict is not None
    assert (verdict.state, verdict.independent) == (VerdictState.INSUFFICIENT, 1)
    assert "published by office" in verdict.clusters[0].reasons[0]


def test_sources_on_both_sides_make_it_contested_and_one_against_contradicted(bench: Bench) -> None:
    graded(bench.store, DENIES_IT, Grade.A)
    claim = bench.claims.add(CLAIM, ClaimType.C2)
    assert bench.run(claim.id)["outcomes"] == {"contradicted": 1}
    graded(bench.store, SAYS_SO, Grade.A)
    assert bench.run(claim.id)["outcomes"] == {"contested": 1}


def test_a_project_without_sources_says_that_there_are_none(bench: Bench) -> None:
    claim = bench.claims.add(CLAIM)
    bench.run()
    verdict = bench.claims.get(claim.id).verdict
    assert verdict is not None
    assert verdict.state is VerdictState.INSUFFICIENT
    assert verdict.checklist[0].text.startswith("0 sources of grade")


def test_equal_basis_is_not_judged_again_and_a_new_source_is(bench: Bench) -> None:
    graded(bench.store, SAYS_SO, Grade.A)
    claim = bench.claims.add(CLAIM)
    bench.run()
    before, asked = bench.claims.get(claim.id), len(bench.judge.asked)
    assert bench.run() == {"claims": 1, "outcomes": {"unchanged": 1}}
    assert bench.claims.get(claim.id) == before
    graded(bench.store, SAYS_SO + " Yes.", Grade.A)
    assert bench.run()["outcomes"] == {"verified": 1}
    assert len(bench.judge.asked) > asked


def test_a_changed_grade_changes_the_verdict(bench: Bench) -> None:
    document = graded(bench.store, SAYS_SO, Grade.A)
    bench.claims.add(CLAIM, ClaimType.C2)
    assert bench.run()["outcomes"] == {"verified": 1}
    bench.store.override_grade(document.id, Grade.E, "a parody", "me")
    assert bench.run()["outcomes"] == {"insufficient": 1}


def test_a_report_is_no_evidence_for_its_own_claims(bench: Bench) -> None:
    report = stored_report(bench.store, SAYS_SO)
    add(bench.store, SAYS_SO, grade=Grade.A, blob_hash=report.blob_hash)
    (first, *_) = bench.claims.extract(report.id)
    bench.run(first.id)
    verdict = bench.claims.get(first.id).verdict
    assert verdict is not None
    assert verdict.sources == ()


def test_sentences_that_are_not_worth_checking_are_verified_only_when_named(bench: Bench) -> None:
    graded(bench.store, SAYS_SO, Grade.A)
    question, fact = bench.claims.extract_text(f"Why so few? {CLAIM}")
    assert bench.run()["claims"] == 1
    assert bench.claims.get(question.id).verdict is None
    assert bench.claims.get(fact.id).verdict is not None


def test_what_is_done_before_a_stop_stays(bench: Bench) -> None:
    graded(bench.store, SAYS_SO, Grade.A)
    first, second = bench.claims.extract_text(f"{CLAIM} The programme began in 2018.")

    def stop(done: int, total: int | None, message: str = "") -> None:
        if done == 1:
            raise JobCancelled("Stopped on request.")

    with pytest.raises(JobCancelled):
        bench.do(bench.claims.verify(), stop)
    assert bench.claims.get(first.id).verdict is not None
    assert bench.claims.get(second.id).verdict is None


def test_a_stop_is_heard_between_two_sources_of_one_claim(bench: Bench) -> None:
    for at in range(3):
        graded(bench.store, f"{SAYS_SO} Number {at}.", Grade.A)
    claim = bench.claims.add(CLAIM)
    heard: list[int] = []

    def stop(done: int, total: int | None, message: str = "") -> None:
        heard.append(done)
        if len(heard) == 4:
            raise JobCancelled("Stopped on request.")

    with pytest.raises(JobCancelled):
        bench.do(bench.claims.verify(), stop)
    assert heard == [0, 0, 0, 0]
    assert bench.claims.get(claim.id).verdict is None


def test_a_claim_deleted_meanwhile_is_passed_over(bench: Bench) -> None:
    claim = bench.claims.add(CLAIM)
    job = bench.claims.verify([claim.id])
    bench.claims.delete([claim.id])
    assert bench.do(job) == {"claims": 1, "outcomes": {"deleted": 1}}
    with pytest.raises(ClaimNotFound):
        bench.claims.verify([claim.id])


def test_a_type_changed_while_it_is_judged_decides(bench: Bench) -> None:
    graded(bench.store, SAYS_SO, Grade.A)
    claim = bench.claims.add(CLAIM, ClaimType.C2)
    judge, moved = bench.judge.judge, []

    def meanwhile(pairs):  # type: ignore[no-untyped-def]
        if not moved:
            moved.append(bench.claims.set_type(claim.id, ClaimType.C1, by="ana", version=claim.version))
        return judge(pairs)

    bench.judge.judge = meanwhile  # type: ignore[method-assign]
    assert bench.run(claim.id)["outcomes"] == {"insufficient": 1}
    found = bench.claims.get(claim.id)
    assert (found.type, found.type_by) == (ClaimType.C1, "ana")


# ---------------------------------------------------------------- types and the matrix


def test_setting_the_type_drops_the_verdict_and_asks_for_a_new_one(bench: Bench) -> None:
    graded(bench.store, SAYS_SO, Grade.C)
    claim = bench.claims.add(CLAIM, ClaimType.C2)
    bench.run(claim.id)
    seen = bench.claims.get(claim.id)
    changed = bench.claims.set_type(claim.id, ClaimType.C1, by="ana", version=seen.version)
    assert (changed.type, changed.type_by, changed.verdict, changed.basis) == (ClaimType.C1, "ana", None, "")
    assert [job.kind for job in bench.store.jobs(active=True)][:1] == [JobKind.VERIFY]
    with pytest.raises(RowMoved):
        bench.claims.set_type(claim.id, ClaimType.C2, by="ben", version=seen.version)


def test_the_matrix_has_a_cell_for_every_pair_that_was_judged(bench: Bench) -> None:
    a = graded(bench.store, SAYS_SO, Grade.B)
    b = graded(bench.store, ELSE, Grade.A, title="Trams")
    first = bench.claims.add(CLAIM)
    second = bench.claims.add("Trams run every ten minutes in the old town.")
    bench.run(first.id)
    bench.run(second.id)
    third = bench.claims.add("The harbour was rebuilt in 1987.")
    matrix = bench.claims.matrix()
    assert [claim.id for claim in matrix.claims] == [first.id, second.id, third.id]
    assert [document.id for document in matrix.documents] == [b.id, a.id]
    assert matrix.cells[first.id, a.id].verdict.label is Label.SUPPORTS
    assert matrix.cells[second.id, b.id].counts
    assert not any(claim_id == third.id for claim_id, _ in matrix.cells)


def test_a_deleted_document_leaves_the_matrix(bench: Bench) -> None:
    document = graded(bench.store, SAYS_SO, Grade.B)
    bench.claims.add(CLAIM)
    bench.run()
    bench.store.delete(document.id)
    matrix = bench.claims.matrix()
    assert (matrix.documents, dict(matrix.cells)) == ((), {})
