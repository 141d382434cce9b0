"""Which addresses a report calls its own."""

from __future__ import annotations

from core.audit.report import read_markdown

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


def test_the_references_of_the_front_matter_are_not_the_report_itself() -> None:
    own = {one.key: one.is_report for one in read_markdown(KEYED).references}
    assert own == {"varga2023": False, "self2023": True}
