"""Implementations of the ports. Elsewhere a heavy library is imported inside functions only. Importing this package, or
``core.backends.resolve``, imports none of them: a session is opened at the first text."""
