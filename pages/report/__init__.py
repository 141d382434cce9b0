"""The pages about a report: its citations, its claims, their review, and the overview for readers."""
