"""Variants of a question: other wordings searched beside it, made by rules, by feedback, and by a language model."""
