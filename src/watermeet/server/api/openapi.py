"""The description of REST (OpenAPI): what FastAPI finds out, and what all routes have in common.

It is made from the routes alone, without a database: ``create_app(Settings()).openapi()``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from watermeet.server.api.messages import Order

PATH = "/api/openapi.json"
_REF = "#/components/schemas/{name}"
_PROBLEM: dict[str, Any] = {"application/json": {"schema": {"$ref": _REF.format(name="Problem")}}}
_EVERYWHERE = {
    "422": "What was sent is read, and cannot be taken.",
    "429": "More than the limits allow, for now.",
    "500": "A mistake of the server; nothing was done, or it was done for good.",
    "503": "The database is away: ask again.",
}
_OF_CHANGES = {
    "403": "A page of somebody else asks, or the token does not allow it.",
    "413": "The request is too large.",
}
_OF_INPUT = {"400": "What was sent cannot be read."}
OPTIONAL = "token, or none"
NEEDED = "token"


def order_body() -> dict[str, Any]:
    """The body of the route that takes commands, which msgspec reads and not FastAPI."""
    schema = {"$ref": _REF.format(name="Order")}
    content = {"application/json": {"schema": schema}}
    return {"requestBody": {"required": True, "content": content}}


def describing(app: FastAPI) -> Callable[[], dict[str, Any]]:
    """What ``app.openapi`` becomes."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = describe(app)
        return app.openapi_schema

    return openapi


def describe(app: FastAPI) -> dict[str, Any]:
    """The whole description."""
    document = get_openapi(
        title=app.title, version=app.version, routes=app.routes, description=app.description
    )
    schemas = document["components"]["schemas"]
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)  # FastAPI's own words for what we tell as a Problem.
    _, ours = msgspec.json.schema_components((Order,), ref_template=_REF)
    schemas.update(ours)
    schemes = document["components"]["securitySchemes"]
    schemes.pop(OPTIONAL, None)
    for methods in document["paths"].values():
        for method, operation in methods.items():
            _complete(method, operation)
    return document


def _complete(method: str, operation: dict[str, Any]) -> None:
    """Adds what every route may answer, and whether it needs a token."""
    answers = operation["responses"]
    for status in list(answers):
        if status[0] in "45":
            _describe(answers, status, answers[status].get("description", ""))
    told = dict(_EVERYWHERE)
    if method != "get":
        told |= _OF_CHANGES
    if "parameters" in operation or "requestBody" in operation:
        told |= _OF_INPUT
    names = [name for scheme in operation.get("security", ()) for name in scheme]
    if names:
        told["401"] = "A token that nobody knows, or none where one is needed."
        operation["security"] = [{NEEDED: []}] if NEEDED in names else [{}, {NEEDED: []}]
    for status, words in told.items():
        _describe(answers, status, words)


def _describe(answers: dict[str, Any], status: str, words: str) -> None:
    answers[status] = {"description": words or "A problem.", "content": _PROBLEM}
