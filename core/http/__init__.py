"""The HTTP service: what each request may hold, how it is answered, and what is refused."""
