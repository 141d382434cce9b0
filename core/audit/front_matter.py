"""References in the front matter of a Markdown report (pandoc's ``references:``), with the offset of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.text.plain_yaml import yaml_problem

if TYPE_CHECKING:
    import yaml  # type: ignore[import-untyped,unused-ignore]

_LONGEST = 200_000
_OWN = ("url", "canonical", "canonical_url", "canonicalurl", "permalink", "doi")
"""Fields that say where the report itself is to be found."""


@dataclass(frozen=True, slots=True)
class KeyedEntry:
    """One bibliographic entry (CSL) of the front matter."""

    key: str
    start: int
    end: int
    title: str | None
    url: str | None
    doi: str | None
    authors: tuple[str, ...]
    year: str | None


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The front matter of a report; ``warnings`` say where it could not be read. ``addresses`` are the report's own."""

    title: str | None = None
    entries: tuple[KeyedEntry, ...] = ()
    bibliography: str | None = None
    warnings: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()


def read_front_matter(text: str, start: int, end: int) -> FrontMatter:
    """Title, ``references`` and the name of the ``bibliography`` file of ``text[start:end]``, both fences included."""
    import yaml  # type: ignore[import-untyped,unused-ignore]

    if end - start > _LONGEST:
        return FrontMatter(warnings=("The front matter is too long and was not read.",))
    first = text.index("\n", start) + 1
    last = max(first, text.rstrip().rfind("\n", first, start + len(text[start:end].rstrip())) + 1)
    source = text[first:last]
    if problem := yaml_problem(source):
        return FrontMatter(warnings=(f"The front matter {problem} and was not read.",))
    root = yaml.compose(source, Loader=yaml.BaseLoader)
    if not isinstance(root, yaml.MappingNode):
        return FrontMatter()
    fields = _fields(root)
    entries: list[KeyedEntry] = []
    listed = fields.get("references")
    if isinstance(listed, yaml.SequenceNode):
        for node in listed.value:
            entry = _entry(node, source, first)
            if entry:
                entries.append(entry)
    addresses = tuple(filter(None, (_scalar(fields.get(name)) for name in _OWN)))
    return FrontMatter(
        _scalar(fields.get("title")), tuple(entries), _scalar(fields.get("bibliography")), addresses=addresses
    )


def _fields(node: yaml.Node) -> dict[str, yaml.Node]:
    import yaml  # type: ignore[import-untyped,unused-ignore]

    if not isinstance(node, yaml.MappingNode):
        return {}
    return {str(key.value).lower(): value for key, value in node.value if isinstance(key, yaml.ScalarNode)}


def _scalar(node: yaml.Node | None) -> str | None:
    import yaml  # type: ignore[import-untyped,unused-ignore]

    if not isinstance(node, yaml.ScalarNode) or not node.value:
        return None
    return str(node.value).encode("utf-8", "replace").decode()  # "\ud800" is half a character


def _entry(node: yaml.Node, source: str, offset: int) -> KeyedEntry | None:
    fields = _fields(node)
    key = _scalar(fields.get("id"))
    if not key:
        return None
    begin, end = node.start_mark.index, node.end_mark.index
    dash = source.rfind("-", source.rfind("\n", 0, begin) + 1, begin)
    begin = dash if dash >= 0 else begin
    end = begin + len(source[begin:end].rstrip())
    doi, url = _scalar(fields.get("doi")), _scalar(fields.get("url"))
    address = url or (f"https://doi.org/{doi}" if doi else None)
    title, names, year = _scalar(fields.get("title")), _names(fields.get("author")), _year(fields.get("issued"))
    return KeyedEntry(key, offset + begin, offset + end, title, address, doi.lower() if doi else None, names, year)


def _names(node: yaml.Node | None) -> tuple[str, ...]:
    import yaml  # type: ignore[import-untyped,unused-ignore]

    if not isinstance(node, yaml.SequenceNode):
        return ()
    names = []
    for person in node.value:
        fields = _fields(person)
        name = _scalar(fields.get("family")) or _scalar(fields.get("literal")) or _scalar(person)
        if name:
            names.append(name)
    return tuple(names)


def _year(node: yaml.Node | None) -> str | None:
    import re

    import yaml  # type: ignore[import-untyped,unused-ignore]

    if isinstance(node, yaml.MappingNode):
        fields = _fields(node)
        return _year(fields.get("date-parts") or fields.get("year") or fields.get("raw"))
    if isinstance(node, yaml.SequenceNode):
        return _year(node.value[0]) if node.value else None
    match = re.search(r"\d{4}[a-z]?", _scalar(node) or "")
    return match.group() if match else None
