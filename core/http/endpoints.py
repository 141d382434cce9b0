"""The endpoints: what each takes, what it answers, and the one way in which all of them run."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from core.errors import RequestRefused, ServiceBusy, ServiceError, WorkbenchError
from core.http import requests
from core.http.answers import JobAnswer, SearchAnswer, SourceAnswer, StatsAnswer, VerdictAnswer
from core.http.body import drain, parse, parse_parameters, read_body
from core.http.handlers import Handlers
from core.http.problems import problem_response, status_of
from core.http.slots import SMALL_BODY, Place, ServiceOptions, Slots

log = logging.getLogger("workbench.service")

_FIRST_LOOK_S, _LATER_LOOK_S = 0.05, 1.0
_LEFT_S = 1.0
"""Seconds of a request that are left for its answer when a wait ends."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One operation. ``body`` or ``parameters`` is the model of what it takes; ``gives`` the models of its answers by
    status; ``largest`` bytes of body (None: what the options say); ``slow`` work has threads of its own."""

    method: str
    path: str
    name: str
    summary: str
    handle: Callable[[Handlers, Any], BaseModel]
    gives: Mapping[int, tuple[type[BaseModel], ...]]
    body: type[BaseModel] | None = None
    parameters: type[BaseModel] | None = None
    largest: int | None = None
    slow: bool = False


_JOB: Mapping[int, tuple[type[BaseModel], ...]] = {200: (JobAnswer,), 202: (JobAnswer,)}

ENDPOINTS = (
    Endpoint(
        "POST", "/index", "index", "Add sources to a project; a job reads, cuts and encodes them.",
        Handlers.index, _JOB, body=requests.IndexBody,
    ),
    Endpoint(
        "POST", "/search", "search", "Find the passages that answer, best first.",
        Handlers.search, {200: (SearchAnswer,)}, body=requests.SearchBody, largest=SMALL_BODY,
    ),
    Endpoint(
        "GET", "/stats", "stats", "Counts, query statistics and latencies of a project.",
        Handlers.stats, {200: (StatsAnswer,)}, parameters=requests.ProjectParameters,
    ),
    Endpoint(
        "POST", "/source", "source", "Grade, correct or accept a stored document.",
        Handlers.source, {200: (SourceAnswer,)}, body=requests.SourceBody, largest=SMALL_BODY,
    ),
    Endpoint(
        "POST", "/verify", "verify", "Verify a claim in one document at once, or in the whole project as a job.",
        Handlers.verify, {200: (VerdictAnswer, JobAnswer), 202: (JobAnswer,)}, body=requests.VerifyBody,
        largest=SMALL_BODY, slow=True,
    ),
    Endpoint(
        "POST", "/audit", "audit", "Check every citation of a report in the source that it cites.",
        Handlers.audit, _JOB, body=requests.AuditBody, slow=True,
    ),
    Endpoint(
        "GET", "/jobs/{id}", "job", "How far a job is, and what came of it.",
        Handlers.job, _JOB, parameters=requests.JobWaitParameters,
    ),
    Endpoint(
        "POST", "/jobs/{id}/cancel", "cancel", "Ask a job to stop; what it finished stays.",
        Handlers.cancel, _JOB, parameters=requests.JobParameters,
    ),
)  # fmt: skip


class Runner:
    """Runs endpoints: takes a place, reads, checks, works in a thread, waits for the job if asked to, answers."""

    def __init__(self, handlers: Handlers, options: ServiceOptions) -> None:
        self._handlers = handlers
        self._options = options
        self.slots = Slots(options)

    def serving(self, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint as Starlette wants it."""

        async def answer(request: Request) -> Response:
            try:
                with self.slots.place() as place:
                    async with asyncio.timeout(self._options.request_s):
                        return await self._run(endpoint, request, place)
            except TimeoutError:
                seconds = f"{self._options.request_s:.0f} seconds"
                return problem_response(ServiceBusy(f"No answer was ready within {seconds}. Ask again later.", 10))
            except ClientDisconnect:
                return Response(status_code=400)
            except WorkbenchError as error:
                return await self._refused(request, error)
            except Exception:  # a fault of ours: told as one, with the details in the log only
                log.exception("%s %s failed", request.method, request.url.path)
                return problem_response(ServiceError("a fault of the service"))

        return answer

    async def _run(self, endpoint: Endpoint, request: Request, place: Place) -> Response:
        deadline = time.monotonic() + self._options.request_s - _LEFT_S
        given = await self._given(endpoint, request, place)
        handle, handlers = endpoint.handle, self._handlers
        answer = await self.slots.run(lambda: handle(handlers, given), slow=endpoint.slow)
        wait_s = float(getattr(given, "wait_s", 0.0))
        if isinstance(answer, JobAnswer):
            answer = await self._waited(answer, min(deadline, time.monotonic() + wait_s))
        text = await self.slots.run(answer.model_dump_json, slow=False)
        status, headers = 200, {}
        if isinstance(answer, JobAnswer):
            status = 202 if answer.job.state.active else 200
            headers["Location"] = f"/jobs/{answer.job.id}?project={answer.project}"
        return Response(text, status, headers, "application/json")

    async def _given(self, endpoint: Endpoint, request: Request, place: Place) -> BaseModel:
        if endpoint.body is None:
            assert endpoint.parameters is not None, "an endpoint takes one of the two"
            pairs = [*request.query_params.multi_items(), *request.path_params.items()]
            return parse_parameters(endpoint.parameters, pairs)
        if request.query_params:
            raise RequestRefused(422, "This address takes no parameters. Everything stands in the body.")
        largest = endpoint.largest or self._options.max_body
        body = await read_body(request, place, largest=largest, within_s=self._options.body_s)
        return parse(endpoint.body, body)

    async def _waited(self, answer: JobAnswer, until: float) -> JobAnswer:
        """The answer once its job has ended, or as it stands at ``until``."""
        look = requests.JobParameters(project=answer.project, id=answer.job.id)
        pause = _FIRST_LOOK_S
        while answer.job.state.active and (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(pause, left))
            pause = min(_LATER_LOOK_S, 1.5 * pause)
            answer = await self.slots.run(lambda: self._handlers.job(look), slow=False)
        return answer

    async def _refused(self, request: Request, error: WorkbenchError) -> Response:
        status = status_of(error)
        if status >= 500:
            log.error("%s %s: %s: %s", request.method, request.url.path, type(error).__name__, error)
        if status in (408, 413):
            await drain(request)
        return problem_response(error)
