"""States that are set up rather than played: the array of one, if the rules could lead to it.

Kernels trust their array, so nothing may pass here that they cannot bear: seats and sides fit each
other, every tile exists and is where the stage has it, and the match is over if and only if the
board says so. Not asked is whether a match could have come there tile by tile: the numbers of turns
and of exchanges need not fit, and not everybody need have a route left.
"""

from __future__ import annotations

from dataclasses import dataclass

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.kernel import scratch
from watermeet.games.flows import rules
from watermeet.games.flows.board import AXES, SIDES
from watermeet.games.flows.exchanges import lay_all_but, mover_axis
from watermeet.games.flows.layout import (
    BAG,
    BY_ROUTE,
    CELLS,
    CHOOSE,
    CHOSEN,
    DEAL,
    DRAW,
    EXCHANGES,
    FINISHED,
    FIRST,
    FOLLOW,
    FULL,
    HELD,
    HELD_OPEN,
    HOLD_TILE,
    LOT,
    MOVER,
    NO_TILE,
    OFF,
    OPEN_TILE,
    PLACE,
    SIDE_OF,
    SIDES_OPTION,
    SINGLE,
    STAGE,
    SUPERMOVE,
    TILE,
    TILE_OPEN,
    TURN_SIDE,
    UNKNOWN,
    WINNERS,
    ends_at,
)
from watermeet.games.flows.placements import fillings_in_hand, mark_placements
from watermeet.games.flows.routes import ROOM
from watermeet.games.flows.seating import NOBODY, axes_taken, partner_of, seat_at
from watermeet.games.flows.tiles import KIND_OF_FILLING, TYPES

STAGE_WORDS = ("lot", "choose", "deal", "draw", "place", "follow", "over")
TURN_STAGES = (DRAW, PLACE, FOLLOW, FINISHED)
"""The stages in which it is somebody's turn, or was when the match ended."""


@dataclass
class Setup:
    """What a text says of a state; tiles and cells are as the array holds them."""

    stage: int
    mover: int
    first: int
    turn: int | None  # The side; None: the mover's own.
    tile: int
    tile_open: bool
    held: list[int]
    held_open: list[bool]
    sides: list[int | None]
    exchanges: int
    winners: list[int] | None  # None: not written.
    by_route: bool | None  # None: not written.
    cells: list[int]

    @property
    def is_full(self) -> bool:
        """Whether no cell is empty."""
        return all(self.cells)

    @property
    def unknown(self) -> int:
        """How many tiles are somewhere, but not known."""
        return [self.tile, *self.held].count(UNKNOWN)


def array_of(game: Game, setup: Setup) -> StateArray:
    """The array of a state, less its memo; raises ValueError with what is wrong."""
    array = game.start_array()
    _check_options(array, setup)
    for name, seat in (("mover", setup.mover), ("first", setup.first)):
        _demand(seat < game.seats, f"there is no seat {seat}, as {name}, among {game.seats}")
    array[STAGE], array[MOVER], array[FIRST] = setup.stage, setup.mover, setup.first
    _check_beginning(setup)
    _write_sides(array, setup)
    _write_turn(array, setup)
    _write_tiles(array, setup)
    connected = lay_all_but(array, -1, array, ends_at(array)) & axes_taken(array)
    _check_tile(array, setup, connected != 0)
    _check_held(array, setup, connected != 0)
    if setup.stage == FINISHED:
        _write_winners(array, setup, connected)
    else:
        _demand(setup.winners is None and setup.by_route is None, "nobody has won before the end")
    return array


def _demand(condition: object, otherwise: str) -> None:
    if not condition:
        raise ValueError(otherwise)


def _check_options(array: StateArray, setup: Setup) -> None:
    """Nothing may be there that only other options bring about."""
    single, hold = array[SUPERMOVE] == SINGLE, bool(array[HOLD_TILE])
    _demand(hold or not any(setup.held), "tiles are held with the option hold_tile only")
    _demand(hold or setup.stage != DEAL, "tiles are dealt with the option hold_tile only")
    _demand(not setup.exchanges or single, "exchanges are counted with supermove=single only")
    most = len(setup.cells)
    _demand(setup.exchanges <= most, f"there are {most} exchanges at most")
    _demand(setup.stage != FOLLOW or array[SUPERMOVE] == FULL, "'follow' needs supermove=full")
    _demand(not array[OPEN_TILE] or not setup.unknown, "with open_tile everybody knows all tiles")
    may_keep = hold and single  # R7.7
    _demand(may_keep or not any(setup.held_open), "nobody holds a tile that came from the board")
    if setup.stage == PLACE:
        _demand(may_keep or not setup.tile_open, "the tile to lay did not come from the board")


