"""Notes with people's work in a zip: judgements, judged sets, opinions, quotes and guidance come back; others stay."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from core.evaluate.judged import pack, unpack
from core.labels import Label
from core.records import LEFT_OUT, UPLOAD, JudgedQueries, Opinion, OpinionQuote
from core.text.jsonable import squeeze
from core.workbench.open_project import import_notes
from storage.archive.note_forms import OPINION
from storage.archive.notes import NoteRecord
from storage.catalog import SqliteCatalog
from storage.store import SqliteProjectStore
from storage.tables.base import utc_now
from storage.tables.notes import kind_of
from tests.hostile.archives import members_of, refused, rewrite
from tests.hostile.conftest import TEXT

KEPT = "kept.jsonl"
LAB = f"lab-judged:{'a' * 32}"
SET = JudgedQueries("mine.qrels", UPLOAD, {"q": {"Otters": 1}}, {"q": "otters 東京"}, {"run": {"q": ("Otters",)}})
LOST = "0123456789abcdef"


def _document(store: SqliteProjectStore) -> str:
    (found,) = [one.id for one in store.documents() if one.tags]
    return found


def _opinion(document: str, item: str) -> Opinion:
    quote = OpinionQuote(document, 0, 6, TEXT[:6], Label.SUPPORTS, "says so")
    return Opinion(item, datetime(2026, 1, 2, tzinfo=UTC), "m", Label.SUPPORTS, 80, "why", None, None, (quote,))


def _quotes(store: SqliteProjectStore, document: str) -> dict[str, Any]:
    quote = {"start": 7, "end": 11, "quote": TEXT[7:11], "why": "½", "stance": ""}
    return {
        "text": "Do they swim?", "way": "passages", "at": "2026-01-02T00:00:00+00:00", "model": "m", "cost_usd": 0.1,
        "content": store.document(document).content_hash, "quotes": [quote], "dropped": ["no"], "notes": [],
    }  # fmt: skip


def _notes(store: SqliteProjectStore) -> dict[str, str]:
    """One of every kind that travels."""
    document, row = _document(store), store.findings(store.reports()[0].id)[0]
    key, held = pack(SET)
    return {
        LAB: json.dumps({f"{document}:0-10": 3, f"{document}:11-20": 0}),
        f"judged:{key}": held,
        f"opinion:finding:{row.id}": OPINION.dump_json(_opinion(document, f"finding:{row.id}")).decode(),
        f"quotes:{document}": json.dumps(_quotes(store, document)),
        "answer_templates": json.dumps({"general": "Say it in 東京."}, ensure_ascii=False),
        "threshold-unfinished": "yes",
    }


STAYING = {
    "chunking": "{}",
    "web-cooldown crossref": "{}",
    "evaluation:1": "x",
    "expanded:2": "x",
    f"judged:{'b' * 32}": pack(JudgedQueries("demo", "golden", {"q": {"d": 1}}))[1],
    f"lab-judged:{'c' * 32}": "not JSON",
    "of a later version": "x",
}


@pytest.fixture
def notes(catalog: SqliteCatalog) -> dict[str, str]:
    """What the project keeps of what travels; it keeps other notes too."""
    store = catalog.open("full")
    made = _notes(store)
    for name, value in {**made, **STAYING}.items():
        store.set_memo(name, value)
    store.close()
    return made


@pytest.fixture
def kept(catalog: SqliteCatalog, notes: dict[str, str], tmp_path: Path) -> Path:
    """An archive of it."""
    return catalog.export("full", tmp_path / "full.zip")


def _imported(catalog: SqliteCatalog, path: Path) -> SqliteProjectStore:
    assert catalog.verify_archive(path) == []
    return catalog.open(catalog.import_archive(path).slug)


def _with(path: Path, notes: Mapping[str, str]) -> Path:
    lines = [NoteRecord.model_construct(name=name, value=value).model_dump_json() for name, value in notes.items()]
    return rewrite(path, {**members_of(path), KEPT: "".join(f"{one}\n" for one in lines).encode()})


# ---------------------------------------------------------------- ours


def test_what_people_made_and_paid_for_comes_back_and_nothing_else(
    catalog: SqliteCatalog, kept: Path, notes: dict[str, str], tmp_path: Path
) -> None:
    taken = _imported(SqliteCatalog(tmp_path / "elsewhere", utc_now), kept)
    came = taken.memos("")
    (set_name,) = [name for name in came if name.startswith("judged:")]
    assert unpack(came.pop(set_name)) == SET
    assert set_name in notes
    for name, value in came.items():
        if name.startswith("opinion:"):
            assert OPINION.validate_json(value) == OPINION.validate_json(notes[name])
        elif name != "threshold-unfinished":
            assert json.loads(value) == json.loads(notes[name])
    assert {set_name, *came} == set(notes)
    assert import_notes(taken) == []
    taken.close()


def test_a_copy_keeps_everything_but_what_belongs_to_jobs(catalog: SqliteCatalog, notes: dict[str, str]) -> None:
    taken = catalog.open(catalog.duplicate("full", "Copy").slug)
    assert taken.memos("") == {
        name: value for name, value in {**STAYING, **notes}.items() if not name.startswith(("evaluation:", "expanded:"))
    }
    taken.close()


def test_a_project_without_such_notes_is_written_without_the_list(catalog: SqliteCatalog, tmp_path: Path) -> None:
    store = catalog.open("full")
    for name, value in {**STAYING, "threshold-unfinished": "", "answer_templates": "{}", LAB: "{}"}.items():
        store.set_memo(name, value)
    store.close()
    members = members_of(catalog.export("full", tmp_path / "plain.zip"))
    assert KEPT not in members


def test_a_zip_without_notes_is_read(catalog: SqliteCatalog, kept: Path) -> None:
    members = members_of(kept)
    del members[KEPT]
    taken = _imported(catalog, rewrite(kept, members))
    assert taken.memos("") == {}
    taken.close()


def test_every_note_that_the_engine_keeps_has_a_decision() -> None:
    core = Path(__file__).resolve().parents[2] / "core"
    text = "\n".join(path.read_text("utf-8") for path in sorted(core.rglob("*.py")))
    names = dict(
        re.findall(r"^(\w*(?:MEMO|TEMPLATES|UNFINISHED|CHUNKING|LEFT_OUT|DIFFERS)) = \"([^\"]+)\"", text, re.MULTILINE)
    )
    written = set(re.findall(r"set_memo\((\w+)", text)) - {"self"}  # the port's own
    assert written <= {*names, "_cooldown_memo"}
    texts = [*re.findall(r"^\w*MEMO = \"([^\"]+)\"", text, re.MULTILINE), *names.values(), "web-cooldown crossref"]
    for name in texts:
        assert kind_of(name.format("x")) is not None, name
    assert len(set(texts)) >= 10


# ---------------------------------------------------------------- left out, and said


def test_what_is_about_something_that_is_not_in_the_zip_is_left_out_and_named(
    catalog: SqliteCatalog, kept: Path, notes: dict[str, str]
) -> None:
    places = {**json.loads(notes[LAB]), f"{LOST}:5-9": 2}
    opinion = next(name for name in notes if name.startswith("opinion:"))
    lost = OPINION.dump_json(_opinion(LOST, "claim:77")).decode()
    quotes = json.loads(next(value for name, value in notes.items() if name.startswith("quotes:")))
    changed = {
        **notes, LAB: json.dumps(places), f"lab-judged:{'d' * 32}": json.dumps({f"{LOST}:1-2": 1}),
        "opinion:claim:77": lost, f"quotes:{LOST}": json.dumps({**quotes, "content": LOST * 4}),
    }  # fmt: skip
    taken = _imported(catalog, _with(kept, changed))
    assert json.loads(taken.memo(LAB) or "") == json.loads(notes[LAB])
    assert set(taken.memos("")) == {*notes, LEFT_OUT}
    assert opinion in taken.memos("opinion:")
    judgements, opinions, found = import_notes(taken)
    assert judgements.startswith("Of the judgements of the query lab 2 were left out")
    assert f"source {LOST}, characters 5 to 9, grade 2" in judgements
    assert "claim 77" in opinions
    assert LOST in found
    taken.close()


def test_judgements_of_a_source_deleted_before_the_export_are_left_out(
    catalog: SqliteCatalog, notes: dict[str, str], tmp_path: Path
) -> None:
    given = catalog.open("full")
    given.delete(_document(given))
    given.close()
    taken = _imported(catalog, catalog.export("full", tmp_path / "less.zip"))
    assert set(taken.memos("")) == {name for name in notes if not name.startswith(("lab-", "quotes", "op"))} | {
        LEFT_OUT
    }
    assert len(import_notes(taken)) == 3
    taken.close()


def test_an_opinion_on_words_that_are_not_there_is_left_out(
    catalog: SqliteCatalog, kept: Path, notes: dict[str, str]
) -> None:
    name = next(one for one in notes if one.startswith("opinion:"))
    forged = json.loads(notes[name])
    forged["quotes"][0]["quote"] = "Herons"
    taken = _imported(catalog, _with(kept, {**notes, name: json.dumps(forged)}))
    assert taken.memo(name) is None
    assert len(import_notes(taken)) == 1
    taken.close()


# ---------------------------------------------------------------- refused


@pytest.mark.parametrize(
    "name",
    ["chunking", "left-out-on-import", "evaluation:1", "x", "", "generation", "web-cooldown crossref", "lab-judged:zz",
     "lab-judged:", f"lab-judged:{'A' * 32}", "judged:../x", "quotes:", "opinion:", "answer_templates2"],
)  # fmt: skip
def test_a_note_that_does_not_travel_is_refused(catalog: SqliteCatalog, kept: Path, name: str) -> None:
    refused(catalog, _with(kept, {name: "{}"}), "not taken in")


@pytest.mark.parametrize(
    "value",
    ["", "[]", "null", "nonsense", '{"x": 1}', '{"DOC:0-10": 4}', '{"DOC:0-10": -1}', '{"DOC:0-10": "3"}',
     '{"DOC:0-10": 1.5}', '{"DOC:0-10": true}', '{"DOC:10-10": 1}', '{"DOC:0-999999": 1}', '{"DOC": 1}',
     '{"DOC:00-10": 1, "DOC:0-10": 1}', "[" * 5000],
)  # fmt: skip
def test_an_impossible_judgement_is_refused(catalog: SqliteCatalog, kept: Path, value: str) -> None:
    store = catalog.open("full")
    document = _document(store)
    store.close()
    refused(catalog, _with(kept, {LAB: value.replace("DOC", document)}), "not taken in")


@pytest.mark.parametrize(
    "value",
    ["", "!!", squeeze([]), squeeze({}), squeeze({"name": "x"}), pack(SET)[1][:-5],
     pack(JudgedQueries("n", "review", {"q": {"d": 1}}))[1], pack(JudgedQueries("n", UPLOAD, {"q": {"d": 10**9}}))[1],
     pack(JudgedQueries("n" * 501, UPLOAD, {"q": {"d": 1}}))[1]],
)  # fmt: skip
def test_an_impossible_set_is_refused(catalog: SqliteCatalog, kept: Path, value: str) -> None:
    refused(catalog, _with(kept, {f"judged:{'e' * 32}": value}), "not taken in")


def test_a_set_that_unpacks_to_too_much_is_refused(
    catalog: SqliteCatalog, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.archive.note_forms.MAX_SET_BYTES", 1000)
    bomb = pack(JudgedQueries("n", UPLOAD, {"q": {"d": 1}}, {"q": " " * 1900}))[1]
    refused(catalog, _with(kept, {f"judged:{'e' * 32}": bomb}), "unpacks to too much")


@pytest.mark.parametrize(
    "change",
    [{"item": "finding:999"}, {"confidence": 101}, {"confidence": "80"}, {"at": "2026-01-02T00:00:00"}, {"extra": 1},
     {"cost_usd": -1.0}, {"cost_usd": 1e300}, {"dropped": -1}, {"label": "sure"}, {"why": "x" * 40_000},
     {"quotes": {}}],
)  # fmt: skip
def test_an_impossible_opinion_is_refused(
    catalog: SqliteCatalog, kept: Path, notes: dict[str, str], change: dict[str, Any]
) -> None:
    name = next(one for one in notes if one.startswith("opinion:"))
    refused(catalog, _with(kept, {name: json.dumps({**json.loads(notes[name]), **change})}), "not taken in")


@pytest.mark.parametrize(
    "change",
    [{"way": "guess"}, {"at": "yesterday"}, {"content": "0" * 64}, {"cost_usd": "1"}, {"quotes": [{"start": 0}]},
     {"quotes": [{"start": 0, "end": 10**6, "quote": "x", "why": "", "stance": ""}]}, {"extra": 1}],
)  # fmt: skip
def test_impossible_quotes_are_refused(
    catalog: SqliteCatalog, kept: Path, notes: dict[str, str], change: dict[str, Any]
) -> None:
    name = next(one for one in notes if one.startswith("quotes:"))
    refused(catalog, _with(kept, {name: json.dumps({**json.loads(notes[name]), **change})}), "not taken in")


@pytest.mark.parametrize("value", ['{"general": "' + "x" * 4001 + '"}', '{"astrology": "x"}', '{"general": 1}', "[]"])
def test_impossible_guidance_is_refused(catalog: SqliteCatalog, kept: Path, value: str) -> None:
    refused(catalog, _with(kept, {"answer_templates": value}), "not taken in")


def test_a_note_that_occurs_twice_and_too_many_are_refused(
    catalog: SqliteCatalog, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    members = members_of(kept)
    refused(catalog, rewrite(kept, {**members, KEPT: members[KEPT] * 2}), "twice")
    monkeypatch.setattr("storage.archive.format.MAX_KEPT", 2)
    refused(catalog, rewrite(kept, members), "more than 2 notes")
