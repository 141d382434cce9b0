"""Review, as pure functions over the log of decisions: items, worth of a look, state, agreement, calibration."""
