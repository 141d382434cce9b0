"""The script that Streamlit serves, with its settings beside it (``.streamlit/config.toml``), in one place that a wheel
holds too."""

from __future__ import annotations

from pathlib import Path

SCRIPT = Path(__file__).with_name("app.py")
