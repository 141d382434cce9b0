"""The page citations and its parts."""
