"""Who said it: a statement of one person does not pass as that of another, and the right speaker is never doubted."""

from __future__ import annotations

import pytest

from core.labels import Label
from core.ports.engines import Engines
from core.records import Outcome
from core.settings.values import Verification
from core.text.sentences import sentence_spans
from core.verify.sentences import CitedSource
from core.verify.source import judge_in_source
from core.verify.speaker import speaker_check
from tests.contract.builders import make_document

ROADS = (
    "The county will close the old bridge in May. Maria Holt, who heads the county's road office, said the repair "
    "would take eleven weeks. Shopkeepers on the east bank are worried. “Nobody will cross the river to buy bread,” "
    "said Peter Lindqvist, who runs a bakery. He added that a ferry would be welcome. The bus company Lanstrafik said "
    "that it would run two extra buses an hour. According to the engineer Ruth Amsel, the pillars have been cracked "
    "since 1998. She called the state of the deck alarming. Residents complained that no one had asked them."
)
VINES = (
    "Growers in the valley expect a poor harvest. In an interview, Carla Nunes, president of the growers' union, "
    "explained that late frost had killed a third of the buds. The ministry of agriculture disagrees. Its spokesman "
    "Joao Pinto told reporters that the loss was closer to a tenth. The report by the University of Evora puts the "
    "loss at a fifth. “It was the worst night in forty years,” Nunes said. “We had candles between the rows.” Pinto, "
    "however, predicted that prices would stay where they are."
)

WRONG = [
    (ROADS, "Peter Lindqvist said that the repair would take eleven weeks."),
    (ROADS, "According to Maria Holt, nobody will cross the river to buy bread."),
    (ROADS, "A ferry would be welcome, said Ruth Amsel."),
    (ROADS, "Maria Holt says that the pillars have been cracked since 1998."),
    (ROADS, "According to Peter Lindqvist, the state of the deck is alarming."),
    (ROADS, "Ruth Amsel complained that no one had asked the residents."),
    (ROADS, "The repair, Ruth Amsel noted, would take eleven weeks."),
    (ROADS, "“Nobody will cross the river to buy bread,” Maria Holt said."),
    (VINES, "Joao Pinto explained that late frost had killed a third of the buds."),
    (VINES, "Carla Nunes told reporters that the loss was closer to a tenth."),
    (VINES, "According to Pinto, it was the worst night in forty years."),
    (VINES, "Carla Nunes predicted that prices would stay where they are."),
    (VINES, "“We had candles between the rows,” Pinto said."),
    (VINES, "Nunes expects that prices will stay where they are."),
]
RIGHT = [
    (ROADS, "Maria Holt said that the repair would take eleven weeks."),
    (ROADS, "According to Holt, the repair will take eleven weeks."),
    (ROADS, "Nobody will cross the river to buy bread, according to the baker Peter Lindqvist."),
    (ROADS, "Lindqvist added that a ferry would be welcome."),
    (ROADS, "Ruth Amsel called the state of the deck alarming."),
    (ROADS, "The engineer Ruth Amsel said that the pillars have been cracked since 1998."),
    (ROADS, "The head of the road office said that the repair would take eleven weeks."),
    (ROADS, "The bus company said that it would run two extra buses an hour."),
    (ROADS, "Lanstrafik said that it would run two extra buses an hour."),
    (ROADS, "A baker said that nobody would cross the river to buy bread."),
    (ROADS, "The repair will take eleven weeks."),
    (VINES, "Carla Nunes said that late frost had killed a third of the buds."),
    (VINES, "The growers' union explained that late frost had killed a third of the buds."),
    (VINES, "The ministry told reporters that the loss was closer to a tenth."),
    (VINES, "Joao Pinto of the ministry of agriculture said that the loss was closer to a tenth."),
    (VINES, "“We had candles between the rows,” Carla Nunes said."),
    (VINES, "The University of Evora puts the loss at a fifth."),
    (VINES, "Pinto predicted that prices would stay where they are."),
    (VINES, "Reporters were told that the loss was closer to a tenth."),
]


@pytest.mark.parametrize(("text", "claim"), WRONG)
def test_a_statement_of_somebody_else_is_told(text: str, claim: str) -> None:
    result = speaker_check(claim, sentences(text))
    assert result is not None
    assert result.veto
    assert result.outcome is Outcome.FAILED


@pytest.mark.parametrize(("text", "claim"), RIGHT)
def test_the_right_speaker_is_not_doubted(text: str, claim: str) -> None:
    result = speaker_check(claim, sentences(text))
    assert result is None or not result.veto


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize("speaker", ["Peter Lindqvist", "Ruth Amsel"])
def test_the_check_overrules_a_judge_that_reads_past_the_speaker(speaker: str, engines: Engines) -> None:
    source = CitedSource(make_document(ROADS), ROADS)
    claim = "{} said that the repair would take eleven weeks."
    right = judge_in_source(claim.format("Maria Holt"), source, engines.entailer(), Verification())
    wrong = judge_in_source(claim.format(speaker), source, engines.entailer(), Verification())
    assert right.label is Label.SUPPORTS
    assert wrong.label is not Label.SUPPORTS
