"""The endpoint of the opening explorer."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from msgspec import Meta

from watermeet.core.game import Game
from watermeet.core.state import State
from watermeet.learn.explorer import (
    OpeningMove,
    Tally,
    engine_tallies,
    explore,
    has_engine_matches,
    has_openings,
    position_of,
)
from watermeet.server.api import models_learn
from watermeet.server.api.routes_games import find
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.errors import BadRequest, NotFound
from watermeet.server.matches.projection import view_of
from watermeet.server.matches.setup import GameName

Moves = Annotated[
    str, Meta(max_length=1000, description="Moves from the start, separated by spaces.")
]
Assignments = Annotated[
    str,
    Meta(
        max_length=200,
        description="The options that differ from the defaults: ``name=value``, with spaces.",
    ),
]
Source = Annotated[
    Literal["server", "engine"],
    Meta(description="Matches that were played on this server, or a set of engine matches."),
]
MAX_MOVES = 100


@endpoint("GET", "/games/{name}/openings", errors=(404, 409))
async def get_openings(
    call: Call,
    name: GameName,
    moves: Moves = "",
    options: Assignments = "",
    source: Source = "server",
) -> models_learn.OpeningResponse:
    """What was played in a position, up to symmetry, and how those matches ended.

    Only for games that neither chance nor hidden information opens.
    """
    call.check_position_rate()
    found = _with_options(find(name), options)
    if not has_openings(found):
        raise NotFound(f"{found.name} has no openings to explore", "chance decides its first moves")
    state, played = await call.work(_play, found, moves.split())
    tallies: dict[int, Tally] = {}
    if state.to_move >= 0 and source == "server":
        tallies = await call.services.openings.find(state)
    elif state.to_move >= 0:
        tallies = await asyncio.to_thread(_by_engines, state)
    listed = await asyncio.to_thread(explore, state, tallies)
    return models_learn.OpeningResponse(
        source,
        has_engine_matches(found),
        played,
        sum(each.matches for each in listed),
        [_info(each) for each in listed],
        view_of(state, state.to_move if state.to_move >= 0 else None),
    )


def _by_engines(state: State) -> dict[int, Tally]:
    return engine_tallies(state.game).get(position_of(state).key, {})


def _with_options(game: Game, options: str) -> Game:
    assignments: dict[str, str] = {}
    for word in options.split():
        name, equals, value = word.partition("=")
        if not equals:
            raise BadRequest(f"{word[:40]!r} doesn't set an option", "write name=value")
        assignments[name] = value
    return game.with_option_texts(assignments) if assignments else game


def _play(game: Game, words: list[str]) -> tuple[State, list[str]]:
    if len(words) > MAX_MOVES:
        raise BadRequest(f"{len(words)} moves are too many", f"send {MAX_MOVES} at most")
    state, played = game.start(), []
    for word in words:
        action = state.parse_move(word)
        played.append(state.format(action))
        state = state.play(action)
    return state, played


def _info(each: OpeningMove) -> models_learn.OpeningMoveInfo:
    return models_learn.OpeningMoveInfo(
        each.action, each.move, list(each.also), each.matches, each.wins, each.draws, each.losses,
        round(each.length, 1),
    )  # fmt: skip
