"""Check that ``report.html`` of a pack is the page that its records give: it is written once more and compared."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from html import unescape
from itertools import zip_longest

from core import __version__
from core.errors import WorkbenchError
from core.export.as_html import as_html
from core.export.content import Content
from core.export.html_check import rows_not_shown
from core.export.job import gather
from core.export.rows import rows_of
from core.ports.engines import Engines
from core.ports.store import ProjectStore
from core.records import PackStep
from core.records.decision_chain import MAX_ID
from core.settings.values import Settings

_NOT_COMPARED = "report.html was not compared with the records and is not to be trusted for itself"
_LINES = 50
"""Lines that differ which are shown; of more their number is told."""
_TAG = re.compile(r"<[^>]*>")


def compare_page(
    store: ProjectStore, engines: Engines, settings: Settings, page: bytes | None, info: Mapping[str, object],
    threshold: float | None, models: Mapping[str, str],
) -> PackStep:  # fmt: skip
    """The differences between the page and the records. ``store`` is the pack taken in as a project, ``info`` is
    ``pack.json``; the rest of it was checked already. Only a page of this version can be written again byte for byte;
    of another one it is compared row by row whether it shows what the records say."""
    if page is None:
        return PackStep(problems=("report.html is missing.",))
    try:
        moment = datetime.fromisoformat(str(info.get("made")))
        (report,) = store.reports()
        content = replace(
            gather(store, engines, settings, moment, report.id, models=models),
            threshold=threshold,
            withheld=_left(info),
        )
    except (WorkbenchError, ValueError) as error:
        return PackStep(notes=(f"{_NOT_COMPARED}: {error}",), not_made=(f"report.html with the records: {error}",))
    made_by = made_with(info)
    return _exactly(page, content) if made_by == __version__ else _row_by_row(page, content, made_by)


def _left(info: Mapping[str, object]) -> int:
    """The number of entries that the pack leaves out, by its own word, because review is blind."""
    count = info.get("withheld")
    return count if type(count) is int and 0 < count < MAX_ID else 0


def made_with(info: Mapping[str, object]) -> str:
    """The version of the workbench that wrote a pack, as the pack says."""
    by = info.get("by")
    return str(by.get("version"))[:40] if isinstance(by, dict) else "unknown"


def _exactly(page: bytes, content: Content) -> PackStep:
    done = ("report.html with the page that the records give, byte for byte",)
    own = as_html(content)
    if own == page:
        return PackStep(made=done)
    problems = ["report.html is not the page that the records give: something in it was changed. Do not rely on it."]
    pairs = list(zip_longest(page.decode("utf-8", "replace").split("\n"), own.decode().split("\n"), fillvalue=""))
    changed = [(shown, other) for shown, other in pairs if shown != other]
    problems += [
        f"report.html shows {_words(shown)}; the records give {_words(other)}." for shown, other in changed[:_LINES]
    ]
    if len(changed) > _LINES:
        problems.append(f"{len(changed) - _LINES} more lines of report.html differ.")
    return PackStep(problems=tuple(problems), made=done)


def _row_by_row(page: bytes, content: Content, made_by: str) -> PackStep:
    why = f"version {made_by} wrote it, this is {__version__}"
    return PackStep(
        problems=tuple(rows_not_shown(page, rows_of(content))),
        notes=(f"report.html was not compared byte for byte and is not to be trusted for itself: {why}.",),
        made=("that report.html shows claim, source, grade, passage and decision of every row as its record has them",),
        not_made=(f"the rest of report.html: {why}",),
    )


def _words(line: str) -> str:
    words = " ".join(unescape(_TAG.sub(" ", line)).split())
    return f"“{words[:160]}”" if words else f"“{line[:160]}”" if line else "nothing"
