"""The service of claims of one open project, for pages and the command line."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.audit.report_model import Report
from core.audit.report_reader import read_bytes, read_pasted, reread
from core.claims.extract import LONGEST, extract_claims, statements_of, typed_claim
from core.errors import ClaimError
from core.labels import ClaimType, JobKind
from core.ports.context import ProjectContext
from core.records import Claim, ClaimSource, Document, Fetched, Job, SourceVerdict

LONGEST_TEXT = 5_000_000
"""Most characters of a pasted text: over a thousand pages."""


@dataclass(frozen=True, slots=True)
class ClaimMatrix:
    """The matrix of claims × sources. ``documents`` are the sources of any of the claims, best grade first. ``cells``
    has (claim id, document id) → result of the source; a pair that was not judged has no cell."""

    claims: tuple[Claim, ...]
    documents: tuple[Document, ...]
    cells: Mapping[tuple[int, str], ClaimSource]


class Claims:
    """The claims of a project, and their verification against its sources."""

    def __init__(self, context: ProjectContext) -> None:
        self._context, self._store = context, context.store

    def extract(self, report_id: int) -> list[Claim]:
        """Extract and store the claims of a stored report; a second time adds nothing. Raises ReportNotFound (no such
        report) or ReportError (this version of the reader reads another text in it)."""
        report = self._store.report(report_id)
        text = self._store.report_text(report_id)
        read = reread(report, text, lambda: self._store.blob(report.blob_hash), self._context.engines.extractor())
        return self._keep(extract_claims(statements_of(read), created=self._context.clock(), report_id=report_id))

    def extract_file(self, name: str, body: bytes, media_type: str = "") -> list[Claim]:
        """Extract and store the claims of a file in any format of reports. Where the same bytes are stored as a report,
        they are the claims of that report; else they have no place. Raises ReportError: the file cannot be read;
        the message says why."""
        digest = hashlib.sha256(body).hexdigest()
        same = next((report for report in self._store.reports() if report.blob_hash == digest), None)
        if same is not None:
            return self.extract(same.id)
        fetched = Fetched(body=body, media_type=media_type, filename=name or "unnamed")
        return self._without_place(read_bytes(fetched, self._context.engines.extractor()))

    def extract_text(self, text: str) -> list[Claim]:
        """Extract and store the claims of pasted text, Markdown or plain. A claim that is already stored word for word
        is returned as it is. Raises ClaimError (the text has no words, or far too many) or ReportError
        (reading it takes too long)."""
        text = _storable(text)
        if not text.strip():
            raise ClaimError("The text is empty. Paste the sentences to take claims from.")
        if len(text) > LONGEST_TEXT:
            raise ClaimError(f"The text has {len(text):,} characters; at most {LONGEST_TEXT:,} are read at once.")
        return self._without_place(read_pasted(text, self._context.engines.extractor()))

    def _without_place(self, report: Report) -> list[Claim]:
        claims = extract_claims(statements_of(report), created=self._context.clock())
        return self._keep([replace(claim, start=None, end=None) for claim in claims])

    def add(self, text: str, type: ClaimType | None = None) -> Claim:
        """Add a claim that somebody typed; without ``type`` its wording decides. Raises ClaimError: the claim is empty,
        without a word, or too long."""
        words = _claim_text(text)
        claim = typed_claim(words, created=self._context.clock())
        if type is not None:
            claim = replace(claim, type=type, type_reason="chosen when it was typed", type_by="")
        return self._keep([claim])[0]

    def _keep(self, claims: Sequence[Claim]) -> list[Claim]:
        """Store claims. A typed or pasted claim that is already stored with the same words is not stored twice."""
        by_text = {claim.text: claim for claim in self._store.claims() if claim.report_id is None}
        fresh: list[Claim] = []
        for claim in claims:
            if claim.report_id is not None or claim.text not in by_text:
                fresh.append(claim)
                if claim.report_id is None:
                    by_text[claim.text] = claim
        stored = self._store.add_claims(fresh)
        if all(claim.report_id is not None for claim in claims):
            return stored
        by_text.update({claim.text: claim for claim in stored})
        return list({by_text[claim.text].id: by_text[claim.text] for claim in claims}.values())

    def all(self, *, report_id: int | None = None) -> list[Claim]:
        """The claims of a report, or all claims: in the order of the report, then of adding."""
        return self._store.claims(report_id=report_id)

    def get(self, claim_id: int) -> Claim:
        """A claim by its id (ClaimNotFound)."""
        return self._store.claim(claim_id)

    def delete(self, claim_ids: Sequence[int]) -> None:
        """Remove claims; missing ones are ignored."""
        self._store.delete_claims(claim_ids)

    def set_type(self, claim_id: int, type: ClaimType, *, by: str, version: int) -> Claim:
        """Set the type of a claim by hand. Its verdict is removed, and a new verification is scheduled. Raises
        ClaimNotFound (no such claim) or RowMoved (the claim is no longer at ``version``)."""
        claim = self._store.claim(claim_id)
        who = by.strip() or "a person"
        if claim.type is type and claim.version == version:
            return claim
        changed = replace(
            claim, type=type, type_reason=f"set by {who}", type_by=who, version=version, verdict=None, verified=None,
            basis="",
        )  # fmt: skip
        (stored,) = self._store.put_claims([changed], expect_versions=True)
        if claim.verdict is not None:
            self.verify([claim_id])
        return stored

    def verify(self, claim_ids: Sequence[int] = ()) -> Job:
        """Schedule the verification of these claims, or of all that are worth checking. A claim is not judged again
        when nothing changed since its verdict (ClaimNotFound)."""
        for claim_id in claim_ids:
            self._store.claim(claim_id)
        return self._context.schedule(JobKind.VERIFY, {"claims": list(claim_ids)}, unique=True)

    def in_document(self, claim: str, document_id: str, *, context: str = "") -> SourceVerdict:
        """The verdict of one stored document on a claim, judged at once (seconds); no claim is stored. Raises
        ClaimError (the claim is empty, without a word, or too long), DocumentNotFound (no such document) or ModelError
        (there is no model to judge with)."""
        from core.verify.judge import Judge

        judge = Judge(self._store, self._context.engines, self._context.settings)
        return judge.verdict(_claim_text(claim), document_id, context=_storable(context), names=())

    def matrix(self, *, report_id: int | None = None) -> ClaimMatrix:
        """The matrix of claims × sources of a report, or of all claims. Unverified claims have no cells."""
        claims = tuple(claim for claim in self.all(report_id=report_id) if claim.check_worthy or claim.verdict)
        cells = {
            (claim.id, source.document_id): source
            for claim in claims
            if claim.verdict is not None
            for source in claim.verdict.sources
        }
        documents = self._store.documents_by_id(sorted({document_id for _, document_id in cells}))
        ordered = sorted(
            documents.values(), key=lambda document: (document.grade_in_force.value, document.title, document.id)
        )
        return ClaimMatrix(claims, tuple(ordered), {pair: cell for pair, cell in cells.items() if pair[1] in documents})


def _claim_text(text: str) -> str:
    """The words of a claim on one line (ClaimError)."""
    words = " ".join(_storable(text).split())
    if not any(letter.isalnum() for letter in words):
        raise ClaimError("The claim has no words. Type the statement that should be checked.")
    if len(words) > LONGEST:
        raise ClaimError(
            f"The claim has {len(words):,} characters; one claim has at most {LONGEST:,}. Paste it as text "
            "instead, so that its sentences become claims of their own."
        )
    return words


def _storable(text: str) -> str:
    """The text without lone surrogates and NUL, which no database stores."""
    return text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")
