"""The page claims and its parts."""
