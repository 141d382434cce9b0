"""A client of the HTTP service that speaks in the engine's own records and errors.

    with WorkbenchClient("http://127.0.0.1:8600", token) as client:
        result = client.open("demo").search(SearchRequest((Query("street trees"),)))

``RemoteProject`` has the names and types of an open project (``core.workbench.open_project``) and of its services, so
that a test compares what a project and the service answer.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from core import errors
from core.errors import RequestRefused, ServiceBusy, ServiceError, WorkbenchError
from core.http.answers import HealthAnswer, JobAnswer, SearchAnswer, StatsAnswer, VerdictAnswer
from core.http.problems import Problem
from core.http.requests import LONGEST_WAIT_S
from core.labels import ClaimType, FetchState
from core.records import Job, SearchRequest, SearchResult, SourceVerdict, Statistics

M = TypeVar("M", bound=BaseModel)
_REQUEST: TypeAdapter[SearchRequest] = TypeAdapter(SearchRequest)
_CONNECT_S = 10.0
_STEP_S = 20.0
_TRIES = 5


class ServiceUnreachable(ServiceError):
    """No answer came from the service's address."""


class WorkbenchClient:
    """A connection to one service. Thread-safe; close it, or use it in a ``with`` block.

    Args:
        base_url: where the service is, such as ``http://127.0.0.1:8600``.
        token: its token; "" for a service without one.
        timeout_s: seconds that an answer may take (those of a wait for a job come on top).
        patience_s: seconds for which a busy service is asked again before ``ServiceBusy`` is raised; only requests
            that change nothing are repeated.

    Every call raises the engine's own error where the engine did (ProjectNotFound, QueryError …), and else
    TokenRejected, RequestRefused, ServiceBusy, ServiceUnreachable or ServiceError.
    """

    def __init__(self, base_url: str, token: str = "", *, timeout_s: float = 130.0, patience_s: float = 30.0) -> None:
        import httpx2

        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._timeout_s = timeout_s
        self._patience_s = patience_s
        # trust_env: no proxy and no .netrc may get the token.
        self._http = httpx2.Client(
            base_url=base_url, headers=headers, timeout=timeout_s, trust_env=False, follow_redirects=False
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close its connections."""
        self._http.close()

    def open(self, slug: str) -> RemoteProject:
        """A project of the service; whether it is there shows with the first call."""
        return RemoteProject(self, slug)

    def health(self) -> HealthAnswer:
        """The state of the service and its worker; asks for no token."""
        return self.ask(HealthAnswer, "GET", "/healthz", answers=(200, 503))

    def openapi(self) -> Mapping[str, Any]:
        """The OpenAPI document."""
        return _json(self._send("GET", "/openapi.json"))

    def ask(
        self,
        model: type[M],
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        parameters: Mapping[str, str] | None = None,
        *,
        repeat: bool = False,
        wait_s: float = 0.0,
        answers: Sequence[int] = (200, 202),
    ) -> M:
        """One request; the answer as ``model``."""
        until = time.monotonic() + (self._patience_s if repeat else 0.0)
        while True:
            try:
                response = self._send(method, path, body, parameters, wait_s=wait_s, answers=answers)
            except ServiceBusy as busy:
                if time.monotonic() + busy.retry_after > until:
                    raise
                time.sleep(busy.retry_after)
                continue
            return _read(model, response)

    def _send(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        parameters: Mapping[str, str] | None = None,
        *,
        wait_s: float = 0.0,
        answers: Sequence[int] = (200,),
    ) -> Any:
        import httpx2

        content, headers = _encoded(body)
        timeout = httpx2.Timeout(self._timeout_s + wait_s, connect=_CONNECT_S)
        try:
            response = self._http.request(
                method, path, content=content, headers=headers, params=parameters, timeout=timeout
            )
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise ServiceUnreachable(
                f"{self._http.base_url} did not answer ({type(error).__name__}: {error}). Is `workbench serve` running?"
            ) from error
        if response.status_code not in answers:
            raise _error_of(response)
        return response


class RemoteProject:
    """One project of a service."""

    def __init__(self, client: WorkbenchClient, slug: str) -> None:
        self._client = client
        self.slug = slug

    # ------------------------------------------------------------ search

    def search(self, request: SearchRequest) -> SearchResult:
        """As ``OpenProject.search``; with ``stages.rerank`` the cross-encoder has spoken already."""
        return self.search_at(request)[0]

    def search_at(self, request: SearchRequest) -> tuple[SearchResult, int | None]:
        """The result, and the generation of the project that it is of (None: it changed meanwhile)."""
        body = {"project": self.slug, **_REQUEST.dump_python(request, mode="json")}
        answer = self._client.ask(SearchAnswer, "POST", "/search", body, repeat=True)
        try:
            return answer.record(), answer.generation
        except KeyError as error:
            raise ServiceError(f"The service's answer names a document that it lacks: {error}.") from error

    def rerank(self, result: SearchResult) -> SearchResult:
        """As ``OpenProject.rerank``: the same request with the cross-encoder."""
        from dataclasses import replace

        if result.reranked or not result.candidates:
            return result
        return self.search(replace(result.request, stages=replace(result.request.stages, rerank=True)))

    def statistics(self) -> Statistics:
        """As ``OpenProject.statistics``."""
        return self.stats().statistics

    def stats(self) -> StatsAnswer:
        """Statistics with the project's name and generation."""
        return self._client.ask(StatsAnswer, "GET", "/stats", parameters={"project": self.slug}, repeat=True)

    # ------------------------------------------------------------ sources in

    def add_text(self, title: str, text: str) -> Job:
        """As ``Sources.add_text``."""
        return self.add_texts([(title, text)])

    def add_texts(self, texts: Sequence[tuple[str, str]]) -> Job:
        """As ``Sources.add_texts``."""
        return self._index("texts", [{"title": title, "text": text} for title, text in texts])

    def add_urls(self, urls: Sequence[str]) -> Job:
        """As ``Sources.add_urls``; the service fetches them."""
        return self._index("urls", list(urls))

    def add_snapshots(self, pages: Sequence[tuple[str, bytes, str]]) -> Job:
        """As ``Sources.add_snapshots``."""
        return self._index("snapshots", [_carried("url", *page) for page in pages])

    def add_files(self, files: Sequence[tuple[str, bytes, str]]) -> Job:
        """As ``Sources.add_files``."""
        return self._index("files", [_carried("name", *file) for file in files])

    def _index(self, name: str, sources: list[Any]) -> Job:
        return self._client.ask(JobAnswer, "POST", "/index", {"project": self.slug, name: sources}).job

    # ------------------------------------------------------------ judging

    def verify(self, claim: str, type: ClaimType | None = None, *, wait_s: float = 0.0) -> JobAnswer:
        """Keep a claim and have it verified in all sources; ``claims`` of the answer has it once its job has ended."""
        body: dict[str, Any] = {"project": self.slug, "claim": claim, "wait_s": wait_s}
        if type is not None:
            body["type"] = type.value
        return self._client.ask(JobAnswer, "POST", "/verify", body, wait_s=wait_s)

    def in_document(self, claim: str, document_id: str, *, context: str = "") -> SourceVerdict:
        """As ``Claims.in_document``: what one document says about a claim."""
        body = {"project": self.slug, "claim": claim, "document": document_id, "context": context}
        return self._client.ask(VerdictAnswer, "POST", "/verify", body, repeat=True).verdict

    def audit(self, name: str, body: bytes, media_type: str = "", *, wait_s: float = 0.0) -> JobAnswer:
        """Have the citations of a report checked; ``report``, ``summary`` and ``findings`` of the answer are there once
        its job has ended."""
        carried = {"project": self.slug, "wait_s": wait_s, **_carried("name", name, body, media_type)}
        return self._client.ask(JobAnswer, "POST", "/audit", carried, wait_s=wait_s)

    # ------------------------------------------------------------ jobs

    def job(self, job_id: int) -> Job:
        """As ``Jobs.get``."""
        return self.outcome(job_id).job

    def outcome(self, job_id: int, *, wait_s: float = 0.0) -> JobAnswer:
        """A job with what came of it, after waiting up to ``wait_s`` (at most 60) for its end."""
        parameters = {"project": self.slug, "wait_s": str(wait_s)}
        return self._client.ask(JobAnswer, "GET", f"/jobs/{job_id}", None, parameters, repeat=True, wait_s=wait_s)

    def finished(self, job_id: int, *, within_s: float = 600.0) -> JobAnswer:
        """The outcome once the job has ended (ServiceBusy: it has not within ``within_s``)."""
        until = time.monotonic() + within_s
        while True:
            left = until - time.monotonic()
            answer = self.outcome(job_id, wait_s=max(0.0, min(left, _STEP_S, LONGEST_WAIT_S)))
            if not answer.job.state.active:
                return answer
            if left <= 0:
                raise ServiceBusy(f"Job {job_id} has not ended within {within_s:.0f} seconds. Ask for it again later.")

    def cancel(self, job_id: int) -> None:
        """As ``Jobs.cancel``."""
        self._client.ask(JobAnswer, "POST", f"/jobs/{job_id}/cancel", parameters={"project": self.slug})


# ---------------------------------------------------------------- inner parts


def _encoded(body: Mapping[str, Any] | None) -> tuple[bytes | None, dict[str, str]]:
    if body is None:
        return None, {}
    try:
        text = json.dumps(body, allow_nan=False)  # ASCII: a lone surrogate is the service's to refuse
    except (ValueError, TypeError) as error:
        raise RequestRefused(400, f"The request cannot be written as JSON: {error}.") from error
    return text.encode("ascii"), {"Content-Type": "application/json"}


def _carried(label: str, name: str, body: bytes, media_type: str) -> dict[str, str]:
    return {label: name, "content": base64.b64encode(body).decode("ascii"), "media_type": media_type}


def _json(response: Any) -> Mapping[str, Any]:
    try:
        values = response.json()
    except ValueError as error:
        raise ServiceError(f"The answer from {response.url} is no JSON. Is a workbench service there?") from error
    if not isinstance(values, dict):
        raise ServiceError(f"The answer from {response.url} is not what a workbench service sends.")
    return values


def _read(model: type[M], response: Any) -> M:
    try:
        return model.model_validate_json(response.content)
    except ValidationError as error:
        raise ServiceError(
            f"The answer from {response.url} is not what this version of the workbench reads "
            f"({error.error_count()} places). Use the same version on both sides."
        ) from error


def _error_of(response: Any) -> WorkbenchError:
    """The engine's error that a problem document names."""
    try:
        problem = Problem.model_validate_json(response.content)
    except ValidationError:
        return ServiceError(f"{response.url} answered {response.status_code}. Is a workbench service there?")
    kind = getattr(errors, problem.error, None)
    if not isinstance(kind, type) or not issubclass(kind, WorkbenchError):
        return ServiceError(problem.detail)
    if issubclass(kind, RequestRefused):
        return RequestRefused(
            problem.status, problem.detail, tuple((fault.place, fault.message) for fault in problem.faults)
        )
    if problem.status == 503 and issubclass(kind, ServiceBusy):
        after = response.headers.get("retry-after", "")
        return ServiceBusy(problem.detail, int(after) if after.isdigit() else 2)
    if issubclass(kind, (errors.FetchFailed, errors.UnreadableSource)):
        return kind(FetchState.BROKEN, problem.detail)
    return kind(problem.detail)
