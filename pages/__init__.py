"""The pages that people see: no logic and no storage; projects are reached through ``core.workbench``."""
