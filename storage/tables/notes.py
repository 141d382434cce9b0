"""Notes of the engine about a project, by name, and whether each goes along: the one place where that is decided.
``in_zip``: people made it or paid for it, so a project's zip has it (``storage.archive.notes``). ``in_copy``: it is
still true in a copy of the project made beside it, whose database is the same but whose jobs begin anew."""

from dataclasses import dataclass

from storage.tables.base import Part


class Memos(Part):
    """``core.ports.store.ProjectStore.memo`` and ``set_memo``."""

    def memo(self, key: str) -> str | None:
        """The note kept under ``key``."""
        with self._db.read() as connection:
            row = connection.execute("SELECT value FROM meta WHERE key = ?", (f"memo:{key}",)).fetchone()
        return None if row is None else str(row[0])

    def memos(self, prefix: str) -> dict[str, str]:
        with self._db.read() as connection:
            rows = connection.execute(
                "SELECT substr(key, 6), value FROM meta WHERE substr(key, 1, ?2) = ?1 ORDER BY key",
                (f"memo:{prefix}", len(f"memo:{prefix}")),
            ).fetchall()
        return {str(name): str(value) for name, value in rows}

    def set_memo(self, key: str, value: str) -> None:
        with self._db.write() as connection:
            connection.execute(
                "INSERT INTO meta VALUES(?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", (f"memo:{key}", value)
            )


@dataclass(frozen=True, slots=True)
class MemoKind:
    """Notes whose name begins with ``prefix`` (or is it). ``what`` says what they are, in the plural."""

    prefix: str
    what: str
    in_zip: bool
    in_copy: bool
    why: str

    @property
    def open_ended(self) -> bool:
        """Whether something follows the prefix in a name."""
        return self.prefix.endswith((":", " "))


LAB, SETS, OPINIONS = "lab-judged:", "judged:", "opinion:"
QUOTES, TEMPLATES, UNFINISHED = "quotes:", "answer_templates", "threshold-unfinished"
KINDS = (
    MemoKind(LAB, "judgements of the query lab", True, True, "People's work."),
    MemoKind(SETS, "sets of judged queries", True, True, "People's work; the demo's and those of decisions are made."),
    MemoKind(OPINIONS, "second opinions of a language model", True, True, "Paid for, and read by reviewers."),
    MemoKind(QUOTES, "quotes that a language model found", True, True, "Paid for, and checked against the source."),
    MemoKind(TEMPLATES, "guidance for answers", True, True, "People's work."),
    MemoKind(UNFINISHED, "a change of the threshold", True, True, "Without it rows stay decided by the old threshold."),
    MemoKind("evaluation:", "values of each judged query", False, False, "Measured; belongs to a job, which stays."),
    MemoKind("expanded:", "variants of questions", False, False, "Belongs to a job; kept with saved questions."),
    MemoKind("chunking", "how passages are cut", False, True, "State of this database's passages."),
    MemoKind("web-cooldown ", "pauses of providers", False, True, "State of this machine, over within the hour."),
    MemoKind("web-searches-for-answers", "searches of a day", False, False, "State of this machine, for a day."),
    MemoKind("late-failed", "a failed build of RAGatouille's index", False, True, "Depends on what is installed here."),
    MemoKind("late-damaged", "a checkpoint that cannot be read", False, True, "Depends on what is installed here."),
    MemoKind("left-out-on-import", "what an import left out", False, True, "Said of the zip that was taken in here."),
    MemoKind("differs-on-import", "what differed in an imported pack", False, True, "Said of the pack taken in here."),
)


def kind_of(name: str) -> MemoKind | None:
    """The kind of a note by its name. None for a name that this version does not know: that note stays where it is."""
    return next(
        (kind for kind in KINDS if name.startswith(kind.prefix) and (kind.open_ended or name == kind.prefix)), None
    )
