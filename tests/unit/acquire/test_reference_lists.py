"""Promises of adding lists of references, whole sites, and archived copies of dead pages, against real servers."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.backends.web.failures import ProviderFailed
from core.backends.web.wayback import Wayback
from core.errors import JobError, SourceError
from core.labels import FetchState
from core.ports.engines import Engines
from core.records import Query, SearchRequest
from core.settings.values import Fetching, Settings, Web
from core.workbench.demo import finish_jobs
from core.workbench.open_project import OpenProject
from core.workbench.wiring import open_workbench
from core.workbench.workbench import Workbench
from tests.helpers.loopback import LoopbackServer
from tests.helpers.sharing import share
from tests.servers.search_api import SearchApi, search_api

SHARED = ("encoder", "extractor")
Opening = Callable[..., Workbench]


@pytest.fixture(scope="module")
def api() -> Iterator[SearchApi]:
    with search_api() as running:
        yield running


@pytest.fixture
def site() -> Iterator[LoopbackServer]:
    with LoopbackServer() as server:
        yield server


@pytest.fixture
def opening(tmp_path: Path, engines: Engines, api: SearchApi, site: LoopbackServer) -> Iterator[Opening]:
    made: list[Workbench] = []

    def opened(**web: object) -> Workbench:
        fetching = Fetching(allowed_hosts=(api.host, site.host()), per_host_delay_s=0, attempts=1, timeout_s=5)
        settings = Settings(web=Web(endpoints=api.endpoints, timeout_s=5, **web), fetching=fetching)  # type: ignore[arg-type]
        bench = open_workbench(tmp_path / "root", settings)
        share(bench.engines, engines, SHARED)
        made.append(bench)
        return bench

    yield opened
    for bench in made:
        for name in SHARED:  # they belong to all tests
            bench.engines._made.pop(name, None)
        bench.close()


@pytest.fixture
def bench(opening: Opening) -> Workbench:
    return opening()


@pytest.fixture
def project(bench: Workbench) -> OpenProject:
    return bench.open(bench.create("Streets").slug)


def sitemap(*urls: str, kind: str = "url") -> bytes:
    outer = {"url": "urlset", "sitemap": "sitemapindex"}[kind]
    return f"<{outer}>{''.join(f'<{kind}><loc>{url}</loc></{kind}>' for url in urls)}</{outer}>".encode()


def page(sentence: str) -> str:
    return (
        f"<html><body><article><h1>Page</h1>{f'<p>{sentence} It is long enough to be read.</p>' * 6}</article></body>"
    )


def test_a_bibtex_file_becomes_sources_and_its_unusable_entries_are_named(
    bench: Workbench, project: OpenProject, api: SearchApi
) -> None:
    bib = (
        f"@misc{{a, title={{Trees}}, url={{{api.page('street-trees')}}}}}\n@misc{{b, title={{None}}}}\n"
        f"@misc{{c, url={{{api.page('cool-roofs')}}}}}\n@article{{broken, title={{\n"
    )
    listed = project.references.read_file("x.bib", bib.encode())
    assert len(listed.unusable) == 2
    project.references.add(listed)
    finish_jobs(bench, project)
    assert {document.title for document in project.sources.documents()} == {
        "Street trees and summer heat",
        "Cool roofs in dense cities",
    }


def test_a_list_without_a_source_says_why(project: OpenProject) -> None:
    listed = project.references.read_file("x.bib", b"@misc{b, title={Nothing here}}")
    with pytest.raises(SourceError, match="Nothing here"):
        project.references.add(listed)
    assert project.jobs.all() == []


def test_the_pages_of_a_site_come_in_by_its_sitemaps(
    bench: Workbench, project: OpenProject, site: LoopbackServer
) -> None:
    robots = f"User-agent: *\nDisallow: /secret\nSitemap: {site.url('/index.xml')}\n"
    site.page("/robots.txt", robots, content_type="text/plain")
    index = sitemap(site.url("/a.xml"), site.url("/b.xml.gz"), site.url("/index.xml"), kind="sitemap")
    site.page("/index.xml", index, content_type="application/xml")
    site.page("/a.xml", sitemap(site.url("/one"), site.url("/secret")), content_type="text/xml")
    packed = gzip.compress(sitemap(site.url("/two"), "https://elsewhere.example/x"))
    site.page("/b.xml.gz", packed, content_type="application/x-gzip")
    site.page("/one", page("Limes cool the avenue."))
    site.page("/two", page("Poplars shade the harbour."))
    job = project.references.add_sitemap(site.url("/"))
    finish_jobs(bench, project)
    states = {row.origin.rsplit("/", 1)[1]: row.state for row in project.sources.acquisitions()}
    assert states == {
        "one": FetchState.STORED,
        "two": FetchState.STORED,
        "secret": FetchState.ROBOTS_DISALLOWED,
    }
    assert any("other sites" in str(one) for one in project.jobs.get(job.id).result["problems"])
    assert project.search(SearchRequest((Query("poplars harbour"),))).passages

    again = project.references.add_sitemap(site.url("/"))
    finish_jobs(bench, project)
    assert project.jobs.get(again.id).result["pages"] == 1  # the one that was refused is tried again
    assert len(project.sources.documents()) == 2


def test_a_site_without_a_sitemap_is_a_failed_job_that_names_it(
    bench: Workbench, project: OpenProject, site: LoopbackServer
) -> None:
    project.references.add_sitemap(site.url("/"))
    with pytest.raises(JobError, match=r"sitemap\.xml"):
        finish_jobs(bench, project)
    assert project.sources.acquisitions() == []


def test_a_sitemap_inside_the_network_is_not_read(bench: Workbench, project: OpenProject) -> None:
    project.references.add_sitemap("http://127.0.0.1:8080/sitemap.xml")
    with pytest.raises(JobError, match="loopback"):
        finish_jobs(bench, project)


@pytest.mark.parametrize(("url", "most"), [("", 5), ("ftp://x.example", 5), ("https://x.example", 0), ("x", 10**9)])
def test_what_cannot_be_asked_for_is_refused_at_once(project: OpenProject, url: str, most: int) -> None:
    with pytest.raises(SourceError):
        project.references.add_sitemap(url, most=most)
    assert project.jobs.all() == []


def test_a_dead_page_comes_from_the_archive_when_that_is_wished_and_says_so(
    opening: Opening, api: SearchApi, site: LoopbackServer
) -> None:
    bench = opening(wayback=True)
    project = bench.open(bench.create("Streets").slug)
    dead = site.url("/gone?a=1&b=2")
    site.page("/gone", "", status=410)
    api.archive(dead, "street-trees")
    project.sources.add_urls([dead])
    finish_jobs(bench, project)
    (row,) = project.sources.acquisitions()
    assert row.state is FetchState.STORED
    (document,) = project.sources.documents()
    assert "copy of 2020-01-02 from the Internet Archive" in document.warnings[0]
    assert "410" in document.warnings[0]
    assert document.urls[0] == dead
    assert any("/web/20200102030405id_/" in url for url in document.urls)
    assert project.context.store.by_url(dead) is not None


def test_a_dead_page_without_a_copy_says_that_too(opening: Opening, api: SearchApi, site: LoopbackServer) -> None:
    bench = opening(wayback=True)
    project = bench.open(bench.create("Streets").slug)
    project.sources.add_urls([site.url("/missing")])
    finish_jobs(bench, project)
    (row,) = project.sources.acquisitions()
    assert row.state is FetchState.NEVER_SEEN
    assert row.message.endswith("The Internet Archive has no copy of it.")


@pytest.mark.parametrize(
    "closest",
    [
        {"available": True, "status": "404", "url": "http://web.archive.org/web/20200101000000/http://a.example/"},
        {"available": True, "status": "301", "url": "http://web.archive.org/web/20200101000000/http://a.example/"},
        {"available": False, "status": "200"},
        {},
        None,
    ],
)
def test_an_address_that_the_archive_saw_is_not_called_unseen(closest: object) -> None:
    with LoopbackServer() as server:
        answer = json.dumps({"archived_snapshots": {"closest": closest}})
        server.page("/wayback/available", answer, content_type="application/json")
        with pytest.raises(ProviderFailed, match="knows the address"):
            Wayback(Web(endpoints=(f"wayback={server.url('')}",))).closest("http://a.example/")


def test_a_refusal_is_not_got_round_by_the_archive(opening: Opening, api: SearchApi, site: LoopbackServer) -> None:
    bench = opening(wayback=True)
    project = bench.open(bench.create("Streets").slug)
    site.page("/private", "", status=403)
    site.page("/fault", "", status=500)
    before = len(api.looked_up)
    project.sources.add_urls([site.url("/private"), site.url("/fault")])
    finish_jobs(bench, project)
    assert {row.state for row in project.sources.acquisitions()} == {FetchState.BLOCKED, FetchState.SERVER_ERROR}
    assert len(api.looked_up) == before


def test_nothing_is_looked_up_unless_it_is_wished(
    bench: Workbench, project: OpenProject, api: SearchApi, site: LoopbackServer
) -> None:
    before = len(api.looked_up)
    project.sources.add_urls([site.url("/missing")])
    finish_jobs(bench, project)
    assert project.sources.acquisitions()[0].state is FetchState.NOT_FOUND
    assert len(api.looked_up) == before


def test_an_archive_that_is_busy_is_not_asked_for_every_dead_link(
    tmp_path: Path, engines: Engines, site: LoopbackServer
) -> None:
    site.page("/wayback/available", b"", status=503, headers={"Retry-After": "30"})
    web = Web(endpoints=(f"wayback={site.url('')}",), wayback=True)
    fetching = Fetching(allowed_hosts=(site.host(),), per_host_delay_s=0, attempts=1, concurrency=1)
    bench = open_workbench(tmp_path / "root", Settings(web=web, fetching=fetching))
    share(bench.engines, engines, SHARED)
    project = bench.open(bench.create("Streets").slug)
    project.sources.add_urls([site.url(f"/missing{number}") for number in range(3)])
    finish_jobs(bench, project)
    assert sum(path.startswith("/wayback") for path in site.paths) == 1
    assert all("Internet Archive" in row.message for row in project.sources.acquisitions())
    for name in SHARED:
        bench.engines._made.pop(name, None)
    bench.close()


@pytest.mark.parametrize(
    "answer",
    [
        b"<html>",
        b"[]",
        b'{"archived_snapshots": {"closest": {"available": true, "status": "200", "url": "http://169.254.169.254/web/20200102030405/x"}}}',
        b'{"archived_snapshots": {"closest": {"available": true, "status": "200", "url": "javascript:alert(1)"}}}',
        b'{"archived_snapshots": {"closest": {"available": true, "status": "200", "url": 7}}}',
    ],
)
def test_an_archive_that_answers_badly_leaves_the_failure_as_it_was(
    tmp_path: Path, engines: Engines, site: LoopbackServer, answer: bytes
) -> None:
    site.page("/wayback/available", answer, content_type="application/json")
    web = Web(endpoints=(f"wayback={site.url('')}",), wayback=True)
    fetching = Fetching(allowed_hosts=(site.host(),), per_host_delay_s=0, attempts=1)
    bench = open_workbench(tmp_path / "root", Settings(web=web, fetching=fetching))
    share(bench.engines, engines, SHARED)
    project = bench.open(bench.create("Streets").slug)
    project.sources.add_urls([site.url("/missing")])
    finish_jobs(bench, project)
    (row,) = project.sources.acquisitions()
    assert row.state is FetchState.NOT_FOUND
    assert "Internet Archive" in row.message
    for name in SHARED:
        bench.engines._made.pop(name, None)
    bench.close()
