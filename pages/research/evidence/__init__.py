"""Evidence: finds the passages that answer a question, and shows why each was found."""
