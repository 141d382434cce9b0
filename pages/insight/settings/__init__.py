"""Settings: shows every effective value and where it comes from, and checks a change before it is written."""
