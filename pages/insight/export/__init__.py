"""The page export and its parts."""
