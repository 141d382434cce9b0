"""Puts documents without end, one acknowledgement a line, until it is killed. Run by test_storage_kill.py."""

from __future__ import annotations

import sys
from pathlib import Path

from core.labels import JobKind, SourceKind
from core.records import Fetched
from storage import open_catalog
from tests.contract.builders import make_document, make_passages


def text_of(number: int) -> str:
    """The text of the document that is called ``number``."""
    return f"Document number{number} tells about otters. " + f"It goes on and on about item{number % 7}. " * 12


def main(root: str, slug: str, first: int, count: int) -> None:
    """Put ``count`` documents (0: without end) from number ``first`` on."""
    store = open_catalog(Path(root)).open(slug)
    number = first
    while not count or number < first + count:
        text = text_of(number)
        body = text.encode()
        (asked,) = store.request(SourceKind.PASTE, [(f"paste {number}", Fetched(body, "text/plain"))])
        print("asked", asked.id, flush=True)
        document = make_document(text, title=f"Number {number}")
        store.put(document, text, make_passages(document, text, size=90), acquisition=asked.id)
        print("stored", number, flush=True)
        job = store.add_job(JobKind.ENCODE, {"number": number})
        print("job", job.id, flush=True)
        number += 1
    store.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
