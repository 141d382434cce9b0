"""Training of the base-size judge on a tiny MPNet: it resumes where it stood, and what is frozen stays as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from training.verifier.errors import StartUnusable  # noqa: E402
from training.verifier.mpnet_ids import tensors  # noqa: E402
from training.verifier.mpnet_keep import SIZES, differences, read, restored, write  # noqa: E402
from training.verifier.mpnet_run import Plan, Run, load  # noqa: E402
from training.verifier.mpnet_start import FROZEN, Judge, SmallJudge, trained  # noqa: E402
from training.verifier.units import Encoded  # noqa: E402

pytestmark = pytest.mark.neural
BATCHES = [[Encoded((0, at + 3, 2, 2, pair + 9, 2), (at + pair) % 4, "s") for pair in range(16)] for at in range(8)]


def tiny() -> Judge:
    torch.manual_seed(1)
    config = transformers.MPNetConfig(
        vocab_size=64, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, max_position_embeddings=40,
    )  # fmt: skip
    return Judge(config, dropout=0.0)


def test_a_run_goes_on_where_it_stood(tmp_path: Path) -> None:
    plan = Plan(peak=1e-3, warm=6)
    whole = Run(tmp_path / "whole", tiny(), plan)
    told = [whole.step(batch) for batch in BATCHES]
    (tmp_path / "halves").mkdir()
    first = Run(tmp_path / "halves", tiny(), plan)
    before = [first.step(batch) for batch in BATCHES[:4]]
    first.save()
    second = Run(tmp_path / "halves", tiny(), plan)
    after = [second.step(batch) for batch in BATCHES[4:]]
    assert second.state["pairs"] == whole.state["pairs"] == 128
    assert [*before, *after] == pytest.approx(told, abs=2e-3)  # weights are kept in float16, moments in bfloat16


def test_frozen_layers_and_word_vectors_stay(tmp_path: Path) -> None:
    model = tiny()
    was = {name: value.clone() for name, value in model.state_dict().items()}
    run = Run(tmp_path, model, Plan(peak=1e-2, warm=1), frozen=1)
    for batch in BATCHES:
        run.step(batch)
    now = model.state_dict()
    assert torch.equal(now[FROZEN], was[FROZEN])
    assert torch.equal(
        now["encoder.encoder.layer.0.output.dense.weight"], was["encoder.encoder.layer.0.output.dense.weight"]
    )
    assert not torch.equal(
        now["encoder.encoder.layer.1.output.dense.weight"], was["encoder.encoder.layer.1.output.dense.weight"]
    )


def test_few_pairs_wait_for_more(tmp_path: Path) -> None:
    run = Run(tmp_path, tiny(), Plan(peak=1e-3, warm=1))
    for at in range(0, 20, 5):
        run.step(BATCHES[0][:5])
        assert run.state["steps"] == (1 if at == 15 else 0)


def test_only_the_last_snapshots_stay_and_can_be_read(tmp_path: Path) -> None:
    run = Run(tmp_path, tiny(), Plan(peak=1e-3, warm=1))
    for batch in BATCHES:
        run.step(batch)
        run.snapshot()
    kept = sorted(tmp_path.glob("snapshot-*.pt"))
    assert len(kept) == 4
    model = tiny()
    assert load(kept[-1], model)["pairs"] == 128
    ids, mask, _ = tensors(BATCHES[0])
    model.eval()
    run.model.eval()
    assert torch.allclose(model(ids, mask), run.model(ids, mask), atol=1e-2)


def test_the_rate_rises_stays_and_falls() -> None:
    plan = Plan(peak=1.0, warm=100, cool_from=1000, cool_to=1100)
    assert plan.rate(0) < 0.02
    assert plan.rate(99) == plan.rate(900) == 1.0
    assert plan.rate(1050) == pytest.approx(0.5)
    assert plan.rate(1200) == 0.02


def test_the_small_judge_says_what_the_classifier_says_and_gives_its_weights_back(tmp_path: Path) -> None:
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=128, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32, num_labels=3
    )
    started = transformers.BertForSequenceClassification(config).eval()
    small = SmallJudge(started).eval()
    pairs = [Encoded((101, 5, 102, 7, 8, 102), 0, "s"), Encoded((101, 5, 6, 102, 7, 102), 1, "s")]
    ids, mask, _ = tensors(pairs, small.marks.pad)
    types = torch.tensor([[0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1]])
    expected = started(input_ids=ids, attention_mask=mask, token_type_ids=types).logits
    assert torch.allclose(small(ids, mask), expected, atol=1e-6)
    run = Run(tmp_path, small, Plan(peak=1e-2, warm=1), frozen=1)
    run.step([*pairs] * 8)
    again = transformers.BertForSequenceClassification(config)
    again.load_state_dict(small.classifier())
    assert torch.equal(again.classifier.weight, small.out.weight)


def test_a_kept_run_comes_back_within_half_a_step(tmp_path: Path) -> None:
    start = trained(tiny())
    run = Run(tmp_path, tiny(), Plan(peak=1e-2, warm=1), frozen=1)
    for batch in BATCHES:
        run.step(batch)
    now = trained(run.model)
    encoder = {name: value for name, value in start.items() if name.startswith("encoder.")}
    kept = differences(now, encoder)
    assert "encoder.encoder.layer.0.output.dense.weight" not in kept  # frozen: nothing to keep
    write(tmp_path / "kept", kept, run.state)
    read_back, state = read(tmp_path / "kept")
    assert state == run.state
    back = restored(read_back, encoder)
    assert back.keys() == now.keys()
    for name, value in now.items():
        step = kept[name + SIZES].float().amax() if name + SIZES in kept else torch.tensor(0.0)
        assert (back[name].float() - value.float()).abs().amax() <= step / 2 + 2e-3 * value.float().abs().amax() + 1e-6
    torch.save({"model": back, "slow": {}, "moments": {}, "state": state}, tmp_path / "judge.pt")
    assert Run(tmp_path, tiny(), Plan(peak=1e-3, warm=6), frozen=1).state["pairs"] == 128


def test_a_damaged_kept_run_is_named(tmp_path: Path) -> None:
    (tmp_path / "kept").write_bytes(b"no zstd")
    with pytest.raises(StartUnusable, match="kept"):
        read(tmp_path / "kept")
