"""Citation audit: checks each citation of a report in the source that it cites, and shows the deciding words."""
