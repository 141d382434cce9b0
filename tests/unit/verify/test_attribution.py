"""Naming the source anywhere in a claim changes no verdict; naming somebody else does not pass for the source."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from core.labels import Label
from core.ports.engines import Engines
from core.records import Document, SourceVerdict
from core.settings.values import Verification
from core.verify.sentences import CitedSource
from core.verify.source import judge_in_source
from core.verify.statement import statement_of
from tests.contract.builders import make_document
from tests.helpers.comparing import vetoes

TEXT = (
    "The council planted four hundred limes on Mill Lane in spring. Buses ran late in the rain. "
    "The mayor was pleased with the work."
)
DOCUMENT = replace(
    make_document(TEXT),
    title="Limes come to Mill Lane",
    authors=("Anna Berg",),
    publisher="The Herald",
    published=date(2020, 5, 12),
    urls=("https://www.merrinherald.example/limes",),
)
SAID = "the council planted four hundred limes on Mill Lane"
FRAMES = [
    "{S}, according to {W}.",
    "{S}, as reported by {W}.",
    "{S}, as noted in {W}.",
    "{W} reports that {s}.",
    "{W} reported that {s}.",
    "{W} has reported that {s}.",
    "According to {W}, {s}.",
    "As reported by {W}, {s}.",
    "As {W} reports, {s}.",
    "{S} (see {W}).",
    "{S} ({W}).",
    "{S} ({W}, 2020).",
    "{S} [{W}].",
    "{S} (source: {W}).",
    "{S} (as reported by {W}).",
    "{S}, {W} reports.",
    "{S}, says {W}.",
    "{S}, as {W} notes.",
    "{S} according to {W}.",
    "{S}, per {W}.",
    "Per {W}, {s}.",
    "Reporting by {W} shows that {s}.",
    "A report by {W} found that {s}.",
    "In a 2020 article, {W} wrote that {s}.",
    "In its 2020 report, {W} said that {s}.",
    "An article by {W} says that {s}.",
    "As discussed in {W}, {s}.",
    "{W} noted in 2020 that {s}.",
    "{S} \u2013 {W}.",
]
MIDDLE = [
    "The council, according to {W}, planted four hundred limes on Mill Lane.",
    "The council, {W} reports, planted four hundred limes on Mill Lane.",
    "The council, as {W} reported, planted four hundred limes on Mill Lane.",
    "The council, as reported by {W}, planted four hundred limes on Mill Lane.",
    "The council (according to {W}) planted four hundred limes on Mill Lane.",
]
OWN = ["The Herald", "Anna Berg", "Berg", "the Herald newspaper", "The Herald's Anna Berg", "Anna Berg of The Herald",
       "merrinherald.example", "the Herald website"]  # fmt: skip
OTHERS = ["The Times", "Otto Lund", "timesonline.example", "the mayor", "The Herald of Lund", "critics of The Herald",
          "The Herald's critics", "The Evening Herald"]  # fmt: skip
TITLED = [
    "{S}, as discussed in the article at Limes come to Mill Lane.",
    "{S}, as discussed in the article \u201cLimes come to Mill Lane\u201d.",
    "{S} (see Limes come to Mill Lane).",
    "According to the article \u201cLimes come to Mill Lane\u201d, {s}.",
    "The article \u201cLimes come to Mill Lane\u201d says that {s}.",
    "{S}, as described in \u201cLimes come to Mill Lane\u201d.",
    "As noted in \u201cLimes come to Mill Lane\u201d, {s}.",
    "{S}, according to the Herald article.",
    "{S}, according to the article.",
    "In its 2020 report, the agency said that {s}.",
    "In its report, the newspaper says that {s}.",
    "The newspaper reports that {s}.",
    "{S}, The Herald wrote in its obituary.",
    "{S}, The Herald wrote in May 2020.",
    "The Herald writes in its story that {s}.",
    "An article in The Herald says that {s}.",
    "A piece on merrinherald.example says that {s}.",
    "MerrinHerald reports that {s}.",
    "According to Merrin Herald, {s}.",
]


def _written(frame: str, who: str) -> str:
    head = who[:1].upper() + who[1:] if frame.startswith("{W}") else who
    return frame.format(S=SAID[:1].upper() + SAID[1:], s=SAID, W=head)


def _left(claim: str, document: Document = DOCUMENT) -> str:
    return " ".join(statement_of(claim, document, ()).text.casefold().strip(" .").split())


@pytest.mark.parametrize("frame", FRAMES + MIDDLE)
def test_words_that_name_the_source_are_left_out_wherever_they_stand(frame: str) -> None:
    for who in OWN:
        assert _left(_written(frame, who)) == SAID.casefold(), who


@pytest.mark.parametrize("claim", TITLED)
def test_its_title_and_its_kind_name_the_source(claim: str) -> None:
    assert _left(_written(claim, "")) == SAID.casefold()


@pytest.mark.parametrize("frame", FRAMES + MIDDLE)
def test_words_that_name_somebody_else_stay(frame: str) -> None:
    for who in OTHERS:
        claim = _written(frame, who)
        assert statement_of(claim, DOCUMENT, ()).text == claim, who


@pytest.mark.parametrize(
    "claim",
    [
        f"{SAID}, as discussed in the article at Elms leave Mill Lane.",
        f"{SAID} (see Elms leave Mill Lane).",
        f"In its 2019 report, the agency said that {SAID}.",
        f"{SAID} (The Herald, 2019).",
        f"{SAID}, The Herald wrote in May 2019.",
        f"{SAID} (400 trees).",
        f"{SAID} (in spring).",
        f"{SAID} (Herald Street).",
        f"The Herald denied that {SAID}.",
        f"The Herald did not report that {SAID}.",
        f"The Herald never said that {SAID}.",
        "The council, which owns The Herald, planted four hundred limes on Mill Lane.",
        "The council planted four hundred limes on Mill Lane beside The Herald.",
        "The Herald planted four hundred limes.",
        "Anna Berg planted four hundred limes, the council said.",
        "Buses ran late, the mayor says.",
    ],
)
def test_what_only_looks_like_an_attribution_stays(claim: str) -> None:
    assert statement_of(claim, DOCUMENT, ()).text == claim


def test_every_letter_of_the_statement_has_its_place_in_the_claim() -> None:
    claim = "The council, according to The Herald, planted four hundred limes (see The Herald)."
    statement = statement_of(claim, DOCUMENT, ())
    assert "".join(claim[place] for place in statement.places) == statement.text
    at = statement.text.index("four hundred")
    start, end = statement.in_claim((at, at + len("four hundred")))
    assert claim[start:end] == "four hundred"


def test_publisher_and_date_may_be_those_of_another_source() -> None:
    document = replace(DOCUMENT, publisher="Merrin Times", authors=(), urls=())
    claim = f"The Herald reports that {SAID}."
    assert statement_of(claim, document, ()).text == claim


@pytest.mark.parametrize("frame", FRAMES[:8])
def test_a_speaker_whom_the_source_does_not_know_is_vetoed(frame: str) -> None:
    assert "entities" in vetoes(_written(frame, "The Times"), TEXT)
    assert "entities" not in vetoes(_written(frame, "The Times"), f"The Times says: {TEXT}")


@pytest.mark.parametrize(
    "claim",
    ["The book was first published in England.", "Four cases were reported in France.", "It cost 5 euros per Dane."],
)
def test_a_place_behind_a_verb_of_saying_is_no_speaker(claim: str) -> None:
    evidence = "The book was first published in London. Four cases were reported in Paris. It cost 5 euros per head."
    assert "entities" not in vetoes(claim, evidence)


@pytest.mark.parametrize(
    ("publisher", "who"),
    [
        ("The Washington Post", "The Washington Post"), ("Washington Post", "the Washington Post"),
        ("History of Parliament Online", "the History of Parliament"), ("BBC News", "BBC News"),
    ],
)  # fmt: skip
def test_a_publisher_by_its_whole_name(publisher: str, who: str) -> None:
    assert _left(f"According to {who}, {SAID}.", replace(DOCUMENT, publisher=publisher)) == SAID.casefold()


def _verdict(claim: str, engines: Engines) -> SourceVerdict:
    return judge_in_source(claim, CitedSource(DOCUMENT, TEXT), engines.entailer(), Verification(), names=())


@pytest.mark.parametrize("frame", [*FRAMES[:12], *MIDDLE[:2]])
def test_the_verdict_is_that_of_the_claim_alone(frame: str, engines: Engines) -> None:
    bare, named = _verdict(f"{SAID}.", engines), _verdict(_written(frame, "The Herald"), engines)
    assert (named.label, named.vetoed) == (bare.label, bare.vetoed) == (Label.SUPPORTS, False)
    wrong = _written(frame, "The Herald").replace("four hundred", "six hundred")
    assert _verdict(wrong, engines).label is not Label.SUPPORTS


@pytest.mark.parametrize("frame", [*FRAMES[:12], *MIDDLE[:2]])
def test_what_another_paper_is_said_to_say_does_not_pass(frame: str, engines: Engines) -> None:
    assert _verdict(_written(frame, "The Times"), engines).label is not Label.SUPPORTS
