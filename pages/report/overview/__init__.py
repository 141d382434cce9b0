"""The page overview and its parts."""
