"""Requests that are wrong, huge, slow, or ask for what is not theirs: refused with 4xx, never 500, never a hang."""

from __future__ import annotations

import json
import os

import httpx2
import pytest

from core.http.slots import ServiceOptions
from core.ports.engines import Engines
from tests.helpers.serving import SECRET, Served, Town, served, town
from tests.hostile.service_requests import post, refused

ADDRESSES = ("/index", "/search", "/verify", "/audit")


NO_JSON = [
    b"", b"{", b"nonsense", b'{"project": "streets",}', b"\xff\xfe{\x00}", b'{"project": "\xff"}', b"[" * 100_000,
    b'{"a":' * 30_000, b'{"project": "\\ud800"}', b'{"project": "\\udc00 \\ud83d"}', b'{"project": NULL}',
    b"\x00" * 100, b'{"project": "streets", "k": ' + b"9" * 5000 + b"}",
    b'{"project": "streets", "k": +1}', b'{"project": "streets", "k": 0x10}', b"\xef\xbb\xbf{}",
]  # fmt: skip


@pytest.mark.parametrize("path", ADDRESSES)
@pytest.mark.parametrize("body", NO_JSON, ids=range(len(NO_JSON)))
def test_what_is_no_json_is_refused(at: Served, path: str, body: bytes) -> None:
    refused(post(at, path, body), 400)


OTHER_SHAPES = [
    "null", "1", '"text"', "[]", "{}", "true", '{"project": null}', '{"project": ["streets"]}', '{"project": {"a": 1}}',
    '{"project": "streets", "unknown": 1}', '{"project": "streets", "__class__": "x"}',
    '{"project": "streets", "queries": "limes", "claim": 1, "name": 1, "texts": "x"}',
    '{"project": "streets", "queries": [], "claim": "", "name": "", "text": "", "texts": []}',
    '{"project": "streets", "queries": ["a"], "k": NaN, "wait_s": NaN}',
    '{"project": "streets", "queries": ["a"], "k": Infinity, "wait_s": Infinity}',
    '{"project": "streets", "queries": ["a"], "k": 1e400, "wait_s": 1e400}',
    '{"project": "streets", "queries": ["a"], "k": ' + "9" * 400 + ', "wait_s": ' + "9" * 400 + "}",
    '{"project": "streets", "queries": ["a"], "k": "10", "wait_s": "1"}',
    '{"project": "streets", "queries": ["a"], "k": true, "wait_s": true}',
    '{"project": "streets", "queries": ["a"], "k": -1, "wait_s": -1}',
    '{"project": "streets", "queries": ["a"], "filters": {"min_grade": "F"}, "texts": [{"text": 1}]}',
    '{"project": "streets", "queries": ["a"], "filters": {"published_from": "0000-00-00"}, "urls": [1]}',
    '{"project": "streets", "queries": ["a"], "filters": [], "texts": [{}], "claim": "x", "type": "C3"}',
    '{"project": "streets", "queries": [{"text": "a", "kind": "shell"}], "files": [{"name": "a", "content": "%%%"}]}',
    '{"project": "streets", "queries": ["' + "a" * 2001 + '"], "claim": "'
    + "a" * 4001 + '", "urls": ["' + "a" * 9000 + '"]}',
    '{"project": "streets", "queries": [' + ",".join(['"a"'] * 21) + "]}",
    '{"project": "streets", "texts": [{"text": "a"}], "urls": ["http://a.example/"]}',
    '{"project": "streets", "files": [{"name": "a", "text": "a", "content": "YQ=="}]}',
]  # fmt: skip


@pytest.mark.parametrize("path", ADDRESSES)
@pytest.mark.parametrize("body", OTHER_SHAPES, ids=range(len(OTHER_SHAPES)))
def test_json_of_another_shape_is_refused_with_its_places(at: Served, path: str, body: str) -> None:
    answer = post(at, path, body)
    refused(answer, 422)
    assert answer.json()["faults"]
    assert len(answer.content) < 20_000


