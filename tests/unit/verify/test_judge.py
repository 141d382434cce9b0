"""Each pair is judged once: what was judged is kept under everything that decided it, and only that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.backends.resolve import load_encoder
from core.errors import DocumentNotFound, ModelNotFound
from core.labels import Label
from core.ports.engines import Engines
from core.ports.store import Entailer, Extractor, Fetcher, JointEncoder, ProjectStore, Reranker
from core.retrieve.encode import encode_missing
from core.settings.values import Models, Settings, Verification
from core.verify.judge import SOURCES, Judge
from core.verify.screen import Remembering
from storage import open_catalog
from tests.contract.builders import FakeClock, add
from tests.helpers.verifying import WordJudge

TEXT = "The programme began in 2018. The city planted 31,640 trees by 2024. Watering was paid for by the province."
CLAIM = "The city planted 31,640 trees by 2024."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ProjectStore]:
    catalog = open_catalog(tmp_path / "root", clock=FakeClock())
    made = catalog.open(catalog.create("Judging").slug)
    yield made
    made.close()


def _none() -> Reranker:
    raise AssertionError("judging asks for no other engine")


def engines(entailer: Entailer, *, encoder: bool = True) -> Engines:
    def make_encoder() -> JointEncoder:
        if not encoder:
            raise ModelNotFound("The model 'none' was not found. Install it.")
        return load_encoder(Models())

    def make_extractor() -> Extractor:
        raise AssertionError("judging reads no file")

    def make_fetcher() -> Fetcher:
        raise AssertionError("judging fetches nothing")

    return Engines(make_encoder, _none, make_extractor, make_fetcher, lambda: entailer)


def test_the_second_time_nothing_is_judged(store: ProjectStore) -> None:
    document = add(store, TEXT)
    entailer = WordJudge()
    first = Judge(store, engines(entailer), Settings()).verdict(CLAIM, document.id)
    assert first.label is Label.SUPPORTS
    asked = len(entailer.asked)
    assert asked > 0
    assert Judge(store, engines(entailer), Settings()).verdict(CLAIM, document.id) == first
    assert len(entailer.asked) == asked


def test_the_passage_that_holds_the_deciding_sentence_is_named(store: ProjectStore) -> None:
    document = add(store, TEXT)
    found = Judge(store, engines(WordJudge()), Settings()).verdict(CLAIM, document.id)
    assert found.passage_id in {one.id for one in store.passages_of(document.id)}
    assert found.rationale is not None
    assert TEXT[slice(*found.rationale)] == CLAIM


def test_what_decides_is_in_the_key(store: ProjectStore) -> None:
    document = add(store, TEXT)
    other = add(store, TEXT + " More.")
    judge = Judge(store, engines(WordJudge()), Settings())
    stricter = Judge(store, engines(WordJudge()), Settings(verification=Verification(pass_support=0.99)))
    blind = Judge(store, engines(WordJudge(), encoder=False), Settings())
    renamed = WordJudge()
    renamed.fingerprint = "word-judge-2"
    keys = [
        judge.key(CLAIM, document),
        judge.key(CLAIM + "!", document),
        judge.key(CLAIM, other),
        judge.key(CLAIM, document, "Before."),
        stricter.key(CLAIM, document),
        blind.key(CLAIM, document),
        Judge(store, engines(renamed), Settings()).key(CLAIM, document),
    ]
    assert len(set(keys)) == len(keys)
    assert judge.key(CLAIM, replace(document, title="Renamed")) != keys[0]  # the title stands in front of pronouns
    assert judge.key(CLAIM, replace(document, tags=("new",))) == keys[0]


def test_without_an_encoder_words_decide_and_the_note_says_why(store: ProjectStore) -> None:
    document = add(store, TEXT)
    found = Judge(store, engines(WordJudge(), encoder=False), Settings()).verdict(CLAIM, document.id)
    assert found.label is Label.SUPPORTS
    assert any("was not found" in note for note in found.notes)
    assert len(found.notes) == 1


def test_a_verdict_on_a_half_encoded_source_is_given_but_not_kept(store: ProjectStore) -> None:
    text = " ".join(f"Street {number} was measured in summer {number % 7}." for number in range(150))
    document = add(store, text)
    judge = Judge(store, engines(WordJudge()), Settings())
    claim = "Street 77 was measured in summer 0."
    early = judge.verdict(claim, document.id)
    assert early.label is Label.SUPPORTS
    assert store.verdicts([judge.key(claim, document)]) == {}
    encode_missing(store, load_encoder(Models()), 100, lambda done, total, message="": None)
    late = judge.verdict(claim, document.id)
    assert late.notes == ()
    assert store.verdicts([judge.key(claim, document)]) == {judge.key(claim, document): late}


def test_only_the_last_few_sources_are_kept_in_memory(store: ProjectStore) -> None:
    judge = Judge(store, engines(WordJudge(), encoder=False), Settings())
    for number in range(SOURCES + 3):
        judge.verdict(CLAIM, add(store, f"{TEXT} Copy {number}.").id)
    assert len(judge._sources) == SOURCES


def test_a_document_that_is_not_there_is_an_error(store: ProjectStore) -> None:
    with pytest.raises(DocumentNotFound):
        Judge(store, engines(WordJudge()), Settings()).verdict(CLAIM, "0" * 16)


def test_without_an_entailer_the_reason_is_told(store: ProjectStore) -> None:
    document = add(store, TEXT)

    def missing() -> Entailer:
        raise ModelNotFound("The model 'judge' was not found. Install it.")

    made = engines(WordJudge())
    made.make_entailer = missing
    with pytest.raises(ModelNotFound, match="judge"):
        Judge(store, made, Settings()).verdict(CLAIM, document.id)


LONG = " ".join(
    f"In the year {2000 + at} the city planted {at * 100} trees on street number {at} and watered them."
    for at in range(30)
)


def test_what_a_source_can_support_at_most_costs_less_than_half_and_is_kept(store: ProjectStore) -> None:
    document = add(store, LONG)
    few, many = WordJudge(), WordJudge()
    claim = "The city planted 700 trees on street number 7 in 2007."
    bound = Judge(store, engines(few), Settings()).support_at_most(claim, document.id)
    asked = len(few.asked)
    assert Judge(store, engines(few), Settings()).support_at_most(claim, document.id) == bound
    assert len(few.asked) == asked
    found = Judge(store, engines(many), Settings()).verdict(claim, document.id)
    assert found.supports <= bound
    assert asked < len(many.asked) / 2
    assert Judge(store, engines(few), Settings()).support_at_most(claim, document.id) == found.supports
    assert len(few.asked) == asked


def test_the_model_is_asked_about_no_pair_twice(store: ProjectStore) -> None:
    document = add(store, LONG)
    entailer = WordJudge()
    judge = Judge(store, engines(entailer), Settings())
    for claim in (
        "The city planted 700 trees on street number 7 in 2007.",
        "The city felled 20 oaks, and it paid for it.",
    ):
        judge.support_at_most(claim, document.id)
        judge.verdict(claim, document.id)
    assert len(entailer.asked) == len(set(entailer.asked))


def test_answers_keep_their_order_when_some_are_known() -> None:
    plain, entailer = WordJudge(), Remembering(WordJudge())
    pairs = [("Trees cool streets.", words) for words in ("Trees cool.", "Streets.", "Trees cool.", "Cars do not.")]
    entailer.judge(pairs[1:2])
    assert entailer.judge(pairs).tolist() == plain.judge(pairs).tolist()
    assert entailer.judge([]).shape == (0, 3)


def test_an_entry_of_the_sources_own_list_of_references_is_no_evidence(store: ProjectStore) -> None:
    entry = "Abara L, Quist J. The city planted 31,640 trees by 2024. Tarn University working paper 22-07; 2022."
    listed = add(store, f"The programme began in 2018. Watering was paid for.\n\nReferences\n\n{entry}\n")
    judge = Judge(store, engines(WordJudge()), Settings())
    found = judge.verdict(CLAIM, listed.id)
    assert found.label is not Label.SUPPORTS
    assert "31,640" not in store.text(listed.id)[slice(*(found.rationale or (0, 0)))]
    said = add(store, f"The programme began in 2018. {CLAIM}\n\nReferences\n\n{entry}\n")
    assert judge.verdict(CLAIM, said.id).label is Label.SUPPORTS
    only = add(store, f"References\n\n{entry}\n")  # a document that is a list: there is nothing else to look at
    assert judge.verdict(CLAIM, only.id).rationale is not None
