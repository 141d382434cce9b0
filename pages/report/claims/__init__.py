"""Claims: collects statements and shows what all sources of the project say about each."""
