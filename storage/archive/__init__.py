"""Project zips and audit packs: written, read as hostile, restored."""
