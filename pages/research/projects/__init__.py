"""Projects: lists the projects of this installation, makes new ones, and takes them in and out as files."""
