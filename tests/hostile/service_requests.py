"""Requests to a service that may be wrong in any way, and what a refusal looks like."""

from __future__ import annotations

import httpx2

from core.http.slots import ServiceOptions
from tests.helpers.serving import Served

OPTIONS = ServiceOptions(port=0, max_body=200_000, body_s=3.0, headers_s=3.0, answer_s=2.0, connections=40)


def post(at: Served, path: str, content: bytes | str, **headers: str) -> httpx2.Response:
    sent = {
        **at.headers,
        "Content-Type": "application/json",
        **{name.replace("_", "-"): v for name, v in headers.items()},
    }
    return httpx2.post(at.url + path, content=content, headers=sent, timeout=30)


def refused(response: httpx2.Response, *statuses: int) -> None:
    assert response.status_code in statuses, response.text[:300]
    assert response.headers["content-type"] == "application/problem+json"
    told = response.json()
    assert told["status"] == response.status_code
    assert told["detail"]
