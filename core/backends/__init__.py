"""The only modules that name heavy libraries (onnxruntime, tokenizers, sentence-transformers).

Importing this package, or ``core.backends.resolve``, imports none of them: a session is opened at the
first text.
"""
