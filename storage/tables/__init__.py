"""The tables of a project, one file a family; ``storage.store`` puts them together. ``core.ports`` says what methods promise."""
