"""The runtime of the models reports nothing to anybody: its own telemetry is off before it loads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_ENCODE = """
import os, time
from core.backends.resolve import load_encoder
from core.settings.values import Models
load_encoder(Models(threads=1)).encode_queries(["quiet"])
assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"
time.sleep(2)
"""


def test_using_a_model_leaves_nothing_of_the_runtime_s_telemetry(tmp_path: Path) -> None:
    """With its telemetry on, ONNX Runtime 1.32 keeps a device id and a queue of events under the home folder."""
    clean = {key: value for key, value in os.environ.items() if key not in ("ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME")}
    root = Path(__file__).resolve().parents[3]
    subprocess.run(
        [sys.executable, "-c", _ENCODE], check=True, cwd=root, env={**clean, "HOME": str(tmp_path)}, timeout=120
    )
    kept = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if "icrosoft" in str(path)]
    assert kept == []
