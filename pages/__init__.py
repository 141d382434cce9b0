"""The pages: what people see. No logic, no storage; everything goes through ``core.workbench.workbench``."""
