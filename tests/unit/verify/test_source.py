"""One claim, one source: what it says, by which sentence, and what the checks say against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from core.labels import Label
from core.records import Combination, Outcome, SourceVerdict
from core.settings.values import Verification
from core.verify.sentences import CitedSource
from core.verify.source import CLAIM_WORDS, judge_in_source
from core.verify.windows import window, windows_of
from tests.contract.builders import make_document
from tests.helpers.verifying import WordJudge

TEXT = """# Street trees

The programme began in 2018. The city planted 31,640 trees by 2024.

Trees do not cool streets at night. Watering was paid for by the province.

The mayor said: "Shade keeps hours." Her term ended in May. Benches were painted green. Buses ran late."""
SETTINGS = Verification(pass_support=0.7, contradiction=0.7, mentioned=0.2)


def judge(claim: str, text: str = TEXT, context: str = "") -> SourceVerdict:
    document = replace(make_document(text), title="Trees of Port Merrin")
    return judge_in_source(claim, CitedSource(document, text), WordJudge(), SETTINGS, context=context)


def test_support_with_the_sentence_that_decides() -> None:
    found = judge("The city planted 31,640 trees by 2024.")
    assert found.label is Label.SUPPORTS
    assert found.rationale is not None
    assert TEXT[slice(*found.rationale)] == "The city planted 31,640 trees by 2024."
    assert found.best is not None
    assert found.best.text == "The city planted 31,640 trees by 2024."
    assert not found.vetoed
    assert found.judged <= SETTINGS.windows
    assert (found.fingerprint, found.sentences) == ("word-judge-1", 9)


def test_a_check_vetoes_what_the_model_lets_pass() -> None:
    found = judge("The city planted 41,640 trees by 2024.")
    assert found.supports > SETTINGS.pass_support
    assert (found.label, found.vetoed) == (Label.NEUTRAL, True)
    assert [one.name for one in found.checks if one.veto] == ["numbers"]


def test_contradiction() -> None:
    found = judge("Trees cool streets at night.")
    assert found.label is Label.CONTRADICTS
    assert found.best is not None
    assert found.best.text.endswith("Trees do not cool streets at night.")
    assert found.best.label is Label.CONTRADICTS


def test_what_the_source_does_not_speak_of_is_neutral_with_the_nearest_sentence() -> None:
    found = judge("Bicycles keep vanishing on summer Sundays in Estermark.")
    assert found.label is Label.NEUTRAL
    assert found.supports < SETTINGS.mentioned
    assert found.best is not None
    assert found.rationale is not None


class DrawnByBuses(WordJudge):
    """A model that is unsure, and least neutral about what is beside the point."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        return np.array([[0.5, 0.1, 0.4] if "Buses" in text else [0.3, 0.1, 0.6] for _, text in pairs], np.float32)


def test_where_the_source_does_not_decide_the_sentence_nearest_to_the_claim_is_shown_and_checked() -> None:
    claim = "The province paid 12 crowns a tree for watering, and buses ran."
    source = CitedSource(replace(make_document(TEXT), title="Trees of Port Merrin"), TEXT)
    found = judge_in_source(claim, source, DrawnByBuses(), SETTINGS)
    assert found.label is Label.NEUTRAL
    assert found.rationale is not None
    assert TEXT[slice(*found.rationale)] == "Watering was paid for by the province."
    assert found.best is not None
    assert found.best.start <= found.rationale[0] < found.rationale[1] <= found.best.end
    assert "Watering was paid for by the province." in found.best.text


def test_evidence_that_stands_far_apart_is_judged_together() -> None:
    found = judge("The programme began in 2018 and watering was paid by the province.")
    assert found.label is Label.SUPPORTS
    assert found.best is not None
    assert len(found.best.spans) == 2
    assert [TEXT[start:end] for start, end in found.best.spans] == [
        "The programme began in 2018.",
        "Watering was paid for by the province.",
    ]
    assert (found.best.start, found.best.end) == (found.best.spans[0][0], found.best.spans[-1][1])


def test_the_part_of_the_claim_that_is_supported() -> None:
    claim = "The city planted 31,640 trees by 2024, and the governor resigned after a scandal about money."
    found = judge(claim)
    assert found.label is Label.NEUTRAL
    assert found.partial is not None
    assert claim[slice(*found.partial)] == "The city planted 31,640 trees by 2024"


