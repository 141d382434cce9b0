"""Every error of the engine has a status and a document, and what is wrong on the server's side tells nothing of it."""

from __future__ import annotations

import json

import pytest

from core import errors
from core.errors import DatabaseDamaged, RequestRefused, ServiceBusy, SettingsError, WorkbenchError
from core.http.problems import problem_response, status_of, without_paths
from core.labels import FetchState


def _all(kind: type[WorkbenchError] = WorkbenchError) -> list[type[WorkbenchError]]:
    return [kind, *(one for child in kind.__subclasses__() for one in _all(child))]


def _made(kind: type[WorkbenchError]) -> WorkbenchError:
    if issubclass(kind, RequestRefused):
        return kind(413, "told")
    if issubclass(kind, errors._StatefulSourceError):
        return kind(FetchState.BROKEN, "told")
    return kind("told")


@pytest.mark.parametrize("kind", [one for one in _all() if one.__module__ == "core.errors"])
def test_every_error_is_a_problem_document(kind: type[WorkbenchError]) -> None:
    response = problem_response(_made(kind))
    told = json.loads(bytes(response.body))
    assert response.media_type == "application/problem+json"
    assert told["status"] == response.status_code == status_of(_made(kind))
    assert 400 <= response.status_code < 600
    assert told["error"] == kind.__name__
    assert told["type"].endswith(kind.__name__)


def test_what_is_not_there_is_404_what_cannot_be_run_422_what_passes_503() -> None:
    assert status_of(errors.ProjectNotFound("x")) == status_of(errors.JobNotFound("x")) == 404
    assert status_of(errors.QueryError("x")) == status_of(errors.ReportError("x")) == 422
    assert status_of(errors.DatabaseBusy("x")) == status_of(errors.ExtraMissing("x")) == 503
    assert problem_response(ServiceBusy("x", 7)).headers["retry-after"] == "7"
    assert problem_response(errors.DatabaseBusy("x")).headers["retry-after"].isdigit()


@pytest.mark.parametrize("error", [DatabaseDamaged("/home/me/RESEARCH/x"), SettingsError("/home/me/workbench.toml")])
def test_a_fault_of_the_server_tells_no_paths(error: WorkbenchError) -> None:
    response = problem_response(error)
    assert response.status_code == 500
    assert b"/home/me" not in bytes(response.body)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("/home/me/.cache/models/x.onnx is missing. Fetch it again.", "…/x.onnx is missing. Fetch it again."),
        ("the file '/home/Jo Smith/My Models/x.onnx' is missing", "the file '…/x.onnx' is missing"),
        ("C:\\Users\\me\\x.onnx and ~/models/y and ../up/z/w differ", "…/x.onnx and …/y and …/w differ"),
        ("(looked in /srv/a/b, /srv/c)", "(looked in …/b, …/c)"),
        ("See https://example.org/a/b/c or GET /healthz; and/or; 1/2", None),
        ("pip install '.[neural]'; openai/gpt and BAAI/bge-small-en-v1.5", None),
        ("", None),
    ],
)
def test_words_lose_their_folders_and_nothing_else(told: str, expected: str | None) -> None:
    assert without_paths(told) == (told if expected is None else expected)


def test_a_model_that_is_damaged_is_told_without_where_it_lies() -> None:
    response = problem_response(errors.ModelDamaged("/home/me/RESEARCH/models/x.onnx is missing. Fetch it again."))
    assert response.status_code == 503
    assert json.loads(bytes(response.body))["detail"] == "…/x.onnx is missing. Fetch it again."
