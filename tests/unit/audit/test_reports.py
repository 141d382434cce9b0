"""Audits of reports through the facade, on real storage, reader and encoder; the judge counts words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.acquire.fetch import HttpFetcher
from core.audit.job import audit_rows
from core.audit.summary import FAILING, PLAIN, UNCITED, VERIFIED
from core.errors import JobCancelled, ReportError, ReportNotFound
from core.labels import FetchState, JobKind, JobState, Reason, Status
from core.ports.engines import Engines
from core.records import Query, SearchRequest
from core.settings.values import Fetching, Settings
from core.workbench.demo import finish_jobs
from core.workbench.jobs import run_next
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench
from tests.helpers.auditing import REPORT, SOURCES, TREES, audited, brief, judged_by, with_judge
from tests.helpers.loopback import LoopbackServer
from tests.helpers.verifying import WordJudge

PASS, REVIEW, MISSING = "PASS", "REVIEW", "SOURCE_NOT_INDEXED"


def test_each_citation_is_judged_in_the_source_it_cites(bench: Workbench, project: OpenProject) -> None:
    report = audited(bench, project)
    assert brief(project.audits.findings(report.id)) == [
        ("[1]", PASS, []),
        ("[2]", PASS, []),
        ("[1]", REVIEW, [Reason.WRONG_SOURCE, Reason.NOT_MENTIONED]),
        ("[3]", MISSING, []),
        ("[9]", REVIEW, [Reason.DANGLING_MARKER]),
        ("", REVIEW, [Reason.UNUSED_REFERENCE]),
    ]
    rescue = project.audits.findings(report.id)[2].rescue
    assert rescue is not None
    assert "900 litres" in rescue.text
    assert project.sources.text(rescue.document_id)[rescue.start : rescue.end] == rescue.text
    assert rescue.citation.startswith("[5]\n5. ")
    assert "https://rain.example/gardens" in rescue.citation


def test_a_report_that_cites_itself_is_told_so_whether_or_not_it_is_stored(
    bench: Workbench, project: OpenProject, judge: WordJudge
) -> None:
    text = (
        "# What limes do for us\n\nSparrows came back to the square [1]. The city planted 400 limes [2].\n\n"
        "## References\n\n1. What limes do for us. https://me.example/report\n2. Limes. https://trees.example/limes\n"
    )
    report = audited(bench, project, text)
    first, second = project.audits.findings(report.id)
    assert (first.status, first.reasons) == (Status.REVIEW, (Reason.SELF_REFERENCE,))
    assert second.status is Status.PASS
    project.sources.add_snapshots([("https://me.example/report", text.encode(), "text/markdown")])
    finish_jobs(bench, project)
    project.audits.audit(report.id)
    finish_jobs(bench, project)
    first, second = project.audits.findings(report.id)
    assert (first.status, first.reasons) == (Status.REVIEW, (Reason.SELF_REFERENCE,))
    assert "is the report itself" in first.explanation
    assert first.rescue is None
    assert not any("Sparrows came back" in evidence for _, evidence in judge.asked)


def test_the_address_that_a_report_was_added_with_is_its_own(bench: Workbench, project: OpenProject) -> None:
    text = "# T\n\nSparrows came back to the square [1].\n\n## References\n\n1. Birds. https://me.example/r\n"
    report, _ = project.audits.add("r.md", text.encode(), url="http://www.me.example/r")
    finish_jobs(bench, project)
    (row,) = project.audits.findings(report.id)
    assert row.reasons == (Reason.SELF_REFERENCE,)
    changed, _ = project.audits.add("r.md", text.replace("T\n", "U\n").encode(), supersedes=report.id)
    finish_jobs(bench, project)
    assert [row.reasons for row in project.audits.findings(changed.id)] == [(Reason.SELF_REFERENCE,)]


def test_a_source_in_another_language_is_for_people_and_never_said_not_to_mention_it(
    bench: Workbench, project: OpenProject, judge: WordJudge
) -> None:
    text = (
        "# 三项措施\n\n该市在2015年至2019年间在米尔巷种植了400棵椴树[1]。街道上的树木使空气变得凉爽[1]。\n\n"
        "## 参考文献\n\n[1] Limes. https://trees.example/limes\n"
    )
    rows = project.audits.findings(audited(bench, project, text).id)
    assert brief(rows) == [("[1]", REVIEW, [Reason.LANGUAGE_DIFFERS])] * 2
    assert "in Chinese" in rows[0].explanation
    assert "in English" in rows[0].explanation
    assert rows[0].document_id is not None
    assert judge.asked == []


def test_the_report_is_coloured_and_counted(bench: Workbench, project: OpenProject) -> None:
    report = audited(bench, project)
    text = project.audits.text(report.id)
    shades = {text[one.start : one.end].split()[0]: one.shade for one in project.audits.heat(report.id)}
    assert {word: shades[word] for word in ("The", "Takings", "Sparrows", "Nobody", "In", "Three")} == {
        "The": FAILING, "Takings": VERIFIED, "Sparrows": FAILING, "Nobody": FAILING, "In": UNCITED, "Three": PLAIN,
    }  # fmt: skip
    summary = project.audits.summary(report.id)
    assert (summary.citations, summary.waiting, summary.unused_references, summary.check_worthy) == (5, 0, 1, 6)
    assert summary.by_status == {Status.PASS: 2, Status.REVIEW: 2, Status.SOURCE_NOT_INDEXED: 1}
    assert summary.precision == pytest.approx(2 / 4)
    assert summary.recall == pytest.approx(2 / 6)


def test_a_cited_source_is_found_though_others_rank_before_it_and_its_address_is_spelled_otherwise(
    bench: Workbench, project: OpenProject
) -> None:
    """SPEC 11.1: the audit searched the whole index (top 3) and compared raw addresses."""
    rivals = [
        (f"https://rival.example/{n}", f"{TREES} Copy {n}, {n * 7} pages.".encode(), "text/plain") for n in range(6)
    ]
    project.sources.add_snapshots(rivals)
    text = "The city planted 400 limes on Mill Lane between 2015 and 2019 [1].\n\n## References\n\n1. HTTP://WWW.Rain.example:80/gardens/#top\n"
    report = audited(bench, project, text)
    row = project.audits.findings(report.id)[0]
    assert row.status is Status.REVIEW
    assert row.document_id == next(
        one.id for one in project.sources.documents() if "900 litres" in project.sources.text(one.id)
    )


def test_after_a_restart_the_sources_are_still_there(tmp_path: Path, engines: Engines) -> None:
    """SPEC 11.2: documents were never saved; after a restart every citation was SOURCE_NOT_INDEXED."""
    for turn in range(2):
        made = open_workbench(tmp_path / "root", Settings())
        with judged_by(made, engines, WordJudge()):
            opened = made.open("streets" if turn else made.create("Streets").slug)
            if turn:
                opened.audits.audit(opened.audits.reports()[0].id)
                finish_jobs(made, opened)
                again = audited(made, opened, REPORT.replace("# Three", "# The three"))
                assert [row.status for row in opened.audits.findings(again.id)][:2] == [Status.PASS, Status.PASS]
            else:
                opened.sources.add_snapshots(SOURCES)
                audited(made, opened)
            report = opened.audits.reports()[-1]
            states = [row.status for row in opened.audits.findings(report.id)]
            assert states[:4] == [Status.PASS, Status.PASS, Status.REVIEW, Status.SOURCE_NOT_INDEXED]
        made.close()


def test_an_audit_that_changes_nothing_judges_nothing(bench: Workbench, project: OpenProject, judge: WordJudge) -> None:
    report = audited(bench, project)
    before, asked = project.audits.findings(report.id), len(judge.asked)
    assert asked > 0
    job = project.audits.audit(report.id)
    finish_jobs(bench, project)
    assert len(judge.asked) == asked
    assert project.audits.findings(report.id) == before
    assert project.jobs.get(job.id).result["unchanged"] == len(before)
    # The job counts citations as the summary does: the entry that nothing cites is not one of them.
    assert project.jobs.get(job.id).result["states"] == {
        status.value: count for status, count in project.audits.summary(report.id).by_status.items()
    }


def test_a_new_version_judges_only_what_changed(bench: Workbench, project: OpenProject, judge: WordJudge) -> None:
    report = audited(bench, project)
    asked = len(judge.asked)
    longer = REPORT.replace("# Three measures\n", "# Three measures\n\nA first paragraph is new.\n")
    second, job = project.audits.add("report.md", longer.encode(), "text/markdown", supersedes=report.id)
    assert (second.version, project.audits.report(report.id).superseded_by) == (2, second.id)
    assert [row.status for row in project.audits.findings(second.id)][:3] == [Status.PASS, Status.PASS, Status.REVIEW]
    finish_jobs(bench, project)
    assert len(judge.asked) == asked
    for row in project.audits.findings(second.id):
        if row.claim is not None:
            assert project.audits.text(second.id)[slice(*row.claim)].split() == row.claim_text.split()
    changed = longer.replace("400 limes", "400 pines")
    third, job = project.audits.add("report.md", changed.encode(), "text/markdown", supersedes=second.id)
    assert [row.status is None for row in project.audits.findings(third.id)] == [True] + [False] * 2 + [False] * 3
    finish_jobs(bench, project)
    assert project.jobs.get(job.id).result["judged"] == 1
    assert {claim for claim, _ in judge.asked[asked:]} == {
        "The city planted 400 pines on Mill Lane between 2015 and 2019"
    }


def test_a_suggested_number_is_that_of_the_new_version(bench: Workbench, project: OpenProject) -> None:
    report = audited(bench, project)
    longer = REPORT + "5. One more. https://more.example/\n"
    second, _ = project.audits.add("report.md", longer.encode(), "text/markdown", supersedes=report.id)
    finish_jobs(bench, project)
    rescue = project.audits.findings(second.id)[2].rescue
    assert rescue is not None
    assert rescue.citation.startswith("[6]\n6. ")


def test_a_new_source_is_looked_at_for_what_did_not_pass_and_leaves_the_rest_alone(
    bench: Workbench, project: OpenProject
) -> None:
    report = audited(bench, project)
    versions = {row.id: row.version for row in project.audits.findings(report.id)}
    project.sources.add_text(
        "Swifts", "Swifts over the town. Nobody counted the swifts, the society says, for lack of money."
    )
    finish_jobs(bench, project)
    project.audits.audit(report.id)
    finish_jobs(bench, project)
    rows = project.audits.findings(report.id)
    assert [row.version == versions[row.id] for row in rows][:2] == [True, True]
    assert rows[4].rescue is not None
    assert rows[4].reasons == (Reason.DANGLING_MARKER,)


def test_a_stopped_audit_keeps_what_it_decided_and_the_next_goes_on(
    bench: Workbench, project: OpenProject, judge: WordJudge
) -> None:
    finish_jobs(bench, project)
    report, job = project.audits.add("report.md", REPORT.encode(), "text/markdown")
    context = project.job_context()

    def stop(done: int, total: int | None, message: str = "") -> None:
        if message.startswith("Citation 2 "):
            raise JobCancelled("stop")

    with pytest.raises(JobCancelled):
        audit_rows(context, report.id, [], stop)
    states = [row.status for row in project.audits.findings(report.id)]
    assert states[0] is Status.PASS
    assert states[1] is None
    asked = list(judge.asked)
    finish_jobs(bench, project)
    assert None not in [row.status for row in project.audits.findings(report.id)]
    assert project.jobs.get(job.id).result["unchanged"] == 1
    assert not set(judge.asked[len(asked) :]) & set(asked)


def test_rows_are_seen_while_the_audit_runs(bench: Workbench, project: OpenProject) -> None:
    finish_jobs(bench, project)
    report, _ = project.audits.add("report.md", REPORT.encode(), "text/markdown")
    seen: list[tuple[int, int | None, int]] = []

    def watch(done: int, total: int | None, message: str = "") -> None:
        decided = [row for row in project.audits.findings(report.id) if row.status is not None]
        seen.append((done, total, len(decided)))

    audit_rows(project.job_context(), report.id, [], watch)
    counts = [count for _, _, count in seen]
    assert counts == sorted(counts)
    assert len(set(counts)) >= 4
    assert [done for done, _, _ in seen] == sorted(done for done, _, _ in seen)
    assert seen[-1][:2] == (12, 12)


def test_the_report_of_the_audit_is_written_into_the_project(bench: Workbench, project: OpenProject) -> None:
    report = audited(bench, project)
    path = project.project.path / "09_qa" / "retrieval_audit.md"
    page = path.read_text("utf-8")
    assert "| 1 | \\[1\\] | The city planted 400 limes" in page
    assert "https://sparrows.example/square" in page.split("### Sources to fetch again")[1]
    assert "one scale from 0 to 1" in page
    assert "| queries | 0 |" in page
    assert re.search(r"Support of the \d+ judged citations, mean: 0\.\d\d\.", page)
    project.search(SearchRequest((Query("limes"),)))  # its statistics are those of now, also after a search
    searched = path.read_text("utf-8")
    assert "| queries | 1 |" in searched
    assert searched.split("## Answers")[1] == page.split("## Answers")[1]
    page = project.audits.audit_page()
    path.unlink()
    assert project.audits.audit_page().split("\n", 3)[3] == page.split("\n", 3)[3]
    assert path.is_file()
    assert [one.name for one in path.parent.iterdir()] == ["retrieval_audit.md"]
    project.audits.delete(report.id)
    assert "No report has been audited" in project.audits.audit_page()


def test_sources_asked_for_before_the_audit_are_read_before_it(bench: Workbench, project: OpenProject) -> None:
    report, job = project.audits.add("report.md", REPORT.encode(), "text/markdown")
    assert [one.kind for one in project.jobs.all(active=True)] == [JobKind.AUDIT, JobKind.ADD]
    finish_jobs(bench, project)
    assert project.jobs.get(job.id).state is JobState.DONE
    assert project.audits.findings(report.id)[0].status is Status.PASS


def test_without_a_judge_what_needs_none_is_decided_and_the_job_says_why(
    workbench: Workbench, engines: Engines
) -> None:
    from core.errors import ModelNotFound

    def none() -> WordJudge:
        raise ModelNotFound("The model 'judge' was not found. Install it.")

    own, workbench.engines = workbench.engines, with_judge(engines, WordJudge())
    workbench.engines.make_entailer = none
    opened = workbench.open(workbench.create("Streets").slug)
    opened.sources.add_snapshots(SOURCES)
    report, job = opened.audits.add("report.md", REPORT.encode(), "text/markdown")
    while run_next(opened.job_context(), "test"):
        pass
    workbench.engines = own
    assert "'judge' was not found" in str(opened.jobs.get(job.id).error)
    assert [row.status for row in opened.audits.findings(report.id)] == [
        None, None, None, Status.SOURCE_NOT_INDEXED, Status.REVIEW, Status.REVIEW,
    ]  # fmt: skip


def test_a_source_that_shrank_to_an_error_page_is_named_so(bench: Workbench, project: OpenProject) -> None:
    finish_jobs(bench, project)
    old = next(one for one in project.sources.documents() if "limes" in project.sources.text(one.id))
    gone = b"Page not found. The page you are looking for could not be found. Try the search of our site."
    context = project.job_context()
    from core.labels import SourceKind
    from core.records import Fetched

    fetched = Fetched(gone, "text/plain", url="https://trees.example/limes")
    blob = context.store.put_blob(gone)
    context.intake.take_in(fetched, kind=SourceKind.URL, blob_hash=blob, supersedes=old.id)
    report = audited(bench, project)
    row = project.audits.findings(report.id)[0]
    assert (row.status, row.reasons) == (Status.SOURCE_NOT_INDEXED, (Reason.SOURCE_UNREADABLE,))
    assert "error page" in row.explanation
    assert "earlier copy" in row.explanation


@pytest.mark.parametrize(
    "body", [b"", b"  \n\n ", b"\x00\x01\x02\x03" * 50, b"%PDF-1.4 broken", b"PK\x03\x04 broken zip"]
)
def test_what_is_no_report_is_refused_and_nothing_is_kept(bench: Workbench, project: OpenProject, body: bytes) -> None:
    with pytest.raises(ReportError, match=r"x\.bin"):
        project.audits.add("x.bin", body)
    assert project.audits.reports() == []


def test_unknown_reports_are_named_errors(project: OpenProject) -> None:
    for call in (project.audits.report, project.audits.audit, project.audits.read, project.audits.fetch_cited):
        with pytest.raises(ReportNotFound):
            call(77)


def test_missing_sources_are_fetched_and_only_the_rows_that_cite_them_are_audited_again(
    tmp_path: Path, engines: Engines
) -> None:
    with LoopbackServer() as server:
        fetching = Fetching(allowed_hosts=(server.host(),), per_host_delay_s=0, attempts=1, timeout_s=5)
        fetcher, judge = HttpFetcher(fetching), WordJudge()
        own = Engines(engines.encoder, engines.reranker, engines.extractor, lambda: fetcher, lambda: judge)
        made = open_workbench(tmp_path / "root", Settings(fetching=fetching), engines=own)
        opened = made.open(made.create("Streets").slug)
        opened.sources.add_snapshots(SOURCES)
        sparrows = (
            "<html><body><article><p>Sparrows came back to the market square in spring.</p></article></body></html>"
        )
        server.page("/square", sparrows * 3)
        server.page("/dead", "", status=404)
        text = REPORT.replace("https://sparrows.example/square", server.url("/square")).replace(
            "https://www.lanes.example/shops/?utm_source=report", server.url("/dead")
        )
        report = audited(made, opened, text)
        before = opened.audits.findings(report.id)
        assert [status for _, status, _ in brief(before)][:4] == [PASS, MISSING, REVIEW, MISSING]
        job = opened.audits.fetch_cited(report.id)
        finish_jobs(made, opened)
        after = opened.audits.findings(report.id)
        assert opened.jobs.get(job.id).result["rows"] == 2
        assert brief(after)[1] == ("[2]", MISSING, [Reason.LINK_DEAD])
        assert brief(after)[3] == ("[3]", PASS, [])
        assert [row for row in after if row.ordinal not in (1, 3)] == [
            row for row in before if row.ordinal not in (1, 3)
        ]
        assert opened.coverage()[0] == opened.coverage()[1]
        opened.audits.fetch_cited(report.id, [after[1].id])
        finish_jobs(made, opened)
        dead = [row for row in opened.sources.acquisitions() if row.origin.endswith("/dead")]
        assert [row.state for row in dead] == [FetchState.NOT_FOUND]
        with pytest.raises(ReportError, match="nothing to fetch"):
            opened.audits.fetch_cited(report.id, [after[3].id])
        made.close()
        fetcher.close()
