"""Query lab: asks one question in several ways and shows what each way newly brings."""
