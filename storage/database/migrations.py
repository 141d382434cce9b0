"""Numbered steps that bring a project's database to today's schema. Each step is one transaction. A released step never
changes: a correction is a new step, a function under ``@migration(number)``. ``PRAGMA user_version`` holds the number
of the last step done, ``PRAGMA application_id`` marks the file as ours. The first step makes the whole schema. It has
number 6, because earlier numbers belong to schemas that were never released."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass

from core.errors import DatabaseDamaged, DatabaseTooNew, DatabaseTooOld
from storage.database.codec import (
    DOCUMENT_COLUMNS,
    REPORT_SUMMED,
    checksum,
    document_sum,
    passage_sum,
    report_sum,
    sealed,
    vector_sum,
)
from storage.database.database import Database

APPLICATION_ID = 0x45764257  # "EvBW"
FIRST = 6
Step = Callable[[sqlite3.Connection], None]


@dataclass(frozen=True, slots=True)
class Migration:
    """One step. Numbers rise from ``FIRST`` without gaps; ``apply`` runs inside the step's transaction."""

    number: int
    apply: Step


_STEPS: list[Migration] = []


def migration(number: int) -> Callable[[Step], Step]:
    """A decorator that registers a function as step ``number``."""

    def register(apply: Step) -> Step:
        if number != FIRST + len(_STEPS):
            raise ValueError(f"migration {number} is out of order: the next is {FIRST + len(_STEPS)}")
        _STEPS.append(Migration(number, apply))
        return apply

    return register


def latest() -> int:
    """The number of the newest step that this version knows."""
    return _STEPS[-1].number


def version(database: Database) -> int:
    """The number of the last step done in the file, or 0."""
    with database.read() as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(database: Database, *, fresh: bool = False) -> int:
    """Bring the file to the newest step; returns the number of steps done.

    Raises:
        DatabaseTooNew: the file was written by a newer version.
        DatabaseTooOld: the file has a schema from before the first release.
        DatabaseDamaged: the file is a database, but not one of ours, or (unless ``fresh``) it is empty.
    """
    current = version(database)
    _require_known(database, current)
    if current == 0 and not fresh:
        raise DatabaseDamaged(f"{database.path} is empty. Restore the project from an exported zip or a backup.")
    open_steps = [step for step in _STEPS if step.number > current]
    for step in open_steps:
        with database.write() as connection:
            if connection.execute("PRAGMA user_version").fetchone()[0] >= step.number:  # another process was faster
                continue
            step.apply(connection)
            connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version={step.number}")
    return len(open_steps)


def _require_known(database: Database, current: int) -> None:
    with database.read() as connection:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application != APPLICATION_ID and tables:
        raise DatabaseDamaged(f"{database.path} is an SQLite file, but not of a project. Restore it from a backup.")
    if current > latest():
        raise DatabaseTooNew(
            f"{database.path} has schema {current}; this version knows schemas up to {latest()}. Update the workbench."
        )
    if 0 < current < FIRST:
        raise DatabaseTooOld(
            f"{database.path} has schema {current} from before the first release; this version reads schemas from "
            f"{FIRST} on. Make a new project and add the sources again."
        )


@migration(6)
def schema(connection: sqlite3.Connection) -> None:
    """The whole schema of the first release."""
    _documents_and_acquisitions(connection)
    _passages_and_indexes(connection)
    _jobs_and_statistics(connection)
    _reports_and_claims(connection)
    _decisions_and_people(connection)
    _questions_answers_and_calls(connection)


def _run(connection: sqlite3.Connection, *statements: str) -> None:
    for statement in statements:
        connection.execute(statement)


