"""Usage: shows how often this project is searched, how long that takes, what it costs, and where its space goes."""
