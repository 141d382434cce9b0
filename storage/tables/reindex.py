"""The word index follows the tokenizer: when ``core.text.terms`` changes, the terms of every passage are made anew.

Without this, a project indexed by an older version would be searched with stems that it does not hold.
"""

from __future__ import annotations

import hashlib
import sqlite3

from core.records import Passage
from core.text.terms import index_terms
from storage.database.database import Database
from storage.tables.base import advance
from storage.tables.passages import indexed_terms, token

_PROBE = """A question of the cities' heating: was running, runs, ran; the organisations' generously probable skies.
I am not what you were, after all, when we could have been here. E. coli x1 C3PO 3.14 1,234 don't o'clock
Café naïve straße İstanbul ½ ⑴ ﬁne Ａ１ Москва 東京都 ประเทศไทย हिन्दी שָׁלוֹם العَرَبِيَّة snake_case
co-operate e\u0301 soft\u00adhyphen C++ C#"""
_BATCH = 2000


def recipe() -> str:
    """Tells two tokenizers apart by what they make of a probe text."""
    return hashlib.sha256(" ".join(map(token, index_terms(_PROBE))).encode()).hexdigest()[:16]


def refresh_terms(database: Database) -> bool:
    """Bring the word index to today's tokenizer, in one transaction; returns whether there was anything to do."""
    wanted = recipe()
    with database.read() as connection:
        if _found(connection) == wanted:
            return False
    with database.write() as connection:
        if _found(connection) == wanted:  # another process was faster
            return False
        connection.execute("INSERT INTO word_index(word_index) VALUES('delete-all')")
        last = 0
        while rows := connection.execute(
            "SELECT id, text, context FROM passage_texts WHERE id > ? ORDER BY id LIMIT ?", (last, _BATCH)
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


def _found(connection: sqlite3.Connection) -> str | None:
    row = connection.execute("SELECT value FROM meta WHERE key = 'terms'").fetchone()
    return None if row is None else str(row[0])
