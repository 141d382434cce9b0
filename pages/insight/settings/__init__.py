"""The page settings and its parts."""
