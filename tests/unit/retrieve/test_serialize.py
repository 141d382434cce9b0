"""Search results survive JSON, and hostile JSON is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pytest

from core.errors import StorageError
from core.labels import Grade
from core.records import Filters, GradeReason, Heading, PageSpan, Query, SearchRequest
from core.retrieve.pipeline import search
from core.retrieve.serialize import result_from_json, result_to_json
from core.settings.values import Retrieval


def test_a_result_comes_back_equal(index, encoder, document) -> None:  # type: ignore[no-untyped-def]
    rich = replace(
        document, id="d" * 16, title="Née “x” 東京",
        published=date(2024, 5, 6), pages=(PageSpan(1, 0, 9),), headings=(Heading(1, 0, 2, "He"),),
        assessment=replace(document.assessment, reasons=(GradeReason("r", -0.5, "why"),)), grade_override=Grade.B,
    )  # fmt: skip
    index.add(rich, ["heat pumps everywhere"], encoder)
    request = SearchRequest((Query("heat pumps"),), Filters(min_grade=Grade.E, published_to=None, tags=()))
    result = search(request, index, encoder, Retrieval())
    assert "d" * 16 in {one.document.id for one in result.passages}
    assert result_from_json(result_to_json(result)) == result


def test_a_document_is_written_once(index, encoder) -> None:  # type: ignore[no-untyped-def]
    written = json.loads(result_to_json(search(SearchRequest((Query("heat pumps"),)), index, encoder, Retrieval())))
    assert len(written["documents"]) == 3
    assert len(written["passages"]) == 6
    assert isinstance(written["passages"][0]["document"], str)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\xff\xfe", b"[]", b"{}", b'{"version": 2}', b"null", b'{"passages": "x"}',
        b'{"documents": {}, "passages": [], "candidates": []}',
        b'{"version": 1, "documents": {}, "result": {"passages": [], "candidates": []}}',
    ],
)  # fmt: skip
def test_what_is_no_result_is_refused(data: bytes) -> None:
    with pytest.raises(StorageError, match="Search again"):
        result_from_json(data)


@pytest.mark.parametrize(("field", "value"), [("searchable", "many"), ("notes", [1]), ("surprise", 1), ("timings", [])])
def test_a_field_of_the_wrong_kind_is_refused(index, encoder, field: str, value: object) -> None:  # type: ignore[no-untyped-def]
    written = json.loads(result_to_json(search(SearchRequest((Query("heat"),)), index, encoder, Retrieval())))
    written[field] = value
    with pytest.raises(StorageError):
        result_from_json(json.dumps(written).encode())


def test_a_passage_whose_document_is_gone_is_refused(index, encoder) -> None:  # type: ignore[no-untyped-def]
    written = json.loads(result_to_json(search(SearchRequest((Query("heat"),)), index, encoder, Retrieval())))
    written["documents"] = {}
    with pytest.raises(StorageError, match="Search again"):
        result_from_json(json.dumps(written).encode())


def test_a_query_with_half_a_character_has_no_form(index, encoder) -> None:  # type: ignore[no-untyped-def]
    result = search(SearchRequest((Query("heat"),)), index, encoder, Retrieval())
    assert result_to_json(replace(result, request=SearchRequest((Query("heat \ud800"),)))) is None
