"""The engine: connections, migrations, layout of a project folder, files."""
