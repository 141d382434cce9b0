"""What is coloured is what was judged: the claim of a citation, and the rest of its sentence by itself."""

from __future__ import annotations

import pytest

from core.audit.heat import heat
from core.audit.pairing import pair
from core.audit.report import read_markdown
from core.labels import Status
from core.records import Finding
from core.verify.check_worthy import check_worthy


def coloured(text: str, *statuses: Status | None) -> list[tuple[str, str]]:
    """Words and shade of every stretch of the first paragraph; ``statuses`` are those of its citations, in order."""
    report = read_markdown(text)
    rows = []
    for at, (citation, status) in enumerate(zip(pair(report).citations, statuses, strict=True), 1):
        marker = report.markers[citation.marker]
        assert citation.claim is not None
        place, claim = (marker.start, marker.end), (citation.claim.start, citation.claim.end)
        words = text[slice(*place)], text[slice(*claim)]
        rows.append(
            Finding(at, 1, at, "numeric", *words, marker=place, claim=claim, sentence=citation.sentence, status=status)
        )
    stretches = heat(report, rows, lambda sentence, kind: check_worthy(sentence, kind=kind))
    last = text.index("\n")
    return [(text[part.start : part.end], part.shade) for part in stretches if part.start < last]


LIST = "\n\n## References\n\n1. Dunes. https://dunes.example\n2. Moons. https://moons.example\n"


def test_a_half_sentence_that_nobody_checked_is_not_green() -> None:
    text = f"Dunes cover 17 percent of the surface [1], and Titan is smaller than Mercury.{LIST}"
    assert coloured(text, Status.PASS) == [
        ("Dunes cover 17 percent of the surface [1], ", "verified"),
        ("and Titan is smaller than Mercury.", "uncited"),
    ]


def test_two_claims_of_a_sentence_have_a_colour_each() -> None:
    text = f"Dunes cover 17 percent of the surface [1], and Titan is larger than Mercury [2].{LIST}"
    first, second = coloured(text, Status.PASS, Status.REVIEW)
    assert first == ("Dunes cover 17 percent of the surface [1], ", "verified")
    assert second == ("and Titan is larger than Mercury [2].", "failing")


@pytest.mark.parametrize("shade", ["verified", "failing", "waiting"])
def test_a_sentence_with_its_citations_at_the_end_is_one_stretch(shade: str) -> None:
    status = {"verified": Status.PASS, "failing": Status.REVIEW, "waiting": None}[shade]
    text = f"However, dunes cover 17 percent of the surface of Titan [1][2].{LIST}"
    sentence = text[: text.index("\n")]
    assert coloured(text, status, status) == [(sentence, shade)]


def test_stretches_cover_their_sentences_without_gap_or_overlap() -> None:
    text = (
        "In 2019, dunes covered 17 percent of it [1], as Cassini saw, and 20 percent of the plains [2]; rain fell "
        f"there for ten days, it is said. Titan has lakes of methane (see [1]).{LIST}"
    )
    statuses = [Status.PASS] * len(pair(read_markdown(text)).citations)
    assert "".join(words for words, _ in coloured(text, *statuses)).replace(" ", "") == (
        text[: text.index("\n")].replace(" ", "")
    )


def test_a_footnote_behind_a_comma_belongs_to_the_words_before_it() -> None:
    text = "The bridge opened in 1932,[^1] and 14 workers died during its construction.\n\n[^1]: Bridge. https://b.example\n"
    assert coloured(text, Status.PASS) == [
        ("The bridge opened in 1932,[^1] ", "verified"),
        ("and 14 workers died during its construction.", "uncited"),
    ]
