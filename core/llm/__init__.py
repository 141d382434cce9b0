"""The language model: budget, records of calls, replies as JSON."""
