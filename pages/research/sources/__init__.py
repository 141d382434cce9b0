"""The page sources and its parts."""