@pytest.mark.parametrize("slug", [
    "../secrets", "..", ".", "/", "", "secrets/../streets", "..%2fsecrets", "streets\x00", "streets/", "STREETS",
    "streets ", "\\..\\secrets", "/etc", "~", "streets\n", "ｓtreets", "a" * 5000, ".trash-1", "con:", "street\u0000s",
    "%00",
])  # fmt: skip
def test_a_name_that_is_no_slug_opens_nothing(at: Served, slug: str) -> None:
    for path, more in (
        ("/search", {"queries": ["a"]}),
        ("/verify", {"claim": "Limes grow."}),
        ("/index", {"urls": ["http://a.example"]}),
    ):
        refused(post(at, path, json.dumps({"project": slug, **more})), 422)
    for address in ("/stats", "/jobs/1"):
        refused(httpx2.get(at.url + address, params={"project": slug}, headers=at.headers), 422)


def test_a_project_of_another_root_is_not_there(
    at: Served, streets: Town, engines: Engines, tmp_path: os.PathLike[str]
) -> None:
    root = streets.workbench.root
    elsewhere = root.with_name("elsewhere")
    with town(elsewhere, engines):
        pass
    os.rename(elsewhere / "secrets", elsewhere / "abroad")
    (root / "abroad").symlink_to(elsewhere / "abroad")
    (root / "twin").symlink_to(root / "streets")
    try:
        for slug in ("abroad", "twin", "elsewhere", "nowhere"):
            answer = post(at, "/search", json.dumps({"project": slug, "queries": ["green heron"]}))
            refused(answer, 404)
            assert str(root) not in answer.text
            assert "heron" not in answer.text
    finally:
        (root / "abroad").unlink()
        (root / "twin").unlink()


def test_ids_of_another_project_name_nothing_here(at: Served, streets: Town) -> None:
    (theirs,) = streets.secrets.sources.documents()
    for document in (
        theirs.id,
        theirs.content_hash[:64],
        "../../secrets/project.db",
        "' OR 1=1 --",
        "%",
        "*",
        "\u0000",
    ):
        body = {"project": "streets", "claim": "The vault opens with green heron.", "document": document}
        answer = post(at, "/verify", json.dumps(body))
        refused(answer, 404, 422)
        assert "guards" not in answer.text
        found = post(
            at,
            "/search",
            json.dumps({"project": "streets", "queries": [SECRET[:60]], "filters": {"documents": [document]}}),
        )
        assert found.status_code == 200
        assert found.json()["passages"] == []


@pytest.mark.parametrize(
    "number",
    [
        "0",
        "-1",
        "1.5",
        "abc",
        "9" * 400,
        "1e3",
        "..",
        "%2e%2e",
        "1;drop",
        "0x1",
        "١",
        "999999",
        "1.0",
        "+1",
        "1_0",
        "%201",
    ],
)
def test_numbers_that_are_no_job_are_refused(at: Served, number: str) -> None:
    for method, address in (("GET", f"/jobs/{number}"), ("POST", f"/jobs/{number}/cancel")):
        refused(httpx2.request(method, f"{at.url}{address}?project=streets", headers=at.headers), 404, 422)


def test_parameters_that_nobody_asked_for_or_that_stand_twice_are_refused(at: Served) -> None:
    for address in ("/stats", "/stats?project=streets&project=secrets", "/stats?project=streets&debug=1",
                    "/jobs/1?project=streets&wait_s=nan", "/jobs/1?project=streets&wait_s=61",
                    "/jobs/1?project=streets&id=2"):  # fmt: skip
        refused(httpx2.get(at.url + address, headers=at.headers), 422)
    refused(post(at, "/search?project=secrets", json.dumps({"project": "streets", "queries": ["a"]})), 422)


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "BREW"])
def test_methods_that_an_address_does_not_take_are_refused(at: Served, method: str) -> None:
    for path in ("/search", "/jobs/1/cancel?project=streets"):
        answer = httpx2.request(method, at.url + path, headers=at.headers)
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    refused(httpx2.request("POST", f"{at.url}/stats?project=streets", headers=at.headers), 405)


def test_addresses_that_are_none_are_404(at: Served) -> None:
    for path in ("/", "/search/", "//search", "/../etc/passwd", "/%2e%2e/etc/passwd", "/docs", "/jobs", "/jobs/",
                 "/static/app.py", "/" + "a" * 20_000):  # fmt: skip
        refused(httpx2.get(at.url + path, headers=at.headers), 404)


