"""Which addresses a report calls its own."""

from __future__ import annotations

from core.audit.report import read_markdown, read_text

KEYED = """---
title: Trees
url: https://forum.example/trees
references:
- id: varga2023
  title: Cooling by street trees in forty-eight streets
  DOI: 10.5555/jucp.2023.0417
- id: self2023
  title: The web page of this very report on trees
  URL: https://forum.example/trees
---

# Trees

Trees cool the street [@varga2023] and the town [@self2023].
"""


def test_an_entry_that_gives_its_address_on_a_line_of_its_own_is_not_the_report() -> None:
    text = "Trees cool the street [1].\n\nReferences\n\n1. Cooling by trees.\nDOI: 10.5555/jucp.2023.0417\n"
    assert [one.is_report for one in read_text(text).references] == [False]
    assert [one.is_report for one in read_markdown(text).references] == [False]


def test_the_references_of_the_front_matter_are_not_the_report_itself() -> None:
    own = {one.key: one.is_report for one in read_markdown(KEYED).references}
    assert own == {"varga2023": False, "self2023": True}
