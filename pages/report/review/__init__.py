"""The page review and its parts."""
