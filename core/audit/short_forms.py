"""Short forms: ``Ibid., p. 4``, ``Berg, op. cit.``, ``Berg (n 2)``, ``———. 2021`` mean an entry before them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.audit.citations.numeric import LOCATOR
from core.audit.citations.short_form import AGAIN, SAME
from core.audit.entry import label_end
from core.audit.links import plain
from core.audit.names import folded_name
from core.audit.report_model import Reference

_NUMBERED = r"(?:\(?(?:supra )?(?:n|fn|note|nn|Anm|Fn)\.? ?(?P<number>\d{1,4})\)?)"
_TAIL = rf"(?:[\s,.;:]*(?:at )?(?:{LOCATOR}|\d[\d\u2013-]*))?[\s.,;)]*"
_IBID = re.compile(rf"(?:see |siehe |vgl\. )?{SAME}{_TAIL}", re.IGNORECASE)
_NAMED = re.compile(rf"(?P<name>[^\W\d_][^\d,;()]{{1,80}}?)[,\s]+(?:{AGAIN}|{_NUMBERED}){_TAIL}", re.IGNORECASE)
_DASHES = re.compile(r"[\s*_\\>-]*(?:[\u2014\u2015\u2e3a\u2e3b]{1,3}|-{3,6}|_{3,6})(?=[\s.,(])")
_LONGEST = 200


def with_short_forms(references: Sequence[Reference]) -> list[Reference]:
    """The references in order, short forms with the address, title, authors and year of the entry that they mean."""
    read: list[Reference] = []
    for reference in references:
        meant = _meant(reference, read)
        if meant is not None:
            reference = replace(
                reference, url=meant.url, doi=meant.doi, title=meant.title, authors=meant.authors, year=meant.year
            )
        elif read and reference.authors != read[-1].authors and _DASHES.match(_body(reference)):
            reference = replace(reference, authors=read[-1].authors)
        read.append(reference)
    return read


def _body(reference: Reference) -> str:
    return reference.text[label_end(reference.text) :]


def _meant(reference: Reference, before: Sequence[Reference]) -> Reference | None:
    words = plain(_body(reference)) if len(reference.text) < _LONGEST else ""
    if before and _IBID.fullmatch(words):
        return before[-1]
    match = _NAMED.fullmatch(words)
    if match is None:
        return None
    if match["number"]:
        return next((ref for ref in before if match["number"] in (str(ref.number), ref.key)), None)
    name = folded_name(match["name"].split()[-1])
    return next((ref for ref in reversed(before) if ref.authors and name in folded_name(ref.authors[0]).split()), None)