def test_a_quote_may_stand_outside_the_sentence_that_decides() -> None:
    text = TEXT + " The mayor praised shade in her talk about trees that keeps hours, wide."
    found = judge('The mayor praised shade in her talk about trees: "Shade keeps hours".', text)
    quote = next(one for one in found.checks if one.name == "quotes")
    assert quote.outcome is Outcome.PASSED


def test_a_window_that_begins_with_a_pronoun_names_the_document() -> None:
    text = "It was built in 1911. The bridge is long."
    source = CitedSource(replace(make_document(text), title="Varga Bridge"), text)
    assert window(source, [0]).text == "Varga Bridge: It was built in 1911."
    assert window(source, [1]).text == "The bridge is long."


def test_views_come_first_no_window_twice_and_none_beyond_the_limit() -> None:
    source = CitedSource(make_document(TEXT), TEXT)
    found = windows_of(source, [2, 6, 3, 1], Verification(windows=8, window_sentences=4))
    assert [one.units for one in found if one.view] == [(2, 6), (2, 3, 6), (1, 2, 3, 6)]
    assert [one.units for one in found if not one.view][:3] == [(2,), (1, 2, 3), (6,)]
    assert len({one.units for one in found}) == len(found) == 8


def test_a_single_sentence_is_its_own_view() -> None:
    source = CitedSource(make_document("Trees cool streets."), "Trees cool streets.")
    (only,) = windows_of(source, [0], Verification())
    assert (only.units, only.view) == ((0,), True)


def test_what_is_missing_in_the_window_may_stand_in_another_chosen_sentence() -> None:
    near = "Ada Varga built the bridge. The long bridge was opened in May 1911."
    found = judge("Varga built the long bridge that was opened in May 1911.", near)
    assert found.label is Label.SUPPORTS
    assert not any(one.veto for one in found.checks)


def test_context_helps_a_pronoun_to_its_sentence_and_is_not_judged() -> None:
    text = "Ada Varga was mayor. " + "Buses ran late in the city of Estermark. " * 30 + "Varga left office in May."
    found = judge("She left office in May.", text, context="Ada Varga was a mayor.")
    assert found.best is not None
    assert "Varga left office in May." in found.best.text


@pytest.mark.parametrize(("claim", "told"), [("", "no words"), ("?!", "no words"), ("word " * 500, "Split it")])
def test_what_is_no_claim_is_neutral_and_says_why(claim: str, told: str) -> None:
    found = judge(claim)
    assert (found.label, found.supports, found.judged) == (Label.NEUTRAL, 0, 0)
    assert told in found.notes[-1]


def test_an_empty_source_is_neutral() -> None:
    found = judge("The city planted trees.", "")
    assert (found.label, found.best, found.notes) == (Label.NEUTRAL, None, ("The source has no text.",))


def test_the_longest_claim_that_is_judged_is_judged() -> None:
    assert judge("tree " * CLAIM_WORDS).judged > 0


class CombiningJudge(WordJudge):
    """A judge that brings weights for words."""

    combination = Combination(bias=-9.0, support=0.0, words=1.0, names=0.0)


def test_an_entailer_with_a_combination_is_put_together_with_words() -> None:
    text = "The city planted 31,640 trees by 2024."
    document = replace(make_document(text), title="Trees")
    claim = "The city planted trees."  # too few words to be stated, see test_stated.py
    found = judge_in_source(claim, CitedSource(document, text), CombiningJudge(), SETTINGS)
    assert found.supports < 0.01  # the bias of the weights
    assert any(note.startswith("Support 0.00: the model alone says 1.00") for note in found.notes)


def test_the_model_is_asked_for_the_fact_and_with_the_figure_of_the_source() -> None:
    text = "Each tree that survived has cost the city 2,280 crowns."
    judge_ = WordJudge()
    claim = "Trees have become a costly matter: each tree that survived has cost about 2,300 crowns"
    found = judge_in_source(claim, CitedSource(make_document(text), text), judge_, SETTINGS)
    assert ("each tree that survived has cost about 2,280 crowns", text) in judge_.asked
    assert ("Trees have become a costly matter", text) in judge_.asked
    assert found.label is Label.SUPPORTS
    spans = [claim[a:b] for check in found.checks if check.name == "numbers" for a, b in check.claim_spans]
    assert spans == ["2,300"]
