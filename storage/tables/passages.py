"""Passages: texts, the word index (FTS5, BM25) and the conditions on both."""

import re
import sqlite3
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.records import Document, Filters, Hit, Passage
from core.text.hashing import digest, hex_digest
from core.text.terms import is_sign, stored_terms
from storage.database.codec import PASSAGE_COLUMNS, clean, passage_from, passage_sum
from storage.database.database import Database
from storage.tables.base import Part, advance
from storage.tables.documents_read import batches, conditions, marks, read_documents, unfiltered

_SPLITTING = re.compile(r"[^0-9a-z\x80-\U0010ffff]")


def token(term: str) -> str:
    """A term as the word index keeps it, reversibly. The index's ``ascii`` tokenizer splits at ASCII characters other
    than letters and digits, which few terms have (NFKC turns one sign into ``(1)`` or into words with spaces): they
    become ``_<hex>_``."""
    return _SPLITTING.sub(lambda found: f"_{ord(found.group()):x}_", term)


def indexed_terms(passage: Passage) -> str:
    """The terms of a passage as one text for the word index."""
    return terms_of(passage.index_text)


def terms_of(text: str) -> str:
    """The terms of a text as one text for the word index."""
    return " ".join(token(term) for term in stored_terms(text))


def insert_passages(
    connection: sqlite3.Connection, document_row: int, current: bool, prepared: Sequence[tuple[Passage, str]]
) -> None:
    """Store passages with their ``indexed_terms``; triggers fill the word index."""
    for passage, terms in prepared:
        context = clean(passage.context)
        number = connection.execute(
            'INSERT INTO passages(document, ordinal, "start", "end", page, current, text_hash) VALUES(?,?,?,?,?,?,?)',
            (
                document_row,
                passage.ordinal,
                passage.start,
                passage.end,
                passage.page,
                int(current),
                digest(f"{context}\n{passage.text}" if context else passage.text),
            ),
        ).lastrowid
        kept = passage_sum(passage.ordinal, passage.start, passage.end, passage.page, passage.text, context)
        connection.execute(
            "INSERT INTO passage_texts VALUES(?, ?, ?, ?, ?)", (number, passage.text, context, terms, kept)
        )


def remove_passages(connection: sqlite3.Connection, document_row: int) -> None:
    """Delete a document's passages and their entries in the word index."""
    connection.execute(
        "DELETE FROM passage_texts WHERE id IN (SELECT id FROM passages WHERE document = ?)", (document_row,)
    )
    connection.execute("DELETE FROM passages WHERE document = ?", (document_row,))


class Passages(Part):
    """Candidates by words, and texts by id."""

    def lexical(self, terms: Sequence[str], filters: Filters, depth: int) -> list[Hit]:
        """BM25 as FTS5 computes it (k1 1.2, b 0.75, idf = ln((N - n + 0.5) / (n + 0.5)), at least 1e-6;
        https://sqlite.org/fts5.html#the_bm25_function), sign turned so that larger is better. Each distinct
        term counts once. N, n and the mean length are those of all current passages, whatever the filters."""
        distinct = [clean(term) for term in dict.fromkeys(terms) if term]
        if not distinct or depth < 1:
            return []
        match = " OR ".join(f'"{token(term)}"{"*" if is_sign(term) else ""}' for term in distinct)
        joins, condition = "", "1"
        values: list[object] = []
        with self._db.read() as connection:
            if not unfiltered(connection, filters):
                condition, values = conditions(filters)
                # CROSS keeps the order: words first, then one look-up a match.
                joins = "CROSS JOIN passages p ON p.id = w.rowid CROSS JOIN documents d ON d.row = p.document"
            rows = connection.execute(
                f"SELECT w.rowid, bm25(word_index) AS score FROM word_index w {joins} WHERE word_index MATCH ? "
                f"AND {condition} ORDER BY score, w.rowid LIMIT ?",
                (match, *values, depth),
            ).fetchall()
        return [Hit(number, -score) for number, score in rows]

    def passage_ids(self, filters: Filters) -> list[int]:
        with self._db.read() as connection:
            found: list[int] = allowed_ids(connection, filters).tolist()
        return found

    def passages(self, passage_ids: Sequence[int]) -> dict[int, Passage]:
        """Passages by id, in the order asked for; unknown ids are left out."""
        found: dict[int, Passage] = {}
        with self._db.read() as connection:
            for batch in batches(passage_ids):
                rows = connection.execute(
                    f"SELECT {PASSAGE_COLUMNS} FROM passages p JOIN passage_texts t ON t.id = p.id "
                    f"JOIN documents d ON d.row = p.document WHERE p.id IN ({marks(len(batch))})",
                    batch,
                )
                found.update((passage.id, passage) for passage in map(passage_from, rows))
        return {number: found[number] for number in passage_ids if number in found}

    def documents_by_id(self, document_ids: Sequence[str]) -> dict[str, Document]:
        """Documents by id, in the order asked for; unknown ids are left out."""
        wanted = list(dict.fromkeys(map(clean, document_ids)))
        with self._db.read() as connection:
            documents = read_documents(connection, f"d.id IN ({marks(len(wanted))})", wanted)
        by_id = {document.id: document for document in documents}
        return {number: by_id[number] for number in wanted if number in by_id}


