"""What the workbench reaches, measured: ``python -m benchmarks --help``."""
