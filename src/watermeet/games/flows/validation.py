"""Validation of states that are set up rather than played.

Kernels trust their array, so whatever they can't handle is refused here: sides must fit the seats,
every tile must exist and be where the stage allows it, and the match must be over if and only if
the board says so. Whether a match could have reached the state isn't checked: the numbers of turns
and of exchanges need not fit, and not everyone needs a route.
"""

from __future__ import annotations

from dataclasses import dataclass

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.kernel import scratch
from watermeet.core.notation import require
from watermeet.games.flows import layout, rules
from watermeet.games.flows.board import AXES, SIDES
from watermeet.games.flows.exchanges import mover_axis, rebuild_ends
from watermeet.games.flows.placements import mark_placements, orientations_in_hand
from watermeet.games.flows.route_buffer import SEARCH_SIZE
from watermeet.games.flows.sides import NOBODY, axes_taken, partner_of, seat_at
from watermeet.games.flows.tiles import TYPE_OF_ORIENTATION, TYPES

STAGE_WORDS = ("lot", "choose", "deal", "draw", "place", "follow", "over")
TURN_STAGES = (layout.DRAW, layout.PLACE, layout.FOLLOW, layout.FINISHED)
"""The stages with a turn, or with the last one if the match is over."""


@dataclass
class Setup:
    """The contents of a state's text; tiles and cells are encoded as in the array."""

    stage: int
    mover: int
    first: int
    turn: int | None  # A side; None for the mover's own.
    tile: int
    tile_open: bool
    held: list[int]
    held_open: list[bool]
    sides: list[int | None]
    exchanges: int
    winners: list[int] | None  # None if not given.
    by_route: bool | None  # None if not given.
    cells: list[int]

    @property
    def is_full(self) -> bool:
        """Whether no cell is empty."""
        return all(self.cells)

    @property
    def unknown(self) -> int:
        """How many tiles in hands are unknown."""
        return [self.tile, *self.held].count(layout.UNKNOWN)


def build_array(game: Game, setup: Setup) -> StateArray:
    """The array of a state without its cache; raises ValueError with what is wrong."""
    array = game.start_array()
    _check_options(array, setup)
    for name, seat in (("mover", setup.mover), ("first", setup.first)):
        require(seat < game.seats, f"{name}: there is no seat {seat}, only 0 to {game.seats - 1}")
    array[layout.STAGE], array[layout.MOVER], array[layout.FIRST] = (
        setup.stage,
        setup.mover,
        setup.first,
    )
    _check_beginning(setup)
    _write_sides(array, setup)
    _write_turn(array, setup)
    _write_tiles(array, setup)
    connected = rebuild_ends(array, -1, array, layout.ends_at(array)) & axes_taken(array)
    _check_tile(array, setup, connected != 0)
    _check_held(array, setup, connected != 0)
    if setup.stage == layout.FINISHED:
        _write_winners(array, setup, connected)
    else:
        require(
            setup.winners is None and setup.by_route is None,
            "nobody has won before the match is over",
        )
    return array


def _check_options(array: StateArray, setup: Setup) -> None:
    """Refuses what is possible only with other options."""
    single, hold = array[layout.SUPERMOVE] == layout.SINGLE, bool(array[layout.HOLD_TILE])
    require(hold or not any(setup.held), "tiles are held only with the option hold_tile")
    require(hold or setup.stage != layout.DEAL, "tiles are dealt only with the option hold_tile")
    require(not setup.exchanges or single, "exchanges are counted only with supermove=single")
    most = len(setup.cells)
    require(setup.exchanges <= most, f"there can be at most {most} exchanges")
    require(
        setup.stage != layout.FOLLOW or array[layout.SUPERMOVE] == layout.FULL,
        "'follow' needs supermove=full",
    )
    require(
        not array[layout.OPEN_TILE] or not setup.unknown, "with open_tile everyone knows all tiles"
    )
    may_keep = hold and single  # R7.7
    require(may_keep or not any(setup.held_open), "nobody can hold a tile that came from the board")
    if setup.stage == layout.PLACE:
        require(may_keep or not setup.tile_open, "the tile to place can't have come from the board")


def _check_beginning(setup: Setup) -> None:
    """Before the first turn there are only sides and held tiles."""
    if setup.stage in (layout.LOT, layout.CHOOSE, layout.DEAL):
        require(not any(setup.cells), "the board is empty before the first turn")
        require(setup.tile == layout.NO_TILE, "nobody has a tile to place before the first turn")
        require(setup.exchanges == 0, "nothing is exchanged before the first turn")
    if setup.stage in (layout.LOT, layout.CHOOSE):
        require(not any(setup.held), "nobody holds a tile before the deal")
    if setup.stage == layout.LOT:
        require(
            setup.first == setup.mover == 0,
            "it isn't decided yet who moves first: write 'lot' alone",
        )


