"""Evaluation: measures how well search finds, how well the judge agrees with people, and how good answers are."""
