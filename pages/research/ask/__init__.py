"""Ask: answers a question from the sources, each sentence checked against what it cites."""
