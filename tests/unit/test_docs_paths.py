"""Every path, module and link that the documentation names is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

TOPS = ("core", "storage", "pages", "tests", "benchmarks", "tools", "docs", "training")
PAGES = sorted(
    page
    for folder in (".", *TOPS)
    for page in (REPOSITORY / folder).glob("*.md" if folder == "." else "**/*.md")
    if page.name != "CHANGELOG.md" and not page.is_relative_to(REPOSITORY / "core" / "demo")
)
"""All pages but the history, which names what was there, and the reports of the demo."""
PATH = re.compile(rf"(?<![\w/.])(?:{'|'.join(TOPS)})/[\w./*-]*")
MODULE = re.compile(r"(?<![\w/.-])(?:core|storage|pages|benchmarks|tools|training)(?:\.\w+)+(?![\w/])")
FILE = re.compile(r"(?<![\w/.*-])(?:[a-z_]+/)*\w+\.py\b")
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)\s#]+)")
FENCE = re.compile(r"^```.*?^```", flags=re.DOTALL | re.MULTILINE)


def code_spans(text: str) -> Iterator[str]:
    """What stands between backticks, blocks of code included."""
    yield from FENCE.findall(text)
    yield from re.findall(r"`([^`\n]+)`", FENCE.sub("", text))


def has_path(name: str) -> bool:
    """Whether a path, or anything that fits it where it has asterisks, is in the repository."""
    name = name.rstrip(".")
    return any(REPOSITORY.glob(name.rstrip("/"))) if "*" in name else (REPOSITORY / name).exists()


def has_file(name: str) -> bool:
    """Whether a Python file of the repository has this name, or ends with these folders and this name."""
    return any(any((REPOSITORY / top).rglob(name)) for top in TOPS) or (REPOSITORY / name).exists()


def has_module(name: str) -> bool:
    """Whether a dotted name is a module or a folder, or a name that stands in the text of one."""
    if name.rpartition(".")[2] in ("md", "py", "toml", "json"):
        return True
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        place = REPOSITORY.joinpath(*parts[:length])
        module = place.with_suffix(".py") if place.with_suffix(".py").is_file() else place / "__init__.py"
        if length == len(parts) and place.is_dir():
            return True
        if module.is_file():
            rest = parts[length : length + 1]
            return all(re.search(rf"\b{re.escape(part)}\b", module.read_text("utf-8")) for part in rest)
    return False


def test_the_pages_are_found() -> None:
    assert {"README.md", "CONTRIBUTING.md", "docs/architecture.md"} <= {
        page.relative_to(REPOSITORY).as_posix() for page in PAGES
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(REPOSITORY).as_posix())
def test_what_a_page_names_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    spans = list(code_spans(text))
    paths = {path for span in spans for path in PATH.findall(span) if not has_path(path)}
    files = {name for span in spans for name in FILE.findall(span) if not has_file(name)} - paths
    modules = {name for span in spans for name in MODULE.findall(span) if not has_module(name)}
    links = {target for target in LINK.findall(FENCE.sub("", text)) if not (page.parent / target).exists()}
    missing = {"paths": paths, "files": files, "modules": modules, "links": links}
    assert {kind: names for kind, names in missing.items() if names} == {}


SPAN = re.compile(r"``([^`\n]+)``")


@pytest.mark.parametrize("top", ["core", "storage", "pages"])
def test_what_the_code_names_between_backticks_is_there(top: str) -> None:
    missing = []
    for module in sorted((REPOSITORY / top).rglob("*.py")):
        for span in SPAN.findall(module.read_text("utf-8")):
            names = {path for path in PATH.findall(span) if not has_path(path)}
            names |= {name for name in MODULE.findall(span) if not has_module(name)}
            missing += [f"{module.relative_to(REPOSITORY)}: {name}" for name in sorted(names)]
    assert missing == []
