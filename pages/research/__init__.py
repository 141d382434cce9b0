"""Pages about the sources: projects, sources, search, variants of a question, and answers."""
