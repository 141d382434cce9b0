"""The records of ``core.model``, one file a subject; import them from there."""
