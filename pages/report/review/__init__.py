"""Review: lets people decide, one item at a time, on citations and claims that need a look."""
