"""Measures of retrieval and of judgement, over qrels and run files."""
