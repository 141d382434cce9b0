"""The page queries and its parts."""
