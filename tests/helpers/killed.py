"""What a child process that was killed had still said."""

from __future__ import annotations

import subprocess


def rest_of(child: subprocess.Popen[str]) -> str:
    """The rest of its standard output. ``communicate()`` would leave out what ``readline()`` has read ahead."""
    with child:
        assert child.stdout is not None
        return child.stdout.read()
