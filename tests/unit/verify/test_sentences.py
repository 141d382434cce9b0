"""Evidence inside one source: the right sentence first, with or without an encoder, however long the source is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.backends.resolve import load_encoder
from core.errors import ModelDamaged
from core.ports.store import JointEncoder
from core.records import Passage, TokenMatrix, Vector
from core.retrieve.encode import encode_missing
from core.settings.values import Models
from core.verify import sentences
from core.verify.sentences import CitedSource
from tests.contract.builders import add, make_document, make_passages
from tests.contract.memory_store import MemoryStore

TEXT = """The survey began in 2018.

Aspirin lowers the risk of stroke in adults. Children were not studied. The kitchen was painted green.

It was paid for by the province."""


@pytest.fixture(scope="session")
def encoder() -> JointEncoder:
    return load_encoder(Models())


class Counting:
    """An encoder that notes what it reads."""

    def __init__(self, encoder: JointEncoder) -> None:
        self._encoder = encoder
        self.read: list[str] = []
        self.fingerprint, self.dim, self.late_dim = encoder.fingerprint, encoder.dim, encoder.late_dim

    def encode_queries_jointly(self, texts: Sequence[str]) -> tuple[Vector, list[TokenMatrix]]:
        return self._encoder.encode_queries_jointly(texts)

    def encode_passages_jointly(self, texts: Sequence[str]) -> tuple[Vector, list[TokenMatrix]]:
        self.read += texts
        return self._encoder.encode_passages_jointly(texts)


class Broken(Counting):
    """An encoder whose weights turn out to be damaged at the first text."""

    def encode_queries_jointly(self, texts: Sequence[str]) -> tuple[Vector, list[TokenMatrix]]:
        raise ModelDamaged("model.onnx differs from its pinned hash. Fetch it again.")


def long_text(count: int) -> str:
    told = [f"Street {number} was measured in summer {number % 7}." for number in range(count)]
    told[count // 2] = "Physicians found that the medicine protects grown-ups from brain attacks."
    return " ".join(told)


def test_words_alone_find_and_the_note_says_so() -> None:
    found, notes = CitedSource(make_document(TEXT), TEXT).select_with_notes("Aspirin lowers stroke risk", 3)
    assert found[0].text == "Aspirin lowers the risk of stroke in adults."
    assert TEXT[found[0].start : found[0].end] == found[0].text
    assert found[0].ranks == {"bm25": 1}
    assert len(found) == 3
    assert "by words only" in notes[0]


def test_meaning_finds_what_shares_no_word(encoder: JointEncoder) -> None:
    source = CitedSource(make_document(TEXT), TEXT, encoder=encoder)
    found, notes = source.select_with_notes("Who financed this research?", 5)
    assert found[0].text == "It was paid for by the province."
    assert set(found[0].ranks) == {"dense", "late"}
    assert notes == []
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_each_sentence_is_encoded_once(encoder: JointEncoder) -> None:
    counting = Counting(encoder)
    source = CitedSource(make_document(TEXT), TEXT, encoder=counting)  # type: ignore[arg-type]
    first = source.select("Aspirin lowers stroke risk", 3)
    assert source.select("Aspirin lowers stroke risk", 3) == first
    source.select("Who paid?", 3)
    assert sorted(counting.read) == sorted(set(counting.read))
    assert len(counting.read) == len(source.units)


def test_of_a_long_source_only_the_nearest_sentences_are_encoded(encoder: JointEncoder) -> None:
    store, counting = MemoryStore(), Counting(encoder)
    text = long_text(150)
    document = add(store, text)
    encode_missing(store, encoder, 100, lambda done, total, message="": None)
    passages = store.passages_of(document.id)
    source = CitedSource(document, text, passages, index=store, encoder=counting)  # type: ignore[arg-type]
    found, notes = source.select_with_notes("The drug prevents strokes in adults", 3)
    assert found[0].text.startswith("Physicians found")  # no word in common: its passage's vectors led to it
    assert len(counting.read) <= sentences.CLOSE
    assert notes == []
    assert not source.incomplete


def test_before_a_source_is_encoded_its_words_are_searched_and_the_note_counts(encoder: JointEncoder) -> None:
    store = MemoryStore()
    text = long_text(150)
    document = add(store, text)
    source = CitedSource(document, text, store.passages_of(document.id), index=store, encoder=encoder)
    found, notes = source.select_with_notes("Street 77 was measured", 2)
    assert found[0].text.startswith("Street 77 ")
    assert f"{len(source.passages)} of {len(source.passages)} passages" in notes[0]
    assert source.incomplete


def test_a_long_source_without_an_index_is_still_searched(encoder: JointEncoder) -> None:
    text = long_text(150)
    found, notes = CitedSource(make_document(text), text, encoder=encoder).select_with_notes("Street 77", 2)
    assert found[0].text.startswith("Street 77 ")
    assert "no index" in notes[0]


def test_a_damaged_encoder_leaves_the_words(encoder: JointEncoder) -> None:
    source = CitedSource(make_document(TEXT), TEXT, encoder=Broken(encoder))  # type: ignore[arg-type]
    found, notes = source.select_with_notes("Aspirin lowers stroke risk", 1)
    assert found[0].text.startswith("Aspirin")
    assert "pinned hash" in notes[0]
    assert source.incomplete


def test_sentences_that_answer_different_parts_come_before_more_of_the_same() -> None:
    text = "The bridge is long. The bridge is long and old. The long bridge stands. It was built by Ada Varga in 1911."
    found = CitedSource(make_document(text), text).select("The long bridge was built by Varga", 2)
    assert {one.text.split()[1] for one in found} >= {"was"}


def test_a_sentence_is_placed_in_the_passage_that_holds_most_of_it() -> None:
    document = make_document(TEXT)
    passages = [
        Passage(one.document_id, one.ordinal, one.start, one.end, one.text, id=one.ordinal + 7)
        for one in make_passages(document, TEXT, size=60)
    ]
    source = CitedSource(document, TEXT, passages)
    assert source.passage_at(0, 10) == 7
    assert source.passage_at(55, 90) == 8
    assert CitedSource(document, TEXT).passage_at(0, 10) is None


@pytest.mark.parametrize("text", ["", " \n "])
def test_a_source_without_text_has_no_evidence(text: str, encoder: JointEncoder) -> None:
    found, notes = CitedSource(make_document(text), text, encoder=encoder).select_with_notes("Anything", 3)
    assert (found, notes) == ([], ["The source has no text."])


def test_what_is_no_evidence_is_not_chosen_unless_there_is_nothing_else(encoder: JointEncoder) -> None:
    start = TEXT.index("Aspirin")
    entry = (start, TEXT.index("Children") - 1)
    source = CitedSource(make_document(TEXT), TEXT, encoder=encoder, no_evidence=[entry])
    assert all("Aspirin" not in one.text for one in source.select("Aspirin lowers stroke risk", 9))
    assert len(source.units) == 4
    whole = CitedSource(make_document(TEXT), TEXT, encoder=encoder, no_evidence=[(0, len(TEXT))])
    assert whole.select("Aspirin lowers stroke risk", 1)[0].text.startswith("Aspirin")
    begun = CitedSource(make_document(TEXT), TEXT, no_evidence=[(0, start + 7)])
    assert len(begun.units) == 4  # a sentence that only begins in such a range stays
    assert begun.unit_text(0).startswith("Aspirin")
