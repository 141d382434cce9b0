"""Finding passages: lexical, dense, late interaction, fusion, rerank."""