def _documents_and_acquisitions(connection: sqlite3.Connection) -> None:
    """Tables of acquisitions (what was asked for) and documents (what was stored). Large JSON columns stand last, so
    that lists skip them."""
    _run(
        connection,
        "CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID",
        "INSERT INTO meta VALUES('generation', 0), ('documents_version', 0), ('documents_removed', 0)",
        "CREATE TABLE blobs(hash TEXT PRIMARY KEY, size INTEGER NOT NULL, created REAL NOT NULL) STRICT, WITHOUT ROWID",
        """CREATE TABLE documents(
            row INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, content_hash TEXT NOT NULL UNIQUE,
            blob_hash TEXT NOT NULL REFERENCES blobs(hash), title TEXT NOT NULL, media_type TEXT NOT NULL,
            method TEXT NOT NULL, fetched TEXT NOT NULL, grade TEXT NOT NULL, grade_override TEXT,
            canonical_url TEXT, filename TEXT, published TEXT, publisher TEXT, doi TEXT, language TEXT,
            length INTEGER NOT NULL, passage_count INTEGER NOT NULL, near_duplicate_of TEXT, superseded_by TEXT,
            version INTEGER NOT NULL DEFAULT 0,
            created TEXT NOT NULL, signature BLOB NOT NULL, authors TEXT NOT NULL, warnings TEXT NOT NULL,
            assessment TEXT NOT NULL, pages TEXT NOT NULL, headings TEXT NOT NULL, links TEXT NOT NULL) STRICT""",
        "CREATE INDEX documents_by_version ON documents(version)",
        "CREATE INDEX documents_by_canonical_url ON documents(canonical_url) WHERE canonical_url IS NOT NULL",
        "CREATE INDEX documents_by_blob ON documents(blob_hash)",
        "CREATE INDEX documents_by_original ON documents(near_duplicate_of) WHERE near_duplicate_of IS NOT NULL",
        "CREATE INDEX documents_by_successor ON documents(superseded_by) WHERE superseded_by IS NOT NULL",
        """CREATE TABLE document_texts(document INTEGER PRIMARY KEY REFERENCES documents(row) ON DELETE CASCADE,
            size INTEGER NOT NULL, body BLOB NOT NULL) STRICT""",
        """CREATE TABLE document_urls(document INTEGER NOT NULL REFERENCES documents(row) ON DELETE CASCADE,
            position INTEGER NOT NULL, url TEXT NOT NULL, PRIMARY KEY(document, position)) STRICT, WITHOUT ROWID""",
        "CREATE INDEX document_urls_by_url ON document_urls(url)",
        """CREATE TABLE document_tags(document INTEGER NOT NULL REFERENCES documents(row) ON DELETE CASCADE,
            tag TEXT NOT NULL, PRIMARY KEY(document, tag)) STRICT, WITHOUT ROWID""",
        """CREATE TABLE grade_changes(id INTEGER PRIMARY KEY AUTOINCREMENT, document_id TEXT NOT NULL, grade TEXT,
            previous TEXT NOT NULL, reason TEXT NOT NULL, by TEXT NOT NULL, at TEXT NOT NULL) STRICT""",
        """CREATE TABLE acquisitions(id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, origin TEXT NOT NULL,
            state TEXT NOT NULL, requested TEXT NOT NULL, message TEXT NOT NULL, blob_hash TEXT REFERENCES blobs(hash),
            media_type TEXT, document_id TEXT, finished TEXT, batch TEXT NOT NULL) STRICT""",
        "CREATE INDEX acquisitions_by_state ON acquisitions(state)",
        "CREATE INDEX acquisitions_by_document ON acquisitions(document_id) WHERE document_id IS NOT NULL",
        "CREATE INDEX acquisitions_by_blob ON acquisitions(blob_hash) WHERE blob_hash IS NOT NULL",
    )
    _number_changes(connection)


def _number_changes(connection: sqlite3.Connection) -> None:
    """Every change that ``index_metadata.json`` shows gets a number, so that nobody can forget it."""
    mark = """UPDATE meta SET value = value + 1 WHERE key = 'documents_version';
        UPDATE documents SET version = (SELECT value FROM meta WHERE key = 'documents_version') WHERE row = NEW."""
    removed = "UPDATE meta SET value = value + 1 WHERE key IN ('documents_version', 'documents_removed')"
    _run(
        connection,
        f"CREATE TRIGGER document_added AFTER INSERT ON documents BEGIN {mark}row; END",
        f"""CREATE TRIGGER document_changed AFTER UPDATE OF title, grade, grade_override, fetched, canonical_url,
            passage_count ON documents BEGIN {mark}row; END""",
        f"CREATE TRIGGER document_seen AFTER INSERT ON document_urls BEGIN {mark}document; END",
        f"CREATE TRIGGER document_superseded AFTER UPDATE OF superseded_by ON documents BEGIN {removed}; END",
        f"CREATE TRIGGER document_removed AFTER DELETE ON documents BEGIN {removed}; END",
    )


