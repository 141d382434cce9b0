"""What a figure was measured on."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def machine() -> str:
    """Cores, processor, memory, system and Python, in one line."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{os.cpu_count()} cores, {_processor()}, {memory:.0f} GiB, {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}"
    )


def versions() -> dict[str, str]:
    """Versions of what decides speed and results."""
    facts = {}
    for name in ("evidence-workbench", "numpy", "onnxruntime", "tokenizers", "PyStemmer", "pysqlite3"):
        try:
            facts[name] = version(name)
        except PackageNotFoundError:
            continue
    return facts


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown processor")
