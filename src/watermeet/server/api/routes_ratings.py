"""Endpoints for ratings: one's own, somebody's, and leaderboards."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from watermeet.bots.levels import playable_levels
from watermeet.server.api import models
from watermeet.server.api.routes_games import find
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.errors import NotFound
from watermeet.server.matches.setup import DAY, GameName
from watermeet.server.people.ratings.anchors import kinds_of, start
from watermeet.server.people.ratings.fold import PROVISIONAL, Kind, Player, Pool, Standing
from watermeet.server.store.rows import UserRow
from watermeet.server.store.store import Store

UserName = Annotated[str, Meta(min_length=1, max_length=40, description="A user's name.")]
KindOfMatch = Annotated[
    Kind, Meta(description="Two seats, several seats, teams, or against the game.")
]
LISTED, ACTIVE_MS = 50, 30 * DAY
"""Leaderboards list this many, who have played within this time."""


@endpoint("GET", "/me/ratings", auth="required", scope="read")
async def list_my_ratings(call: Call) -> models.RatingsResponse:
    """The user's ratings."""
    return models.RatingsResponse(await ratings_of(call, await call.user()))


@endpoint("GET", "/users/{user}/ratings", errors=(404,))
async def list_user_ratings(call: Call, user: UserName) -> models.RatingsResponse:
    """The ratings of a user with a name."""
    found = await call.services.store.user_named(user)
    if found is None:
        raise NotFound(f"nobody is called {user!r}", "check the spelling")
    return models.RatingsResponse(await ratings_of(call, found))


async def ratings_of(call: Call, user: UserRow) -> list[models.RatingInfo]:
    """All ratings of a user, as they are today."""
    now, found = call.services.now(), []
    for game, kind, body in await call.services.store.ratings_of(("user", user.id)):
        standing = msgspec.json.decode(body, type=Standing)
        rating = standing.now(now)
        found.append(
            models.RatingInfo(
                game,
                msgspec.convert(kind, Kind),
                round(rating.value),
                round(rating.deviation),
                standing.is_provisional(now),
                standing.count,
                standing.at,
            )
        )
    return found


async def standing_of(store: Store, pool: Pool, player: Player) -> Standing:
    """The standing of somebody or something, also before a first match."""
    known = await store.rating(*pool, player)
    if known is None:
        return Standing(start(pool, player))
    return msgspec.json.decode(known.body, type=Standing)


@endpoint("GET", "/games/{name}/leaderboard", errors=(404,))
async def get_leaderboard(
    call: Call, name: GameName, kind: KindOfMatch | None = None
) -> models.LeaderboardResponse:
    """The best players with a name who played in the last 30 days, and whose ratings are sure."""
    game, now, store = find(name), call.services.now(), call.services.store
    kind = kinds_of(name)[0] if kind is None else kind
    limit = round(100 * PROVISIONAL)
    rows = await store.leaders(name, kind, since=now - ACTIVE_MS, deviation=limit, limit=LISTED)
    leaders = []
    for row in rows:
        standing = msgspec.json.decode(row.body, type=Standing)
        value, deviation = round(standing.rating.value), round(standing.now(now).deviation)
        leaders.append(models.LeaderInfo(row.name, value, deviation, standing.count))
    bots, pool = [], Pool(name, kind)
    for level in playable_levels(game):
        player = Player("bot", level.name)
        rating = (await standing_of(store, pool, player)).rating
        bots.append(
            models.LevelRatingInfo(level.name, round(rating.value), round(rating.deviation))
        )
    return models.LeaderboardResponse(name, kind, kinds_of(name), leaders, bots)
