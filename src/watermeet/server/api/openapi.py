"""The OpenAPI description of REST, made from the endpoints and msgspec's own schemas."""

from __future__ import annotations

import inspect
from functools import cache
from http import HTTPStatus
from importlib.metadata import version
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from watermeet.server.api import routes
from watermeet.server.api.models import Problem
from watermeet.server.api.problems import json_response
from watermeet.server.api.routing import Endpoint, path_names

PATH = "/api/openapi.json"
REF = "#/components/schemas/{name}"
_ALWAYS, _CHANGES, _INPUT, _TOKEN = {422, 429, 500, 503}, {403, 413}, {400}, {401}
"""The errors of all endpoints; of those that change something, read something, need a token."""


@cache
def describe() -> dict[str, Any]:
    """The whole description. It needs no database and no running server."""
    endpoints = routes.ENDPOINTS
    types: list[Any] = [Problem]
    for each in endpoints:
        types += [each.parameters, each.response, *([each.body] if each.body else [])]
    found, schemas = msgspec.json.schema_components(types, ref_template=REF)
    paths: dict[str, dict[str, Any]] = {}
    for each in endpoints:
        response = found[types.index(each.response)]
        operation = _operation(each, schemas.pop(each.parameters.__name__, {}), response)
        paths.setdefault(each.path, {})[each.method.lower()] = operation
    bearer = {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of a device, a bot account or a seat.",
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Watermeet", "version": version("watermeet")},
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"token": bearer}},
    }


def _operation(each: Endpoint, given: dict[str, Any], response: Any) -> dict[str, Any]:
    statuses = _ALWAYS | set(each.errors)
    operation: dict[str, Any] = {
        "operationId": each.handler.__name__,
        "description": inspect.cleandoc(each.handler.__doc__ or ""),
    }
    if each.auth:
        scopes = [each.scope] if each.scope else []
        operation["security"] = [{"token": scopes}, *([{}] if each.auth == "optional" else [])]
        statuses |= _TOKEN
    if each.method != "GET":
        statuses |= _CHANGES
    if properties := given.get("properties"):
        statuses |= _INPUT
        required = given.get("required", ())
        operation["parameters"] = [
            {
                "name": name,
                "in": "path" if name in path_names(each.path) else "query",
                "required": name in required,
                "schema": schema,
            }
            for name, schema in properties.items()
        ]
    if each.body is not None:
        statuses |= _INPUT
        schema = {"$ref": REF.format(name=each.body.__name__)}
        content = {"application/json": {"schema": schema}}
        operation["requestBody"] = {"required": True, "content": content}
    problem = {"application/json": {"schema": {"$ref": REF.format(name="Problem")}}}
    operation["responses"] = {
        str(each.status): {
            "description": "Success.",
            "content": {each.media_type: {"schema": response}},
        },
        **{
            str(status): {"description": f"{HTTPStatus(status).phrase}.", "content": problem}
            for status in sorted(statuses)
        },
    }
    return operation


async def answer(_: Request) -> Response:
    """The description as a document."""
    return json_response(describe())