# ---- sides ------------------------------------------------------------------------------------


def _write_sides(array: StateArray, setup: Setup) -> None:
    if array[layout.SIDES_OPTION] != layout.CHOSEN:
        require(setup.stage != layout.CHOOSE, "sides are chosen only with the option sides=chosen")
        require(set(setup.sides) == {None}, "sides aren't chosen here: leave out 'sides'")
        return
    _check_sides(setup.sides)
    for seat, side in enumerate(setup.sides):
        array[layout.SIDE_OF + seat] = 0 if side is None else 1 + side
    if setup.stage == layout.LOT:
        require(
            set(setup.sides) == {None}, "nobody has a side before it is decided who moves first"
        )
    elif setup.stage == layout.CHOOSE:
        _check_choice(setup)
    else:
        require(None not in setup.sides, "everyone has a side by now: give them as 'sides'")


def _check_sides(sides: list[int | None]) -> None:
    """Partners have opposite sides, and nobody else shares an axis (R2, R7.1)."""
    seats = len(sides)
    axes = []
    for seat, side in enumerate(sides):
        partner = int(partner_of(seats, seat))
        if partner != NOBODY:
            fits = sides[partner] == (None if side is None else (side + AXES) % SIDES)
            require(fits, f"seats {seat} and {partner} are partners, so their sides are opposite")
        if side is not None and (partner == NOBODY or seat < partner):
            axes.append(side % AXES)
    require(len(set(axes)) == len(axes), "only partners can share an axis")


def _check_choice(setup: Setup) -> None:
    """Checks that the seats before the mover have chosen, starting from the first seat."""
    seats = len(setup.sides)
    chosen: set[int] = set()
    for step in range((setup.mover - setup.first) % seats):
        seat = (setup.first + step) % seats
        chosen |= {seat, int(partner_of(seats, seat))}
    require(setup.mover not in chosen, f"seat {setup.mover} already got its side from its partner")
    have = {seat for seat, side in enumerate(setup.sides) if side is not None}
    require(
        have == chosen - {NOBODY}, "sides are taken in the order of seats, starting with the first"
    )


def _write_turn(array: StateArray, setup: Setup) -> None:
    if setup.stage not in TURN_STAGES:
        require(setup.turn is None, f"'turn' does not go with {STAGE_WORDS[setup.stage]!r}")
        # As the kernels leave it: while tiles are dealt it is the first seat's turn.
        array[layout.TURN_SIDE] = (
            array[layout.SIDE_OF + setup.first] - 1 if setup.stage == layout.DEAL else 0
        )
        return
    own = int(array[layout.SIDE_OF + setup.mover]) - 1
    array[layout.TURN_SIDE] = own if setup.turn is None else setup.turn
    require(
        seat_at(array, int(array[layout.TURN_SIDE])) == setup.mover,
        f"seat {setup.mover} doesn't move on the turn of side {setup.turn}; its own side is {own}",
    )


# ---- tiles ------------------------------------------------------------------------------------


def _write_tiles(array: StateArray, setup: Setup) -> None:
    """Writes board and hands, and takes their tiles out of the bag."""
    in_hands = [
        tile - 1
        for tile in (setup.tile, *setup.held)
        if tile not in (layout.NO_TILE, layout.UNKNOWN)
    ]
    used = [*in_hands, *(int(TYPE_OF_ORIENTATION[cell - 1]) for cell in setup.cells if cell)]
    for kind in range(TYPES):
        count, exist = used.count(kind), int(array[layout.BAG + kind])
        require(count <= exist, f"there are {count} tiles T{kind}, but only {exist} exist")
        array[layout.BAG + kind] = exist - count
    require(_face_down(array, setup) >= 0, "there are more unknown tiles than tiles left")
    array[layout.CELLS : layout.CELLS + len(setup.cells)] = setup.cells
    array[layout.TILE], array[layout.TILE_OPEN], array[layout.EXCHANGES] = (
        setup.tile,
        setup.tile_open,
        setup.exchanges,
    )
    array[layout.HELD : layout.HELD + len(setup.held)] = setup.held
    array[layout.HELD_OPEN : layout.HELD_OPEN + len(setup.held)] = setup.held_open


def _face_down(array: StateArray, setup: Setup) -> int:
    """How many tiles can be drawn; the bag also counts the unknown ones in hands."""
    return int(array[layout.BAG : layout.BAG + TYPES].sum()) - setup.unknown


