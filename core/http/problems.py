"""Errors as problem documents (RFC 9457): one of the engine's errors, its HTTP status, and what to do."""

import re
from http import HTTPStatus

from pydantic import BaseModel, Field
from starlette.responses import Response

from core import errors
from core.errors import RequestRefused, ServiceBusy, WorkbenchError

_PATH = re.compile(
    r"""(?<![\w:/\\.])                    # not inside an address (http://…) nor inside and/or
    (?:~|[A-Za-z]:|\\|\.{1,2})?           # a home, a drive, a share, or a relative start
    (?:[/\\](?:[^\s/\\'"“”]|\ (?=[A-Z0-9]))+)+   # folders; a name may go on with a capital or a figure
    [/\\](?P<last>[^\s/\\'"“”]+)""",
    re.VERBOSE,
)

MEDIA_TYPE = "application/problem+json"
TYPE = "tag:evidence-workbench,2026:problem/"
RETRY_S = 2
_STATUS: dict[type[WorkbenchError], int] = {
    errors.ProjectNotFound: 404,
    errors.DocumentNotFound: 404,
    errors.ReportNotFound: 404,
    errors.ClaimNotFound: 404,
    errors.JobNotFound: 404,
    errors.ProjectError: 409,
    errors.RowMoved: 409,
    errors.JobError: 409,
    errors.SourceError: 422,
    errors.QueryError: 422,
    errors.ReportError: 422,
    errors.ClaimError: 422,
    errors.TokenRejected: 401,
    errors.ServiceBusy: 503,
    errors.DatabaseBusy: 503,
    errors.ModelError: 503,
}
"""The status of an error by its nearest class. An error that is not named here is a fault of the service (500)."""


def without_paths(text: str) -> str:
    """``text`` with every path of two parts or more shortened to ``…/`` and its last part."""
    return _PATH.sub(lambda match: f"…/{match['last']}", text)


class Fault(BaseModel):
    """One place of the request that does not fit, and why."""

    place: str
    message: str


class Problem(BaseModel):
    """Why a request was not answered (RFC 9457). ``error`` names the engine's error (``core.errors``)."""

    type: str = Field(description="Identifies the kind of problem.")
    title: str
    status: int = Field(ge=400, le=599)
    detail: str = Field(description="What was wrong, with which thing, and what to do.")
    error: str
    faults: list[Fault] = []


def status_of(error: WorkbenchError) -> int:
    """The HTTP status that says what an error says."""
    if isinstance(error, RequestRefused):
        return error.status
    return next((_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS), 500)


def problem_of(error: WorkbenchError) -> Problem:
    """The document of an error. Of what is wrong on this side it tells no paths and no details."""
    status = status_of(error)
    detail = str(error)
    if status == 500:
        detail = "Something is wrong with the stored data or the settings here. The log of the service says what."
    elif status == 503:
        detail = without_paths(detail)
    return Problem(
        type=TYPE + type(error).__name__,
        title=HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        error=type(error).__name__,
        faults=[Fault(place=place, message=message) for place, message in getattr(error, "faults", ())],
    )


def problem_response(error: WorkbenchError) -> Response:
    """The whole answer, with the headers that its status asks for."""
    problem = problem_of(error)
    headers: dict[str, str] = {}
    if problem.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if problem.status == 503:
        headers["Retry-After"] = str(error.retry_after if isinstance(error, ServiceBusy) else RETRY_S)
    if problem.status in (408, 413):
        headers["Connection"] = "close"  # the rest of the request is not read
    return Response(problem.model_dump_json(), problem.status, headers, MEDIA_TYPE)
