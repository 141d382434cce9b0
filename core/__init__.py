"""The engine of the evidence workbench: no Streamlit, no SQL, and no network or model at import."""

__version__ = "0.1.0"
"""The version of the workbench: the one place; pyproject.toml reads it, exports and packs name it."""
