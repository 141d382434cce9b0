"""The page projects and its parts."""
