"""The shipped verifier as it runs in the product: real weights, real sessions."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from core.backends.files import sha256
from core.backends.onnx.entailer import SHIPPED, Calibration, OnnxEntailer, sentence_windows, whole_claim
from core.errors import ModelDamaged
from core.records import Combination

CLAIM = "The bridge opened in 1932."
SUPPORT = "The bridge was opened to traffic in 1932 after eight years of construction."
AGAINST = "The bridge was opened to traffic in 1957 after eight years of construction."
ASIDE = "Bananas are rich in potassium and grow in the tropics."
FILLER = "The weather in the valley was mild for most of the summer. " * 60


@pytest.fixture(scope="module")
def entailer() -> OnnxEntailer:
    return OnnxEntailer(threads=2)


def test_the_three_labels_are_told_apart(entailer: OnnxEntailer) -> None:
    found = entailer.judge([(CLAIM, SUPPORT), (CLAIM, AGAINST), (CLAIM, ASIDE)])
    assert found.shape == (3, 3)
    assert found.dtype == np.float32
    assert found.sum(1) == pytest.approx([1, 1, 1], abs=1e-5)
    assert list(found.argmax(1)) == [0, 1, 2]


def test_no_pairs_give_no_rows(entailer: OnnxEntailer) -> None:
    assert entailer.judge([]).shape == (0, 3)


@pytest.mark.parametrize(
    ("claim", "evidence"), [("", SUPPORT), (CLAIM, ""), (" \n\t", SUPPORT), (CLAIM, "\u200b"), ("", "")]
)
def test_an_empty_side_is_neutral_by_rule(entailer: OnnxEntailer, claim: str, evidence: str) -> None:
    assert entailer.judge([(claim, evidence)]).tolist() == [[0.0, 0.0, 1.0]]


@pytest.mark.parametrize(
    "text",
    [
        "\U0001f600\U0001f680 \u2603", "42 17 3.14", "\ud800 lone surrogate", "\x00\x07", "東京は日本の首都です。",
        "Привет, мир.", "a" * 5000, "?!.,;:" * 200, "[CLS] [SEP] [MASK] [PAD]", "word " * 900, "x\u0301" *
        400, "\u202eright to left",
    ],
)  # fmt: skip
def test_any_text_on_either_side_is_judged(entailer: OnnxEntailer, text: str) -> None:
    found = entailer.judge([(text, SUPPORT), (CLAIM, text), (text, text)])
    assert np.isfinite(found).all()
    assert found.sum(1) == pytest.approx([1, 1, 1], abs=1e-5)


def test_a_pair_is_judged_alike_in_any_company(entailer: OnnxEntailer) -> None:
    alone = entailer.judge([(CLAIM, SUPPORT)])[0]
    together = entailer.judge([(CLAIM, FILLER), (CLAIM, SUPPORT), ("x", "y")])[1]
    assert alone.tolist() == together.tolist()


@pytest.mark.parametrize("place", ["begin", "middle", "end"])
def test_evidence_is_found_anywhere_in_a_long_text(entailer: OnnxEntailer, place: str) -> None:
    text = {"begin": f"{SUPPORT} {FILLER}", "middle": f"{FILLER}{SUPPORT} {FILLER}", "end": f"{FILLER}{SUPPORT}"}[place]
    with_it, without = entailer.judge([(CLAIM, text), (CLAIM, FILLER)])
    assert with_it[2] < without[2]
    assert with_it[0] > with_it[1]


def test_a_claim_in_parts_is_as_good_as_its_worst_part() -> None:
    found = whole_claim(np.array([[0.9, 0.05, 0.05], [0.2, 0.1, 0.7]], dtype=np.float32))
    assert found.tolist() == pytest.approx([0.2, 0.1, 0.7])
    torn = whole_claim(np.array([[0.9, 0.05, 0.05], [0.8, 0.7, 0.0]], dtype=np.float32))
    assert torn.sum() == pytest.approx(1)
    assert torn[2] == 0


def test_a_claim_of_two_parts_is_judged_and_a_page_is_no_claim(entailer: OnnxEntailer) -> None:
    stated = " ".join(f"Station {number} of the line was opened in {1900 + number}." for number in range(1, 20))
    longer, page = entailer.judge([(stated, SUPPORT), (stated * 4, SUPPORT)])
    assert longer.tolist() != [0.0, 0.0, 1.0]
    assert page.tolist() == [0.0, 0.0, 1.0]


def test_a_flipped_byte_is_noticed(tmp_path: Path) -> None:
    for name in ("verifier.onnx", "verifier_tokenizer.json", "verifier.json"):
        shutil.copyfile(SHIPPED / name, tmp_path / name)
    assert OnnxEntailer(tmp_path).fingerprint == OnnxEntailer().fingerprint
    body = bytearray((SHIPPED / "verifier.onnx").read_bytes())
    body[len(body) // 2] ^= 1
    (tmp_path / "verifier.onnx").write_bytes(body)
    with pytest.raises(ModelDamaged, match=r"verifier\.onnx"):
        OnnxEntailer(tmp_path)


@pytest.mark.parametrize("change", [{"temperature": 0}, {"bias": [0, 0]}, {"max_tokens": "many"}, {"sha256": None}])
def test_an_impossible_description_is_a_damaged_model(tmp_path: Path, change: dict[str, object]) -> None:
    held = json.loads((SHIPPED / "verifier.json").read_text())
    (tmp_path / "verifier.json").write_text(json.dumps(held | change))
    with pytest.raises(ModelDamaged, match=r"verifier\.json"):
        Calibration.read(tmp_path / "verifier.json")
    with pytest.raises(ModelDamaged, match="cannot be read"):
        Calibration.read(tmp_path / "nothing.json")


def test_another_calibration_is_another_fingerprint(tmp_path: Path) -> None:
    for name in ("verifier.onnx", "verifier_tokenizer.json"):
        (tmp_path / name).symlink_to(SHIPPED / name)
    held = json.loads((SHIPPED / "verifier.json").read_text())
    (tmp_path / "verifier.json").write_text(json.dumps(held | {"temperature": 9.5}))
    assert OnnxEntailer(tmp_path).fingerprint != OnnxEntailer().fingerprint
    assert OnnxEntailer().fingerprint.startswith("workbench-verifier@")


def test_a_combination_is_read_and_an_impossible_one_is_a_damaged_model(tmp_path: Path) -> None:
    for name in ("verifier.onnx", "verifier_tokenizer.json"):
        (tmp_path / name).symlink_to(SHIPPED / name)
    held = json.loads((SHIPPED / "verifier.json").read_text())
    weights = {"bias": -2.5, "support": 0.9, "words": 3.0, "names": 0.5, "claims": 400}
    (tmp_path / "verifier.json").write_text(json.dumps(held | {"combination": weights}))
    assert OnnxEntailer(tmp_path).combination == Combination(-2.5, 0.9, 3.0, 0.5)
    for broken in (weights | {"words": -1.0}, {"bias": 1.0}, [1.0]):
        (tmp_path / "verifier.json").write_text(json.dumps(held | {"combination": broken}))
        with pytest.raises(ModelDamaged, match=r"verifier\.json"):
            OnnxEntailer(tmp_path)
    held.pop("combination", None)
    (tmp_path / "verifier.json").write_text(json.dumps(held))
    assert OnnxEntailer(tmp_path).combination is None


def test_the_shipped_files_are_the_pinned_ones_and_small_enough() -> None:
    pinned = Calibration.read(SHIPPED / "verifier.json").sha256
    assert set(pinned) == {"verifier.onnx", "verifier_tokenizer.json"}
    assert all(sha256(SHIPPED / name) == expected for name, expected in pinned.items())
    assert (SHIPPED / "verifier.onnx").stat().st_size <= 40 * 2**20


@pytest.mark.parametrize(
    ("ends", "limit"), [([4, 8, 12], 8), ([5], 8), ([3, 13], 6), ([0], 5), ([2, 4, 30, 31], 10), ([9, 18, 27], 9)]
)
def test_windows_cover_everything_and_fit(ends: list[int], limit: int) -> None:
    spans = sentence_windows(ends, limit)
    assert all(b - a <= limit for a, b in spans)
    assert sorted({at for a, b in spans for at in range(a, b)}) == list(range(ends[-1]))