def _passages_and_indexes(connection: sqlite3.Connection) -> None:
    """Passages (narrow rows), their texts, the word index over the current ones, and vectors by content. The tokenizer
    takes our terms as they are: ``ascii`` keeps every character from U+0080 up, whatever its category;
    ``storage.tables.passages.token`` escapes the rest."""
    _run(
        connection,
        """CREATE TABLE passages(id INTEGER PRIMARY KEY AUTOINCREMENT,
            document INTEGER NOT NULL REFERENCES documents(row), ordinal INTEGER NOT NULL,
            "start" INTEGER NOT NULL, "end" INTEGER NOT NULL, page INTEGER,
            current INTEGER NOT NULL, text_hash BLOB NOT NULL) STRICT""",
        "CREATE UNIQUE INDEX passages_by_document ON passages(document, ordinal)",
        """CREATE TABLE passage_texts(id INTEGER PRIMARY KEY REFERENCES passages(id) ON DELETE CASCADE,
            text TEXT NOT NULL, context TEXT NOT NULL, terms TEXT NOT NULL) STRICT""",
        """CREATE VIEW indexed_passages AS SELECT t.id AS id, t.terms AS terms
            FROM passage_texts t JOIN passages p ON p.id = t.id WHERE p.current = 1""",
        """CREATE VIRTUAL TABLE word_index USING fts5(terms, content='indexed_passages', content_rowid='id',
            tokenize="ascii tokenchars '_'")""",
        """CREATE TRIGGER passage_text_added AFTER INSERT ON passage_texts
            WHEN (SELECT current FROM passages WHERE id = NEW.id) = 1 BEGIN
            INSERT INTO word_index(rowid, terms) VALUES(NEW.id, NEW.terms); END""",
        """CREATE TRIGGER passage_text_removed BEFORE DELETE ON passage_texts
            WHEN (SELECT current FROM passages WHERE id = OLD.id) = 1 BEGIN
            INSERT INTO word_index(word_index, rowid, terms) VALUES('delete', OLD.id, OLD.terms); END""",
        """CREATE TRIGGER passage_retired AFTER UPDATE OF current ON passages
            WHEN OLD.current = 1 AND NEW.current = 0 BEGIN
            INSERT INTO word_index(word_index, rowid, terms)
            SELECT 'delete', id, terms FROM passage_texts WHERE id = NEW.id; END""",
        """CREATE TRIGGER passage_revived AFTER UPDATE OF current ON passages
            WHEN OLD.current = 0 AND NEW.current = 1 BEGIN
            INSERT INTO word_index(rowid, terms) SELECT id, terms FROM passage_texts WHERE id = NEW.id; END""",
        """CREATE TABLE vectors(seq INTEGER PRIMARY KEY AUTOINCREMENT, encoder TEXT NOT NULL, text_hash BLOB NOT NULL,
            vector BLOB NOT NULL) STRICT""",
        "CREATE UNIQUE INDEX vectors_by_text ON vectors(encoder, text_hash)",
        "INSERT INTO meta VALUES('removals', 0), ('vectors_removed', 0)",
    )


def _jobs_and_statistics(connection: sqlite3.Connection) -> None:
    """Long work, answered searches, and the result cache."""
    _run(
        connection,
        """CREATE TABLE jobs(id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, state TEXT NOT NULL,
            payload TEXT NOT NULL, created TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0, total INTEGER,
            message TEXT NOT NULL DEFAULT '', result TEXT NOT NULL DEFAULT '{}', error TEXT, started TEXT,
            finished TEXT, attempts INTEGER NOT NULL DEFAULT 0, cancel_requested INTEGER NOT NULL DEFAULT 0,
            worker TEXT, heartbeat REAL) STRICT""",
        "CREATE INDEX jobs_active ON jobs(state) WHERE state IN ('pending', 'running')",
        """CREATE TABLE queries(id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, query TEXT NOT NULL,
            results INTEGER NOT NULL, cached INTEGER NOT NULL, timings TEXT NOT NULL) STRICT""",
        """CREATE TABLE query_totals(one INTEGER PRIMARY KEY CHECK(one = 1), queries INTEGER NOT NULL,
            zero_results INTEGER NOT NULL, results INTEGER NOT NULL, cache_hits INTEGER NOT NULL) STRICT""",
        "INSERT INTO query_totals VALUES(1, 0, 0, 0, 0)",
        """CREATE TABLE cache(key TEXT PRIMARY KEY, generation INTEGER NOT NULL, used INTEGER NOT NULL,
            value BLOB NOT NULL) STRICT""",
        "CREATE INDEX cache_by_use ON cache(used)",
    )


