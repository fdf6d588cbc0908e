"""What a seat knows of a Flows match, as plain data, from the concealed array alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.hexgrid import cells
from watermeet.games.flows import rules
from watermeet.games.flows.board import SIDES, cell_count
from watermeet.games.flows.distances import BLOCKED, tiles_lacking
from watermeet.games.flows.exchanges import axes_to_free, blocked_axes
from watermeet.games.flows.layout import (
    BAG,
    BY_ROUTE,
    CHOOSE,
    DEAL,
    DRAW,
    EXCHANGES,
    FINISHED,
    FOLLOW,
    HOLD_TILE,
    LOT,
    MOVER,
    OFF,
    PLACE,
    RADIUS,
    STAGE,
    SUPERMOVE,
    SUPERMOVE_ANY,
    TILE,
    TURN_SIDE,
    UNKNOWN,
)
from watermeet.games.flows.names import (
    SEAT_LETTERS,
    axis_of,
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
    type_words,
    winning_teams,
)
from watermeet.games.flows.tiles import FILLING_TURNS, FILLING_TYPES, TYPES
from watermeet.games.flows.traces import (
    End,
    RimEnd,
    Step,
    Strand,
    filling_at,
    strands,
    wins,
    witness,
)

_DUE = {
    LOT: "lot",
    CHOOSE: "side",
    DEAL: "draw",
    DRAW: "draw",
    PLACE: "lay",
    FOLLOW: "lay",
    FINISHED: "nothing",
}


def view(game: Game, array: StateArray, seat: int) -> dict[str, Any]:
    """The board with all its strands, who sits where, and how the match stands.

    ``seats``, by seat:
      ``label, letter``; ``score``, always None; ``side``, None before it is taken; ``team``, the
      place in ``board.teams``; ``partner``, a seat or None; ``tile``, the one that the seat is to
      lay or holds: ``T0`` to ``T3``, ``??`` if it is not to be seen, or None.

    ``board``:
      ``radius``; ``due``: ``lot, side, draw, lay`` or ``nothing``; ``mover``, the seat that does
      it, or for which chance does; ``turn_side``, the side whose turn it is; ``is_follow_up``,
      whether the tile to lay came from the board.
      ``cells``, by number: ``name, q, r``, and ``tile, turns, filling``, all None if it is empty.
      ``sides``, six: ``side, seat``; the seat is None if the side is black or free.
      ``teams``: ``seats, label, axis``; ``is_blocked``, None unless tiles may block; ``has_won``;
      ``lacking``, how many tiles it still lacks at least, None if it cannot be connected or has no
      side yet; ``lacking_cells``, the cells of all routes that lack no more.
      ``strands``: ``steps``, each ``[cell's name, edge in, edge out]``; ``ends``, none for a ring,
      else two, ``{kind: "rim", side, place}`` or ``{kind: "open", cell, edge}``, the edge being
      that of the empty cell; ``owners``, seats; ``wins``, whether it connects somebody.
      ``witness``: by axis, as text, the steps of a route; routes of all teams that can still be
      made at the same time (with ``legality=reach``, each alone). None if none are known.
      ``bag``: by type how many tiles are unseen. ``exchanges``: how many were made.
      ``winners``: the seats that have won; ``won_by``: ``route, tile``, or None.
    """
    return {
        "sentence": sentence(game, array),
        "seats": [_seat(game, array, index) for index in range(game.seats)],
        "board": {
            "radius": int(array[RADIUS]),
            "due": _DUE[int(array[STAGE])],
            "mover": None if array[STAGE] in (LOT, FINISHED) else int(array[MOVER]),
            "turn_side": int(array[TURN_SIDE]) if array[STAGE] in (DRAW, PLACE, FOLLOW) else None,
            "is_follow_up": bool(array[STAGE] == FOLLOW),
            "cells": _cells(array),
            "sides": _sides(array),
            "teams": _teams(game, array),
            "strands": [_strand(array, strand) for strand in strands(array)],
            "witness": _witness(array),
            "bag": {type_name(kind): int(array[BAG + kind]) for kind in range(TYPES)},
            "exchanges": int(array[EXCHANGES]),
            "winners": sorted(seat for team in winning_teams(game, array) for seat in team),
            "won_by": _won_by(array),
        },
    }


# ---- seats and teams --------------------------------------------------------------------------


def _seat(game: Game, array: StateArray, seat: int) -> dict[str, Any]:
    return {
        "label": seat_name(seat),
        "letter": SEAT_LETTERS[seat],
        "score": None,
        "side": side_of(array, seat),
        "team": next(number for number, team in enumerate(game.teams) if seat in team),
        "partner": partner(game, seat),
        "tile": tile_name(tile_of(array, seat)),
    }


def _teams(game: Game, array: StateArray) -> list[dict[str, Any]]:
    """What is to be told of each team."""
    blocked = blocked_teams(game, array)
    winners = winning_teams(game, array)
    return [
        {
            "seats": list(team),
            "label": team_name(team),
            "axis": axis_of(array, team[0]),
            "is_blocked": None if blocked is None else team in blocked,
            "has_won": team in winners,
            **_lacking(array, axis_of(array, team[0])),
        }
        for team in game.teams
    ]


def _lacking(array: StateArray, axis: int | None) -> dict[str, Any]:
    """How many tiles an axis lacks at least, and on which cells."""
    marks = np.zeros(cell_count(int(array[RADIUS])), dtype=np.int32)
    tiles = BLOCKED if axis is None else int(tiles_lacking(array, axis, marks))
    return {
        "lacking": None if tiles == BLOCKED else tiles,
        "lacking_cells": [name_of(array, int(cell)) for cell in np.flatnonzero(marks)],
    }


def blocked_teams(game: Game, array: StateArray) -> list[tuple[int, ...]] | None:
    """The teams that no filling connects (R7.5); None if the rules let nobody be blocked."""
    if array[SUPERMOVE] == OFF:
        return None
    if array[STAGE] == FINISHED and array[BY_ROUTE]:
        return []  # Nobody needs a route any more.
    axes = int(blocked_axes(array))
    axis_by_team = {team: axis_of(array, team[0]) for team in game.teams}
    return [team for team, axis in axis_by_team.items() if axis is not None and (axes >> axis) & 1]


def _won_by(array: StateArray) -> str | None:
    if array[STAGE] != FINISHED:
        return None
    return "route" if array[BY_ROUTE] else "tile"


# ---- the board --------------------------------------------------------------------------------


def _cells(array: StateArray) -> list[dict[str, Any]]:
    shown = []
    for number, (q, r) in enumerate(cells(int(array[RADIUS]) + 1)):
        filling = filling_at(array, number)
        shown.append(
            {
                "name": name_of(array, number),
                "q": q,
                "r": r,
                "tile": None if filling is None else type_name(FILLING_TYPES[filling]),
                "turns": None if filling is None else FILLING_TURNS[filling],
                "filling": filling,
            }
        )
    return shown


def _sides(array: StateArray) -> list[dict[str, Any]]:
    seats = seats_by_side(array)
    return [{"side": side, "seat": seats.get(side)} for side in range(SIDES)]


def _strand(array: StateArray, strand: Strand) -> dict[str, Any]:
    return {
        "steps": _steps(array, strand.steps),
        "ends": [_end(array, end) for end in strand.ends],
        "owners": list(strand.owners),
        "wins": wins(array, strand),
    }


def _steps(array: StateArray, steps: tuple[Step, ...]) -> list[list[Any]]:
    return [[name_of(array, step.cell), step.enter, step.leave] for step in steps]


def _end(array: StateArray, end: End) -> dict[str, Any]:
    if isinstance(end, RimEnd):
        return {"kind": "rim", "side": end.side, "place": end.place}
    return {"kind": "open", "cell": name_of(array, end.cell), "edge": end.edge}


def _witness(array: StateArray) -> dict[str, Any] | None:
    """A witness that depends on the position alone; the one kept depends on what was before."""
    if array[SUPERMOVE] != OFF or (array[STAGE] == FINISHED and array[BY_ROUTE]):
        return None
    anew = array.copy()
    rules.rebuild_cache(anew)
    routes = {str(axis): _steps(array, steps) for axis, steps in witness(anew).items()}
    return routes or None


# ---- the sentence -----------------------------------------------------------------------------


def sentence(game: Game, array: StateArray) -> str:
    """What happens now, for people."""
    stage, mover = int(array[STAGE]), int(array[MOVER])
    name = seat_name(mover)
    if stage == FINISHED:
        return outcome_sentence(game, array)
    if stage == LOT:
        return "A lot says who begins."
    if stage == CHOOSE:
        other = partner(game, mover)
        gets = "" if other is None else f", and {seat_name(other)} gets the opposite one"
        return f"{name} takes a side{gets}."
    if stage in (DEAL, DRAW):
        which = "the next tile" if stage == DRAW and array[HOLD_TILE] else "a tile"
        return f"{name} draws {which}{_for_black_side(array)}."
    return _laying(array, name)


def _laying(array: StateArray, name: str) -> str:
    tile = int(array[TILE])
    what = "a tile" if tile == UNKNOWN else f"a tile of type {type_words(tile - 1)}"
    if array[STAGE] == FOLLOW:
        return f"{name} lays the tile taken off, {type_words(tile - 1)}, on any empty cell."
    if array[SUPERMOVE] == OFF:
        black = _for_black_side(array)
        rule = "" if tile == UNKNOWN else "; it must leave everybody a route"
        return f"{name} lays {what}{black}{rule}."
    freed = ""
    if axes_to_free(array):
        whom = "a team" if array[SUPERMOVE_ANY] else f"{name}'s team"
        freed = f", or in the place of one that lies, if that frees {whom}"
    return f"{name} lays {what} on any empty cell{freed}."


def _for_black_side(array: StateArray) -> str:
    """That a turn is the second one of who plays alone among five (R3.2)."""
    if array[STAGE] == DEAL or (array[STAGE] == DRAW and array[HOLD_TILE]):
        return ""
    is_other = array[TURN_SIDE] != side_of(array, int(array[MOVER]))
    return ", for the black side opposite" if is_other else ""
