"""The query lab: a question in several wordings, what each brings, judged passages and their measures."""
