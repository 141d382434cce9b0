"""The service against its own OpenAPI document, by Schemathesis: every operation with generated requests that fit and
that do not, in sequences too; no answer may be a fault of the server, of an undocumented status or shape, a refusal of
what fits, or an acceptance of what does not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest

from core.ports.engines import Engines
from tests.helpers.serving import served, town

SECONDS = 15
CONFIGURATION = """
[checks]
# Words that a schema cannot forbid (a blank question, an address without a host) are refused with 422.
positive_data_acceptance.expected-statuses = ["2xx", "401", "404", "409", "422"]
"""


def _narrowed(value: Any) -> Any:
    """The document with the slugs of the test in place of the pattern, so that requests find a project, and without
    waiting for jobs, which nobody carries out here."""
    if isinstance(value, dict):
        if value.get("description") == "The project.":
            kept = {name: part for name, part in value.items() if name not in ("pattern", "maxLength")}
            return {**kept, "enum": ["streets", "secrets"]}
        return {name: _narrowed(part) for name, part in value.items() if name != "wait_s"}
    if isinstance(value, list):
        return [_narrowed(one) for one in value if not (isinstance(one, dict) and one.get("name") == "wait_s")]
    return value


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_the_service_is_what_its_document_says(tmp_path: Path, engines: Engines) -> None:
    tool = Path(sys.executable).with_name("st")
    if not tool.exists():
        assert not os.environ.get("CI"), "schemathesis is not installed"
        pytest.skip("schemathesis is not installed: pip install -e .[test]")
    with town(tmp_path / "root", engines) as made, served(made.workbench) as at:
        document = httpx2.get(f"{at.url}/openapi.json", headers=at.headers).json()
        (tmp_path / "openapi.json").write_text(json.dumps(_narrowed(document)))
        (tmp_path / "schemathesis.toml").write_text(CONFIGURATION)
        command = [
            str(tool), "--config-file", str(tmp_path / "schemathesis.toml"), "run", str(tmp_path / "openapi.json"),
            "--url", at.url, "--header", f"Authorization: Bearer {at.token}", "--checks", "all", "--seed", "7",
            "--max-time", str(SECONDS), "--request-timeout", "30", "--generation-database", "none", "--no-color",
            "--continue-on-failure",
        ]  # fmt: skip
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=200)
        assert ran.returncode == 0, ran.stdout[-8000:] + ran.stderr[-2000:]
        assert "Tested: 10" in ran.stdout
        assert made.streets.statistics().total_queries + made.secrets.statistics().total_queries > 0
        assert len(made.streets.jobs.all()) > 1, "requests that fit were taken"
