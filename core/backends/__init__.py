"""Implementations of the ports; no other package names a heavy library (onnxruntime, torch, anthropic).

Importing this package, or ``core.backends.resolve``, imports none of them: a session is opened at the first text.
"""
