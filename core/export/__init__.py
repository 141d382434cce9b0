"""The audit of a report written out: one row model, and one module for each format."""
