"""The OpenAPI 3.1 document, made from the endpoints and their models."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from core.http.answers import HealthAnswer
from core.http.endpoints import ENDPOINTS, Endpoint
from core.http.problems import MEDIA_TYPE, Problem

VERSION = "1"
_ROOT = "#/components/schemas/"
_REFUSALS = {
    400: "The body is no JSON.",
    401: "The token is missing or is another.",
    404: "No such project, document, report or job.",
    408: "The request was not complete in time.",
    409: "What was asked for is in the way of something else.",
    413: "The body is too large.",
    415: "The body is no plain JSON.",
    421: "Without a token: another host was asked for.",
    422: "A field or a value does not fit.",
    500: "The stored data or the settings of the service are at fault.",
    503: "Busy, or a model is not there; try again.",
}
_OF_BODIES = (400, 408, 413, 415)
References = Mapping[tuple[Any, JsonSchemaMode], dict[str, Any]]


def document(*, with_token: bool = True) -> dict[str, Any]:
    """The whole document as JSON values."""
    takes = [model for endpoint in ENDPOINTS for model in (endpoint.body, endpoint.parameters) if model is not None]
    gives: list[type[BaseModel]] = [
        model for endpoint in ENDPOINTS for models in endpoint.gives.values() for model in models
    ]
    wanted: list[tuple[type[BaseModel], JsonSchemaMode]] = [(model, "validation") for model in takes]
    gives += [HealthAnswer, Problem]
    wanted += [(model, "serialization") for model in gives]
    references, definitions = models_json_schema(list(dict.fromkeys(wanted)), ref_template=_ROOT + "{model}")
    schemas = definitions["$defs"]
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(
            endpoint, references, schemas, with_token
        )
    health = {"$ref": _ROOT + "HealthAnswer"}
    paths["/healthz"] = {"get": _plain("healthz", "Whether the server and its worker are alive.", health, (200, 503))}
    paths["/healthz"]["get"]["security"] = []
    described = _plain("openapi", "This document.", {"type": "object"}, (200,))
    described["responses"].update(_refusals((401, 421)))
    paths["/openapi.json"] = {"get": described}
    components: dict[str, Any] = {"schemas": schemas, "responses": {"Problem": _problem()}}
    whole: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "Evidence Workbench", "version": VERSION, "license": {"name": "Apache-2.0"}},
        "paths": paths,
        "components": components,
    }
    if with_token:
        components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        whole["security"] = [{"token": []}]
    else:
        paths["/healthz"]["get"].pop("security")
    return whole


def _operation(endpoint: Endpoint, references: References, schemas: dict[str, Any], token: bool) -> dict[str, Any]:
    responses: dict[str, Any] = {}
    for status, models in endpoint.gives.items():
        listed = [references[model, "serialization"] for model in models]
        schema = listed[0] if len(listed) == 1 else {"anyOf": listed}
        description = "The job has not ended yet." if status == 202 else "The answer."
        responses[str(status)] = {"description": description, "content": {"application/json": {"schema": schema}}}
    left_out = {*(() if token else (401,)), *(() if endpoint.body else _OF_BODIES)}
    responses.update(_refusals(tuple(status for status in _REFUSALS if status not in left_out)))
    operation: dict[str, Any] = {"operationId": endpoint.name, "summary": endpoint.summary, "responses": responses}
    if endpoint.body is not None:
        schema = references[endpoint.body, "validation"]
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    if endpoint.parameters is not None:
        name = references[endpoint.parameters, "validation"]["$ref"].removeprefix(_ROOT)
        operation["parameters"] = _parameters(endpoint.path, schemas[name])
    return operation


def _parameters(path: str, schema: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "in": "path" if f"{{{name}}}" in path else "query",
            "required": name in schema.get("required", []),
            "schema": part,
        }
        for name, part in schema["properties"].items()
    ]


def _plain(name: str, summary: str, schema: dict[str, Any], statuses: tuple[int, ...]) -> dict[str, Any]:
    content = {"application/json": {"schema": schema}}
    answers = {str(status): {"description": "The answer.", "content": content} for status in statuses}
    return {"operationId": name, "summary": summary, "responses": answers}


def _refusals(statuses: tuple[int, ...]) -> dict[str, Any]:
    return {str(status): {**_problem(), "description": _REFUSALS[status]} for status in statuses}


def _problem() -> dict[str, Any]:
    schema = {"$ref": _ROOT + "Problem"}
    return {"description": "Why it was refused (RFC 9457).", "content": {MEDIA_TYPE: {"schema": schema}}}
