"""View models of the pages: records as words, rows and figures, without Streamlit."""
