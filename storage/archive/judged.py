"""Reports, their rows and claims out of a zip: whatever does not hold is refused or forgotten. Refused: what could not
have been written by the workbench (places outside their texts, probabilities outside 0 to 1, unknown reports).
Forgotten: an outcome that rests on a source which is not in the zip, or on words that do not stand in it; the row or
claim then waits to be judged again, as the source may have been deleted before the export. Ids of reports, rows and
claims are kept; those of passages are of another database and are dropped."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from core import records
from core.errors import StorageError
from core.labels import Status
from storage.archive.format import aware, blob_member, text_member
from storage.archive.read import ArchiveReader
from storage.tables.blobs import pack as packed_text
from storage.tables.checks import MAX_COUNT, check_claim, check_findings, inside
from storage.tables.claims import insert_claim
from storage.tables.findings import insert_findings
from storage.tables.record_codec import CLAIM, pack
from storage.tables.reports import insert_report

_TEXTS_AT_HAND = 64


@dataclass(frozen=True, slots=True)
class Judged:
    """Reports, rows and claims of a zip, in the order of its ids; ``findings`` by the id of their report."""

    reports: tuple[records.StoredReport, ...]
    findings: dict[int, list[records.Finding]]
    claims: tuple[records.Claim, ...]


def read_judged(reader: ArchiveReader, documents: Sequence[records.Document]) -> Judged:
    """Reports, rows and claims of a zip, checked. Raises HostileArchive: something could not have been written by the
    workbench."""
    reports = _reports(reader)
    sources = _Sources(reader, documents)
    findings: dict[int, list[records.Finding]] = {report.id: [] for report in reports}
    for finding in reader.findings():
        if finding.report_id not in findings:
            raise reader.hostile(f"a row belongs to report {str(finding.report_id)[:20]}, which is not in it")
        findings[finding.report_id].append(sources.finding(finding))
    claims = [sources.claim(claim) for claim in reader.claims()]
    _check_places(reader, {report.id: report.length for report in reports}, findings, claims)
    for ids in ([row.id for rows in findings.values() for row in rows], [claim.id for claim in claims]):
        if len(set(ids)) < len(ids) or not all(0 < number < MAX_COUNT for number in ids):
            raise reader.hostile("the id of a row or claim is impossible or occurs twice")
    return Judged(tuple(reports), findings, tuple(claims))


def _check_places(
    reader: ArchiveReader,
    lengths: Mapping[int, int],
    findings: Mapping[int, list[records.Finding]],
    claims: Sequence[records.Claim],
) -> None:
    """Rows and claims lie inside their reports, and no two claims at one place."""
    try:
        for number, rows in findings.items():
            check_findings(rows, lengths[number])
        for claim in claims:
            check_claim(claim, None if claim.report_id is None else lengths[claim.report_id])
    except (StorageError, KeyError) as error:
        raise reader.hostile(f"a row or claim does not fit its report ({error})") from error
    places = [(claim.report_id, claim.start, claim.end) for claim in claims if claim.report_id is not None]
    if len(set(places)) < len(places):
        raise reader.hostile("two claims stand at one place")


def _reports(reader: ArchiveReader) -> list[records.StoredReport]:
    """Reports whose text and bytes are there and whose versions follow one another."""
    reports, names = reader.reports(), set(reader.names())
    families: dict[int, list[records.StoredReport]] = {}
    for report in reports:
        if not {text_member(report.content_hash), blob_member(report.blob_hash)} <= names:
            raise reader.hostile(f"the text or the bytes of report {str(report.id)[:20]} are not in it")
        if len(reader.text(report)) != report.length:
            raise reader.hostile(f"report {report.id} has another length than its text")
        families.setdefault(report.family, []).append(report)
    for family in families.values():
        _check_versions(reader, sorted(family, key=lambda report: report.version))
    by_id = {report.id: report for report in reports}
    if len(by_id) < len(reports):
        raise reader.hostile("a report occurs twice")
    for report in reports:  # a family is called by the id of its first version, which may be gone
        first = by_id.get(report.family)
        if not 0 < report.family <= report.id < MAX_COUNT or (first is not None and first.family != first.id):
            raise reader.hostile(f"report {str(report.id)[:20]} has an impossible id or family")
    return reports


def _check_versions(reader: ArchiveReader, family: Sequence[records.StoredReport]) -> None:
    """The versions of one report, in their order, follow one another."""
    following: list[int | None] = [*(report.id for report in family[1:]), None]
    numbers = [report.version for report in family]
    if [report.superseded_by for report in family] != following or sorted(set(numbers)) != numbers:
        raise reader.hostile(f"the versions of report {str(family[0].id)[:20]} do not follow one another")
    if not 0 < numbers[0] <= numbers[-1] < MAX_COUNT:
        raise reader.hostile(f"report {str(family[0].id)[:20]} has an impossible version")


class _Sources:
    """The documents of a zip, to check against them what is said of them."""

    def __init__(self, reader: ArchiveReader, documents: Sequence[records.Document]) -> None:
        self._reader = reader
        self._documents = {document.id: document for document in documents}
        self._text = lru_cache(_TEXTS_AT_HAND)(lambda document_id: reader.text(self._documents[document_id]))

    def finding(self, finding: records.Finding) -> records.Finding:
        """The row; it waits again where its outcome does not stand on a source of this zip."""
        document_known = finding.document_id is None or finding.document_id in self._documents
        verdict = None if finding.verdict is None else self._verdict(finding.verdict)
        lost = finding.verdict is not None and verdict is None
        unfounded = finding.status is Status.PASS and verdict is None
        finding = replace(
            finding,
            candidates=tuple(candidate for candidate in finding.candidates if candidate in self._documents),
            judged=aware(finding.judged),
            verdict=verdict,
            rescue=None if finding.rescue is None else self._rescue(finding.rescue),
        )
        return finding if document_known and not lost and not unfounded else _waiting(finding, document_known)

    def claim(self, claim: records.Claim) -> records.Claim:
        """The claim; without a verdict where that does not stand on sources of this zip."""
        created = aware(claim.created) or claim.created
        verdict = None if claim.verdict is None else self._claim_verdict(claim.verdict)
        if verdict is None:
            return replace(claim, created=created, verdict=None, verified=None, basis="")
        return replace(claim, created=created, verdict=verdict, verified=aware(claim.verified))

    def _claim_verdict(self, verdict: records.ClaimVerdict) -> records.ClaimVerdict | None:
        self._require(_counts(verdict.independent, verdict.excluded), "a count of a claim's verdict is impossible")
        judged = [self._verdict(source.verdict) for source in verdict.sources]
        named = [document for cluster in verdict.clusters for document in cluster.documents]
        named += [source.document_id for source in verdict.sources]
        if not all(document_id in self._documents for document_id in named):
            return None
        sources = [
            replace(source, verdict=source_verdict)
            for source, source_verdict in zip(verdict.sources, judged, strict=True)
            if source_verdict
        ]
        return replace(verdict, sources=tuple(sources)) if len(sources) == len(judged) else None

    def _verdict(self, verdict: records.SourceVerdict) -> records.SourceVerdict | None:
        """The verdict without its passage; None if its source, or a text that it judged, is not in the zip."""
        self._require(_shares(verdict.supports, verdict.contradicts), "a probability is not between 0 and 1")
        self._require(_counts(verdict.sentences, verdict.judged), "a count of a verdict is impossible")
        document = self._documents.get(verdict.document_id)
        if document is None:
            return None
        text = self._text(document.id)
        spans = [span for check in verdict.checks for span in (*check.claim_spans, *check.evidence_spans)]
        self._require(all(inside(span, MAX_COUNT) for span in spans), "a place of a check is impossible")
        for place, limit in ((verdict.rationale, len(text)), (verdict.partial, MAX_COUNT)):
            self._require(place is None or inside(place, limit), "a rationale lies outside its text")
        for window in (verdict.best, verdict.against):
            if window is not None and not self._stands(window, document, text):
                return None
        return replace(verdict, passage_id=None)

    def _stands(self, window: records.Judgement, document: records.Document, text: str) -> bool:
        """Whether the judged words are those of the document; its title may stand in front of them."""
        self._require(_shares(window.supports, window.contradicts, window.neutral), "a probability is not 0 to 1")
        spans = window.spans or ((window.start, window.end),)
        self._require(
            all(inside(span, len(text)) for span in ((window.start, window.end), *spans)),
            f"evidence lies outside the text of document {document.id}",
        )
        judged_words, source_words = _squeezed([window.text]), _squeezed(text[start:end] for start, end in spans)
        title = judged_words.removesuffix(source_words).removesuffix(":")
        return judged_words.endswith(source_words) and _squeezed([document.title]).startswith(title)

    def _rescue(self, rescue: records.Rescue) -> records.Rescue | None:
        self._require(_shares(rescue.supports), "a probability is not between 0 and 1")
        if rescue.document_id not in self._documents:
            return None
        text = self._text(rescue.document_id)
        self._require(inside((rescue.start, rescue.end), len(text)), "a rescue lies outside its text")
        return replace(rescue, passage_id=None) if text[rescue.start : rescue.end] == rescue.text else None

    def _require(self, holds: bool, reason: str) -> None:
        if not holds:
            raise self._reader.hostile(reason)


def _waiting(finding: records.Finding, document_known: bool) -> records.Finding:
    """The row as it was before it was judged."""
    return replace(
        finding,
        document_id=finding.document_id if document_known else None,
        matched_by=finding.matched_by if document_known else "",
        status=None,
        reasons=(),
        explanation="",
        verdict=None,
        supported_part=None,
        rescue=None,
        basis="",
        judged=None,
    )


def _squeezed(texts: Iterable[str]) -> str:
    return "".join("".join(text.split()) for text in texts)


def _shares(*values: float) -> bool:
    return all(0.0 <= value <= 1.0 for value in values)


def _counts(*values: int) -> bool:
    return all(0 <= value < MAX_COUNT for value in values)


def restore_judged(reader: ArchiveReader, connection: sqlite3.Connection, judged: Judged) -> None:
    """Store everything under the ids of the zip: the log of decisions and keys made of ids stay good."""
    for report in judged.reports:
        raw = reader.text(report).encode()
        report_kept = replace(report, created=aware(report.created) or report.created)
        insert_report(connection, report_kept, raw_size=len(raw), packed=packed_text(raw), keep_id=True)
        rows = [_placed_row(connection, row) for row in judged.findings[report.id]]
        insert_findings(connection, report.id, rows, keep_ids=True)
    for claim in judged.claims:
        insert_claim(connection, *pack(CLAIM, _placed_claim(connection, claim)), keep_id=True)


def _placed_row(connection: sqlite3.Connection, row: records.Finding) -> records.Finding:
    rescue = row.rescue
    if rescue is not None:
        place = (rescue.start, rescue.end)
        rescue = replace(rescue, passage_id=passage_at(connection, rescue.document_id, place))
    return replace(row, verdict=_placed_verdict(connection, row.verdict) if row.verdict else None, rescue=rescue)


def _placed_claim(connection: sqlite3.Connection, claim: records.Claim) -> records.Claim:
    if claim.verdict is None:
        return claim
    sources: list[records.ClaimSource] = [
        replace(source, verdict=_placed_verdict(connection, source.verdict)) for source in claim.verdict.sources
    ]
    return replace(claim, verdict=replace(claim.verdict, sources=tuple(sources)))


def _placed_verdict(connection: sqlite3.Connection, verdict: records.SourceVerdict) -> records.SourceVerdict:
    if verdict.rationale is None:
        return verdict
    return replace(verdict, passage_id=passage_at(connection, verdict.document_id, verdict.rationale))


def passage_at(connection: sqlite3.Connection, document_id: str, place: tuple[int, int]) -> int | None:
    """The passage that holds most of a span."""
    row = connection.execute(
        'SELECT p.id FROM passages p JOIN documents d ON d.row = p.document WHERE d.id = ?1 AND p."start" < ?3 '
        'AND p."end" > ?2 ORDER BY min(p."end", ?3) - max(p."start", ?2) DESC, p.ordinal LIMIT 1',
        (document_id, *place),
    ).fetchone()
    return None if row is None else int(row[0])
