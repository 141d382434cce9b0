"""Makes the generated files of the demonstration project (development only, not shipped)."""
