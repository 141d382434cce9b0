"""Pages that look back: exports, measures, usage, and settings."""
