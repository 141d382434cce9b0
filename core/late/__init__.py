"""The optional late engine: a snapshot index beside the database, and what changed since it was built."""
