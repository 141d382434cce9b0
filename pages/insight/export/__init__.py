"""Export: writes a report with its evidence as a file for others, and keeps the files that were written."""
