"""What ragatouille 0.0.9.post2 does wrong on today's libraries, and that the mends mend it (ARCHITECTURE 4).

When one of these fails because the defect is gone, what mends or avoids it can go, too.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core.backends.ragatouille.process import _environment
from tests.ragatouille.checkpoints import tiny

if importlib.util.find_spec("ragatouille") is None:
    pytest.skip("needs the extra: pip install '.[ragatouille]'", allow_module_level=True)

pytestmark = pytest.mark.ragatouille


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory, project: object) -> dict[str, Any]:
    """All of it in one process, after the extensions were compiled."""
    folder = tmp_path_factory.mktemp("defects")
    arguments = [tiny(folder / "whole"), tiny(folder / "bare", without=("root", "experiment")), folder]
    child = subprocess.run(
        [sys.executable, "-m", "tests.ragatouille.defects_child", *map(str, arguments)],
        stdout=subprocess.PIPE, text=True, env=_environment(0), cwd=Path(__file__).resolve().parents[2], check=False,
    )  # fmt: skip
    assert child.returncode == 0, child.stdout
    found: dict[str, Any] = json.loads(child.stdout.splitlines()[-1])
    return found


def test_models_load_only_with_post_init(told: dict[str, Any]) -> None:
    assert "all_tied_weights_keys" in told["loading without the mend"]
    assert told["loading with the mend"] == "fine"


def test_a_checkpoint_needs_root_and_experiment(told: dict[str, Any]) -> None:
    assert told["search without root and experiment"].startswith("FileNotFoundError")
    assert told["search with the mend"] == "fine"


def test_few_words_are_indexed_only_with_fewer_clusters(told: dict[str, Any]) -> None:
    assert "Number of training points" in told["few words without the mend"]
    assert told["few words with the mend"] == "fine"


def test_deleting_fails_or_gives_wrong_answers(told: dict[str, Any]) -> None:
    assert (told["deleting"], told["wrong after deleting"]) != ("fine", "fine")


def test_a_second_root_in_one_process_is_not_kept_apart(told: dict[str, Any]) -> None:
    assert "/first/" in told["index under the first root"]  # its files were looked for there and lie elsewhere
    assert told["index under the second root"] == "fine"


def test_ragatouille_loads_without_langchain_retrievers() -> None:
    """As with langchain 1, where the module is gone."""
    script = (
        "import sys, importlib.util as util\n"
        "find = util.find_spec\n"
        "util.find_spec = lambda name, *rest: None if name.startswith('langchain.') else find(name, *rest)\n"
        "from core.backends.ragatouille.compat import _stub_langchain_retrievers as stub\n"
        "stub(); stub()\n"
        "from langchain.retrievers.document_compressors.base import BaseDocumentCompressor as base\n"
        "print(base.__module__)\n"
    )
    child = subprocess.run(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=_environment(0), check=True
    )
    assert child.stdout.strip().startswith("langchain_core.")


def test_nothing_here_calls_what_corrupts() -> None:
    package = Path(__file__).resolve().parents[2] / "core" / "backends" / "ragatouille"
    for path in package.glob("*.py"):
        assert "add_to_index(" not in path.read_text("utf-8")
        assert "delete_from_index(" not in path.read_text("utf-8")
