"""Endpoints for profiles: who somebody is, what they have played, and how their ratings moved."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from watermeet.server.api.models import MatchId
from watermeet.server.api.models_accounts import DoneResponse
from watermeet.server.api.models_profiles import (
    FavouritesResponse,
    GameStatistics,
    MatchRatingsResponse,
    PastMatchesResponse,
    PastMatchInfo,
    ProfileResponse,
    RatingChangeInfo,
    RatingHistoryResponse,
    RatingPointInfo,
    Result,
    SeatRatingInfo,
)
from watermeet.server.api.routes_games import find
from watermeet.server.api.routes_matches import LISTED
from watermeet.server.api.routes_people import Cursor, parsed
from watermeet.server.api.routes_ratings import KindOfMatch, UserName, ratings_of, standing_of
from watermeet.server.api.routes_social import find_user
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.api.summaries import summaries
from watermeet.server.audience import seat_in
from watermeet.server.errors import TooMany
from watermeet.server.matches.setup import GameName
from watermeet.server.people.ratings.anchors import kind_of
from watermeet.server.people.ratings.counting import player_of
from watermeet.server.people.ratings.fold import PROVISIONAL, Pool
from watermeet.server.people.ratings.glicko import START
from watermeet.server.store.history import Past, PastMatch
from watermeet.server.store.rows import MatchRow

POINTS = 500
"""The most points of a rating's history."""
FAVOURITES = 200
"""How many favourites a user may have."""
Time = Annotated[int, Meta(ge=0, le=10**15, description="In milliseconds since 1970.")]
LevelName = Annotated[str, Meta(min_length=1, max_length=40, description="A level of bots.")]


async def _caller(call: Call) -> str:
    """Who asks; empty for strangers."""
    return (await call.user()).id if call.token else ""


@endpoint("GET", "/users/{user}", auth="optional", scope="read", errors=(404,))
async def get_profile(call: Call, user: UserName) -> ProfileResponse:
    """Who somebody is, with ratings and results."""
    found = await find_user(call, user)
    is_self = await _caller(call) == found.id
    tallies = await call.services.store.tally(found.id, also_private=is_self)
    counts = {(game, result): count for game, result, count in tallies}
    statistics = [
        GameStatistics(game, *(counts.get((game, each), 0) for each in ("won", "drawn", "lost")))
        for game in sorted({game for game, _ in counts})
    ]
    return ProfileResponse(
        found.name or "",
        found.kind,
        found.is_registered,
        found.created_at,
        await call.services.presence.is_online(found.id),
        await ratings_of(call, found),
        statistics,
    )


@endpoint("GET", "/users/{user}/matches", auth="optional", scope="read", errors=(404,))
async def list_past_matches(
    call: Call,
    user: UserName,
    game: GameName | None = None,
    result: Result | None = None,
    opponent: UserName | None = None,
    level: LevelName | None = None,
    since: Time | None = None,
    until: Time | None = None,
    before: Cursor | None = None,
) -> PastMatchesResponse:
    """Finished matches of somebody, the last one first; the private ones only for themselves.

    With a game, a result, an opponent's name or level, from a time on and before another.
    """
    found, caller = await find_user(call, user), await _caller(call)
    rival = ("", "")
    if opponent is not None:
        rival = "user", (await find_user(call, opponent)).id
    elif level is not None:
        rival = "bot", level
    past = Past(
        found.id,
        only_public=caller != found.id,
        game=game or "",
        result=result or "",
        opponent=rival,
        since=since,
        until=until,
        before=parsed(before),
    )
    matches = await call.services.store.past(past, LISTED + 1)
    page = matches[:LISTED]
    has_more = len(matches) > LISTED
    last = f"{page[-1].ended_at}:{page[-1].row.id}" if has_more else None
    listed = await call.services.audience.listed([each.row for each in page], caller)
    shown = {row.id: (row, seat_in(row, found.id)) for row, _ in listed}
    entries = [_info(each, shown[each.row.id]) for each in page if each.row.id in shown]
    return PastMatchesResponse(entries, last)


def _info(past: PastMatch, listed: tuple[MatchRow, int | None]) -> PastMatchInfo:
    result = msgspec.convert(past.result, Literal["won", "drawn", "lost", ""])
    return PastMatchInfo(summaries([listed])[0], past.ended_at, result, past.is_rated)


