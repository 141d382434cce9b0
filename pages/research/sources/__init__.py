"""Sources: brings sources in, shows what became of each request, and opens one with its text and grade."""
