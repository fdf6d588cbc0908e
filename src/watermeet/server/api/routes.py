"""REST: what is a document. docs/reference/rest.md tells all of it; each family has a file."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

from watermeet.server.api import (
    routes_facts,
    routes_matches,
    routes_people,
    routes_positions,
    routes_records,
    routes_seats,
    routes_streams,
)
from watermeet.server.api.services import Services


def make_router(services: Services) -> APIRouter:
    """All routes under ``/api``."""
    router = APIRouter(prefix="/api", dependencies=[Depends(take_no_other_query)])
    for family in (
        routes_facts,
        routes_people,
        routes_matches,
        routes_positions,
        routes_seats,
        routes_streams,
        routes_records,
    ):
        family.add_routes(router, services)
    return router


def take_no_other_query(request: Request) -> None:
    """Refuses what a route does not ask for, as bodies do: else a misspelt name passes unseen."""
    route: APIRoute = request.scope["route"]
    named = {parameter.alias for parameter in route.dependant.query_params}
    for name in request.query_params:
        if name not in named:
            raise RequestValidationError([{"loc": ("query", name), "msg": "is not asked for here"}])
