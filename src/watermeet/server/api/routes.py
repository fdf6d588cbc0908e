"""REST: what is a document. docs/reference/rest.md tells all of it; each family has a file."""

from __future__ import annotations

from fastapi import APIRouter

from watermeet.server.api import (
    routes_facts,
    routes_matches,
    routes_people,
    routes_records,
    routes_seats,
    routes_streams,
)
from watermeet.server.api.parts import Parts


def make_router(parts: Parts) -> APIRouter:
    """All routes under ``/api``."""
    router = APIRouter(prefix="/api")
    for family in (
        routes_facts,
        routes_people,
        routes_matches,
        routes_seats,
        routes_streams,
        routes_records,
    ):
        family.add_routes(router, parts)
    return router
