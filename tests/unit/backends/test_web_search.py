"""Promises of the providers of web search, each against a server that speaks its shape."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from core.backends.web.openalex import abstract
from core.backends.web.providers import ProviderFailed, web_searchers
from core.backends.web.reading import day, doi, words
from core.errors import SettingsError
from core.labels import ProviderState
from core.ports.asking import WebSearcher
from core.settings.keys import Keys
from core.settings.values import Web
from tests.servers.search_api import KEYS, SearchApi, search_api
from tests.servers.search_shapes import SHAPES

SECRET = "k-0123456789-very-secret"
OPTIONAL = {"semantic_scholar": "SEMANTIC_SCHOLAR_API_KEY", "openalex": "OPENALEX_API_KEY"}
ALL = sorted(SHAPES)


@pytest.fixture(scope="module")
def running() -> Iterator[SearchApi]:
    with search_api() as api:
        yield api


@pytest.fixture
def api(running: SearchApi) -> SearchApi:
    running.switch("*", "ok")
    running._state.keys.clear()
    running._state.asked.clear()
    return running


def provider(api: SearchApi, name: str, tmp_path: Path, key: str = SECRET, **settings: object) -> WebSearcher:
    keys = Keys(tmp_path, dict.fromkeys({**KEYS, **OPTIONAL}.values(), key) if key else {})
    web = Web(enabled=True, endpoints=api.endpoints, **{"timeout_s": 5, **settings})  # type: ignore[arg-type]
    return next(one for one in web_searchers(web, keys) if one.info.name == name)


def failure(searcher: WebSearcher, wanted: int = 5) -> ProviderFailed:
    with pytest.raises(ProviderFailed) as caught:
        searcher.search("street trees summer heat", wanted)
    assert SECRET not in str(caught.value)
    assert SECRET[:8] not in str(caught.value)
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("name", ALL)
def test_hits_come_with_rank_address_title_and_words(api: SearchApi, name: str, tmp_path: Path) -> None:
    hits = provider(api, name, tmp_path).search("street trees summer heat", 3)
    assert [hit.rank for hit in hits] == [1, 2, 3]
    assert hits[0].title == "Street trees and summer heat"
    assert hits[0].snippet.startswith("Street trees lower the air temperature under their canopy")
    assert "<" not in hits[0].snippet
    assert hits[0].canonical_url
    assert {hit.provider for hit in hits} == {name}


@pytest.mark.parametrize("name", ["semantic_scholar", "openalex", "crossref"])
def test_catalogues_of_papers_give_authors_date_and_doi(api: SearchApi, name: str, tmp_path: Path) -> None:
    best = provider(api, name, tmp_path).search("street trees summer heat", 1)[0]
    assert best.authors == ("Ada Linde", "Bo Ahorn")
    assert best.published == date(2021, 6, 15)
    assert best.doi == "10.5555/trees.2021.1"


@pytest.mark.parametrize("name", ["brave", "serper", "searxng"])
def test_search_engines_give_the_date_where_they_know_it(api: SearchApi, name: str, tmp_path: Path) -> None:
    assert provider(api, name, tmp_path).search("street trees summer heat", 1)[0].published == date(2021, 6, 15)


@pytest.mark.parametrize("name", ALL)
def test_nothing_found_is_an_empty_list_and_no_failure(api: SearchApi, name: str, tmp_path: Path) -> None:
    assert provider(api, name, tmp_path).search("zzzz qqqq", 5) == []


@pytest.mark.parametrize("name", [name for name in ALL if name != "tavily"])
def test_pages_are_asked_for_until_there_is_enough(api: SearchApi, name: str, tmp_path: Path) -> None:
    api.switch(name, "million")
    hits = provider(api, name, tmp_path).search("trees", 70)
    assert len(hits) == 70
    assert len({hit.url for hit in hits}) == 70
    sizes = {"brave": 4, "serper": 7, "searxng": 7, "wikipedia": 2}
    assert len(api.asked) == sizes.get(name, 1)


def test_a_provider_that_gives_twenty_at_most_is_asked_once(api: SearchApi, tmp_path: Path) -> None:
    api.switch("tavily", "million")
    assert len(provider(api, "tavily", tmp_path).search("trees", 100)) == 20
    assert len(api.asked) == 1


def test_what_came_before_a_page_failed_is_not_lost(api: SearchApi, tmp_path: Path) -> None:
    api.switch("searxng", "million", "malformed")
    error = failure(provider(api, "searxng", tmp_path), wanted=30)
    assert error.state is ProviderState.MALFORMED
    assert [hit.rank for hit in error.hits] == list(range(1, 11))


@pytest.mark.parametrize("name", sorted(KEYS))
def test_without_its_key_a_provider_says_how_to_enable_it_and_sends_nothing(
    api: SearchApi, name: str, tmp_path: Path
) -> None:
    searcher = provider(api, name, tmp_path, key="")
    assert KEYS[name] in searcher.info.reason
    assert failure(searcher).state is ProviderState.NO_KEY
    assert api.asked == []


def test_searxng_without_an_address_says_where_to_set_it(tmp_path: Path) -> None:
    searcher = next(one for one in web_searchers(Web(), Keys(tmp_path, {})) if one.info.name == "searxng")
    assert "web.endpoints" in searcher.info.reason
    assert failure(searcher).state is ProviderState.OFF


def test_a_key_with_a_line_break_is_a_reason_and_goes_nowhere(api: SearchApi, tmp_path: Path) -> None:
    searcher = provider(api, "brave", tmp_path, key="abc\r\nX-Evil: 1")
    assert "line break" in searcher.info.reason
    assert "Evil" not in searcher.info.reason
    failure(searcher)
    assert api.asked == []


@pytest.mark.parametrize("name", [*KEYS, *OPTIONAL])
def test_a_wrong_key_is_named_as_such_without_being_shown(api: SearchApi, name: str, tmp_path: Path) -> None:
    api.require(name, "another")
    assert failure(provider(api, name, tmp_path)).state is ProviderState.KEY_REJECTED


@pytest.mark.parametrize("name", [*KEYS, *OPTIONAL])
def test_the_key_is_sent_where_the_provider_wants_it(api: SearchApi, name: str, tmp_path: Path) -> None:
    provider(api, name, tmp_path).search("trees", 1)
    assert api.asked[0].key == SECRET or api.asked[0].headers.get("x-api-key") == SECRET
    assert "\n" not in api.asked[0].headers["User-Agent"]


@pytest.mark.parametrize("name", ALL)
def test_a_fault_of_a_moment_is_tried_again(api: SearchApi, name: str, tmp_path: Path) -> None:
    api.switch(name, "503:0", "429:0", "ok")
    assert provider(api, name, tmp_path).search("street trees", 1)
    assert len(api.asked) == 3


def test_a_server_that_wants_a_long_pause_is_not_asked_again(api: SearchApi, tmp_path: Path) -> None:
    api.switch("crossref", "429:30")
    error = failure(provider(api, "crossref", tmp_path))
    assert (error.state, error.retry_after) == (ProviderState.RATE_LIMITED, 30.0)
    assert len(api.asked) == 1


@pytest.mark.parametrize(
    ("name", "mode", "state"),
    [
        ("tavily", "400", ProviderState.REFUSED),
        ("tavily", "432", ProviderState.RATE_LIMITED),
        ("serper", "credits", ProviderState.RATE_LIMITED),
        ("brave", "401", ProviderState.KEY_REJECTED),
        ("crossref", "401", ProviderState.REFUSED),
        ("searxng", "403", ProviderState.REFUSED),
        ("openalex", "403", ProviderState.RATE_LIMITED),
        ("openalex", "echo", ProviderState.REFUSED),
        ("tavily", "echo", ProviderState.REFUSED),
        ("wikipedia", "500:0", ProviderState.SERVER_ERROR),
        ("semantic_scholar", "429:30", ProviderState.RATE_LIMITED),
    ],
)
def test_each_failure_has_its_state(api: SearchApi, name: str, mode: str, state: ProviderState, tmp_path: Path) -> None:
    api.switch(name, mode)
    assert failure(provider(api, name, tmp_path)).state is state


def test_a_query_is_cut_at_a_word_to_what_the_provider_takes(api: SearchApi, tmp_path: Path) -> None:
    long = "street trees " * 100
    provider(api, "wikipedia", tmp_path).search(long, 1)
    provider(api, "brave", tmp_path).search(long, 1)
    first, second = api.asked
    assert len(first.query) <= 300
    assert first.query.endswith(("street", "trees"))
    assert len(second.query.split()) == 50


def test_a_query_is_put_on_one_line(api: SearchApi, tmp_path: Path) -> None:
    provider(api, "crossref", tmp_path).search("street\r\ntrees\tand\n\nheat", 1)
    assert api.asked[0].query == "street trees and heat"


@pytest.mark.parametrize(
    ("name", "query", "sent"),
    [
        ("openalex", 'Do "street trees" cool? (a*b) [c]: x', 'Do "street trees" cool a b c x'),
        ("openalex", 'an "open quote', "an open quote"),
        ("openalex", "???", "???"),
        ("semantic_scholar", "pseudo-relevance feedback", "pseudo relevance feedback"),
        ("wikipedia", "!trees insource:x -shade well-being?", "trees insource x shade well-being"),
        ("crossref", "what? (now)", "what? (now)"),
    ],
)
def test_what_a_provider_takes_for_a_command_is_left_out(
    api: SearchApi, name: str, query: str, sent: str, tmp_path: Path
) -> None:
    provider(api, name, tmp_path).search(query, 1)
    assert api.asked[0].query == sent


def test_those_that_allow_one_request_at_a_time_are_asked_so(api: SearchApi, tmp_path: Path) -> None:
    at_once = {name: provider(api, name, tmp_path).at_once for name in ALL}  # type: ignore[attr-defined]
    assert at_once["semantic_scholar"] == at_once["brave"] == at_once["crossref"] == 1
    assert provider(api, "crossref", tmp_path, contact="me@example.org").at_once == 3  # type: ignore[attr-defined]


def test_the_contact_is_given_to_those_that_ask_for_it(api: SearchApi, tmp_path: Path) -> None:
    for name in ("crossref", "openalex", "wikipedia"):
        provider(api, name, tmp_path, contact="me@example.org").search("trees", 1)
    by_name = {one.provider: one for one in api.asked}
    assert by_name["crossref"].params["mailto"] == "me@example.org"
    assert by_name["openalex"].params["mailto"] == "me@example.org"
    assert "me@example.org" in by_name["wikipedia"].headers["User-Agent"]


def test_nobody_at_the_address_is_said_in_a_sentence(tmp_path: Path) -> None:
    web = Web(enabled=True, endpoints=("crossref=http://127.0.0.1:9",), timeout_s=5)
    searcher = next(one for one in web_searchers(web, Keys(tmp_path, {})) if one.info.name == "crossref")
    error = failure(searcher)
    assert error.state is ProviderState.UNREACHABLE
    assert "Crossref could not be reached" in str(error)


@pytest.mark.parametrize("entry", ["crossref", "crossref=", "crossref=file:///etc/passwd", "=http://e.org/x y"])
def test_an_entry_of_endpoints_that_is_none_is_named(entry: str, tmp_path: Path) -> None:
    if entry.startswith("="):
        assert web_searchers(Web(endpoints=(entry,)), Keys(tmp_path, {}))
        return
    with pytest.raises(SettingsError, match=r"web\.endpoints"):
        web_searchers(Web(endpoints=(entry,)), Keys(tmp_path, {}))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2021-06-15T10:00:00Z", date(2021, 6, 15)),
        ("2021-06", date(2021, 6, 1)),
        (2021, date(2021, 1, 1)),
        ("Thu, 12 Dec 2024 08:00:00 GMT", date(2024, 12, 12)),
        ("Mar 3, 2021", date(2021, 3, 3)),
        ("2 days ago", None),
        ("0000-00-00", None),
        ("9999", None),
        (True, None),
        (None, None),
        ({}, None),
    ],
)
def test_dates_are_read_as_providers_write_them(written: object, meant: date | None) -> None:
    assert day(written) == meant


def test_foreign_text_loses_its_mark_up_and_foreign_dois_their_resolver() -> None:
    assert words("<strong>Cool</strong> &amp; <jats:p>shady\n</jats:p> \ud800") == "Cool & shady ?"
    assert words(["First", "Second"]) == "First"
    assert words({"a": 1}) == ""
    assert words("a\x1b]0;title\x07\u202eb") == "a]0;titleb"
    assert doi("https://doi.org/10.5555/ABC") == "10.5555/abc"
    assert doi("nothing") is None


def test_an_abstract_is_put_together_from_its_words_and_places() -> None:
    assert abstract({"trees": [1, 3], "Street": [0], "and": [2]}) == "Street trees and trees"
    assert abstract({"x": [10**12], "y": "odd", "z": [-1]}) == ""
    assert abstract(None) == ""
