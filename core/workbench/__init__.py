"""The top of core: facade, wiring, registry of jobs, worker, demo project."""
