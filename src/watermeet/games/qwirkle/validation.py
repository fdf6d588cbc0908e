"""States that are set up rather than played: the array of one, if the rules could lead to it.

Kernels trust their array, so nothing may pass here that they cannot bear: every tile exists, the
grid is connected and its lines are lines, hands are as full as the bag lets them be, and the
counters fit each other. Not asked is whether a match could have come there tile by tile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.games.qwirkle import rules
from watermeet.games.qwirkle.choices import laid_kinds
from watermeet.games.qwirkle.hidden import is_beginning_kept
from watermeet.games.qwirkle.layout import (
    ASIDE,
    BAG,
    BAG_LEFT,
    COPIES,
    COUNT,
    DEAL,
    EXCHANGES,
    FINISHED,
    HAND,
    HANDS,
    KINDS,
    LAID,
    LAST,
    LOT,
    MOVER,
    PASSES,
    RANDOM,
    REFILL,
    REPLACE,
    STAGE,
    TIE,
    TIED,
    TILES,
    TURN,
    XS,
    YS,
)
from watermeet.games.qwirkle.names import Cell, cell_name, tile_name
from watermeet.games.qwirkle.tiles import strongest_seats

Grid = dict[Cell, int]


@dataclass
class Setup:
    """What a text says of a state: kinds by seat, cells with their kinds, and the counters."""

    stage: int
    mover: int
    hands: list[list[int]]
    points: list[int]
    aside: list[int]
    grid: list[tuple[Cell, int]]
    numbers: dict[str, int]

    @property
    def laid(self) -> int:
        """How many tiles were laid in this turn."""
        return self.numbers["laid"]

    @property
    def last(self) -> int:
        """How many tiles the turn before laid."""
        return self.numbers["last"]

    @property
    def passes(self) -> int:
        """How many passes followed each other."""
        return self.numbers["passes"]

    @property
    def exchanges(self) -> int:
        """How many turns of exchange followed each other."""
        return self.numbers["exchanges"]


def array_of(game: Game, setup: Setup) -> StateArray:
    """The array of a state, less its memo; raises ValueError with what is wrong."""
    _check_sizes(game, setup)
    bag = _rest_of_tiles(setup)
    _check_grid(setup)
    _check_stage(game, setup, bag.total())
    array = _write(game, setup, bag)
    _check_beginning(setup, array)
    return array


def _demand(condition: object, otherwise: str) -> None:
    if not condition:
        raise ValueError(otherwise)


# ---- tiles ------------------------------------------------------------------------------------


def _check_sizes(game: Game, setup: Setup) -> None:
    seats = game.seats
    _demand(len(setup.hands) == seats, f"there are {len(setup.hands)} hands and {seats} seats")
    _demand(len(setup.points) == seats, f"there are {len(setup.points)} scores and {seats} seats")
    _demand(setup.mover < seats, f"there is no seat {setup.mover}")
    _demand(all(len(hand) <= HAND for hand in setup.hands), "a hand holds six tiles at most")
    _demand(setup.laid + setup.last <= len(setup.grid), "the grid has fewer tiles than were laid")
    _demand(max(setup.laid, setup.last) <= HAND, "nobody lays more than six tiles in a turn")
    _demand(len(setup.aside) <= HAND, "nobody sets more than six tiles aside")


def _rest_of_tiles(setup: Setup) -> Counter[int]:
    """The bag: what is nowhere else."""
    on_grid = (kind for _, kind in setup.grid)
    in_hands = (kind for hand in setup.hands for kind in hand)
    used = Counter((*on_grid, *in_hands, *setup.aside))
    for kind, number in used.items():
        _demand(number <= COPIES, f"{tile_name(kind)} is there {number} times, and {COPIES} exist")
    return Counter(dict.fromkeys(range(KINDS), COPIES)) - used


def _check_grid(setup: Setup) -> None:
    grid = dict(setup.grid)
    _demand(len(grid) == len(setup.grid), "two tiles lie on one cell")
    _demand(not grid or (0, 0) in grid, "the first tile lies on 0,0")
    _demand(_is_connected(set(grid)), "the tiles on the grid are not connected")
    for cell in grid:
        for step in ((1, 0), (0, 1)):
            if (cell[0] - step[0], cell[1] - step[1]) not in grid:
                _check_line(grid, cell, step)
    laid, last = setup.laid, setup.last
    tiles = [cell for cell, _ in setup.grid]
    before_laid = len(tiles) - laid
    _check_turn(tiles[:before_laid], tiles[before_laid:])
    _check_turn(tiles[: before_laid - last], tiles[before_laid - last : before_laid])
    turns = (tiles[before_laid - last : before_laid], tiles[before_laid:])
    for cells in turns:
        _demand(cells == sorted(cells, key=_reading_order), "a turn's tiles go by row and column")


def _reading_order(cell: Cell) -> tuple[int, int]:
    return cell[1], cell[0]


def _is_connected(cells: set[Cell]) -> bool:
    if not cells:
        return True
    waiting = [next(iter(cells))]
    rest = set(cells) - {waiting[0]}
    while waiting:
        x, y = waiting.pop()
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if near in rest:
                rest.remove(near)
                waiting.append(near)
    return not rest


def run_of(grid: Iterable[Cell], cell: Cell, step: Cell) -> list[Cell]:
    """The cells of the line through an occupied cell, in order."""
    cells = set(grid)
    x, y = cell
    while (x - step[0], y - step[1]) in cells:
        x, y = x - step[0], y - step[1]
    line = []
    while (x, y) in cells:
        line.append((x, y))
        x, y = x + step[0], y + step[1]
    return line


def _check_line(grid: Grid, first: Cell, step: Cell) -> None:
    line = []
    x, y = first
    while (x, y) in grid:
        line.append(grid[x, y])
        x, y = x + step[0], y + step[1]
    if len(line) > 1 and not is_line(line):
        names = "".join(map(tile_name, line))
        raise ValueError(f"{names} from {cell_name(first)} on is no line of one colour or shape")


def is_line(kinds: list[int]) -> bool:
    """Whether kinds make a line: all different, and all of one colour or of one shape."""
    one_colour = len({kind // 6 for kind in kinds}) == 1
    one_shape = len({kind % 6 for kind in kinds}) == 1
    return len(set(kinds)) == len(kinds) and (one_colour or one_shape)


def _check_turn(before: list[Cell], placed: list[Cell]) -> None:
    """Whether tiles can have been laid in one turn on what lay before."""
    if not placed:
        return
    steps = [
        step for step, axis in (((1, 0), 1), ((0, 1), 0)) if len({c[axis] for c in placed}) == 1
    ]
    after = [*before, *placed]
    in_line = any(set(placed) <= set(run_of(after, placed[0], step)) for step in steps)
    _demand(in_line, "the tiles of a turn lie in one unbroken line")
    _demand(_is_connected(set(before)), "the tiles of earlier turns are connected")
    _demand(not before or (0, 0) in before, "the first tile was laid in the first turn")


# ---- stages -----------------------------------------------------------------------------------


def _check_stage(game: Game, setup: Setup, bag: int) -> None:
    played = len(setup.grid) - setup.laid
    quiet = setup.passes + setup.exchanges
    if setup.stage in (DEAL, LOT):
        _check_deal(setup)
        return
    _demand(setup.stage == TURN or setup.laid == 0, "tiles are laid in a turn")
    _demand(setup.stage in (TURN, REPLACE) or not setup.aside, "tiles are set aside in a turn")
    _demand(not (setup.laid and setup.aside), "a turn lays tiles or sets them aside")
    _demand(setup.passes == 0 or setup.exchanges == 0, "passes and exchanges exclude each other")
    _demand(bool(setup.last) == bool(played and not quiet), "'last' counts the turn before")
    _demand(played or (not quiet and not any(setup.points)), "nothing precedes the first turn")
    _check_hands(setup, bag)
    limit = game.options.number("exchange_limit") * game.seats
    if setup.stage == FINISHED:
        _check_end(game, setup, bag, limit)
        return
    _demand(setup.passes < game.seats, "when all have passed, the match is over")
    _demand(setup.exchanges < limit, "after so many exchanges the match is over")
    _demand(setup.passes == 0 or bag == 0, "nobody passes while the bag has tiles")
    _demand(setup.exchanges == 0 or bag > 0, "nobody exchanges with an empty bag")


def _check_deal(setup: Setup) -> None:
    nothing = not (setup.grid or setup.aside or any(setup.points) or any(setup.numbers.values()))
    _demand(nothing, "nothing happens before the deal is over")
    sizes = [len(hand) for hand in setup.hands]
    if setup.stage == LOT:
        _demand(setup.mover == 0, "write lot=0")
        _demand(set(sizes) == {HAND}, "lots are drawn when all hands are full")
        return
    _demand(sizes[setup.mover] < HAND, "the hand that is dealt to is not full yet")
    _demand(set(sizes[: setup.mover]) <= {HAND}, "hands are dealt one after the other")
    _demand(not any(sizes[setup.mover + 1 :]), "hands are dealt one after the other")


def _check_hands(setup: Setup, bag: int) -> None:
    """Hands are full while the bag has tiles, and nobody plays on with an empty one."""
    sizes = [len(hand) for hand in setup.hands]
    own = sizes.pop(setup.mover)
    is_bag_used = bag > 0 or setup.stage in (REFILL, REPLACE) or setup.aside
    _demand(all(sizes) or not sizes, "who has no tile left has ended the match")
    if is_bag_used:
        _demand(set(sizes) <= {HAND}, "hands are full while the bag has tiles")
    if setup.stage == REFILL:
        _demand(bag > 0 and HAND - setup.last <= own < HAND, "the mover draws what was laid")
    elif setup.stage == REPLACE:
        drawn = own + len(setup.aside) - HAND
        _demand(setup.aside and 0 <= drawn < len(setup.aside), "the mover draws what is set aside")
        _demand(HAND - own <= bag, "the bag can replace what is set aside")
    else:
        whole = own + setup.laid + len(setup.aside)
        _demand(whole <= HAND, "a hand holds six tiles at most")
        _demand(whole == HAND or not is_bag_used, "hands are full while the bag has tiles")
        _demand(whole > 0 or setup.stage == FINISHED, "who has no tile left has ended the match")
        _demand(len(setup.aside) <= bag, "the bag can replace what is set aside")
    _demand(not setup.aside or setup.grid, "the first turn lays tiles")


def _check_end(game: Game, setup: Setup, bag: int, limit: int) -> None:
    out_of_tiles = bag == 0 and not setup.hands[setup.mover] and setup.last > 0
    _demand(out_of_tiles or setup.hands[setup.mover], "the last tile ends the match if it was laid")
    blocked = bag == 0 and setup.passes == game.seats
    exhausted = bag > 0 and setup.exchanges == limit
    _demand(out_of_tiles + blocked + exhausted == 1, "the match is not over")


# ---- the array --------------------------------------------------------------------------------


def _write(game: Game, setup: Setup, bag: Counter[int]) -> StateArray:
    array = game.start_array()
    array[STAGE], array[MOVER] = setup.stage, setup.mover
    array[COUNT], array[LAID], array[LAST] = len(setup.grid), setup.laid, setup.last
    array[PASSES], array[EXCHANGES] = setup.passes, setup.exchanges
    array[BAG_LEFT] = bag.total()
    for kind in range(KINDS):
        array[BAG + kind] = bag[kind]
    for seat, points in enumerate(setup.points):
        rules.set_points(array, seat, points)
    groups = [(HANDS + HAND * seat, hand) for seat, hand in enumerate(setup.hands)]
    for first, kinds in (*groups, (ASIDE, setup.aside)):
        for place, kind in enumerate(sorted(kinds)):
            array[first + place] = kind + 1
    for index, ((x, y), kind) in enumerate(setup.grid):
        array[XS + index], array[YS + index], array[TILES + index] = x, y, kind + 1
    return array


def _check_beginning(setup: Setup, array: StateArray) -> None:
    """In the first turn: whether the hands make this seat begin, and its tiles may be laid."""
    if setup.stage not in (LOT, TURN) or len(setup.grid) > setup.laid:
        return
    laid = int(laid_kinds(array))
    tied = int(strongest_seats(array, laid, setup.mover))
    if array[TIE] == RANDOM and tied & (tied - 1):
        array[TIED] = tied
    _demand(setup.stage == TURN or array[TIED], "no lot is drawn: somebody has the largest set")
    fits = setup.stage == LOT or tied >> setup.mover & 1
    _demand(fits and is_beginning_kept(array), "another seat begins, or other tiles are laid first")