def allowed_ids(connection: sqlite3.Connection, filters: Filters) -> NDArray[np.int64]:
    """Ids of the current passages under ``filters``, ascending."""
    if unfiltered(connection, filters):
        rows = connection.execute("SELECT id FROM passages WHERE current = 1 ORDER BY id")
    else:
        condition, values = conditions(filters)
        rows = connection.execute(
            f"SELECT p.id FROM documents d JOIN passages p ON p.document = d.row WHERE {condition} ORDER BY p.id",
            values,
        )
    return np.fromiter((row[0] for row in rows), np.int64)


_PROBE = """A question of the cities' heating: was running, runs, ran; the organisations' generously probable skies.
I am not what you were, after all, when we could have been here. E. coli x1 C3PO 3.14 1,234 don't o'clock
Café naïve straße İstanbul ½ ⑴ ﬁne Ａ１ Москва 東京都 ประเทศไทย हिन्दी שָׁלוֹם العَرَبِيَّة snake_case
co-operate e\u0301 soft\u00adhyphen C++ C# \u0141\u00f3d\u017a K\u00f8benhavn \u03b2"""
_REINDEXED_AT_ONCE = 2000


def recipe() -> str:
    """Tells two tokenizers apart by what they make of a probe text."""
    return hex_digest(" ".join(map(token, stored_terms(_PROBE))))[:16]


def refresh_terms(database: Database) -> bool:
    """Bring the word index to today's tokenizer, in one transaction; returns whether there was anything to do."""
    wanted = recipe()
    with database.read() as connection:
        if _stored_recipe(connection) == wanted:
            return False
    with database.write() as connection:
        if _stored_recipe(connection) == wanted:  # another process was faster
            return False
        connection.execute("INSERT INTO word_index(word_index) VALUES('delete-all')")
        last = 0
        while rows := connection.execute(
            "SELECT id, text, context FROM passage_texts WHERE id > ? ORDER BY id LIMIT ?", (last, _REINDEXED_AT_ONCE)
        ).fetchall():
            connection.executemany(
                "UPDATE passage_texts SET terms = ? WHERE id = ?",
                [(indexed_terms(Passage("", 0, 0, 0, text, context)), number) for number, text, context in rows],
            )
            last = rows[-1][0]
        connection.execute("INSERT INTO word_index(word_index) VALUES('rebuild')")
        connection.execute(
            "INSERT INTO meta VALUES('terms', ?) ON CONFLICT DO UPDATE SET value = excluded.value", (wanted,)
        )
        advance(connection, "generation")
    return True


def _stored_recipe(connection: sqlite3.Connection) -> str | None:
    row = connection.execute("SELECT value FROM meta WHERE key = 'terms'").fetchone()
    return None if row is None else str(row[0])
