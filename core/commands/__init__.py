"""The commands of ``workbench``, one file a subject."""
