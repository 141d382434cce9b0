"""Searching the web: providers side by side, merged results, cooldown, and what to fetch."""
