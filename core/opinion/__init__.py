"""Second opinions by a language model, and its quotations, kept only where they stand in the source."""
