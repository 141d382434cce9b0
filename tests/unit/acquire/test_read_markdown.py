"""Markdown and plain text."""

from __future__ import annotations

from datetime import date

import pytest

from core.acquire.read_markdown import read_markdown
from core.acquire.read_text import read_text
from core.errors import UnreadableSource
from core.labels import FetchState

NOTE = """---
title: Rain notes
author: [Ann Lee, Bo Cho]
date: 2024-03-02
---
# Rain *notes*

Water **runs** off [roofs](https://a.example/roofs) and
goes on. Line two\\
after a break.

## Costs

1. Soil
2. Plants
   - ferns

| Item | Cost |
|------|------|
| Soil | 20 |

> Quoted words.

```
x = 1
```

## References

[1] Somebody wrote a long enough reference here, 2001.

[2] https://b.example/x
"""


def test_markdown_is_stored_as_a_reader_sees_it() -> None:
    note = read_markdown(NOTE, name="note.md")
    assert note.text.startswith("Rain notes\n\nWater runs off roofs and goes on. Line two\nafter a break.")
    assert "1. Soil\n2. Plants\n- ferns" in note.text
    assert "Item | Cost\nSoil | 20" in note.text
    assert "Quoted words." in note.text
    assert "x = 1" in note.text
    assert "**" not in note.text
    assert [(h.level, note.text[h.start : h.end]) for h in note.headings] == [
        (1, "Rain notes"),
        (2, "Costs"),
        (2, "References"),
    ]
    assert note.links == ("https://a.example/roofs", "https://b.example/x")
    assert note.references == 2


def test_front_matter_gives_title_authors_and_date() -> None:
    note = read_markdown(NOTE, name="note.md")
    assert (note.title, note.authors, note.published) == ("Rain notes", ("Ann Lee", "Bo Cho"), date(2024, 3, 2))


def test_bad_front_matter_is_kept_as_text_with_a_warning() -> None:
    note = read_markdown("---\na: [1\n---\nBody text.\n", name="x")
    assert "Body text." in note.text
    assert note.warnings
    bomb = read_markdown("---\na: &a [x, x]\nb: [*a, *a]\n---\nBody text.\n", name="x")
    assert "aliases" in bomb.warnings[0]


def test_markdown_without_text_is_empty() -> None:
    with pytest.raises(UnreadableSource) as caught:
        read_markdown("---\ntitle: x\n---\n\n<!-- nothing -->\n", name="x.md")
    assert caught.value.state is FetchState.EMPTY


def test_raw_html_in_markdown_shows_its_words_and_runs_nothing() -> None:
    note = read_markdown("<div>Seen <b>words</b><script>alert(1)</script></div>\n", name="x")
    assert note.text == "Seen words"


def test_plain_text_keeps_paragraphs_and_takes_a_lone_first_line_as_title() -> None:
    text = read_text("A plain title\r\n\r\nBody one.\r\nBody two. See https://c.example/a.\r\n", name="x.txt")
    assert text.title == "A plain title"
    assert text.text == "A plain title\n\nBody one.\nBody two. See https://c.example/a."
    assert text.links == ("https://c.example/a",)
    assert read_text("Just a sentence that ends.", name="x").title is None