def _check_tile(array: StateArray, setup: Setup, is_connected: bool) -> None:
    """Checks that the tile in hand fits the stage, and that the match is over only if it is."""
    stage, mover = setup.stage, setup.mover
    if stage == layout.FINISHED:
        _check_last_tile(array, setup, is_connected)
        return
    require(not is_connected, f"someone is connected, so the match is over: write 'over={mover}'")
    if stage == layout.DRAW:
        require(
            setup.tile == layout.NO_TILE,
            "the tile isn't drawn yet: write 'place', or leave it out",
        )
    if stage in (layout.DRAW, layout.PLACE, layout.FOLLOW):
        require(not setup.is_full, f"the board is full, so the match is over: write 'over={mover}'")
    if stage == layout.FOLLOW:
        require(setup.tile_open, "give the tile taken off the board, as in 'tile=T1!'")
        require(any(setup.cells), "an exchange leaves a tile on the board")
    if stage == layout.PLACE:
        require(
            setup.tile, "give the tile to place, as in 'tile=T1', or 'tile=??' if it is unknown"
        )
        require(
            _can_be_placed(array),
            f"the tile can't be placed, so the match is over: write 'over={mover}'",
        )


def _check_last_tile(array: StateArray, setup: Setup, is_connected: bool) -> None:
    """Checks how the match ended: by a route, an unplayable tile, or a full board."""
    require(setup.tile != layout.UNKNOWN, "when the match is over everyone sees the tile")
    if is_connected:
        by_exchange = setup.tile_open and array[layout.SUPERMOVE] != layout.OFF
        require(
            setup.tile == layout.NO_TILE or by_exchange,
            "someone is connected: leave out the tile, unless an exchange took it off ('T1!')",
        )
    elif array[layout.SUPERMOVE] != layout.OFF:
        require(setup.is_full, "nobody is connected and a cell is empty, so the match isn't over")
        require(setup.tile == layout.NO_TILE, "no tile is drawn when the board is full")  # R7.9
    else:
        require(setup.tile, "nobody is connected: give the tile that can't be placed")
        require(not setup.tile_open, "the tile that can't be placed didn't come from the board")
        require(
            not _can_be_placed(array),
            f"nobody is connected and the tile can be placed: write 'place={setup.mover}'",
        )


def _can_be_placed(array: StateArray) -> bool:
    rules.rebuild_cache(array)
    return bool(mark_placements(array, orientations_in_hand(array), True, scratch(SEARCH_SIZE)))


def _check_held(array: StateArray, setup: Setup, is_connected: bool) -> None:
    """Checks that everyone but the mover holds a tile while there are tiles to draw (R7.3)."""
    if not array[layout.HOLD_TILE] or setup.stage in (layout.LOT, layout.CHOOSE):
        return
    seats = len(setup.held)
    holding = {seat for seat, tile in enumerate(setup.held) if tile}
    if setup.stage == layout.DEAL:
        dealt = (setup.mover - setup.first) % seats
        require(
            holding == {(setup.first + step) % seats for step in range(dealt)},
            "tiles are dealt in the order of seats, starting with the first",
        )
        return
    left = _face_down(array, setup)
    require(setup.stage != layout.DRAW or left > 0, "there is no tile left to draw")
    if setup.stage == layout.FINISHED and not is_connected and setup.tile == layout.NO_TILE:
        # R7.9: whoever filled the board drew no more, and the next seat hasn't placed a tile.
        require(setup.mover in holding or not holding, "a seat without a tile is skipped")
        require(
            left == 0 or len(holding) == seats - 1,
            "everyone but the seat that moved last holds a tile",
        )
        return
    require(setup.mover not in holding, "the mover's tile to place is 'tile', not 'held'")
    require(
        left == 0 or len(holding) == seats - 1,
        "everyone but the mover holds a tile while there are tiles to draw",
    )


# ---- the end ----------------------------------------------------------------------------------


def _write_winners(array: StateArray, setup: Setup, connected: int) -> None:
    """Writes the winners: those who are connected, or else the mover's team."""
    array[layout.WINNERS] = connected or mover_axis(array)
    array[layout.BY_ROUTE] = connected != 0
    winners = [
        seat
        for seat in range(len(setup.held))
        if int(array[layout.WINNERS]) >> ((int(array[layout.SIDE_OF + seat]) - 1) % AXES) & 1
    ]
    right = "/".join(map(str, winners))
    require(setup.winners in (None, winners), f"the winners are different: write 'winners={right}'")
    how = "route" if connected else "tile"
    require(setup.by_route in (None, connected != 0), f"they won differently: write 'by={how}'")
