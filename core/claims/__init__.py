"""Claims: extracted from a text, classified, verified against all sources, with a verdict and its checklist."""