def _reports_and_claims(connection: sqlite3.Connection) -> None:
    """Audited reports with a row for each citation, claims, and judged pairs. Rows have columns for what is filtered
    or ordered by; the rest is one JSON value, last. Judged pairs go with their document."""
    _run(
        connection,
        """CREATE TABLE reports(id INTEGER PRIMARY KEY AUTOINCREMENT, family INTEGER NOT NULL,
            version INTEGER NOT NULL, superseded_by INTEGER, name TEXT NOT NULL, title TEXT, media_type TEXT NOT NULL,
            content_hash TEXT NOT NULL, blob_hash TEXT NOT NULL REFERENCES blobs(hash), created TEXT NOT NULL,
            length INTEGER NOT NULL, url TEXT, warnings TEXT NOT NULL) STRICT""",
        "CREATE UNIQUE INDEX reports_by_family ON reports(family, version)",
        "CREATE INDEX reports_by_blob ON reports(blob_hash)",
        """CREATE TABLE report_texts(report INTEGER PRIMARY KEY REFERENCES reports(id) ON DELETE CASCADE,
            size INTEGER NOT NULL, body BLOB NOT NULL) STRICT""",
        """CREATE TABLE findings(id INTEGER PRIMARY KEY AUTOINCREMENT,
            report INTEGER NOT NULL REFERENCES reports(id) ON DELETE CASCADE, ordinal INTEGER NOT NULL,
            version INTEGER NOT NULL, status TEXT, document_id TEXT, reasons TEXT NOT NULL,
            body TEXT NOT NULL) STRICT""",
        "CREATE UNIQUE INDEX findings_by_report ON findings(report, ordinal)",
        "CREATE INDEX findings_by_status ON findings(report, status)",
        "CREATE INDEX findings_by_document ON findings(document_id) WHERE document_id IS NOT NULL",
        """CREATE TABLE claims(id INTEGER PRIMARY KEY AUTOINCREMENT, report INTEGER REFERENCES reports(id),
            "start" INTEGER, "end" INTEGER, version INTEGER NOT NULL, body TEXT NOT NULL) STRICT""",
        'CREATE UNIQUE INDEX claims_by_place ON claims(report, "start", "end") WHERE report IS NOT NULL',
        """CREATE TABLE verdicts(key TEXT PRIMARY KEY,
            document_id TEXT NOT NULL REFERENCES documents(id) ON DELETE CASCADE, body TEXT NOT NULL) STRICT""",
        "CREATE INDEX verdicts_by_document ON verdicts(document_id)",
    )


def _decisions_and_people(connection: sqlite3.Connection) -> None:
    """The log of decisions and who may decide. Triggers keep the log append-only, without gaps and in a chain, against
    every program that opens the file (and against INSERT OR REPLACE, which fires no trigger on deletion)."""
    _run(
        connection,
        """CREATE TABLE decisions(id INTEGER PRIMARY KEY, item TEXT NOT NULL, kind TEXT NOT NULL, by TEXT NOT NULL,
            at TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, body TEXT NOT NULL) STRICT""",
        "CREATE INDEX decisions_by_item ON decisions(item, by)",
        "CREATE INDEX decisions_by_person ON decisions(by)",
        """CREATE TRIGGER decision_follows BEFORE INSERT ON decisions
            WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM decisions)
            OR NEW.previous IS NOT coalesce((SELECT hash FROM decisions ORDER BY id DESC LIMIT 1), '')
            BEGIN SELECT RAISE(ABORT, 'a decision must follow the newest one'); END""",
        """CREATE TRIGGER decision_stays BEFORE UPDATE ON decisions
            BEGIN SELECT RAISE(ABORT, 'decisions are never changed'); END""",
        """CREATE TRIGGER decision_remains BEFORE DELETE ON decisions
            BEGIN SELECT RAISE(ABORT, 'decisions are never removed'); END""",
        """CREATE TABLE people(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL,
            created TEXT NOT NULL) STRICT""",
    )


