"""Does a passage support a claim? Deterministic checks here; models and verdicts are built on top."""
