"""A small project with something of everything, read again after a byte of its databases changed.

``python -m tests.helpers.rotting 450 100`` counts the outcomes of so many random flips, and of so many that hit what
people read (words, verdicts, vectors).
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.errors import WorkbenchError
from core.labels import Status
from core.records import Filters, QuantizedTokens, StoredReport
from storage.catalog import SqliteCatalog
from storage.store import SqliteProjectStore
from storage.tables.base import utc_now
from tests.contract.asked import make_answer, make_call, make_question
from tests.contract.builders import add
from tests.contract.judged import JUDGED, add_report, judged, make_claim, make_verdict, verdict_on
from tests.contract.reviewed import decide_all

TEXT = "Otters swim in the river. Herons stand beside it. The council counted forty of each in spring."
TEXTS = [f"{TEXT} Number {at} of the series." for at in range(6)]
FILES = ("project.db", "late.db")
WORDS = (b"Otters", b"council", b"A title", b"supports", b"PASS", b"REVIEW", b"e5")
"""Of the bytes of a targeted flip: words that people read, and the name of the encoder beside every vector."""
Readings = Mapping[str, Callable[[SqliteProjectStore], object]]


def make(catalog: SqliteCatalog) -> str:
    """The slug of a new project with something of everything."""
    slug = catalog.create("Rot").slug
    with closing(catalog.open(slug)) as store:
        documents = [add(store, text, size=40, context="Rivers › animals") for text in TEXTS]
        drawn = np.random.default_rng(16)
        missing = [text_hash for text_hash, _ in store.missing("e5", 1000)]
        tokens = [
            QuantizedTokens(drawn.integers(-9, 9, (5, 8), np.int8), 0.1 * at) for at in range(1, len(missing) + 1)
        ]
        store.put_vectors("e5", missing, drawn.normal(size=(len(missing), 8)).astype(np.float32), tokens)
        report = add_report(store)
        rows = store.findings(report.id)
        store.put_findings([judged(rows[0], documents[0], TEXTS[0])])
        store.put_findings([judged(rows[1], documents[1], TEXTS[1], status=Status.PASS, reasons=())])
        claim, _ = store.add_claims([make_claim(report_id=report.id, start=0, end=11), make_claim("typed")])
        store.put_claims([replace(claim, verdict=verdict_on(documents[0], TEXTS[0]), verified=JUDGED, basis="b")])
        store.keep_verdicts({"k": make_verdict(documents[0], TEXTS[0])})
        decide_all(store, store.findings(report.id))
        store.save_question(make_question())
        store.add_answer(make_answer(documents[0], TEXTS[0]))
        store.begin_call(make_call(), reserve_usd=0.1, budget_usd=1.0)
        store.set_tags(documents[0].id, ["river", "spring"])
        store.cache("key", b"a result", keep=9)
    return slug


def readings(store: SqliteProjectStore) -> Readings:
    """Everything that is shown or judged, by name."""
    ids = [document.id for document in store.documents()]
    reports: list[StoredReport] = store.reports()
    query = np.ones(8, np.float32)
    return {
        "documents": lambda store: store.documents(),
        "texts": lambda store: [store.text(number) for number in ids],
        "passages": lambda store: store.passages(range(1, 60)),
        "words": lambda store: store.lexical(["otter", "council"], Filters(), 50),
        "vectors": lambda store: {key: row.tobytes() for key, row in store.vectors(range(1, 60), "e5").items()},
        "meaning": lambda store: store.dense(query, "e5", Filters(), 50),
        "tokens": lambda store: {
            key: (row.codes.tobytes(), row.scale) for key, row in store.tokens(range(1, 60), "e5").items()
        },
        "reports": lambda store: (store.reports(), [store.report_text(report.id) for report in reports]),
        "findings": lambda store: [store.findings(report.id) for report in reports],
        "by status": lambda store: [store.findings(report.id, statuses=(Status.PASS,)) for report in reports],
        "claims": lambda store: store.claims(),
        "verdicts": lambda store: store.verdicts(["k"]),
        "decisions": lambda store: store.decisions(),
        "people": lambda store: store.people(),
        "questions": lambda store: (store.questions(), store.answers(), store.calls()),
        "cache": lambda store: store.cached("key"),
    }  # fmt: skip


MADE_ANEW = {"vectors", "meaning", "tokens", "cache"}
"""Readings that may lack what rotted: the rest is right, and what is lacking counts as work to do."""


def outcome(name: str, wanted: object, read: Callable[[], object]) -> str:
    """``same``, ``told`` (a typed error), ``lacking``, ``other`` (another answer) or ``raw`` (any other error)."""
    try:
        result = read()
    except WorkbenchError:
        return "told"
    except Exception as error:
        return f"raw {name} {type(error).__name__}: {error}"
    if result == wanted:
        return "same"
    if name in MADE_ANEW:
        if not result:
            return "lacking"
        if isinstance(wanted, dict) and isinstance(result, dict) and result.items() <= wanted.items():
            return "lacking"
        if name == "meaning" and isinstance(result, list) and set(result) <= set(wanted):  # type: ignore[call-overload]
            return "lacking"
    return f"other {name}"


class Rotting:
    """The project on disk, with a way to change one byte and read everything."""

    def __init__(self, root: Path) -> None:
        self.catalog = SqliteCatalog(root, utc_now)
        self.slug = make(self.catalog)
        self.folder = root / self.slug
        self.whole = {name: (self.folder / name).read_bytes() for name in FILES}
        with closing(self.catalog.open(self.slug)) as store:
            self.readings = readings(store)
            self.wanted = {name: read(store) for name, read in self.readings.items()}
            assert store.problems() == []
        self._restore()

    def _restore(self) -> None:
        for path in self.folder.glob("*.db*"):
            path.unlink()
        for name, body in self.whole.items():
            (self.folder / name).write_bytes(body)

    def places(self, drawn: random.Random, *, targeted: bool) -> tuple[str, int]:
        """A file and a place in it, behind the header, which is SQLite's own matter."""
        name = FILES[drawn.random() < 0.3]
        body = self.whole[name]
        if not targeted:
            return name, drawn.randrange(100, len(body))
        word = drawn.choice(WORDS)
        found = [at for at in range(len(body)) if body.startswith(word, at)] or [100]
        return name, min(len(body) - 1, drawn.choice(found) + drawn.randrange(40))

    @contextmanager
    def flipped(self, name: str, at: int, bit: int) -> Iterator[None]:
        body = self.whole[name]
        (self.folder / name).write_bytes(body[:at] + bytes([body[at] ^ (1 << bit)]) + body[at + 1 :])
        try:
            yield
        finally:
            self._restore()

    def outcomes(self, name: str, at: int, bit: int) -> set[str]:
        """The outcomes of all readings after a flip; those of another answer end with whether the check tells."""
        with self.flipped(name, at, bit):
            try:
                store = self.catalog.open(self.slug)
            except WorkbenchError:
                return {"told"}
            except Exception as error:
                return {f"raw open {type(error).__name__}: {error}"}
            with closing(store):
                result = {
                    outcome(name, self.wanted[name], lambda read=read: read(store))  # type: ignore[misc]
                    for name, read in self.readings.items()
                }
                try:
                    problems = store.problems()
                except Exception as error:
                    return {*result, f"raw check {type(error).__name__}: {error}"}
        return {f"{row}, {'told by check' if problems else 'silent'}" if row[:5] == "other" else row for row in result}


def _count(rotting: Rotting, flips: int, *, targeted: bool) -> Counter[str]:
    drawn, counts = random.Random(16), Counter[str]()
    for _ in range(flips):
        place = (*rotting.places(drawn, targeted=targeted), drawn.randrange(8))
        rows = rotting.outcomes(*place)
        worst = next((row for row in sorted(rows, reverse=True) if row[:3] in ("raw", "oth")), "")
        if worst:
            print(place, sorted(rows), file=sys.stderr)
        counts[worst or ("told" if "told" in rows else "lacking" if "lacking" in rows else "same")] += 1
    return counts


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        made = Rotting(Path(folder) / "root")
        print("random", dict(_count(made, int(sys.argv[1]), targeted=False)))
        print("targeted", dict(_count(made, int(sys.argv[2]), targeted=True)))
