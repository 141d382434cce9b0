"""Getting sources in: search, fetch, extract, chunk, deduplicate, grade."""
