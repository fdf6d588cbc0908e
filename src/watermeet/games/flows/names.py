"""Names of seats, teams, sides and tiles.

Seats have colours, but colour alone never carries meaning: each colour has a letter, and in SVG its
own pattern (svg_style.py). The order keeps two or three seats easy to tell apart and gives partners
colours that go together: with four seats Red and Yellow against Blue and Green; with six Red and
Green, Blue and Purple, Yellow and Orange.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.hexgrid import cell_name, cells
from watermeet.games.flows import layout
from watermeet.games.flows.board import AXES, SIDES, cell_count
from watermeet.games.flows.tiles import ORIENTATION_ROTATIONS, ORIENTATION_TYPES, ORIENTATIONS

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


def describe_type(kind: int) -> str:
    """The name and the look of a type.

    >>> describe_type(1)
    'T1 (one sharp bend)'
    """
    return f"{type_name(kind)} ({_BENDS[kind]})"


def orientation_name(orientation: int) -> str:
    """The name of an orientation: type and rotation.

    >>> orientation_name(0), orientation_name(5)
    ('T0.0', 'T1.2')
    """
    return f"{type_name(ORIENTATION_TYPES[orientation])}.{ORIENTATION_ROTATIONS[orientation]}"


def tile_name(tile: int) -> str | None:
    """The name of a tile, encoded as in the array: None for no tile, ``??`` for an unknown one.

    >>> tile_name(layout.NO_TILE), tile_name(2), tile_name(layout.UNKNOWN)
    (None, 'T1', '??')
    """
    if tile == layout.NO_TILE:
        return None
    return HIDDEN_TILE if tile == layout.UNKNOWN else type_name(tile - 1)


def tile_of(array: StateArray, seat: int) -> int:
    """A seat's tile, encoded as in the array: the one to place, or the one held."""
    if seat == array[layout.MOVER] and array[layout.TILE] != layout.NO_TILE:
        return int(array[layout.TILE])
    return int(array[layout.HELD + seat])


def tile_shown(array: StateArray, seat: int) -> tuple[int, int] | None:
    """The tile shown beside the board, and whose it is: the mover's, or else the seat's own.

    It is encoded as in the array, UNKNOWN if it is face down; None if there is none.
    """
    tile, mover = int(array[layout.TILE]), int(array[layout.MOVER])
    if array[layout.BY_ROUTE]:
        return None
    if (
        seat >= 0
        and tile in (layout.NO_TILE, layout.UNKNOWN)
        and array[layout.HELD + seat] not in (layout.NO_TILE, layout.UNKNOWN)
    ):
        return seat, int(array[layout.HELD + seat])
    return None if tile == layout.NO_TILE else (mover, tile)


def last_cells(array: StateArray, last: tuple[int, ...]) -> set[int]:
    """The cells where these actions placed or exchanged a tile."""
    placements = ORIENTATIONS * cell_count(int(array[layout.RADIUS]))
    actions = placements * (1 if array[layout.SUPERMOVE] == layout.OFF else 2)
    placed = {action % placements // ORIENTATIONS for action in last if 0 <= action < actions}
    return {cell for cell in placed if array[layout.CELLS + cell]}


# ---- cells -----------------------------------------------------------------------------------


def name_of(array: StateArray, cell: int) -> str:
    """The name of a cell, by its number."""
    return _names(int(array[layout.RADIUS]) + 1)[cell]


@cache
def _names(side: int) -> tuple[str, ...]:
    return tuple(cell_name(cell, side) for cell in cells(side))


# ---- seats and teams --------------------------------------------------------------------------


def seat_name(seat: int) -> str:
    """The name of a seat.

    >>> seat_name(0)
    'Red'
    """
    return SEAT_NAMES[seat]


def team_name(seats: Iterable[int]) -> str:
    """The name of a team.

    >>> team_name([0, 3]), team_name([2])
    ('Red and Green', 'Yellow')
    """
    return " and ".join(seat_name(seat) for seat in seats)


def teams_name(teams: Iterable[Iterable[int]]) -> str:
    """The names of several teams.

    >>> teams_name([[0], [1], [2]]), teams_name([[0, 3], [1, 4]])
    ('Red, Blue and Yellow', 'Red and Green, and Blue and Purple')
    """
    names = [team_name(team) for team in teams]
    if any(" " in name for name in names):
        return ", and ".join(names)
    return " and ".join([", ".join(names[:-1])] * (len(names) > 1) + names[-1:])


def side_of(array: StateArray, seat: int) -> int | None:
    """The side of a seat, or None if it has none yet."""
    return int(array[layout.SIDE_OF + seat]) - 1 if array[layout.SIDE_OF + seat] else None


def seats_by_side(array: StateArray) -> dict[int, int]:
    """Seats by side; missing sides are black, or still free."""
    sides = ((side_of(array, seat), seat) for seat in range(int(array[layout.SEATS])))
    return {side: seat for side, seat in sides if side is not None}


def free_sides(array: StateArray) -> list[int]:
    """The sides that can still be taken (R7.1); none once everyone has a side."""
    if all(side_of(array, seat) is not None for seat in range(int(array[layout.SEATS]))):
        return []
    taken = {side % AXES for side in seats_by_side(array)}
    return [side for side in range(SIDES) if side % AXES not in taken]


def axis_of(array: StateArray, seat: int) -> int | None:
    """The axis that a seat has to connect, or None if it has no side yet."""
    side = side_of(array, seat)
    return None if side is None else side % AXES


def partner(game: Game, seat: int) -> int | None:
    """A seat's partner, or None if it plays alone."""
    team = next(team for team in game.teams if seat in team)
    return next((other for other in team if other != seat), None)


def winning_teams(game: Game, array: StateArray) -> list[tuple[int, ...]]:
    """The teams that won; none before the match is over."""
    return [team for team in game.teams if _has_won(array, team[0])]


def _has_won(array: StateArray, seat: int) -> bool:
    axis = axis_of(array, seat)
    return axis is not None and bool((int(array[layout.WINNERS]) >> axis) & 1)


def outcome_sentence(game: Game, array: StateArray) -> str:
    """A sentence that says who won and how."""
    teams = winning_teams(game, array)
    wins = "wins" if sum(map(len, teams)) == 1 else "win"
    names = teams_name(teams)
    mover = seat_name(int(array[layout.MOVER]))
    if len(teams) > 1:
        return f"{names} share the win: each has a strand across the board."
    if array[layout.BY_ROUTE]:
        side = side_of(array, teams[0][0])
        assert side is not None, "a connected team has a side"
        first, second = sorted((side, (side + AXES) % SIDES))
        ends = f"the {SIDE_NAMES[first]} to the {SIDE_NAMES[second]}"
        return f"{names} {wins}: a strand connects {ends}."
    if array[layout.TILE] == layout.NO_TILE:
        return f"{names} {wins}: the board is full, nobody is connected, and it's {mover}'s turn."
    tile = describe_type(int(array[layout.TILE]) - 1)
    return f"{names} {wins}: {mover}'s tile, {tile}, can't be placed anywhere."
