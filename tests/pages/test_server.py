"""Security headers, and the worker as a child process."""

from __future__ import annotations

import asyncio
import re
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from core.workbench.worker_process import WorkerProcess, running
from pages.shared.server import SecurityHeaders, content_security_policy, inline_script_hashes


def client() -> TestClient:
    async def hello(_request: object) -> PlainTextResponse:
        return PlainTextResponse("hello", headers={"referrer-policy": "unsafe-url"})

    inner = Starlette(routes=[Route("/", hello), Route("/media/file.html", hello)])
    return TestClient(SecurityHeaders(inner, script_hashes=["'sha256-x'"]))  # type: ignore[arg-type]


def test_no_remote_host_is_allowed_for_anything() -> None:
    policy = client().get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    assert not re.search(r"https?:|\*", policy)


def test_a_hostile_host_header_does_not_get_into_the_policy() -> None:
    assert "evil" not in content_security_policy("x; script-src evil", [])


def test_files_offered_for_download_may_run_nothing() -> None:
    assert client().get("/media/file.html").headers["content-security-policy"].startswith("sandbox")


def test_our_headers_replace_those_of_the_application() -> None:
    assert client().get("/").headers["referrer-policy"] == "no-referrer"


def test_every_inline_script_of_streamlits_page_is_allowed_by_its_hash() -> None:
    page = (Path(st.__file__).parent / "static" / "index.html").read_text("utf-8")
    inline = [tag for tag in re.findall(r"<script[^>]*>", page) if "src=" not in tag]
    assert len(inline_script_hashes(page)) == len(inline) > 0


def test_the_health_check_answers_503_while_the_worker_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    from pages.server import parts as app

    answers = TestClient(Starlette(routes=[Route("/healthz", app.healthz)]))
    assert not app.worker.running
    assert answers.get("/healthz").status_code == 503
    monkeypatch.setattr(app.worker, "_process", SimpleNamespace(returncode=None))
    assert answers.get("/healthz").status_code == 200
    monkeypatch.setattr(app.worker, "_process", SimpleNamespace(returncode=1))  # ended with an error, not yet replaced
    assert answers.get("/healthz").status_code == 503


def test_a_worker_that_ends_with_an_error_or_cannot_be_started_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.workbench.worker_process.RESTART_AFTER_S", 0.01)
    monkeypatch.setattr("core.workbench.worker_process.RESTART_MOST_S", 0.05)
    count = tmp_path / "count"
    worker = WorkerProcess(tmp_path, tmp_path)
    worker._command = (str(tmp_path / "no-such-program"),)

    async def live() -> None:
        async with running(worker):
            await asyncio.sleep(0.1)
            worker._command = ("sh", "-c", f"echo >> {count}; exit 3")
            deadline = time.monotonic() + 20
            while not (count.exists() and len(count.read_text()) >= 3):
                assert time.monotonic() < deadline
                await asyncio.sleep(0.02)

    asyncio.run(live())


def test_the_worker_lives_as_long_as_the_server_and_is_started_again_when_it_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.workbench.worker_process.RESTART_AFTER_S", 0.05)
    worker = WorkerProcess(tmp_path, tmp_path)
    worker._command = ("sleep", "600")

    async def wait_for(condition: object) -> None:
        deadline = time.monotonic() + 20
        while not condition():  # type: ignore[operator]
            assert time.monotonic() < deadline
            await asyncio.sleep(0.02)

    async def live() -> None:
        async with running(worker):
            await wait_for(lambda: worker.running)
            first = worker._process
            assert first is not None
            first.kill()
            await wait_for(lambda: worker.running and worker._process is not first)
        assert not worker.running

    asyncio.run(live())


@pytest.mark.parametrize(
    ("origin", "opened"),
    [
        ("http://localhost:8501", True),
        ("http://localhost:3000", False),
        ("http://127.0.0.1:8501", False),
        ("https://evil.example", False),
        ("null", False),
        ("https://trusted.example", True),
        ("https://slash.example", True),
        (None, True),
    ],
)
def test_no_page_of_another_origin_opens_the_socket(origin: str | None, opened: bool) -> None:
    async def echo(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_text("open")
        await socket.close()

    inner = Starlette(routes=[WebSocketRoute("/stream", echo)])
    guarded = SecurityHeaders(
        inner, script_hashes=[], allowed_origins=["https://trusted.example", " https://Slash.example/"]
    )  # type: ignore[arg-type]
    headers = {"host": "localhost:8501", **({"origin": origin} if origin else {})}
    try:
        with TestClient(guarded).websocket_connect("/stream", headers=headers) as socket:
            assert (socket.receive_text(), opened) == ("open", True)
    except WebSocketDisconnect:
        assert not opened
