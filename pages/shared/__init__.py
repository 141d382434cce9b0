"""Parts that several pages use: the frame around them, safe text, tables, sources, jobs, and reports."""
