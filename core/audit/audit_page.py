"""``09_qa/retrieval_audit.md``: index, queries, citations and what to do next, as Markdown.

Made from the database alone. All scores are on one scale, 0 to 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from core.audit.summary import is_citation
from core.errors import StorageError
from core.labels import AnswerState, FetchState, Grade, Reason, Status
from core.ports.store import ProjectStore
from core.records import Acquisition, Answer, Document, Finding, Project, Statistics, StoredReport
from core.text.files import write_whole
from core.text.words import count_words

SCALE = "All scores are calibrated probabilities or shares on one scale from 0 to 1."
_CELL = 160
_LISTED = 100
_ANSWERS = 200
"""Newest answers that are averaged."""
_QUERIES = "## Queries"
ADVICE = {
    Reason.CONTRADICTED: "Correct the claim or drop it: the cited source says otherwise.",
    Reason.QUOTE_ALTERED: "Restore the words of the source.",
    Reason.NUMBER_MISMATCH: "Correct the figure.",
    Reason.WRONG_SOURCE: "Cite the source that says it.",
    Reason.NOT_MENTIONED: "Find a source that says it, or drop the claim.",
    Reason.PARTIAL: "Cut the claim down to what the source says, or add a source for the rest.",
    Reason.LOW_SUPPORT: "Read the passage and weaken the claim where it says more than the source.",
    Reason.ABSTRACT_ONLY: "Add the full text of the source.",
    Reason.SOURCE_UNREADABLE: "Add a copy of the source whose text can be read.",
    Reason.LINK_DEAD: "Find the source under another address or in an archive.",
    Reason.LINK_NEVER_EXISTED: "Check that this source exists at all.",
    Reason.FETCH_FAILED: "Fetch it again, or save the page in a browser and add the file.",
    Reason.DANGLING_MARKER: "Add the missing entry to the list of references.",
    Reason.AMBIGUOUS_REFERENCE: "Say which of the entries is meant.",
    Reason.SELF_REFERENCE: "Cite a source other than the report.",
    Reason.CHECK_FAILED: "Compare the claim with the passage.",
    Reason.NOT_CHECKED: "Read the source and decide; the program failed on this row.",
    Reason.LANGUAGE_DIFFERS: "Read the source in its language; this cannot be told by the machine.",
    Reason.UNUSED_REFERENCE: "Cite it or take it off the list.",
}
"""The advice about a finding, by its deciding reason."""


@dataclass(frozen=True, slots=True)
class AuditedReport:
    """A current report with its rows."""

    report: StoredReport
    findings: Sequence[Finding]


def audit_page(
    project: Project,
    statistics: Statistics,
    documents: Sequence[Document],
    acquisitions: Sequence[Acquisition],
    reports: Sequence[AuditedReport],
    now: datetime,
    answers: Sequence[Answer] = (),
) -> str:
    """The whole page. The same contents and time give the same text."""
    titles = {document.id: document.title for document in documents}
    lines = [
        f"# Retrieval audit: {_text(project.name)}", "",
        f"Made {now:%Y-%m-%d %H:%M} UTC from the database. {SCALE}", "",
        *_index(statistics, documents), *_queries(statistics), *_answers(answers),
    ]  # fmt: skip
    lines += ["## Citations", ""]
    if not reports:
        lines += ["No report has been audited in this project.", ""]
    for audited in reports:
        lines += [*_citations(audited, titles)]
    lines += ["## Recommendations", "", *_recommendations(acquisitions, reports)]
    return "\n".join(lines).rstrip() + "\n"


def _index(statistics: Statistics, documents: Sequence[Document]) -> Iterator[str]:
    grades = Counter(document.grade_in_force for document in documents)
    duplicates = sum(document.near_duplicate_of is not None for document in documents)
    encoded = statistics.encoded / statistics.passages if statistics.passages else 0.0
    yield from ("## Index", "", "| measure | value |", "|---|---|")
    yield f"| documents | {statistics.documents} |"
    yield f"| passages | {statistics.passages} |"
    yield f"| share of passages that can be found by meaning | {encoded:.2f} |"
    yield f"| near-duplicates | {duplicates} |"
    yield f"| documents by grade | {', '.join(f'{grade.value}: {grades[grade]}' for grade in Grade if grades[grade])} |"
    yield ""


def _queries(statistics: Statistics) -> Iterator[str]:
    yield from (_QUERIES, "", "| measure | value |", "|---|---|")
    none = statistics.zero_result_queries / statistics.total_queries if statistics.total_queries else 0.0
    yield f"| queries | {statistics.total_queries} |"
    yield f"| results per query, mean | {statistics.avg_results_per_query:.1f} |"
    yield f"| queries without a result | {statistics.zero_result_queries} |"
    yield f"| share without a result | {none:.2f} |"
    yield f"| share answered from the cache | {statistics.cache_hit_rate:.2f} |"
    for stage, (p50, p95) in sorted(statistics.latency.items()):
        yield f"| {stage}, ms (median, 95th percentile) | {p50:.0f}, {p95:.0f} |"
    yield ""


def _answers(answers: Sequence[Answer]) -> Iterator[str]:
    done = [answer for answer in answers if answer.state is AnswerState.DONE and answer.text]
    yield from ("## Answers", "", "| measure | value |", "|---|---|")
    yield f"| answers | {len(done)} |"
    yield f"| relevance of cited passages, mean | {_mean(c.relevance for answer in done for c in answer.citations)} |"
    scores = (answer.grounding_score for answer in done)
    yield f"| grounding, mean | {_mean(score for score in scores if score is not None)} |"
    yield ""


def _mean(values: Iterable[float]) -> str:
    known = list(values)
    return f"{sum(known) / len(known):.2f}" if known else "–"


def _citations(audited: AuditedReport, titles: Mapping[str, str]) -> Iterator[str]:
    report = audited.report
    rows = [row for row in audited.findings if is_citation(row)]
    states = Counter(row.status for row in rows)
    yield f"### {_text(report.title or report.name)} (version {report.version})"
    yield ""
    counted = ", ".join(f"{status.value} {states[status]}" for status in Status)
    yield f"{len(rows)} citations: {counted}, waiting {states[None]}."
    judged = [row.verdict.supports for row in rows if row.verdict is not None]
    yield f"Support of the {count_words(len(judged), 'judged citation')}, mean: {_mean(judged)}."
    yield ""
    if not rows:
        return
    yield from citation_table(rows, titles)
    yield ""


def citation_table(rows: Sequence[Finding], titles: Mapping[str, str]) -> Iterator[str]:
    """Lines of a Markdown table, one for each row; ``titles`` are those of stored documents by id."""
    yield "| # | citation | claim | source | status | reason | support | passage |"
    yield "|---|---|---|---|---|---|---|---|"
    for row in rows:
        support = f"{row.verdict.supports:.2f}" if row.verdict is not None else ""
        passage = row.verdict.best.text if row.verdict is not None and row.verdict.best is not None else ""
        source = titles.get(row.document_id or "", "") or row.reference_text or row.url or row.reference_label
        cells = (
            str(row.ordinal + 1), _cell(row.marker_text, 40), _cell(row.claim_text), _cell(source, 80),
            row.status.value if row.status else "waiting", ", ".join(reason.value for reason in row.reasons), support,
            _cell(passage),
        )  # fmt: skip
        yield f"| {' | '.join(cells)} |"


def _recommendations(acquisitions: Sequence[Acquisition], reports: Sequence[AuditedReport]) -> Iterator[str]:
    yield from ("### Sources to fetch again", "")
    yield from _limited([*_to_fetch(reports), *_failed(acquisitions, reports)]) or ["None."]
    yield from ("", "### Claims to review", "")
    yield from _limited(list(_to_review(reports))) or ["None."]
    unused = [row for audited in reports for row in audited.findings if not is_citation(row)]
    if unused:
        yield from ("", "### References that nothing cites", "")
        yield from _limited([f"- {_cell(row.reference_text or row.reference_label)}" for row in unused])
    yield ""


def _to_fetch(reports: Sequence[AuditedReport]) -> list[str]:
    """One line for each source that is cited and not stored, the most cited first."""
    cited: dict[str, list[Finding]] = {}
    for audited in reports:
        for row in audited.findings:
            if row.status is Status.SOURCE_NOT_INDEXED:
                cited.setdefault(row.url or row.doi or row.reference_text or row.reference_label, []).append(row)
    ordered = sorted(cited.items(), key=lambda item: (-len(item[1]), item[0]))
    return [f"- {_cell(name)} ({count_words(len(rows), 'citation')}): {_what_to_do(rows[0])}" for name, rows in ordered]


def _what_to_do(row: Finding) -> str:
    return f"{_advice(row)} {_cell(row.explanation)}"


def _failed(acquisitions: Sequence[Acquisition], reports: Sequence[AuditedReport]) -> list[str]:
    """Requests that failed and that no citation waits for."""
    named = {row.url for audited in reports for row in audited.findings if row.status is Status.SOURCE_NOT_INDEXED}
    failed = [row for row in acquisitions if row.state.failed and row.origin not in named]
    return [f"- {_cell(row.origin)} (not cited): {_state(row.state)}. {_cell(row.message)}" for row in failed]


def _to_review(reports: Sequence[AuditedReport]) -> Iterator[str]:
    for audited in reports:
        rows = [row for row in audited.findings if row.status is Status.REVIEW and is_citation(row)]
        for row in sorted(rows, key=_by_reason):
            reason = row.reasons[0].value if row.reasons else "review"
            line = f"- {row.ordinal + 1}, {reason}: \u201c{_cell(row.claim_text)}\u201d {_advice(row)}"
            if row.rescue is not None:
                marker = row.rescue.citation.split("\n")[0]
                says = "says it" if row.rescue.carries else "may say it"
                line += f" Another source {says}: {_cell(marker, 60)} ({_cell(row.rescue.title, 80)})."
            yield line


def _by_reason(row: Finding) -> tuple[int, int]:
    return (_ORDER[row.reasons[0]] if row.reasons else len(_ORDER), row.ordinal)


_ORDER = {reason: at for at, reason in enumerate(ADVICE)}


def _advice(row: Finding) -> str:
    return ADVICE.get(row.reasons[0], "") if row.reasons else "Fetch it."


def _state(state: FetchState) -> str:
    return state.value.replace("_", " ")


def _limited(lines: list[str]) -> list[str]:
    if len(lines) <= _LISTED:
        return lines
    return [*lines[:_LISTED], f"- and {len(lines) - _LISTED} more."]


def _text(text: str) -> str:
    """Foreign text as Markdown that shows its signs and makes no markup: no HTML, links, images or table borders."""
    plain = "".join(letter if letter.isprintable() else " " for letter in " ".join(text.split()))
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|#!~$" else letter for letter in plain)


def _cell(text: str, width: int = _CELL) -> str:
    flat = " ".join(text.split())
    return _text(flat if len(flat) <= width else flat[: width - 1].rstrip() + "\u2026")


FOLDER = "09_qa"
NAME = "retrieval_audit.md"


def render_audit_page(store: ProjectStore, encoder: str, now: datetime) -> str:
    """The page from what the database holds now; ``encoder`` is the fingerprint that coverage is counted by."""
    reports = [AuditedReport(report, store.findings(report.id)) for report in store.reports()]
    return audit_page(
        store.project, store.statistics(encoder), store.documents(), store.acquisitions(), reports, now,
        store.answers(limit=_ANSWERS),
    )  # fmt: skip


def write_audit_page(store: ProjectStore, encoder: str, now: datetime) -> str:
    """Render the page and put it in place of the one before, whole or not at all; returns its text.

    Nothing is written into the folder of a project that was deleted meanwhile.

    Raises:
        StorageError: the folder cannot be written to.
    """
    page = render_audit_page(store, encoder, now)
    if not store.detached():
        _replace(store.project.path / FOLDER / NAME, page.encode())
    return page


def refresh_audit_page(store: ProjectStore, encoder: str, now: datetime, *, whole: bool = False) -> None:
    """Bring the queries of the page up to date after a search, or the ``whole`` page; nothing where there is none yet.
    A page that cannot be read or written stays as it is: nobody's search fails for it."""
    path = store.project.path / FOLDER / NAME
    if not path.is_file():
        return
    with suppress(StorageError, OSError, UnicodeDecodeError):
        if whole:
            write_audit_page(store, encoder, now)
            return
        page = path.read_text(encoding="utf-8")
        start = page.find(_QUERIES)
        end = page.find("\n## ", start + 1)
        if start >= 0 and end >= 0 and not store.detached():
            queries = "\n".join(_queries(store.statistics(encoder)))
            _replace(path, f"{page[:start]}{queries}{page[end:]}".encode())


def _replace(path: Path, body: bytes) -> None:
    try:
        path.parent.mkdir(exist_ok=True)  # never its parents: a deleted project must not come back
        write_whole(path, body)
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written ({error.strerror}). Check the disk and the folder's rights."
        ) from error