@pytest.mark.parametrize(("name", "value"), [
    ("Content-Type", "text/plain"), ("Content-Type", "application/x-www-form-urlencoded"), ("Content-Type", ""),
    ("Content-Type", "multipart/form-data; boundary=x"), ("Content-Encoding", "gzip"), ("Content-Encoding", "br, gzip"),
    ("Content-Encoding", "deflate"),
])  # fmt: skip
def test_other_types_and_compressed_bodies_are_not_read(at: Served, name: str, value: str) -> None:
    import gzip

    body = gzip.compress(json.dumps({"project": "streets", "queries": ["a"]}).encode())
    refused(post(at, "/search", body, **{name.replace("-", "_"): value}), 415)


def test_hostile_words_in_sources_and_reports_are_data(at: Served, streets: Town) -> None:
    text = "<script>alert(1)</script> {{7*7}} \u202e ${jndi:ldap://a} '; DROP TABLE documents; -- \u0000 ends."
    for path, body in (
        ("/index", {"texts": [{"title": "../../etc/passwd\u0000", "text": text}]}),
        ("/index", {"files": [{"name": "../../../outside.txt", "text": text}]}),
        (
            "/index",
            {"snapshots": [{"url": "https://a.example/../../x", "content": "AAAA", "media_type": "application/pdf"}]},
        ),
        ("/audit", {"name": "../../report.md", "text": text.replace("\0", "")}),
        ("/verify", {"claim": text}),
    ):
        answer = post(at, path, json.dumps({"project": "streets", **body}))
        assert answer.status_code == 202, answer.text[:300]
    streets.work()
    assert not list(streets.workbench.root.parent.rglob("outside.txt"))
    assert (
        post(at, "/search", json.dumps({"project": "streets", "queries": ["DROP TABLE documents"]})).status_code == 200
    )


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://a.example/",
        "gopher://a",
        "javascript:alert(1)",
        "//a",
        "a",
        "http://",
        "http://[::1",
    ],
)
def test_only_web_addresses_are_taken(at: Served, url: str) -> None:
    refused(post(at, "/index", json.dumps({"project": "streets", "urls": [url]})), 422)


def test_reports_that_cannot_be_read_are_refused(at: Served) -> None:
    for body in (
        {"name": "a.pdf", "content": "JVBERi0xLjQK"},
        {"name": "a.docx", "content": "UEsDBAAA"},
        {"name": "a.md", "text": "  \n "},
    ):
        refused(post(at, "/audit", json.dumps({"project": "streets", **body})), 422)


def test_without_a_token_only_the_names_of_this_machine_are_answered(streets: Town) -> None:
    with served(streets.workbench, ServiceOptions(port=0), None) as open_service:
        address = f"{open_service.url}/stats?project=streets"
        for host in ("127.0.0.1:1", "localhost", "[::1]:8600", "LOCALHOST:80"):
            assert httpx2.get(address, headers={"Host": host}).status_code == 200, host
        for host in (
            "evil.example",
            "127.0.0.1.evil.example",
            "evil.example:8600",
            "0.0.0.0",
            "localhost.evil",
            "127.0.0.1:80@evil.example",
            "",
            "[::2]",
        ):
            answer = httpx2.get(address, headers={"Host": host})
            assert answer.status_code == 421, host


def test_without_a_token_no_page_of_another_site_can_act(streets: Town) -> None:
    with served(streets.workbench, ServiceOptions(port=0), None) as open_service:
        address, own = f"{open_service.url}/stats?project=streets", open_service.url
        for origin in (
            "https://evil.example",
            "null",
            "http://localhost:3000",
            "http://127.0.0.1",
            f"{own}.evil.example",
        ):
            assert httpx2.get(address, headers={"Origin": origin}).status_code == 403, origin
            body, kind = b'{"project": "streets"}', {"Origin": origin, "Content-Type": "text/plain"}
            assert httpx2.post(f"{own}/jobs/1/cancel", content=body, headers=kind).status_code == 403, origin
        assert httpx2.get(address, headers={"Origin": own}).status_code == 200
        for site in ("cross-site", "same-site"):
            assert httpx2.get(address, headers={"Sec-Fetch-Site": site}).status_code == 403, site
        assert httpx2.get(address, headers={"Sec-Fetch-Site": "none"}).status_code == 200
