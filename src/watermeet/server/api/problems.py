"""Errors as HTTP responses: always ``{code, message, hint}``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from watermeet.core.errors import (
    Conflict,
    IllegalMove,
    InvalidOptions,
    InvalidRecord,
    NoSuchSeat,
    NotYourTurn,
    UnknownGame,
    WatermeetError,
)
from watermeet.server.api.models import Problem
from watermeet.server.errors import BusUnavailable, ServerError, StoreUnavailable

HINT = "see /api/openapi.json"
_STATUS: dict[type[WatermeetError], int] = {
    UnknownGame: 404,
    NoSuchSeat: 404,
    InvalidOptions: 422,
    IllegalMove: 409,
    NotYourTurn: 409,
    Conflict: 409,
}
_CODES = {404: "not_found", 405: "wrong_method", 413: "too_large"}


def json_response(
    content: Any, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """A struct as a response."""
    return Response(msgspec.json.encode(content), status, headers, "application/json")


def problem(
    status: int, code: str, message: str, hint: str, headers: Mapping[str, str] | None = None
) -> Response:
    """An error as a response."""
    return json_response(Problem(code, message, hint), status, headers)


def problem_of(error: WatermeetError) -> Problem:
    """An error as it goes over the wire.

    Where the database or the bus is and what is wrong with it is for the log: clients learn only
    that they should try again.
    """
    if isinstance(error, StoreUnavailable | BusUnavailable):
        return Problem(error.code, "the server can't store anything right now", "try again soon")
    explanation = error.explanation if isinstance(error, IllegalMove) else None
    shown = None if explanation is None else explanation.as_json()
    if isinstance(error, InvalidRecord):
        facts = {"line": error.line, "column": error.column}
        place = f"line {error.line}, column {error.column}: "
        return Problem(error.code, place + error.message, error.hint, shown, facts)
    return Problem(error.code, error.message, error.hint, shown)


async def _watermeet_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, WatermeetError)
    kinds = type(error).__mro__
    status = next((_STATUS[kind] for kind in kinds if kind in _STATUS), 422)
    if isinstance(error, ServerError):
        status = error.status
    return json_response(problem_of(error), status)


async def _http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = _CODES.get(error.status_code, "bad_request")
    return problem(error.status_code, code, str(error.detail), HINT, error.headers)


HANDLERS = {WatermeetError: _watermeet_error, HTTPException: _http_error}
