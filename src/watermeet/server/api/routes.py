"""All endpoints of REST; docs/reference/rest.md describes them."""

from watermeet.server.api import (
    routes_accounts,
    routes_analysis,
    routes_calls,
    routes_challenges,
    routes_company,
    routes_engines,
    routes_games,
    routes_lessons,
    routes_matches,
    routes_moderation,
    routes_openings,
    routes_people,
    routes_puzzles,
    routes_ratings,
    routes_reviews,
    routes_seeks,
    routes_slow,
)
from watermeet.server.api.routing import ENDPOINTS, make_routes

__all__ = [
    "ENDPOINTS",
    "make_routes",
    "routes_accounts",
    "routes_analysis",
    "routes_calls",
    "routes_challenges",
    "routes_company",
    "routes_engines",
    "routes_games",
    "routes_lessons",
    "routes_matches",
    "routes_moderation",
    "routes_openings",
    "routes_people",
    "routes_puzzles",
    "routes_ratings",
    "routes_reviews",
    "routes_seeks",
    "routes_slow",
]
