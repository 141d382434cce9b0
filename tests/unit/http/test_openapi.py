"""The document says what the service does: it is made of the same table and models, and nothing is left out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from starlette.routing import Route

from core.http.endpoints import ENDPOINTS
from core.http.openapi import document
from core.http.service import service
from core.records import Query, SearchRequest
from tests.helpers.service_client import WorkbenchClient
from tests.helpers.serving import TOKEN, Town


@pytest.fixture(scope="module")
def described(client: WorkbenchClient) -> dict[str, Any]:
    return dict(client.openapi())


def _operations(described: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def test_routes_and_document_are_the_same(streets: Town, described: dict[str, Any]) -> None:
    routes = {
        (method, route.path)
        for route in service(streets.workbench, TOKEN).routes
        if isinstance(route, Route)
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert {(method, path) for method, path, _ in _operations(described)} == routes
    assert {operation["operationId"] for _, _, operation in _operations(described)} == {
        "index", "search", "stats", "source", "verify", "audit", "job", "cancel", "healthz", "openapi",
    }  # fmt: skip


def test_every_reference_leads_somewhere_and_every_schema_is_one(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    named = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(described)))
    assert named <= set(schemas)
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)


def test_what_is_taken_is_described_by_the_models_that_check_it(described: dict[str, Any]) -> None:
    for endpoint in ENDPOINTS:
        operation = described["paths"][endpoint.path][endpoint.method.lower()]
        if endpoint.body is not None:
            name = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            assert set(described["components"]["schemas"][name]["properties"]) == set(endpoint.body.model_fields)
        if endpoint.parameters is not None:
            assert {one["name"] for one in operation["parameters"]} == set(endpoint.parameters.model_fields)
        for status in endpoint.gives:
            assert str(status) in operation["responses"]


def test_an_answer_fits_its_schema(client: WorkbenchClient, described: dict[str, Any]) -> None:
    response = client._send("POST", "/search", {"project": "streets", "queries": ["limes"]})
    schema = {"$ref": "#/components/schemas/SearchAnswer", "components": described["components"]}
    Draft202012Validator(schema).validate(response.json())
    assert response.json()["passages"][0]["document"] in response.json()["documents"]
    assert client.open("streets").search(SearchRequest((Query("limes"),))).passages


def test_only_health_is_open_and_without_a_token_all_is() -> None:
    with_token, without = document(), document(with_token=False)
    assert with_token["security"] == [{"token": []}]
    assert [path for _, path, one in _operations(with_token) if one.get("security") == []] == ["/healthz"]
    assert "security" not in without
    assert "securitySchemes" not in without["components"]
