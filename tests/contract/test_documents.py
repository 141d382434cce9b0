"""DocumentStore: what is put in comes out, once, and goes away whole."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import date, timedelta

import pytest

from core.errors import BlobMissing, DocumentNotFound, StorageError
from core.labels import FetchState, Grade, SourceKind
from core.ports.store import ProjectStore
from core.records import Assessment, Fetched, Filters, GradeReason, Heading, PageSpan
from core.text.terms import index_terms
from tests.contract.builders import START, FakeClock, add, make_document, make_passages

TEXT = "The tidal mill at Eling grinds flour twice a day.\nIt is one of two left in the country. Ünïcödé 東京 ½."


def _words(store: ProjectStore, word: str) -> list[int]:
    return [hit.passage_id for hit in store.lexical(index_terms(word), Filters(), 10)]


def test_a_document_comes_back_with_every_field(store: ProjectStore, clock: FakeClock) -> None:
    given = make_document(
        TEXT,
        title="Mills › tides",
        canonical_url="https://example.org/mill",
        urls=("https://example.org/m?x", "u2"),
        filename="mill.html",
        authors=("A. Miller", "B. Ünal"),
        published=date(2020, 2, 29),
        publisher="Example",
        doi="10.1/x",
        language="en-GB",
        tags=("flour", "tide"),
        warnings=("short",),
        pages=(PageSpan(1, 0, 20),),
        headings=(Heading(1, 0, 9, "The tidal"),),
        links=("https://a", "https://b"),
        signature=b"\x00\xff",
        assessment=Assessment(Grade.B, (GradeReason("publisher", 0.5, "A museum."),)),
        grade=Grade.B,
    )
    store.put_blob(TEXT.encode())
    passages = make_passages(given, TEXT, context="Mills › tides")
    stored = store.put(given, TEXT, passages)
    assert stored == replace(given, length=len(TEXT), passage_count=2, created=clock())
    assert store.document(given.id) == stored
    assert store.text(given.id) == TEXT
    kept = store.passages_of(given.id)
    assert [replace(passage, id=0) for passage in kept] == passages
    assert all(TEXT[passage.start : passage.end] == passage.text for passage in kept)
    assert store.passages([kept[1].id, 999_999, kept[0].id]) == {kept[1].id: kept[1], kept[0].id: kept[0]}
    assert store.documents_by_id([given.id, "unknown"]) == {given.id: stored}


def test_the_same_text_is_stored_once_and_its_places_are_merged(store: ProjectStore) -> None:
    add(store, TEXT, urls=("https://a/",))
    first, second = store.request(SourceKind.URL, [("https://b/", None), ("https://c/", None)])
    again = add(store, TEXT, urls=("https://b/", "https://a/"), filename="b.html", acquisition=second.id)
    assert again.urls == ("https://a/", "https://b/")
    assert again.filename == "b.html"
    assert len(store.documents()) == 1
    assert len(store.passages_of(again.id)) == again.passage_count
    assert store.acquisition(second.id).state is FetchState.DUPLICATE
    assert store.acquisition(second.id).document_id == again.id
    assert store.acquisition(first.id).state is FetchState.QUEUED
    assert len(_words(store, "mill")) == 1


def test_a_document_that_does_not_fit_its_text_is_refused_and_nothing_is_kept(store: ProjectStore) -> None:
    store.put_blob(TEXT.encode())
    document = make_document(TEXT)
    (waiting,) = store.request(SourceKind.PASTE, [("pasted", None)])
    with pytest.raises(StorageError):
        store.put(document, TEXT + "!", [], acquisition=waiting.id)
    with pytest.raises(DocumentNotFound):
        store.put(document, TEXT, make_passages(document, TEXT), acquisition=waiting.id, supersedes="unknown")
    with pytest.raises(StorageError):
        store.put(document, TEXT, make_passages(document, TEXT), acquisition=12345)
    with pytest.raises(BlobMissing):
        store.put(replace(document, blob_hash="0" * 64), TEXT, [], acquisition=waiting.id)
    assert store.documents() == []
    assert store.passage_ids(Filters()) == []
    assert _words(store, "mill") == []
    assert store.acquisition(waiting.id).state is FetchState.QUEUED


def test_a_superseded_document_leaves_the_search_but_stays_readable(store: ProjectStore) -> None:
    old = add(store, "Old page about otters.", urls=("https://x/",))
    new = add(store, "New page about badgers.", urls=("https://x/",), supersedes=old.id)
    assert store.document(old.id).superseded_by == new.id
    assert [one.id for one in store.documents()] == [new.id]
    assert [one.id for one in store.documents(superseded=True)] == [old.id, new.id]
    assert _words(store, "otters") == []
    assert len(_words(store, "badgers")) == 1
    assert store.text(old.id) == "Old page about otters."
    assert len(store.passages_of(old.id)) == 1
    assert store.blob(old.blob_hash) == b"Old page about otters."
    assert store.by_url("https://x/") == new
    number = store.passages_of(old.id)[0].id
    assert number in store.passages([number])
    assert number not in store.passage_ids(Filters())


def test_a_page_that_goes_back_to_its_old_text_makes_the_old_document_current(store: ProjectStore) -> None:
    old = add(store, "Old page about otters.")
    new = add(store, "New page about badgers.", supersedes=old.id)
    back = add(store, "Old page about otters.", supersedes=new.id)
    assert back.id == old.id
    assert back.superseded_by is None
    assert store.document(new.id).superseded_by == old.id
    assert len(_words(store, "otters")) == 1
    assert _words(store, "badgers") == []


def test_refetching_the_same_text_supersedes_nothing(store: ProjectStore) -> None:
    document = add(store, "Same page.")
    assert add(store, "Same page.", supersedes=document.id).superseded_by is None


def test_delete_leaves_nothing_of_a_document(store: ProjectStore) -> None:
    body = b"<p>otters</p>"
    (asked,) = store.request(SourceKind.UPLOAD, [("a.html", Fetched(body, "text/html"))])
    document = add(store, "About otters.", blob_hash=asked.blob_hash, acquisition=asked.id)
    kept = add(store, "About badgers.")
    number = store.passages_of(document.id)[0].id
    store.delete(document.id)
    assert [one.id for one in store.documents(superseded=True)] == [kept.id]
    assert _words(store, "otters") == []
    assert store.passages([number]) == {}
    assert store.acquisitions() == []
    for gone in (
        lambda: store.document(document.id),
        lambda: store.text(document.id),
        lambda: store.passages_of(document.id),
        lambda: store.delete(document.id),
    ):
        with pytest.raises(DocumentNotFound):
            gone()
    with pytest.raises(BlobMissing):
        store.blob(document.blob_hash)


def test_delete_keeps_bytes_that_another_document_came_from(store: ProjectStore) -> None:
    blob_hash = store.put_blob(b"shared")
    first = add(store, "First reading.", blob_hash=blob_hash)
    add(store, "Second reading.", blob_hash=blob_hash)
    store.delete(first.id)
    assert store.blob(blob_hash) == b"shared"


def test_delete_mends_pointers_of_near_duplicates_and_versions(store: ProjectStore) -> None:
    one = add(store, "Text one.")
    two, three = (
        add(store, text, near_duplicate_of=one.id) for text in ("Text one, again.", "Text one, a third time.")
    )
    store.delete(one.id)
    assert store.document(two.id).near_duplicate_of is None
    assert store.document(three.id).near_duplicate_of == two.id
    newer = add(store, "A newer third text.", supersedes=three.id)
    store.delete(newer.id)
    assert store.document(three.id).superseded_by is None
    assert len(_words(store, "third")) == 1


def test_documents_are_found_by_any_url(store: ProjectStore) -> None:
    document = add(store, TEXT, urls=("https://a/", "https://b/"), canonical_url="https://c/")
    for url in ("https://a/", "https://b/", "https://c/"):
        assert store.by_url(url) == document
    assert store.by_url("https://d/") is None


def test_touch_remembers_where_and_when(store: ProjectStore) -> None:
    document = add(store, TEXT, urls=("https://a/",))
    later = START + timedelta(days=2)
    seen = store.touch(document.id, urls=["https://b/", "https://a/"], fetched=later)
    assert seen.urls == ("https://a/", "https://b/")
    assert seen.fetched == later
    assert store.touch(document.id, urls=[], fetched=START).fetched == later


def test_new_passages_replace_the_old_ones_in_the_index(store: ProjectStore) -> None:
    document = add(store, TEXT, size=20)
    store.replace_passages(document.id, make_passages(document, TEXT, size=1000, context="Mills"))
    assert store.document(document.id).passage_count == 1
    assert len(_words(store, "flour")) == len(_words(store, "mills")) == 1
    assert len(store.passage_ids(Filters())) == 1


def test_an_overridden_grade_counts_and_is_logged(store: ProjectStore, clock: FakeClock) -> None:
    document = add(store, TEXT, grade=Grade.D)
    assert store.override_grade(document.id, Grade.A, "peer reviewed", "ann").grade_override is Grade.A
    assert store.documents(Filters(min_grade=Grade.B)) == [store.document(document.id)]
    clock.advance(5)
    assert store.override_grade(document.id, None, "mistake", "ben").grade_override is None
    assert store.documents(Filters(min_grade=Grade.B)) == []
    changes = store.grade_changes(document.id)
    assert [(one.grade, one.previous, one.reason, one.by) for one in changes] == [
        (Grade.A, Grade.D, "peer reviewed", "ann"),
        (None, Grade.A, "mistake", "ben"),
    ]
    assert changes[1].at - changes[0].at == timedelta(seconds=5)
    store.delete(document.id)
    assert store.grade_changes() == changes


def test_corrections_of_a_person_are_kept_and_named(store: ProjectStore) -> None:
    document = add(store, TEXT)
    corrected = store.mend(replace(document, title="Limes", published=date(2021, 5, 1), authors=("No",)), ["title"])
    assert (corrected.title, corrected.published, corrected.authors) == ("Limes", None, document.authors)
    both = store.mend(replace(document, published=date(2021, 5, 1)), ["published"])
    assert (both.title, both.published, both.mended) == ("Limes", date(2021, 5, 1), ("title", "published"))
    again = store.put(document, TEXT, make_passages(document, TEXT))  # the same text comes in once more
    assert (again.title, again.published) == ("Limes", date(2021, 5, 1))


def test_a_page_that_waits_is_found_only_where_it_is_named_until_somebody_accepts_it(store: ProjectStore) -> None:
    source, page = add(store, TEXT), add(store, f"{TEXT} A page of the web.", accepted=False)
    terms = index_terms(TEXT)

    def seen(filters: Filters = Filters()) -> set[str]:
        hits = store.lexical(terms, filters, 50)
        assert {hit.passage_id for hit in hits} <= set(store.passage_ids(filters))
        return {passage.document_id for passage in store.passages([hit.passage_id for hit in hits]).values()}

    assert seen() == {source.id} == {document.id for document in store.documents()}
    assert seen(Filters(documents=(page.id,))) == {page.id}
    assert {document.id for document in store.documents(superseded=True)} == {source.id, page.id}
    assert store.accept(page.id).accepted
    assert seen() == {source.id, page.id}


def test_a_source_that_a_person_adds_is_accepted_though_an_answer_had_fetched_it(store: ProjectStore) -> None:
    page = add(store, TEXT, accepted=False)
    assert not store.document(page.id).accepted
    store.put(replace(page, accepted=True), TEXT, make_passages(page, TEXT))
    store.put(page, TEXT, make_passages(page, TEXT))  # an answer fetches it again
    assert store.document(page.id).accepted


def test_a_page_fetched_for_an_answer_brings_no_superseded_version_back(store: ProjectStore) -> None:
    old = add(store, TEXT)
    new = add(store, f"{TEXT} Corrected.", supersedes=old.id)
    again = replace(old, accepted=False)
    store.put(again, TEXT, make_passages(again, TEXT))
    assert [document.id for document in store.documents()] == [new.id]
    store.put(old, TEXT, make_passages(old, TEXT))  # a person adds it
    assert {document.id for document in store.documents()} == {old.id, new.id}


def test_tags_replace_one_another(store: ProjectStore) -> None:
    document = add(store, TEXT)
    assert store.set_tags(document.id, ["b", " a ", "b", ""]).tags == ("a", "b")
    assert store.set_tags(document.id, []).tags == ()


def test_signatures_come_in_the_order_of_storing(store: ProjectStore) -> None:
    documents = [add(store, f"Text {at}.", signature=bytes([at])) for at in range(5)]
    assert list(store.signatures().items()) == [(one.id, one.signature) for one in documents]
    store.delete(documents[1].id)
    documents[1] = add(store, "Text 9.", signature=b"9")
    kept = [documents[0], *documents[2:], documents[1]]
    assert list(store.signatures().items()) == [(one.id, one.signature) for one in kept]


def test_requests_are_listed_finished_and_forgotten(store: ProjectStore, clock: FakeClock) -> None:
    body = b"%PDF-1.7"
    origins = [("https://a/", None), ("a.pdf", Fetched(body, "application/pdf"))]
    web, upload = store.request(SourceKind.URL, origins, "b1")
    assert (web.state, web.batch, web.requested, web.blob_hash) == (FetchState.QUEUED, "b1", clock(), None)
    assert upload.blob_hash == hashlib.sha256(body).hexdigest()
    assert upload.media_type == "application/pdf"
    clock.advance(3)
    store.finish_acquisition(web.id, FetchState.NOT_FOUND, "404 at https://a/")
    ended = store.acquisition(web.id)
    assert (ended.state, ended.message, ended.finished) == (FetchState.NOT_FOUND, "404 at https://a/", clock())
    assert store.acquisitions(states=[FetchState.QUEUED]) == [upload]
    assert store.acquisitions() == [ended, upload]
    store.forget_acquisition(upload.id)
    with pytest.raises(StorageError):
        store.acquisition(upload.id)
    with pytest.raises(BlobMissing):
        store.blob(str(upload.blob_hash))


@pytest.mark.parametrize("body", [b"", b"x", b"\x00" * 100_000, bytes(range(256)) * 999])
def test_bytes_come_back_exactly(store: ProjectStore, body: bytes) -> None:
    blob_hash = store.put_blob(body)
    assert blob_hash == hashlib.sha256(body).hexdigest() == store.put_blob(body)
    assert store.blob(blob_hash) == body
