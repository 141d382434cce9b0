"""The engine of the evidence workbench: no Streamlit, no SQL, and no network or model at import."""
