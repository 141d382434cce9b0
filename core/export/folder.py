"""The folder of written files."""

FOLDER = "exports"
"""Its name in the project's folder."""
