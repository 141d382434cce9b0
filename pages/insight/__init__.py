"""The pages about the work as a whole: export, evaluation, usage, settings."""
