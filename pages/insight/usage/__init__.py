"""The page usage and its parts."""
