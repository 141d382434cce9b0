"""The floors of the house in pyproject.toml name every package, and every kind of job has its handler."""

from __future__ import annotations

import tomllib

import pytest

from core.labels import JobKind
from core.workbench.jobs import HANDLERS, handler_of
from tests.conftest import REPOSITORY

DATA = {"demo", "weights"}
"""Folders of core that hold data and no code."""
FLAT = {"labels", "errors", "__init__"}
"""The only modules that lie in core itself."""


def floors() -> list[str]:
    contracts = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (layers,) = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    return layers


def test_every_package_of_core_has_its_floor() -> None:
    packages = {path.name for path in (REPOSITORY / "core").iterdir() if (path / "__init__.py").exists()} - DATA
    assert {f"core.{name}" for name in packages} <= set(floors())


def test_no_module_lies_flat_in_core_but_labels_and_errors() -> None:
    assert {path.stem for path in (REPOSITORY / "core").glob("*.py")} == FLAT


def test_the_contracts_ignore_no_import() -> None:
    contracts = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    assert [contract["name"] for contract in contracts if contract.get("ignore_imports")] == []


@pytest.mark.parametrize("kind", JobKind)
def test_every_kind_of_job_has_a_handler(kind: JobKind) -> None:
    assert callable(handler_of(kind))
    assert set(HANDLERS) == set(JobKind)
