"""The page evaluation and its parts."""
