"""The pages about a report: its citations, its claims."""
