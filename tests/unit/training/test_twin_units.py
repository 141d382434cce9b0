"""Units of the mix: twins stay together, labels follow from the kind, passes go through everything."""

from __future__ import annotations

import random

from training.verifier.data import CONTRADICTS, NEUTRAL, NOT_SUPPORTED, SUPPORTS, Pair
from training.verifier.twin_change import OPPOSITE, STRONGER, Change
from training.verifier.twin_context import line, lined, said, titled
from training.verifier.twin_facts import several, together
from training.verifier.twins import Statement, of_claim, of_sentence, usable
from training.verifier.units import Encoded, alone, batches
from training.verifier.units import together as matched
from training.verifier.wide_mix import once, one_pass


def pair(claim: str, evidence: str, label: int = SUPPORTS, source: str = "fever_train", row: str = "1") -> Pair:
    return Pair(claim, evidence, label, source, row)


def test_twins_are_in_one_batch() -> None:
    units = [(Encoded((0,) * n, 0, f"t{n}"), Encoded((0,) * n, 1, f"t{n}")) for n in range(5, 90)]
    made = list(batches(units, tokens=256, seed=3))
    assert sum(map(len, made)) == 2 * len(units)
    for batch in made:
        assert max(len(one.ids) for one in batch) * len(batch) <= 256 or len(batch) == 2
        names = [one.source for one in batch]
        assert all(names.count(name) == 2 for name in names)


def test_the_same_seed_gives_the_same_batches() -> None:
    units = [(Encoded((0,) * (n % 40 + 3), 0, str(n)),) for n in range(300)]
    assert list(batches(units, tokens=512, seed=1)) == list(batches(units, tokens=512, seed=1))


def test_pairs_of_one_group_with_other_labels_are_matched() -> None:
    rows = [pair("a", "x"), pair("b", "x", NOT_SUPPORTED), pair("c", "x"), pair("d", "y")]
    units = matched(rows, lambda row: row.evidence)
    assert sorted(map(len, units)) == [1, 1, 2]
    assert sum(map(len, units)) == len(rows)


def test_a_pass_goes_on_where_the_last_one_stopped() -> None:
    parts = {"old": [(n,) for n in range(10)]}
    first, second = (one_pass(parts, {"old": 6}, number, 5) for number in (0, 1))
    assert sorted(n for (n,) in first) == [0, 1, 2, 3, 4, 5]
    assert sorted(n for (n,) in second) == [0, 1, 6, 7, 8, 9]


def test_rows_of_scifact_are_there_once() -> None:
    row = pair("a", "x", source="scifact_train_rationale", row="7-1-0")
    windows = [pair("a", text, source="scifact_windows", row="7-1-w") for text in ("x", "y", "z")]
    assert once([row, row, *windows, pair("a", "x")]) == [row, *windows[:2], pair("a", "x")]


def test_a_stronger_sentence_supports_the_weaker_and_not_the_other_way() -> None:
    one = Statement("Noise may harm sleep in towns.", "", "", "", "fever_train", "1")
    change = Change("Noise harms sleep in towns.", "certainty", STRONGER, "harms")
    labels = {(p.claim, p.evidence): p.label for p in _four(one, change)}
    assert labels[change.text, one.sentence] == NOT_SUPPORTED
    assert labels[one.sentence, change.text] == SUPPORTS
    assert labels[change.text, change.text] == labels[one.sentence, one.sentence] == SUPPORTS


def test_a_reversed_sentence_is_contradicted_both_ways() -> None:
    one = Statement("Noise raised the pulse of sleepers.", "", "", "", "fever_train", "1")
    change = Change("Noise lowered the pulse of sleepers.", "direction", OPPOSITE, "lowered")
    labels = {(p.claim == p.evidence): p.label for p in _four(one, change)}
    assert labels == {True: SUPPORTS, False: CONTRADICTS}


def _four(one: Statement, change: Change) -> tuple[Pair, ...]:
    for seed in range(50):
        unit = of_sentence(one, change, random.Random(seed))
        if unit is not None and len(unit) == 4:
            return unit
    raise AssertionError("never four pairs")


def test_a_claim_keeps_its_label_doubtful_where_the_evidence_has_the_new_word() -> None:
    claim = Statement("It rose in May.", "", "", "It rose in May and fell in June.", "fever_train", "1")
    assert of_claim(claim, Change("It fell in May.", "direction", OPPOSITE, "fell")) is None
    strong = Statement("It may help people sleep.", "", "", "It helps people sleep.", "fever_train", "1")
    assert of_claim(strong, Change("It helps people rest.", "certainty", STRONGER, "rest")) is None


def test_a_source_is_named_rightly_and_wrongly() -> None:
    rows = [pair(f"The town planted {n} trees.", f"In all, {n} trees were planted.") for n in range(40)]
    units = list(said(rows, 40, 1))
    assert len(units) > 30
    for true, false in units:
        assert (true.label, false.label) == (SUPPORTS, NOT_SUPPORTED)
        assert true.evidence == false.evidence
        assert true.claim != false.claim


def test_a_name_in_the_title_alone_counts_and_another_title_does_not() -> None:
    rows = [
        pair("Ada Lund was born in Graz.", "Ada Lund: She was born in Graz.", source="fm2"),
        pair("Petr Novak wrote it.", "Petr Novak: He wrote plays.", NOT_SUPPORTED, source="fm2"),
    ]
    for true, false in titled(rows * 3, 10, 2):
        assert "Ada Lund." in true.evidence
        assert "Ada Lund" not in false.evidence
        assert (true.label, false.label) == (SUPPORTS, NOT_SUPPORTED)


def test_a_line_changes_no_label_and_is_the_same_for_twins() -> None:
    units = [(pair("a", "x"), pair("b", "x", NOT_SUPPORTED))] * 30
    for unit in lined(units, 1.0, 4):
        assert [row.label for row in unit] == [SUPPORTS, NOT_SUPPORTED]
        assert unit[0].evidence == unit[1].evidence != "x"
    assert str(line(random.Random(1)).year) in line(random.Random(1)).text(random.Random(2))


def test_one_false_fact_makes_the_whole_false() -> None:
    rows = [
        pair("Ada Lund is a poet.", "e"), pair("Ada Lund was born in Graz.", "e"),
        pair("Ada Lund has never left Vienna.", "e", CONTRADICTS),
    ]  # fmt: skip
    ((true, false),) = several(rows, 5, 1)
    assert (true.label, false.label) == (SUPPORTS, CONTRADICTS)
    assert "Vienna" in false.claim
    assert "Vienna" not in true.claim
    unknown = [*rows[:2], pair("Ada Lund likes tea.", "e", NEUTRAL)]
    ((_, left_open),) = several(unknown, 5, 1)
    assert left_open.label == NEUTRAL


def test_facts_are_put_together_as_sentences() -> None:
    for seed in range(8):
        text = together(["Ada is tall.", "Berg sings.", "Lund cooks well."], random.Random(seed))
        assert text.endswith(".")
        assert all(word in text for word in ("tall", "sings", "cooks well"))


def test_what_is_broken_or_an_aim_is_not_used() -> None:
    assert usable("The town planted forty trees in spring.")
    assert not usable("And the town planted forty trees in spring.")
    assert not usable("To determine whether the town planted trees, we walked.")
    assert len(alone([pair("a", "b")])[0]) == 1
