"""Section of the menu: from sources to the right passage."""
