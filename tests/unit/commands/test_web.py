"""Promises of ``workbench web``, ``add-sitemap`` and ``add --references``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from core.commands.__main__ import app
from tests.helpers.loopback import LoopbackServer
from tests.servers.search_api import SearchApi, search_api

Call = Callable[..., Result]


@pytest.fixture(scope="module")
def api() -> Iterator[SearchApi]:
    with search_api() as running:
        yield running


@pytest.fixture
def call(tmp_path: Path, api: SearchApi) -> Call:
    root = tmp_path / "root"
    root.mkdir()
    endpoints = json.dumps(list(api.endpoints))
    (root / "workbench.toml").write_text(
        f'[web]\nenabled = true\nproviders = ["openalex", "crossref"]\nendpoints = {endpoints}\ncooldown_s = 0\n'
        f'[fetching]\nallowed_hosts = ["{api.host}"]\nper_host_delay_s = 0\nattempts = 1\n'
    )

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["--root", str(root), *arguments])

    api.switch("*", "ok")
    run("project", "create", "P")
    return run


def test_a_question_is_searched_and_the_best_pages_are_fetched(call: Call) -> None:
    result = call("--json", "web", "-p", "p", "street trees summer heat", "--fetch", "2")
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout)
    assert [row["state"] for row in said["fetched"]] == ["stored", "stored"]
    assert sum(hit["document_id"] is not None for hit in said["hits"]) == 2
    assert {one["provider"] for one in said["providers"]} == {"openalex", "crossref"}
    found = call("--json", "search", "-p", "p", "canopy", "--words-only")
    assert json.loads(found.stdout)["passages"]


def test_people_are_told_what_became_of_each_provider(call: Call, api: SearchApi) -> None:
    api.switch("crossref", "malformed")
    result = call("web", "-p", "p", "street trees")
    assert result.exit_code == 0
    assert "OpenAlex: answered" in result.stdout
    assert "Crossref: answered unreadably" in result.stdout


def test_nobody_answering_is_exit_code_1_and_a_bad_wish_2(call: Call, api: SearchApi) -> None:
    api.switch("*", "400")
    assert call("web", "-p", "p", "street trees").exit_code == 1
    for wrong in (["x" * 3000], ["street", "--results", "0"], ["street", "--provider", "altavista"], [" "]):
        result = call("web", "-p", "p", *wrong)
        assert result.exit_code == 2
        assert "Traceback" not in result.output


def test_a_list_of_references_is_fetched_and_what_it_lacks_is_said(call: Call, api: SearchApi, tmp_path: Path) -> None:
    bib = tmp_path / "x.bib"
    bib.write_text(f"@misc{{a, url={{{api.page('street-trees')}}}}}\n@misc{{b, title={{Nothing}}}}\n")
    result = call("--json", "add", "-p", "p", "--references", str(bib))
    assert result.exit_code == 1
    said = json.loads(result.stdout)
    assert [row["state"] for row in said["sources"]] == ["stored"]
    assert "Nothing" in said["problems"][0]
    assert call("add", "-p", "p", "--references", str(tmp_path / "no.bib")).exit_code == 2
    assert call("add", "-p", "p").exit_code == 2


def test_a_site_is_added_by_its_sitemap(call: Call, api: SearchApi, tmp_path: Path) -> None:
    with LoopbackServer() as site:
        result = call("add-sitemap", "-p", "p", site.url("/sitemap.xml"))
    assert result.exit_code == 2
    assert "loopback" in result.stderr
