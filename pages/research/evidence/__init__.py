"""The page evidence and its parts."""
