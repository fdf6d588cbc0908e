"""The view of a Flows match: what a seat knows, as plain data, from the concealed array alone."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict, cast

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.hexgrid import cells
from watermeet.core.view import SeatView
from watermeet.games.flows import layout, rules
from watermeet.games.flows.board import SIDES, cell_count
from watermeet.games.flows.distances import BLOCKED, shortest_route, tiles_to_go
from watermeet.games.flows.exchanges import axes_to_free, blocked_axes
from watermeet.games.flows.names import (
    SEAT_LETTERS,
    axis_of,
    describe_type,
    name_of,
    outcome_sentence,
    partner,
    seat_name,
    seats_by_side,
    side_of,
    team_name,
    tile_name,
    tile_of,
    type_name,
    winning_teams,
)
from watermeet.games.flows.strand_paths import (
    End,
    RimEnd,
    Step,
    Strand,
    is_winning,
    orientation_at,
    trace_strands,
    witness_routes,
)
from watermeet.games.flows.tiles import ORIENTATION_ROTATIONS, ORIENTATION_TYPES, TYPES

Due = Literal["lot", "side", "draw", "place", "nothing"]
_DUE: dict[int, Due] = {
    layout.LOT: "lot",
    layout.CHOOSE: "side",
    layout.DEAL: "draw",
    layout.DRAW: "draw",
    layout.PLACE: "place",
    layout.FOLLOW: "place",
    layout.FINISHED: "nothing",
}


class Cell(TypedDict):
    """A cell; ``tile``, ``rotation`` and ``orientation`` are None if it is empty."""

    name: str
    q: int
    r: int
    tile: str | None
    rotation: int | None
    orientation: int | None


class Side(TypedDict):
    """A side; ``seat`` is None if it is black or free."""

    side: int
    seat: int | None


class _Distance(TypedDict):
    """How far a team is from a connection.

    ``tiles_to_go``: the fewest tiles that would connect it, None if it can't be connected or has no
    side yet. ``shortest_route``: the empty cells of one route of that length, in order.
    """

    tiles_to_go: int | None
    shortest_route: list[str]


class Team(_Distance):
    """A team; ``is_blocked``: None unless tiles may block."""

    seats: list[int]
    label: str
    axis: int | None
    is_blocked: bool | None
    has_won: bool


StepView = tuple[str, int, int]
"""The name of a cell, the edge in and the edge out."""


class EndView(TypedDict):
    """The end of a strand: a place on a side of the rim, or the edge of an empty cell."""

    kind: Literal["rim", "open"]
    side: NotRequired[int]
    place: NotRequired[int]
    cell: NotRequired[str]
    edge: NotRequired[int]


class StrandView(TypedDict):
    """A strand; a loop has no ends. ``owners`` are seats; ``wins``: whether it connects a team."""

    steps: list[StepView]
    ends: list[EndView]
    owners: list[int]
    wins: bool


class Board(TypedDict):
    """The board with all its strands, the teams, and the state of play.

    ``mover``: the seat that does what is due, or that chance does it for. ``turn_side``: the side
    whose turn it is. ``is_follow_up``: whether the tile to place came from the board.
    ``cells``: by number. ``witness``: by axis, as text, the steps of a route; the routes of all
    teams can be completed at the same time (with ``legality=reach``, each alone), None if none are
    known. ``bag``: by type, how many tiles are unseen. ``exchanges``: how many were made.
    ``winners``: seats.
    """

    radius: int
    due: Due
    mover: int | None
    turn_side: int | None
    is_follow_up: bool
    cells: list[Cell]
    sides: list[Side]
    teams: list[Team]
    strands: list[StrandView]
    witness: dict[str, list[StepView]] | None
    bag: dict[str, int]
    exchanges: int
    winners: list[int]
    won_by: Literal["route", "tile"] | None


class Seat(SeatView):
    """A player.

    ``side``: None before it is taken. ``team`` is an index into the board's. ``tile``: the one to
    place or held, ``T0`` to ``T3``, ``??`` if it is hidden.
    """

    letter: str
    side: int | None
    partner: int | None
    tile: str | None


class View(TypedDict):
    """What the page gets."""

    sentence: str
    seats: list[Seat]
    board: Board


def view(game: Game, array: StateArray, seat: int) -> View:
    """The board, the seats and teams, and the state of play."""
    return {
        "sentence": sentence(game, array),
        "seats": [_seat(game, array, index) for index in range(game.seats)],
        "board": {
            "radius": int(array[layout.RADIUS]),
            "due": _DUE[int(array[layout.STAGE])],
            "mover": None
            if array[layout.STAGE] in (layout.LOT, layout.FINISHED)
            else int(array[layout.MOVER]),
            "turn_side": int(array[layout.TURN_SIDE])
            if array[layout.STAGE] in (layout.DRAW, layout.PLACE, layout.FOLLOW)
            else None,
            "is_follow_up": bool(array[layout.STAGE] == layout.FOLLOW),
            "cells": _cells(array),
            "sides": _sides(array),
            "teams": _teams(game, array),
            "strands": [_strand(array, strand) for strand in trace_strands(array)],
            "witness": _witness(array),
            "bag": {type_name(kind): int(array[layout.BAG + kind]) for kind in range(TYPES)},
            "exchanges": int(array[layout.EXCHANGES]),
            "winners": sorted(seat for team in winning_teams(game, array) for seat in team),
            "won_by": _won_by(array),
        },
    }


# ---- seats and teams --------------------------------------------------------------------------


def _seat(game: Game, array: StateArray, seat: int) -> Seat:
    return {
        "label": seat_name(seat),
        "letter": SEAT_LETTERS[seat],
        "score": None,
        "side": side_of(array, seat),
        "team": next(number for number, team in enumerate(game.teams) if seat in team),
        "partner": partner(game, seat),
        "tile": tile_name(tile_of(array, seat)),
    }


def _teams(game: Game, array: StateArray) -> list[Team]:
    """What the view says about each team."""
    blocked = blocked_teams(game, array)
    winners = winning_teams(game, array)
    return [
        {
            "seats": list(team),
            "label": team_name(team),
            "axis": axis_of(array, team[0]),
            "is_blocked": None if blocked is None else team in blocked,
            "has_won": team in winners,
            **_tiles_to_go(array, axis_of(array, team[0])),
        }
        for team in game.teams
    ]


def _tiles_to_go(array: StateArray, axis: int | None) -> _Distance:
    """The fewest tiles that would connect an axis, and the cells of one route that needs them."""
    marks = np.zeros(cell_count(int(array[layout.RADIUS])), dtype=np.int32)
    tiles = BLOCKED if axis is None else int(tiles_to_go(array, axis, marks))
    route = [] if axis is None or tiles <= 0 else shortest_route(array, axis, marks)
    return {
        "tiles_to_go": None if tiles == BLOCKED else tiles,
        "shortest_route": [name_of(array, cell) for cell in route],
    }


def blocked_teams(game: Game, array: StateArray) -> list[tuple[int, ...]] | None:
    """The teams that no completion of the board connects (R7.5); None if that is impossible."""
    if array[layout.SUPERMOVE] == layout.OFF:
        return None
    if array[layout.STAGE] == layout.FINISHED and array[layout.BY_ROUTE]:
        return []  # Nobody needs a route anymore.
    axes = int(blocked_axes(array))
    axis_by_team = {team: axis_of(array, team[0]) for team in game.teams}
    return [team for team, axis in axis_by_team.items() if axis is not None and (axes >> axis) & 1]


def _won_by(array: StateArray) -> Literal["route", "tile"] | None:
    if array[layout.STAGE] != layout.FINISHED:
        return None
    return "route" if array[layout.BY_ROUTE] else "tile"


# ---- the board --------------------------------------------------------------------------------


def _cells(array: StateArray) -> list[Cell]:
    shown: list[Cell] = []
    for number, (q, r) in enumerate(cells(int(array[layout.RADIUS]) + 1)):
        orientation = orientation_at(array, number)
        shown.append(
            {
                "name": name_of(array, number),
                "q": q,
                "r": r,
                "tile": None if orientation is None else type_name(ORIENTATION_TYPES[orientation]),
                "rotation": None if orientation is None else ORIENTATION_ROTATIONS[orientation],
                "orientation": orientation,
            }
        )
    return shown


def _sides(array: StateArray) -> list[Side]:
    seats = seats_by_side(array)
    return [{"side": side, "seat": seats.get(side)} for side in range(SIDES)]


def _strand(array: StateArray, strand: Strand) -> StrandView:
    return {
        "steps": _steps(array, strand.steps),
        "ends": [_end(array, end) for end in strand.ends],
        "owners": list(strand.owners),
        "wins": is_winning(array, strand),
    }


def _steps(array: StateArray, steps: tuple[Step, ...]) -> list[StepView]:
    shown = [[name_of(array, step.cell), step.enter, step.leave] for step in steps]
    return cast(list[StepView], shown)  # JSON has no tuples.


def _end(array: StateArray, end: End) -> EndView:
    if isinstance(end, RimEnd):
        return {"kind": "rim", "side": end.side, "place": end.place}
    return {"kind": "open", "cell": name_of(array, end.cell), "edge": end.edge}


def _witness(array: StateArray) -> dict[str, list[StepView]] | None:
    """A witness that depends on the position alone; the cached one also depends on the past."""
    if array[layout.SUPERMOVE] != layout.OFF or (
        array[layout.STAGE] == layout.FINISHED and array[layout.BY_ROUTE]
    ):
        return None
    fresh = array.copy()
    rules.rebuild_cache(fresh)
    routes = {str(axis): _steps(array, steps) for axis, steps in witness_routes(fresh).items()}
    return routes or None


# ---- the sentence -----------------------------------------------------------------------------


def sentence(game: Game, array: StateArray) -> str:
    """A sentence that says what happens now."""
    stage, mover = int(array[layout.STAGE]), int(array[layout.MOVER])
    name = seat_name(mover)
    if stage == layout.FINISHED:
        return outcome_sentence(game, array)
    if stage == layout.LOT:
        return "Drawing who goes first."
    if stage == layout.CHOOSE:
        other = partner(game, mover)
        gets = "" if other is None else f"; {seat_name(other)} gets the opposite one"
        return f"{name} chooses a side{gets}."
    if stage in (layout.DEAL, layout.DRAW):
        which = "the next tile" if stage == layout.DRAW and array[layout.HOLD_TILE] else "a tile"
        return f"{name} draws {which}{_for_black_side(array)}."
    return _placing(array, name)


def _placing(array: StateArray, name: str) -> str:
    tile = int(array[layout.TILE])
    what = "a tile" if tile == layout.UNKNOWN else f"tile {describe_type(tile - 1)}"
    if array[layout.STAGE] == layout.FOLLOW:
        what = f"the tile taken off the board, {describe_type(tile - 1)},"
        return f"{name} places {what} on any empty cell."
    if array[layout.SUPERMOVE] == layout.OFF:
        black = _for_black_side(array)
        rule = "" if tile == layout.UNKNOWN else " It must leave everyone a route."
        return f"{name} places {what}{black}.{rule}"
    freed = ""
    if axes_to_free(array):
        whom = "a team" if array[layout.SUPERMOVE_ANY] else f"{name}'s team"
        freed = f", or exchanges a tile on the board for it if that frees {whom}"
    return f"{name} places {what} on any empty cell{freed}."


def _for_black_side(array: StateArray) -> str:
    """Says that the player alone among five moves for the black side (R3.2)."""
    if array[layout.STAGE] == layout.DEAL or (
        array[layout.STAGE] == layout.DRAW and array[layout.HOLD_TILE]
    ):
        return ""
    is_other = array[layout.TURN_SIDE] != side_of(array, int(array[layout.MOVER]))
    return " for the black side opposite" if is_other else ""
