"""Judged pairs by content key: a claim and a source are judged once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.records import SourceVerdict
from storage.database.codec import clean
from storage.tables.base import Part
from storage.tables.filters import marks
from storage.tables.record_codec import VERDICT, pack, unpack

_AT_ONCE = 500


class Verdicts(Part):
    """The cache of one project. It is derived: a zip does not hold it."""

    def verdicts(self, keys: Sequence[str]) -> dict[str, SourceVerdict]:
        """Judged pairs by content key; unknown keys are left out."""
        wanted = list(dict.fromkeys(map(clean, keys)))
        found: dict[str, SourceVerdict] = {}
        with self._db.read() as connection:
            for at in range(0, len(wanted), _AT_ONCE):
                part = wanted[at : at + _AT_ONCE]
                for key, body in connection.execute(
                    f"SELECT key, body FROM verdicts WHERE key IN ({marks(len(part))})", part
                ):
                    found[key] = unpack(VERDICT, body, f"The judged pair {key}")
        return found

    def keep_verdicts(self, verdicts: Mapping[str, SourceVerdict]) -> None:
        """Keep judged pairs, in place of earlier ones under the same keys; they go when their document is deleted.
        A pair whose document is not there (any more) is not kept."""
        rows = [
            (clean(key), clean(verdict.document_id), pack(VERDICT, verdict)[1]) for key, verdict in verdicts.items()
        ]
        with self._db.write(durable=False) as connection:
            connection.executemany(
                "INSERT INTO verdicts SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM documents WHERE id = ?2) "
                "ON CONFLICT DO UPDATE SET document_id = excluded.document_id, body = excluded.body",
                rows,
            )
