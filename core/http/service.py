"""The HTTP service over the engine: ``workbench serve``. The endpoints are in ``core.http.endpoints``."""

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

from core.errors import RequestRefused, ServiceError, SettingsError
from core.http.answers import HealthAnswer
from core.http.endpoints import ENDPOINTS, Runner
from core.http.guard import Guard, Token
from core.http.handlers import Handlers
from core.http.openapi import document
from core.http.options import ServiceOptions, is_loopback
from core.http.problems import problem_response
from core.http.protocol import timed_protocol
from core.workbench.workbench import Workbench
from core.workbench.worker_process import WorkerProcess, running

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