def _questions_answers_and_calls(connection: sqlite3.Connection) -> None:
    """Saved questions, answers, and calls of language models. Money has columns, so that what is spent and reserved
    can be summed while a call is recorded."""
    _run(
        connection,
        """CREATE TABLE questions(id INTEGER PRIMARY KEY AUTOINCREMENT, version INTEGER NOT NULL, created TEXT NOT NULL,
            changed TEXT NOT NULL, body TEXT NOT NULL) STRICT""",
        """CREATE TABLE answers(id INTEGER PRIMARY KEY AUTOINCREMENT, version INTEGER NOT NULL, at TEXT NOT NULL,
            state TEXT NOT NULL, body TEXT NOT NULL) STRICT""",
        """CREATE TABLE llm_calls(id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, state TEXT NOT NULL,
            reserved REAL NOT NULL, cost REAL NOT NULL, body TEXT NOT NULL) STRICT""",
    )


@migration(7)
def mended_and_waiting(connection: sqlite3.Connection) -> None:
    """The fields of a document that a person corrected, and pages that an answer fetched and nobody accepted."""
    _run(
        connection,
        "ALTER TABLE documents ADD COLUMN mended TEXT NOT NULL DEFAULT '[]'",
        "ALTER TABLE documents ADD COLUMN accepted INTEGER NOT NULL DEFAULT 1",
        "CREATE INDEX documents_waiting ON documents(accepted) WHERE accepted = 0",
    )


@migration(8)
def checksums(connection: sqlite3.Connection) -> None:
    """Checksums of rows, computed of what is there now: SQLite has none, and a changed byte is a valid database."""
    stable = ", ".join(DOCUMENT_COLUMNS)
    report = ", ".join(REPORT_SUMMED)
    connection.create_function("vector_sum", 2, vector_sum, deterministic=True)
    connection.create_function("passage_sum", 6, passage_sum, deterministic=True)
    connection.create_function("sealed", 1, sealed, deterministic=True)
    connection.create_function(
        "document_sum", -1, lambda *row: document_sum(dict(zip(DOCUMENT_COLUMNS, row, strict=True))), deterministic=True
    )
    connection.create_function(
        "report_sum", -1, lambda *row: report_sum(dict(zip(REPORT_SUMMED, row, strict=True))), deterministic=True
    )
    _run(
        connection,
        "DELETE FROM cache",
        *(
            f"ALTER TABLE {table} ADD COLUMN sum INTEGER NOT NULL DEFAULT -1"
            for table in ("documents", "passage_texts", "reports", "vectors")
        ),
        "UPDATE vectors SET sum = vector_sum(text_hash, vector)",
        f"UPDATE documents SET sum = document_sum({stable})",
        f"UPDATE reports SET sum = report_sum({report})",
        """UPDATE passage_texts SET sum = passage_sum(p.ordinal, p."start", p."end", p.page, text, context)
            FROM passages p WHERE p.id = passage_texts.id""",
        *(
            f"UPDATE {table} SET body = sealed(body)"
            for table in ("findings", "claims", "verdicts", "questions", "answers", "llm_calls")
        ),
    )


@migration(9)
def checksums_of_tags_and_people(connection: sqlite3.Connection) -> None:
    """Checksums of what people typed and no reading can compare with anything else."""
    connection.create_function("checksum", -1, checksum, deterministic=True)
    _run(
        connection,
        "ALTER TABLE document_tags ADD COLUMN sum INTEGER NOT NULL DEFAULT -1",
        "ALTER TABLE people ADD COLUMN sum INTEGER NOT NULL DEFAULT -1",
        "UPDATE document_tags SET sum = checksum(tag)",
        "UPDATE people SET sum = checksum(name, role)",
    )


@migration(10)
def checksums_of_addresses(connection: sqlite3.Connection) -> None:
    """Checksums of the addresses that lead a citation to its source."""
    connection.create_function("checksum", -1, checksum, deterministic=True)
    _run(
        connection,
        "ALTER TABLE document_urls ADD COLUMN sum INTEGER NOT NULL DEFAULT -1",
        "UPDATE document_urls SET sum = checksum(url)",
    )
