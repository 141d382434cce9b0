"""Plain tools for text: sentences, terms, languages, addresses, wording, files."""
