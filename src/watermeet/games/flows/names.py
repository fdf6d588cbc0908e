"""Names of seats, teams, sides and tiles, for people.

Seats have colours, but nothing is told by colour alone: each colour has a letter, and in pictures a
pattern of its own (paint.py). The order is such that two or three seats are easily told apart, and
that partners have colours that go together: Red and Yellow against Blue and Green of four; Red and
Green, Blue and Purple, Yellow and Orange of six.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.hexgrid import cell_name, cells
from watermeet.games.flows.board import AXES, SIDES, cell_count
from watermeet.games.flows.layout import (
    BY_ROUTE,
    CELLS,
    HELD,
    MOVER,
    NO_TILE,
    OFF,
    RADIUS,
    SEATS,
    SIDE_OF,
    SUPERMOVE,
    TILE,
    UNKNOWN,
    WINNERS,
)
from watermeet.games.flows.tiles import FILLING_TURNS, FILLING_TYPES, FILLINGS

SEAT_NAMES = ("Red", "Blue", "Yellow", "Green", "Purple", "Orange")
SEAT_LETTERS = "RBYGPO"
SIDE_NAMES = ("bottom", "lower left", "upper left", "top", "upper right", "lower right")
HIDDEN_TILE = "??"
_BENDS = ("no sharp bend", "one sharp bend", "two sharp bends", "three sharp bends")


# ---- tiles ------------------------------------------------------------------------------------


def type_name(kind: int) -> str:
    """The name of a type.

    >>> type_name(1)
    'T1'
    """
    return f"T{kind}"


def type_words(kind: int) -> str:
    """The name of a type, and what it looks like.

    >>> type_words(1)
    'T1 (one sharp bend)'
    """
    return f"{type_name(kind)} ({_BENDS[kind]})"


def filling_name(filling: int) -> str:
    """A type and how often it is turned.

    >>> filling_name(0), filling_name(5)
    ('T0.0', 'T1.2')
    """
    return f"{type_name(FILLING_TYPES[filling])}.{FILLING_TURNS[filling]}"


def tile_name(tile: int) -> str | None:
    """The name of a tile as the array has it: None for none, ``??`` for one that is not seen.

    >>> tile_name(NO_TILE), tile_name(2), tile_name(UNKNOWN)
    (None, 'T1', '??')
    """
    if tile == NO_TILE:
        return None
    return HIDDEN_TILE if tile == UNKNOWN else type_name(tile - 1)


def tile_of(array: StateArray, seat: int) -> int:
    """The tile that a seat has, as the array has it: the one to lay, or the one held."""
    if seat == array[MOVER] and array[TILE] != NO_TILE:
        return int(array[TILE])
    return int(array[HELD + seat])


def tile_shown(array: StateArray, seat: int) -> tuple[int, int] | None:
    """Whose tile a picture for a seat shows apart, and which: the mover's, or else the own one.

    The tile is as the array has it, UNKNOWN for one that lies face down; None if there is none.
    """
    tile, mover = int(array[TILE]), int(array[MOVER])
    if array[BY_ROUTE]:
        return None
    if seat >= 0 and tile in (NO_TILE, UNKNOWN) and array[HELD + seat] not in (NO_TILE, UNKNOWN):
        return seat, int(array[HELD + seat])
    return None if tile == NO_TILE else (mover, tile)


def last_cells(array: StateArray, last: tuple[int, ...]) -> set[int]:
    """The cells with tiles that these actions have laid there or exchanged."""
    placements = FILLINGS * cell_count(int(array[RADIUS]))
    actions = placements * (1 if array[SUPERMOVE] == OFF else 2)
    laid = {action % placements // FILLINGS for action in last if 0 <= action < actions}
    return {cell for cell in laid if array[CELLS + cell]}


# ---- cells -----------------------------------------------------------------------------------


def name_of(array: StateArray, cell: int) -> str:
    """The name of a cell, by its number."""
    return _names(int(array[RADIUS]) + 1)[cell]


@cache
def _names(side: int) -> tuple[str, ...]:
    return tuple(cell_name(cell, side) for cell in cells(side))


# ---- seats and teams --------------------------------------------------------------------------


def seat_name(seat: int) -> str:
    """What a seat is called.

    >>> seat_name(0)
    'Red'
    """
    return SEAT_NAMES[seat]


def team_name(seats: Iterable[int]) -> str:
    """What those who play together are called.

    >>> team_name([0, 3]), team_name([2])
    ('Red and Green', 'Yellow')
    """
    return " and ".join(seat_name(seat) for seat in seats)


def teams_name(teams: Iterable[Iterable[int]]) -> str:
    """What several teams are called.

    >>> teams_name([[0], [1], [2]]), teams_name([[0, 3], [1, 4]])
    ('Red, Blue and Yellow', 'Red and Green, and Blue and Purple')
    """
    names = [team_name(team) for team in teams]
    if any(" " in name for name in names):
        return ", and ".join(names)
    return " and ".join([", ".join(names[:-1])] * (len(names) > 1) + names[-1:])


def side_of(array: StateArray, seat: int) -> int | None:
    """The side of a seat; None if it has none yet."""
    return int(array[SIDE_OF + seat]) - 1 if array[SIDE_OF + seat] else None


def seats_by_side(array: StateArray) -> dict[int, int]:
    """The seats by their sides; sides that are missing are black, or free."""
    sides = ((side_of(array, seat), seat) for seat in range(int(array[SEATS])))
    return {side: seat for side, seat in sides if side is not None}


def free_sides(array: StateArray) -> list[int]:
    """The sides that can still be taken (R7.1); none once everybody has one."""
    if all(side_of(array, seat) is not None for seat in range(int(array[SEATS]))):
        return []
    taken = {side % AXES for side in seats_by_side(array)}
    return [side for side in range(SIDES) if side % AXES not in taken]


def axis_of(array: StateArray, seat: int) -> int | None:
    """The axis that a seat has to connect; None if it has no side yet."""
    side = side_of(array, seat)
    return None if side is None else side % AXES


def partner(game: Game, seat: int) -> int | None:
    """The seat that plays together with another; None if that one plays alone."""
    team = next(team for team in game.teams if seat in team)
    return next((other for other in team if other != seat), None)


def winning_teams(game: Game, array: StateArray) -> list[tuple[int, ...]]:
    """The teams that have won; none before the match is over."""
    return [team for team in game.teams if _has_won(array, team[0])]


def _has_won(array: StateArray, seat: int) -> bool:
    axis = axis_of(array, seat)
    return axis is not None and bool((int(array[WINNERS]) >> axis) & 1)


def outcome_sentence(game: Game, array: StateArray) -> str:
    """Who won, and how."""
    teams = winning_teams(game, array)
    wins = "wins" if sum(map(len, teams)) == 1 else "win"
    names = teams_name(teams)
    mover = seat_name(int(array[MOVER]))
    if len(teams) > 1:
        return f"{names} share the win: a strand joins the two sides of each."
    if array[BY_ROUTE]:
        side = side_of(array, teams[0][0])
        assert side is not None, "who is connected has a side"
        ends = sorted((side, (side + AXES) % SIDES))
        sides = " with the ".join(SIDE_NAMES[end] for end in ends)
        return f"{names} {wins}: a strand joins the {sides}."
    if array[TILE] == NO_TILE:
        return f"{names} {wins}: the board is full, nobody is connected, and it is {mover}'s turn."
    tile = type_words(int(array[TILE]) - 1)
    return f"{names} {wins}: {mover}'s tile, {tile}, can be laid nowhere."
