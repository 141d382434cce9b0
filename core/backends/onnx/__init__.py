"""Models that run in onnxruntime: the encoder, the verifier, the reranker and the projection of token vectors."""