@endpoint("GET", "/users/{user}/ratings/{game}", auth="optional", scope="read", errors=(404,))
async def get_rating_history(
    call: Call, user: UserName, game: GameName, kind: KindOfMatch = "two"
) -> RatingHistoryResponse:
    """The ratings of somebody in a game, after each of the last 500 rated matches.

    Which matches that were is for the user alone: some may be private.
    """
    find(game)
    found = await find_user(call, user)
    is_self = await _caller(call) == found.id
    return await rating_history(call, found.id, game, kind, is_self=is_self)


async def rating_history(
    call: Call, user: str, game: str, kind: str, *, is_self: bool, limit: int = POINTS
) -> RatingHistoryResponse:
    """A rating of a user over time; which matches that were is for the user alone."""
    points = await call.services.store.rating_points(user, game, kind, limit)
    return RatingHistoryResponse(
        game,
        kind,
        [
            RatingPointInfo(
                each.match if is_self else None,
                each.ended_at,
                round(each.value / 100),
                round(each.deviation / 100),
            )
            for each in points
        ],
    )


@endpoint("GET", "/matches/{match}/ratings", auth="optional", scope="read", errors=(403, 404))
async def get_match_ratings(call: Call, match: MatchId) -> MatchRatingsResponse:
    """The ratings of those who play a rated match, and what it meant for them, by seat."""
    found = (await call.services.matches.current(match)).match
    await call.seat_in(found)  # Raises PlayersOnly.
    if not found.setup.is_rated:
        return MatchRatingsResponse([], [])
    now, pool = call.services.now(), Pool(found.game.name, kind_of(found.game))
    ratings = []
    for number, seat in enumerate(found.seats):
        if seat.is_taken:
            standing = await standing_of(call.services.store, pool, player_of(seat))
            value = round(standing.now(now).value)
            ratings.append(SeatRatingInfo(number, value, standing.is_provisional(now)))
    seats = {seat.user: number for number, seat in enumerate(found.seats) if seat.user}
    changes = []
    for each in await call.services.store.rating_changes(match):
        if each.user in seats:
            before = round(START if each.before is None else each.before / 100)
            rating, deviation = round(each.value / 100), each.deviation / 100
            changes.append(
                RatingChangeInfo(
                    seats[each.user],
                    rating,
                    round(deviation),
                    rating - before,
                    deviation > PROVISIONAL,
                )
            )
    return MatchRatingsResponse(ratings, sorted(changes, key=lambda change: change.seat))


# ---- favourites ---------------------------------------------------------------------------------


@endpoint("GET", "/me/favourites", auth="required", scope="read")
async def list_favourites(call: Call, before: Cursor | None = None) -> FavouritesResponse:
    """The user's favourite matches, the last one first; ``before`` asks for the next page."""
    user, store = await call.user(), call.services.store
    found = await store.favourites(user.id, LISTED + 1, parsed(before))
    page = found[:LISTED]
    rows = await store.match_rows([match for match, _ in page])
    for match in {match for match, _ in page}.difference(row.id for row in rows):
        await store.remove_favourite(user.id, match)  # An import that was deleted.
    last = f"{page[-1][1]}:{page[-1][0]}" if len(found) > LISTED else None
    return FavouritesResponse(summaries(await call.services.audience.listed(rows, user.id)), last)


@endpoint("PUT", "/me/favourites/{match}", auth="required", scope="play", errors=(403, 404))
async def add_favourite(call: Call, match: MatchId) -> DoneResponse:
    """Keep a match as a favourite."""
    user, store = await call.user(), call.services.store
    await call.seat_in((await call.services.matches.current(match)).match)  # Raises PlayersOnly.
    if not await store.add_favourite(user.id, match, call.services.now(), FAVOURITES):
        raise TooMany("you have too many favourites", "remove some")
    return DoneResponse()


@endpoint("DELETE", "/me/favourites/{match}", auth="required", scope="play")
async def remove_favourite(call: Call, match: MatchId) -> DoneResponse:
    """Keep it no longer."""
    user = await call.user()
    await call.services.store.remove_favourite(user.id, match)
    return DoneResponse()
