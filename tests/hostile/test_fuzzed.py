"""Random and damaged input raises no raw exception in any parser of foreign text."""

from __future__ import annotations

import io
import zipfile

import pytest

from core.audit.report import read_report
from core.errors import UnreadableSource
from core.records import Fetched
from tests.helpers.fuzzing import OF_BYTES, OF_FILES, OF_TEXT, SOURCES, fuzz


def test_two_rounds_of_fuzzing_raise_typed_errors_only() -> None:
    rounds = iter((True, True, False))
    counts = fuzz(16, lambda: next(rounds))
    assert counts.calls.keys() == {*OF_TEXT, *OF_BYTES, *OF_FILES}
    assert counts.raw == {}


def test_a_report_with_a_damaged_part_is_a_damaged_docx_as_a_source_is() -> None:
    body = bytearray((SOURCES / "unequal-shade-2023.docx").read_bytes())
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        part = archive.getinfo("word/styles.xml")
    body[part.header_offset + 200] ^= 0xFF
    with pytest.raises(UnreadableSource, match=r"r\.docx is a damaged DOCX"):
        read_report(Fetched(bytes(body), "", filename="r.docx"))
