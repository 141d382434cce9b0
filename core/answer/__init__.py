"""Answers to questions: evidence gathered, an answer written, and every sentence of it checked against its sources."""
