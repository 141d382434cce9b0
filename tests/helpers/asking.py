"""Asking in tests: a project with three small sources, carried out in this process."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.errors import JobError
from core.labels import SourceKind
from core.ports.engines import Engines
from core.records import Answer
from core.workbench.demo import finish_jobs
from core.workbench.open_project import OpenProject
from core.workbench.workbench import Workbench
from tests.helpers.llm_using import llm_settings, with_writer
from tests.servers.messages_api import MessagesApi, Request, Script, messages_api

TREES = (
    "The city planted 400 limes on Mill Lane between 2015 and 2019. In the shade of the limes the air on Mill Lane was "
    "1.3 degrees cooler on summer afternoons. At night the trees on Mill Lane made no difference to the temperature."
)
LANES = (
    "Takings of the shops in the high street rose by 4 per cent within a year of the cycle lane being built. Cycle "
    "lanes brought more customers on foot and by bicycle to the high street, the traders' survey of 2021 says."
)
RAIN = (
    "The rain garden on Dock Street held 900 litres of rain in the storm of May 2021. Rain gardens on Dock Street cost "
    "the town 12,000 crowns each, most of it for digging and for plants."
)
SOURCES = [
    ("https://trees.example/limes", TREES.encode(), "text/plain"),
    ("https://lanes.example/shops", LANES.encode(), "text/plain"),
    ("https://rain.example/gardens", RAIN.encode(), "text/plain"),
]
QUESTION = "How much cooler was the air on Mill Lane in the shade of the limes?"


def filled(workbench: Workbench, *, sources: list[tuple[str, bytes, str]] | None = None) -> OpenProject:
    """A project with its sources read and encoded."""
    opened = workbench.open(workbench.create("Streets").slug)
    if sources is None or sources:
        opened.sources.add_snapshots(sources or SOURCES)
    finish_jobs(workbench, opened)
    return opened


def with_texts(workbench: Workbench, *texts: str) -> OpenProject:
    """A project of pasted texts."""
    opened = workbench.open(workbench.create("Texts").slug)
    files = [(f"text-{place}.txt", text.encode(), "text/plain") for place, text in enumerate(texts)]
    opened.sources.add_files(files, kind=SourceKind.UPLOAD)
    finish_jobs(workbench, opened)
    return opened


def answered(workbench: Workbench, opened: OpenProject, question: str = QUESTION, **given: object) -> Answer:
    """The answer when its job has ended, however it ended."""
    made, _ = opened.answers.ask(question, **given)  # type: ignore[arg-type]
    with suppress(JobError):
        finish_jobs(workbench, opened)
    return opened.answers.get(made.id)


def said(answer: str, *bullets: str, **fields: object) -> str:
    """A structured reply as a model sends it."""
    points = list(bullets) or [answer] * 3
    return json.dumps({"answer": answer, "bullets": points, "quotes": [], "sufficient": True, **fields})


def number_of(request: Request, words: str) -> int:
    """The number under which a request shows the document with these words."""
    numbers = re.findall(r'<document-\w+ number="(\d+)" title="[^"]*">\n(.*?)\n</document-', request.prompt, re.DOTALL)
    return next(int(number) for number, text in numbers if words in text)


@contextmanager
def language_model(
    opened: OpenProject, engines: Engines, root: Path, script: Script, **changes: object
) -> Iterator[MessagesApi]:
    """A language model for a project that replies by ``script``; its own settings and engines come back."""
    own = opened.settings, engines
    with messages_api(script) as api:
        settings = llm_settings(api, **{"timeout_s": 20.0, "attempts": 1, **changes})
        opened.adopt(settings, with_writer(engines, settings, root))
        try:
            yield api
        finally:
            opened.adopt(*own)
