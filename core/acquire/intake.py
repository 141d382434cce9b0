"""From bytes to a stored document: read, grade, cut into passages, find near-duplicates, store in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.acquire.dedup import find_near_duplicate, signature
from core.acquire.grade import Grader
from core.acquire.mend import keep_corrections, passages_of
from core.errors import SourceError
from core.labels import SourceKind
from core.ports.store import Clock, DocumentStore, Extractor
from core.records import Document, Extraction, Fetched
from core.settings.values import Chunking
from core.text.hashing import hex_digest
from core.text.urls import canonical_or_none, url_parts

MAX_FILES = 10_000
SUFFIXES = frozenset(
    {".html", ".htm", ".xhtml", ".mhtml", ".mht", ".pdf", ".docx", ".md", ".markdown", ".txt", ".text", ".xml", ".nxml"}
)


def readable_files(folder: Path, max_bytes: int) -> list[tuple[str, Path]]:
    """(relative name, path) of files with a known ending, sorted; hidden ones and links that leave the folder are
    passed over.

    Raises:
        SourceError: the folder is missing, holds none, or holds more than 10,000 of them or one over ``max_bytes``.
    """
    if not folder.is_dir():
        raise SourceError(f"{folder} is not a folder. Give the path of a folder on this machine.")
    base = folder.resolve()
    files: list[tuple[str, Path]] = []
    for path in sorted(base.rglob("*")):
        name = path.relative_to(base)
        hidden = any(part.startswith(".") for part in name.parts)
        if hidden or path.suffix.lower() not in SUFFIXES or not path.is_file():
            continue
        if not path.resolve().is_relative_to(base):
            continue
        if path.stat().st_size > max_bytes:
            raise SourceError(
                f"{name} is over {max_bytes:,} bytes. Split it, or raise parsing.max_bytes in the settings."
            )
        files.append((name.as_posix(), path))
    if not files:
        raise SourceError(f"{folder} holds no readable file ({', '.join(sorted(SUFFIXES))}).")
    if len(files) > MAX_FILES:
        raise SourceError(f"{folder} holds {len(files):,} files; {MAX_FILES:,} at most can be added at once.")
    return files


@dataclass(frozen=True, slots=True)
class Intake:
    """The parts that bringing sources in needs, whoever does it (worker, command line, tests)."""

    store: DocumentStore
    extractor: Extractor
    grader: Grader
    chunking: Chunking
    clock: Clock

    def take_in(
        self,
        fetched: Fetched,
        *,
        kind: SourceKind,
        blob_hash: str,
        acquisition: int | None = None,
        supersedes: str | None = None,
        title: str | None = None,
        warnings: Sequence[str] = (),
        accepted: bool = True,
    ) -> Document:
        """Read and store one source; returns the stored document (or the equal one already there). ``warnings`` are
        those of fetching it; they stand before those of reading it. What a person said of the version that it
        ``supersedes`` stays. ``accepted`` False: it waits until somebody takes it in.

        Raises:
            UnreadableSource: the bytes hold no text we can read; nothing is stored.
        """
        extraction = self.extractor.extract(fetched)
        if warnings:
            extraction = replace(extraction, warnings=(*warnings, *extraction.warnings))
        document = replace(self._document(fetched, extraction, kind, blob_hash, title), accepted=accepted)
        before = self.store.document(supersedes) if supersedes else None
        passages = passages_of(document, extraction.text, self.chunking)
        stored = self.store.put(document, extraction.text, passages, acquisition=acquisition, supersedes=supersedes)
        if before is None or before.id == stored.id:
            return stored
        return keep_corrections(self.store, self.chunking, before, stored)

    def _document(
        self, fetched: Fetched, extraction: Extraction, kind: SourceKind, blob_hash: str, title: str | None
    ) -> Document:
        fetched_from = fetched.final_url or fetched.url
        url = fetched_from or extraction.canonical_url
        canonical = canonical_or_none(url)
        content_hash = hex_digest(extraction.text)
        marks = signature(extraction.text)
        others = {key: value for key, value in self.store.signatures().items() if key != content_hash[:16]}
        # What a file says of its own address proves nothing: anyone can write nature.com into a page.
        assessment = self.grader.assess(extraction, url=canonical if fetched_from else None, kind=kind)
        return Document(
            id=content_hash[:16],
            content_hash=content_hash,
            blob_hash=blob_hash,
            title=title or extraction.title or _fallback_title(fetched, extraction),
            media_type=extraction.media_type,
            method=extraction.method,
            fetched=fetched.fetched_at or self.clock(),
            grade=assessment.grade,
            assessment=assessment,
            canonical_url=canonical,
            urls=tuple(dict.fromkeys(filter(None, (*fetched.seen_urls, fetched.url, fetched.final_url, canonical)))),
            filename=fetched.filename,
            authors=extraction.authors,
            published=extraction.published,
            publisher=extraction.publisher,
            doi=extraction.doi,
            language=extraction.language,
            warnings=extraction.warnings,
            pages=extraction.pages,
            headings=extraction.headings,
            links=extraction.links,
            length=len(extraction.text),
            signature=marks,
            near_duplicate_of=find_near_duplicate(marks, others),
            created=self.clock(),
        )


def _fallback_title(fetched: Fetched, extraction: Extraction) -> str:
    if extraction.headings:
        return extraction.headings[0].text
    if fetched.filename:
        return fetched.filename.replace("\\", "/").rsplit("/", 1)[-1]
    if fetched.final_url or fetched.url:
        parts = url_parts(fetched.final_url or fetched.url or "")
        return f"{parts.netloc}{parts.path}".rstrip("/")
    first_line = extraction.text.strip().split("\n", 1)[0]
    return first_line[:77] + "…" if len(first_line) > 78 else first_line
