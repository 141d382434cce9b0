"""Claims: taken out of a text, typed, verified over all sources, with a verdict and its checklist."""
