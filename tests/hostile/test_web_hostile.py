"""Web search against servers that misbehave: each ends in a named state within its time, and nothing leaks."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.backends.web.providers import ProviderFailed, web_searchers
from core.labels import ProviderState
from core.ports.asking import WebSearcher
from core.records import WebHit
from core.settings.keys import Keys
from core.settings.values import Web
from core.web.merge import Listed, merge
from tests.servers.search_api import KEYS, SearchApi, search_api
from tests.servers.search_shapes import SHAPES

SECRET = "k-0123456789-very-secret"
ALL = sorted(SHAPES)
QUERY = "street trees summer heat"


@pytest.fixture(scope="module")
def api() -> Iterator[SearchApi]:
    with search_api() as running:
        yield running


def ask(api: SearchApi, name: str, root: Path, mode: str, *, timeout_s: float = 5.0) -> list[WebHit] | ProviderFailed:
    api.switch(name, mode)
    try:
        return one(api, name, root, timeout_s).search(QUERY, 100)
    except ProviderFailed as error:
        return error


def one(api: SearchApi, name: str, root: Path, timeout_s: float = 5.0) -> WebSearcher:
    names = [*KEYS.values(), "OPENALEX_API_KEY", "SEMANTIC_SCHOLAR_API_KEY"]
    web = Web(enabled=True, endpoints=api.endpoints, timeout_s=timeout_s)
    return next(one for one in web_searchers(web, Keys(root, dict.fromkeys(names, SECRET))) if one.info.name == name)


@pytest.mark.parametrize("mode", ["slow", "slow-head", "hang"])
@pytest.mark.parametrize("name", ALL)
def test_one_that_drips_or_hangs_is_given_up(api: SearchApi, name: str, mode: str, tmp_path: Path) -> None:
    said = ask(api, name, tmp_path, mode, timeout_s=0.3)
    assert isinstance(said, ProviderFailed)
    assert said.state is ProviderState.TIMEOUT


@pytest.mark.parametrize("mode", ["malformed", "html", "huge", "truncated", "no-http", "packed", "deep", "list", "odd"])
@pytest.mark.parametrize("name", ALL)
def test_what_is_no_list_of_results_is_named_and_never_taken_for_nothing_found(
    api: SearchApi, name: str, mode: str, tmp_path: Path
) -> None:
    said = ask(api, name, tmp_path, mode)
    assert isinstance(said, ProviderFailed)
    assert said.state is ProviderState.MALFORMED
    assert len(str(said)) < 400


@pytest.mark.parametrize("mode", ["missing", "nulls", "schemes", "duplicates", "million"])
@pytest.mark.parametrize("name", ALL)
def test_odd_results_do_not_break_the_list(api: SearchApi, name: str, mode: str, tmp_path: Path) -> None:
    said = ask(api, name, tmp_path, mode)
    assert isinstance(said, list)
    merged = merge([Listed(name, 0, tuple(said))])
    assert len(said) <= 100
    for hit in merged.hits:
        assert hit.url.startswith(("http://", "https://"))
        assert hit.title


@pytest.mark.parametrize("name", ALL)
def test_an_answer_that_leads_into_the_network_is_not_followed(api: SearchApi, name: str, tmp_path: Path) -> None:
    said = ask(api, name, tmp_path, "redirect-away")
    assert isinstance(said, ProviderFailed)
    assert said.state is ProviderState.REFUSED
    assert "169.254.169.254" in str(said)


def test_a_redirect_within_the_host_is_followed_and_a_circle_is_not(api: SearchApi, tmp_path: Path) -> None:
    assert isinstance(ask(api, "crossref", tmp_path, "redirect"), list)
    circle = ask(api, "crossref", tmp_path, "redirect-circle")
    assert isinstance(circle, ProviderFailed)
    assert circle.state is ProviderState.MALFORMED


@pytest.mark.parametrize("mode", ["ok", "echo", "401", "403", "429:0", "500:0", "html", "malformed", "redirect-away"])
def test_no_key_gets_into_a_log_or_a_message(
    api: SearchApi, mode: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ALL:
        said = ask(api, name, tmp_path, mode)
        assert SECRET not in repr(said)
        assert SECRET not in str(said)
    assert SECRET not in caplog.text


def test_queries_of_any_characters_are_sent_as_they_are(api: SearchApi, tmp_path: Path) -> None:
    odd = "caf\u00e9 \U0001f333 \u202e \u0000 & = ? # % + \" ' <script> ../../ \ud800"
    for name in ALL:
        api.switch(name, "ok")
        one(api, name, tmp_path).search(odd.replace("\ud800", "?"), 3)
        assert api.asked[-1].provider == name
        assert "script" in api.asked[-1].query


def test_a_search_that_hangs_does_not_keep_the_process_from_ending(api: SearchApi, tmp_path: Path) -> None:
    api.switch("crossref", "hang")
    program = f"""
import threading
from pathlib import Path
from core.backends.web.providers import web_searchers
from core.settings.keys import Keys
from core.settings.values import Web
web = Web(enabled=True, endpoints={api.endpoints!r}, timeout_s=100)
searcher = next(one for one in web_searchers(web, Keys(Path({str(tmp_path)!r}))) if one.info.name == "crossref")
threading.Thread(target=searcher.search, args=("trees", 3), daemon=True).start()
threading.Event().wait(0.5)
"""
    ended = subprocess.run([sys.executable, "-c", program], timeout=60, env=dict(os.environ), check=False)
    assert ended.returncode == 0
