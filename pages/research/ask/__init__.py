"""The page ask and its parts."""
