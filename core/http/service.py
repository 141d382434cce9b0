"""The HTTP service over the engine: ``workbench serve``. The endpoints are in ``core.http.endpoints``. Its end of a
connection is closed when a request does not begin in time, when an answer is not read, or when there are too many
connections."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from core.errors import RequestRefused, ServiceError, SettingsError
from core.http.answers import HealthAnswer
from core.http.endpoints import ENDPOINTS, Runner
from core.http.guard import Guard, Token
from core.http.handlers import Handlers
from core.http.openapi import document
from core.http.problems import problem_response
from core.http.slots import ServiceOptions, is_loopback
from core.workbench.workbench import Workbench
from core.workbench.worker_process import WorkerProcess, running


class TimedProtocol(H11Protocol):
    """uvicorn's protocol with three limits that it lacks: ``headers_s`` seconds for the head of a request (it times
    idle connections between requests only, so one that sends a byte now and then stays for ever), ``answer_s`` seconds
    in which a client takes nothing of an answer that is too large to be under way as a whole, and ``most`` open
    connections, beyond which new ones are closed without a word. Also ends a client that goes on sending after its
    request was refused."""

    headers_s = 15.0
    answer_s = 60.0
    most = 1024
    _head: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, unless there are too many."""
        super().connection_made(transport)
        if len(self.connections) > self.most:
            transport.abort()
            return
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        """As uvicorn; a head that is whole ends the wait."""
        super().data_received(data)
        if not self._between():
            self._stop_waiting()
        elif self._head is None:
            self._wait_for_head()

    def pause_writing(self) -> None:
        """As uvicorn; begins to wait for the client to read."""
        super().pause_writing()
        self._wait_for_reading(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """As uvicorn; what was written is on its way."""
        self._stop_waiting_for_reading()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """As uvicorn."""
        self._stop_waiting()
        self._stop_waiting_for_reading()
        super().connection_lost(exc)

    def _between(self) -> bool:
        """True while no request is under way: none has come, or the last one was answered."""
        cycle: Any = self.cycle
        return cycle is None or bool(cycle.response_complete)

    def _wait_for_head(self) -> None:
        self._head = self.loop.call_later(self.headers_s, self._give_up)

    def _stop_waiting(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _wait_for_reading(self, left: int) -> None:
        self._unread = self.loop.call_later(self.answer_s, self._look_at_reading, left)

    def _look_at_reading(self, before: int) -> None:
        left = self.transport.get_write_buffer_size()
        if left < before:  # slow, but it reads
            self._wait_for_reading(left)
        else:
            self._unread = None
            self.transport.abort()

    def _stop_waiting_for_reading(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _give_up(self) -> None:
        self._head = None
        if self._between():
            self.transport.abort()


def timed_protocol(headers_s: float, answer_s: float, most: int) -> type[TimedProtocol]:
    return type("LimitedProtocol", (TimedProtocol,), {"headers_s": headers_s, "answer_s": answer_s, "most": most})


_WORDS = {404: "There is nothing at this address.", 405: "This address does not take this method."}


def service(
    workbench: Workbench,
    token: Token | None,
    options: ServiceOptions = ServiceOptions(),
    worker: WorkerProcess | None = None,
) -> Starlette:
    """The ASGI application. Without ``worker`` jobs wait for whoever else works on the root."""
    runner = Runner(Handlers(workbench), options)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        try:
            if worker is None:
                yield
            else:
                async with running(worker):
                    yield
        finally:
            runner.slots.close()

    described = document(with_token=token is not None)
    routes = [
        *(
            Route(endpoint.path, runner.serving(endpoint), methods=[endpoint.method], name=endpoint.name)
            for endpoint in ENDPOINTS
        ),
        Route("/healthz", partial(_healthz, worker), methods=["GET"], name="healthz"),
        Route("/openapi.json", partial(_openapi, described), methods=["GET"], name="openapi"),
    ]
    handlers: dict[Any, Any] = {HTTPException: _no_route}
    app = Starlette(
        routes=routes, lifespan=lifespan, exception_handlers=handlers, middleware=[Middleware(Guard, token=token)]
    )
    app.router.redirect_slashes = False
    return app


async def _healthz(worker: WorkerProcess | None, _request: Request) -> Response:
    alive = None if worker is None else worker.running
    answer = HealthAnswer(server="ok", worker=alive)
    return JSONResponse(answer.model_dump(), status_code=503 if alive is False else 200)


async def _openapi(described: dict[str, Any], _request: Request) -> Response:
    return JSONResponse(described)


async def _no_route(_request: Request, error: HTTPException) -> Response:
    words = _WORDS.get(error.status_code, str(error.detail))
    response = problem_response(RequestRefused(error.status_code, words))
    response.headers.update(error.headers or {})
    return response


def check_reach(options: ServiceOptions, token: Token | None) -> None:
    """A service that other machines reach has a token (SettingsError)."""
    if token is None and not is_loopback(options.host):
        raise SettingsError(
            f"Without a token the service listens on this machine only, not on {options.host}. Leave --no-token out."
        )


def serve(
    workbench: Workbench,
    token: Token | None,
    options: ServiceOptions,
    *,
    with_worker: bool = True,
    ready: Callable[[str], None] = lambda address: None,
) -> None:
    """Listen until the process is told to end; ``ready`` gets the address once requests are taken. Raises SettingsError
    (no token, and other machines could reach it) or ServiceError (the address cannot be had)."""
    check_reach(options, token)
    worker = WorkerProcess(workbench.root) if with_worker else None
    server = Server(service(workbench, token, options, worker), options, ready)
    try:
        server.run()
    except SystemExit as error:  # uvicorn's way of saying that it could not listen; it has logged why
        raise ServiceError(
            f"The service cannot listen on {options.host}:{options.port}. Is the port in use? Use --port."
        ) from error


class Server(uvicorn.Server):
    """uvicorn with the limits of the options."""

    def __init__(self, app: Starlette, options: ServiceOptions, ready: Callable[[str], None]) -> None:
        self._ready = ready
        protocol = timed_protocol(options.headers_s, options.answer_s, options.connections)
        super().__init__(
            uvicorn.Config(
                app, options.host, options.port, http=protocol, ws="none", lifespan="on", log_config=None,
                access_log=False, server_header=False, proxy_headers=False, timeout_keep_alive=10,
                timeout_graceful_shutdown=10,
            )
        )  # fmt: skip

    async def startup(self, *arguments: Any, **named: Any) -> None:
        """As uvicorn, then says the address."""
        await super().startup(*arguments, **named)
        if self.started:
            self._ready(self.address)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn; the signal that ended it is not raised once more, so that what is open here is closed."""
        await super().shutdown(sockets)
        self._captured_signals.clear()

    @property
    def address(self) -> str:
        """``http://host:port``, with the port that was given by the system where the options say 0."""
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