def _check_beginning(setup: Setup) -> None:
    """Before the first turn there are at most sides and tiles that are held."""
    if setup.stage in (LOT, CHOOSE, DEAL):
        _demand(not any(setup.cells), "no tile lies on the board before the first turn")
        _demand(setup.tile == NO_TILE, "nobody has a tile to lay before the first turn")
        _demand(setup.exchanges == 0, "nothing is exchanged before the first turn")
    if setup.stage in (LOT, CHOOSE):
        _demand(not any(setup.held), "nobody holds a tile before the deal")
    if setup.stage == LOT:
        _demand(setup.first == setup.mover == 0, "the lot says who is first: write 'lot' alone")


# ---- sides ------------------------------------------------------------------------------------


def _write_sides(array: StateArray, setup: Setup) -> None:
    if array[SIDES_OPTION] != CHOSEN:
        _demand(setup.stage != CHOOSE, "sides are chosen with the option sides=chosen only")
        _demand(set(setup.sides) == {None}, "sides are not chosen here: leave 'sides' out")
        return
    _check_sides(setup.sides)
    for seat, side in enumerate(setup.sides):
        array[SIDE_OF + seat] = 0 if side is None else 1 + side
    if setup.stage == LOT:
        _demand(set(setup.sides) == {None}, "nobody takes a side before the lot")
    elif setup.stage == CHOOSE:
        _check_choice(setup)
    else:
        _demand(None not in setup.sides, "everybody has a side by now: write them as 'sides'")


def _check_sides(sides: list[int | None]) -> None:
    """Partners sit opposite each other, and nobody else shares an axis (R2, R7.1)."""
    seats = len(sides)
    axes = []
    for seat, side in enumerate(sides):
        partner = int(partner_of(seats, seat))
        if partner != NOBODY:
            fits = sides[partner] == (None if side is None else (side + AXES) % SIDES)
            _demand(fits, f"seats {seat} and {partner} are partners and sit opposite each other")
        if side is not None and (partner == NOBODY or seat < partner):
            axes.append(side % AXES)
    _demand(
        len(set(axes)) == len(axes), "nobody but a partner sits at the same or the opposite side"
    )


def _check_choice(setup: Setup) -> None:
    """From the first seat on, those who have no side take one, and their partners get one."""
    seats = len(setup.sides)
    chosen: set[int] = set()
    for step in range((setup.mover - setup.first) % seats):
        seat = (setup.first + step) % seats
        chosen |= {seat, int(partner_of(seats, seat))}
    _demand(setup.mover not in chosen, f"seat {setup.mover} got a side from its partner")
    have = {seat for seat, side in enumerate(setup.sides) if side is not None}
    _demand(
        have == chosen - {NOBODY}, "sides are taken one after the other, from the first seat on"
    )


def _write_turn(array: StateArray, setup: Setup) -> None:
    if setup.stage not in TURN_STAGES:
        _demand(setup.turn is None, f"'turn' does not go with {STAGE_WORDS[setup.stage]!r}")
        # As the kernels leave it: the first seat has the turn while tiles are dealt.
        array[TURN_SIDE] = array[SIDE_OF + setup.first] - 1 if setup.stage == DEAL else 0
        return
    own = int(array[SIDE_OF + setup.mover]) - 1
    array[TURN_SIDE] = own if setup.turn is None else setup.turn
    _demand(
        seat_at(array, int(array[TURN_SIDE])) == setup.mover,
        f"seat {setup.mover} does not have the turn of side {setup.turn}; its own is {own}",
    )


# ---- tiles ------------------------------------------------------------------------------------


def _write_tiles(array: StateArray, setup: Setup) -> None:
    """Writes board, hands and what is face down, of which the array holds all before."""
    in_hands = [tile - 1 for tile in (setup.tile, *setup.held) if tile not in (NO_TILE, UNKNOWN)]
    used = [*in_hands, *(int(KIND_OF_FILLING[cell - 1]) for cell in setup.cells if cell)]
    for kind in range(TYPES):
        count, exist = used.count(kind), int(array[BAG + kind])
        _demand(count <= exist, f"T{kind} is there {count} times, and {exist} exist")
        array[BAG + kind] = exist - count
    _demand(_face_down(array, setup) >= 0, "there are fewer tiles left than unknown ones")
    array[CELLS : CELLS + len(setup.cells)] = setup.cells
    array[TILE], array[TILE_OPEN], array[EXCHANGES] = setup.tile, setup.tile_open, setup.exchanges
    array[HELD : HELD + len(setup.held)] = setup.held
    array[HELD_OPEN : HELD_OPEN + len(setup.held)] = setup.held_open


