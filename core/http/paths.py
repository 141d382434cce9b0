"""Words that leave the service without the folders of its machine: who asks needs what is wrong and with which file,
and nobody who asks may learn where that file lies."""

from __future__ import annotations

import re

_PATH = re.compile(
    r"""(?<![\w:/\\.])                    # not inside an address (http://…) nor inside and/or
    (?:~|[A-Za-z]:|\\|\.{1,2})?           # a home, a drive, a share, or a relative start
    (?:[/\\](?:[^\s/\\'"“”]|\ (?=[A-Z0-9]))+)+   # folders; a name may go on with a capital or a figure
    [/\\](?P<last>[^\s/\\'"“”]+)""",
    re.VERBOSE,
)


def without_paths(text: str) -> str:
    """``text`` with every path of two parts or more shortened to ``…/`` and its last part."""
    return _PATH.sub(lambda found: f"…/{found['last']}", text)
