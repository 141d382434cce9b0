"""Pages about a report: its citations, its claims, the review by people, and its outcome."""