def _face_down(array: StateArray, setup: Setup) -> int:
    """How many tiles can be drawn; unknown ones are counted to the bag, but lie elsewhere."""
    return int(array[BAG : BAG + TYPES].sum()) - setup.unknown


def _check_tile(array: StateArray, setup: Setup, is_connected: bool) -> None:
    """The tile in hand is as the stage has it, and the match is over if the board says so."""
    stage, mover = setup.stage, setup.mover
    if stage == FINISHED:
        _check_last_tile(array, setup, is_connected)
        return
    _demand(not is_connected, f"somebody is connected, so the match is over: write 'over={mover}'")
    if stage == DRAW:
        _demand(setup.tile == NO_TILE, "the tile is not drawn yet: write 'place', or leave it out")
    if stage in (DRAW, PLACE, FOLLOW):
        _demand(not setup.is_full, f"the board is full, so the match is over: write 'over={mover}'")
    if stage == FOLLOW:
        _demand(setup.tile_open, "write the tile taken off the board, as in 'tile=T1!'")
        _demand(any(setup.cells), "who exchanged a tile left another one on the board")
    if stage == PLACE:
        _demand(setup.tile, "write the tile to lay, as in 'tile=T1', or 'tile=??' if it is unknown")
        _demand(
            _can_be_laid(array),
            f"the tile can be laid nowhere, so the match is over: write 'over={mover}'",
        )


def _check_last_tile(array: StateArray, setup: Setup, is_connected: bool) -> None:
    """How the match ended: by a tile laid or exchanged, one that cannot be, or a full board."""
    _demand(setup.tile != UNKNOWN, "at the end everybody sees the tile")
    if is_connected:
        by_exchange = setup.tile_open and array[SUPERMOVE] != OFF
        _demand(
            setup.tile == NO_TILE or by_exchange,
            "somebody is connected: leave out the tile, unless an exchange took it off ('T1!')",
        )
    elif array[SUPERMOVE] != OFF:
        _demand(setup.is_full, "nobody is connected and a cell is empty, so the match is not over")
        _demand(setup.tile == NO_TILE, "no tile is drawn when the board is full")  # R7.9
    else:
        _demand(setup.tile, "nobody is connected: write the tile that can be laid nowhere")
        _demand(not setup.tile_open, "the tile that can be laid nowhere did not lie on the board")
        _demand(
            not _can_be_laid(array),
            f"nobody is connected and the tile can be laid: write 'place={setup.mover}'",
        )


def _can_be_laid(array: StateArray) -> bool:
    rules.rebuild_cache(array)
    return bool(mark_placements(array, fillings_in_hand(array), True, scratch(ROOM)))


def _check_held(array: StateArray, setup: Setup, is_connected: bool) -> None:
    """Everybody but the mover holds a tile while there are any to draw (R7.3)."""
    if not array[HOLD_TILE] or setup.stage in (LOT, CHOOSE):
        return
    seats = len(setup.held)
    holding = {seat for seat, tile in enumerate(setup.held) if tile}
    if setup.stage == DEAL:
        dealt = (setup.mover - setup.first) % seats
        _demand(
            holding == {(setup.first + step) % seats for step in range(dealt)},
            "tiles are dealt one after the other, from the first seat on",
        )
        return
    left = _face_down(array, setup)
    _demand(setup.stage != DRAW or left > 0, "there is no tile left to draw")
    if setup.stage == FINISHED and not is_connected and setup.tile == NO_TILE:
        # R7.9: who filled the board has drawn none any more, and the next one has laid none.
        _demand(setup.mover in holding or not holding, "who holds no tile is passed over")
        _demand(left == 0 or len(holding) == seats - 1, "all but who laid the last tile hold one")
        return
    _demand(setup.mover not in holding, "the tile that the mover lays is 'tile', not 'held'")
    _demand(
        left == 0 or len(holding) == seats - 1,
        "everybody but the mover holds a tile while there are any to draw",
    )


# ---- the end ----------------------------------------------------------------------------------


def _write_winners(array: StateArray, setup: Setup, connected: int) -> None:
    """Whoever is connected wins, or else the mover's team by a tile that cannot be laid."""
    array[WINNERS] = connected or mover_axis(array)
    array[BY_ROUTE] = connected != 0
    winners = [
        seat
        for seat in range(len(setup.held))
        if int(array[WINNERS]) >> ((int(array[SIDE_OF + seat]) - 1) % AXES) & 1
    ]
    right = "/".join(map(str, winners))
    _demand(
        setup.winners in (None, winners), f"the winners are other seats: write 'winners={right}'"
    )
    how = "route" if connected else "tile"
    _demand(setup.by_route in (None, connected != 0), f"they have won otherwise: write 'by={how}'")
