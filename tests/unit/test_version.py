"""The version stands in one place, ``core.__version__``; the package metadata and the changelog agree with it."""

from __future__ import annotations

import re
import tomllib

from core import __version__
from tests.conftest import REPOSITORY


def test_the_package_takes_its_version_from_core() -> None:
    written = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
    assert "version" not in written["project"]
    assert written["project"]["dynamic"] == ["version"]
    assert written["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "core.__version__"}


def test_the_newest_release_of_the_changelog_is_this_version() -> None:
    headings = re.findall(r"^## (.+)$", (REPOSITORY / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE)
    assert headings[0] == "Unreleased"
    release, date = headings[1].split(" ")
    assert release == __version__
    assert re.fullmatch(r"\(\d{4}-\d\d-\d\d\)", date)
