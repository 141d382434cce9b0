"""Random and damaged input raises no raw exception in any parser of foreign text."""

from __future__ import annotations

import io
import zipfile

import pytest

from core.acquire.read_source import read
from core.audit.report import read_report
from core.errors import UnreadableSource
from core.records import Fetched
from tests.helpers.fuzzing import LIMITS, OF_BYTES, OF_FILES, OF_TEXT, SOURCES, fuzz

TEXT = "The council planted four hundred lime trees on Mill Lane in spring and counted them again in autumn."


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


UNFIT = ("\x0b", "\x0c", "\x01", "\ufffe", "&#11;", "&#xfffe;", "&#x000B")


@pytest.mark.parametrize("sign", UNFIT)
@pytest.mark.parametrize("name", ["x.html", "x.md"])
def test_a_sign_that_no_tree_can_hold_leaves_the_text_around_it(name: str, sign: str) -> None:
    words = f"Herons{sign}<script>x</script> stand{sign}<!-- a --> beside <s>ponds</s>{sign} the river."
    page = f"<html><body><article>{f'<p>{words} {TEXT}</p>' * 3}</article></body></html>"
    body = page if name == "x.html" else f"# Birds\n\n{words} {TEXT}\n\n<div>{words}</div>"
    text = read(Fetched(body.encode(), "", filename=name), **LIMITS).text
    assert "beside" in text
    assert "the river" in text
    assert "ponds" not in text


def test_a_line_break_before_a_comment_in_markdown_is_a_line_break() -> None:
    body = b"# Birds\n\nHerons stand.<br>Otters <!-- two --> swim."
    assert "Herons stand.\nOtters" in read(Fetched(body, "", filename="x.md"), **LIMITS).text
