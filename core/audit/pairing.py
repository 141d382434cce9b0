"""Pairing of marker, claim and reference; dangling markers, ambiguous and unused references."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.audit.citations.author_year import named_links
from core.audit.citations.reference_link import folded
from core.audit.claim_span import claim_spans
from core.audit.names import AuthorYearIndex
from core.audit.references import canonical, keys_of
from core.audit.report_model import (
    Citation,
    Marker,
    Pairing,
    PairingState,
    Reference,
    ReferenceKind,
    Report,
    Style,
    Target,
)


def pair(report: Report) -> Pairing:
    """Everything that ``report`` cites: one citation for each marker and each of its targets, in order.

    Addresses that stand in the text become references of their own (kind ``inline``), one for each canonical
    address, at the place where they stand first. Linear in the length of the report.
    """
    resolver = _Resolver(report)
    claims = claim_spans(report)
    citations: list[Citation] = []
    for at, marker in enumerate(report.markers):
        claim, sentence = claims[at]
        for target in marker.targets:
            ids = resolver.resolve(marker, target)
            citation = _citation(at, target, resolver.distinct(ids))
            citations.append(replace(citation, claim=claim, sentence=sentence))
    return resolver.result(citations)


def _citation(marker: int, target: Target, ids: Sequence[int]) -> Citation:
    if not ids:
        return Citation(marker, target, PairingState.DANGLING, None, None)
    if len(ids) > 1:
        return Citation(marker, target, PairingState.AMBIGUOUS, None, None, candidates=tuple(ids))
    return Citation(marker, target, PairingState.PAIRED, None, None, reference=ids[0])


class _Resolver:
    def __init__(self, report: Report) -> None:
        self._report = report
        self._references = list(report.references)
        self._listed = len(report.references)
        self._numbers: dict[int, list[int]] = defaultdict(list)
        self._keys: dict[tuple[ReferenceKind, str], list[int]] = defaultdict(list)
        self._inline: dict[str, int] = {}
        self._names = AuthorYearIndex(report.references)
        self._linked = AuthorYearIndex(named_links(report.text, report.markers))
        for reference in report.references:
            if reference.number is not None:
                self._numbers[reference.number].append(reference.id)
            if reference.key is not None:
                self._keys[reference.kind, folded(reference.key)].append(reference.id)

    def resolve(self, marker: Marker, target: Target) -> list[int]:
        """Ids of the references that the target can mean."""
        if target.number is not None:
            key = str(target.number)
            listed = [*self._numbers.get(target.number, ()), *self._keyed(ReferenceKind.LINK_DEFINITION, key)]
            return listed or self._keyed(ReferenceKind.FOOTNOTE, key)
        if target.key is not None:
            return self._key(marker.style, target.key)
        if target.url is not None or target.doi is not None:
            return [self._address(marker, target)]
        if target.year is None:
            return []
        entries = self._names.find(target.authors, target.year, et_al=target.et_al)
        # An entry of the list that readers see comes before the same work in the front matter.
        if entries:
            return [ref.id for ref in sorted(entries, key=lambda ref: ref.kind is ReferenceKind.KEYED)]
        linked = self._linked.find(target.authors, target.year, et_al=target.et_al)
        markers = [self._report.markers[ref.id] for ref in linked]
        return list(dict.fromkeys(self._address(marker, marker.targets[0]) for marker in markers))

    def _keyed(self, kind: ReferenceKind, key: str) -> list[int]:
        return self._keys.get((kind, folded(key)), [])

    def _key(self, style: Style, key: str) -> list[int]:
        if style is Style.PANDOC:
            return self._keyed(ReferenceKind.KEYED, key)
        if style is Style.REFERENCE_LINK:
            # "[1]: address" beside an entry "1." with another address: the number is defined twice.
            return [*self._numbered(key), *self._keyed(ReferenceKind.LINK_DEFINITION, key)]
        notes = self._keyed(ReferenceKind.FOOTNOTE, key)
        return notes or self._numbered(key) or self._keyed(ReferenceKind.KEYED, key)

    def _numbered(self, key: str) -> list[int]:
        return self._numbers.get(int(key), []) if key.isdecimal() and len(key) < 5 else []

    def _address(self, marker: Marker, target: Target) -> int:
        name = f"doi:{target.doi}" if target.doi else (canonical(target.url) or "")
        earlier = self._inline.get(name)
        if earlier is not None:
            return earlier
        number = len(self._references)
        label = f"doi:{target.doi}" if target.doi else target.url or ""
        self._references.append(Reference(
            number, ReferenceKind.INLINE, label, marker.start, marker.end, marker.text,
            url=target.url, doi=target.doi,
            is_report=not keys_of(target.url, target.doi).isdisjoint(self._report.own),
        ))  # fmt: skip
        self._inline[name] = number
        return number

    def distinct(self, ids: Sequence[int]) -> list[int]:
        """``ids`` without repeats of the same entry: equal text, or the same address."""
        if len(ids) < 2:
            return list(ids)
        seen: dict[str, int] = {}
        for number in ids:
            reference = self._references[number]
            seen.setdefault(canonical(reference.url) or _body(reference), number)
        return list(seen.values())

    def result(self, citations: list[Citation]) -> Pairing:
        return Pairing(
            references=tuple(self._references),
            citations=tuple(citations),
            unused=tuple(self._unused(citations)),
        )

    def _unused(self, citations: list[Citation]) -> Iterator[int]:
        """Ids of the listed references that no citation can mean, by itself or by the address of another entry."""
        used: set[int] = set()
        for citation in citations:
            used.update(citation.candidates)
            if citation.reference is not None:
                used.add(citation.reference)
        cited = [reference for reference in self._references if reference.id in used]
        addresses = {canonical(reference.url) for reference in cited if reference.url}
        dois = {reference.doi for reference in cited if reference.doi}
        for reference in self._references[: self._listed]:
            same_address = reference.url and canonical(reference.url) in addresses
            if reference.id not in used and not same_address and not (reference.doi and reference.doi in dois):
                yield reference.id


def _body(reference: Reference) -> str:
    return " ".join(reference.text.split()[1:]).casefold()
