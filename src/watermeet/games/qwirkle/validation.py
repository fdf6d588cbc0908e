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
from watermeet.games.qwirkle import layout, rules
from watermeet.games.qwirkle.hidden import is_first_player_consistent
from watermeet.games.qwirkle.legal_actions import laid_kinds
from watermeet.games.qwirkle.names import Cell, cell_name, tile_name
from watermeet.games.qwirkle.tiles import seats_with_largest_set

Grid = dict[Cell, int]


@dataclass
class ParsedState:
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


def array_of(game: Game, setup: ParsedState) -> StateArray:
    """The array of a state, less its memo; raises ValueError with what is wrong."""
    _check_sizes(game, setup)
    bag = _rest_of_tiles(setup)
    _check_grid(setup)
    _check_stage(game, setup, bag.total())
    array = _write(game, setup, bag)
    _check_beginning(setup, array)
    return array


def _require(condition: object, otherwise: str) -> None:
    if not condition:
        raise ValueError(otherwise)


# ---- tiles ------------------------------------------------------------------------------------


def _check_sizes(game: Game, setup: ParsedState) -> None:
    seats = game.seats
    _require(len(setup.hands) == seats, f"there are {len(setup.hands)} hands and {seats} seats")
    _require(len(setup.points) == seats, f"there are {len(setup.points)} scores and {seats} seats")
    _require(setup.mover < seats, f"there is no seat {setup.mover}")
    _require(
        all(len(hand) <= layout.HAND for hand in setup.hands), "a hand holds six tiles at most"
    )
    _require(setup.laid + setup.last <= len(setup.grid), "the grid has fewer tiles than were laid")
    _require(
        max(setup.laid, setup.last) <= layout.HAND, "nobody lays more than six tiles in a turn"
    )
    _require(len(setup.aside) <= layout.HAND, "nobody sets more than six tiles aside")


def _rest_of_tiles(setup: ParsedState) -> Counter[int]:
    """The bag: what is nowhere else."""
    on_grid = (kind for _, kind in setup.grid)
    in_hands = (kind for hand in setup.hands for kind in hand)
    used = Counter((*on_grid, *in_hands, *setup.aside))
    for kind, number in used.items():
        _require(
            number <= layout.COPIES,
            f"{tile_name(kind)} is there {number} times, and {layout.COPIES} exist",
        )
    return Counter(dict.fromkeys(range(layout.KINDS), layout.COPIES)) - used


def _check_grid(setup: ParsedState) -> None:
    grid = dict(setup.grid)
    _require(len(grid) == len(setup.grid), "two tiles lie on one cell")
    _require(not grid or (0, 0) in grid, "the first tile lies on 0,0")
    _require(_is_connected(set(grid)), "the tiles on the grid are not connected")
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
        _require(cells == sorted(cells, key=_reading_order), "a turn's tiles go by row and column")


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
    _require(in_line, "the tiles of a turn lie in one unbroken line")
    _require(_is_connected(set(before)), "the tiles of earlier turns are connected")
    _require(not before or (0, 0) in before, "the first tile was laid in the first turn")


# ---- stages -----------------------------------------------------------------------------------


def _check_stage(game: Game, setup: ParsedState, bag: int) -> None:
    played = len(setup.grid) - setup.laid
    quiet = setup.passes + setup.exchanges
    if setup.stage in (layout.DEAL, layout.TIEBREAK):
        _check_deal(setup)
        return
    _require(setup.stage == layout.TURN or setup.laid == 0, "tiles are laid in a turn")
    _require(
        setup.stage in (layout.TURN, layout.REPLACE) or not setup.aside,
        "tiles are set aside in a turn",
    )
    _require(not (setup.laid and setup.aside), "a turn lays tiles or sets them aside")
    _require(setup.passes == 0 or setup.exchanges == 0, "passes and exchanges exclude each other")
    _require(bool(setup.last) == bool(played and not quiet), "'last' counts the turn before")
    _require(played or (not quiet and not any(setup.points)), "nothing precedes the first turn")
    _check_hands(setup, bag)
    limit = game.options.number("exchange_limit") * game.seats
    if setup.stage == layout.FINISHED:
        _check_end(game, setup, bag, limit)
        return
    _require(setup.passes < game.seats, "when all have passed, the match is over")
    _require(setup.exchanges < limit, "after so many exchanges the match is over")
    _require(setup.passes == 0 or bag == 0, "nobody passes while the bag has tiles")
    _require(setup.exchanges == 0 or bag > 0, "nobody exchanges with an empty bag")


def _check_deal(setup: ParsedState) -> None:
    nothing = not (setup.grid or setup.aside or any(setup.points) or any(setup.numbers.values()))
    _require(nothing, "nothing happens before the deal is over")
    sizes = [len(hand) for hand in setup.hands]
    if setup.stage == layout.TIEBREAK:
        _require(setup.mover == 0, "write lot=0")
        _require(set(sizes) == {layout.HAND}, "lots are drawn when all hands are full")
        return
    _require(sizes[setup.mover] < layout.HAND, "the hand that is dealt to is not full yet")
    _require(set(sizes[: setup.mover]) <= {layout.HAND}, "hands are dealt one after the other")
    _require(not any(sizes[setup.mover + 1 :]), "hands are dealt one after the other")


def _check_hands(setup: ParsedState, bag: int) -> None:
    """Hands are full while the bag has tiles, and nobody plays on with an empty one."""
    sizes = [len(hand) for hand in setup.hands]
    own = sizes.pop(setup.mover)
    is_bag_used = bag > 0 or setup.stage in (layout.REFILL, layout.REPLACE) or setup.aside
    _require(all(sizes) or not sizes, "who has no tile left has ended the match")
    if is_bag_used:
        _require(set(sizes) <= {layout.HAND}, "hands are full while the bag has tiles")
    if setup.stage == layout.REFILL:
        _require(
            bag > 0 and layout.HAND - setup.last <= own < layout.HAND,
            "the mover draws what was laid",
        )
    elif setup.stage == layout.REPLACE:
        drawn = own + len(setup.aside) - layout.HAND
        _require(setup.aside and 0 <= drawn < len(setup.aside), "the mover draws what is set aside")
        _require(layout.HAND - own <= bag, "the bag can replace what is set aside")
    else:
        whole = own + setup.laid + len(setup.aside)
        _require(whole <= layout.HAND, "a hand holds six tiles at most")
        _require(whole == layout.HAND or not is_bag_used, "hands are full while the bag has tiles")
        _require(
            whole > 0 or setup.stage == layout.FINISHED, "who has no tile left has ended the match"
        )
        _require(len(setup.aside) <= bag, "the bag can replace what is set aside")
    _require(not setup.aside or setup.grid, "the first turn lays tiles")


def _check_end(game: Game, setup: ParsedState, bag: int, limit: int) -> None:
    out_of_tiles = bag == 0 and not setup.hands[setup.mover] and setup.last > 0
    _require(
        out_of_tiles or setup.hands[setup.mover], "the last tile ends the match if it was laid"
    )
    blocked = bag == 0 and setup.passes == game.seats
    exhausted = bag > 0 and setup.exchanges == limit
    _require(out_of_tiles + blocked + exhausted == 1, "the match is not over")


# ---- the array --------------------------------------------------------------------------------


def _write(game: Game, setup: ParsedState, bag: Counter[int]) -> StateArray:
    array = game.start_array()
    array[layout.STAGE], array[layout.MOVER] = setup.stage, setup.mover
    array[layout.COUNT], array[layout.LAID], array[layout.LAST] = (
        len(setup.grid),
        setup.laid,
        setup.last,
    )
    array[layout.PASSES], array[layout.EXCHANGES] = setup.passes, setup.exchanges
    array[layout.BAG_LEFT] = bag.total()
    for kind in range(layout.KINDS):
        array[layout.BAG + kind] = bag[kind]
    for seat, points in enumerate(setup.points):
        rules.set_points(array, seat, points)
    groups = [(layout.HANDS + layout.HAND * seat, hand) for seat, hand in enumerate(setup.hands)]
    for first, kinds in (*groups, (layout.ASIDE, setup.aside)):
        for slot, kind in enumerate(sorted(kinds)):
            array[first + slot] = kind + 1
    for index, ((x, y), kind) in enumerate(setup.grid):
        array[layout.XS + index], array[layout.YS + index], array[layout.TILES + index] = (
            x,
            y,
            kind + 1,
        )
    return array


def _check_beginning(setup: ParsedState, array: StateArray) -> None:
    """In the first turn: whether the hands make this seat begin, and its tiles may be laid."""
    if setup.stage not in (layout.TIEBREAK, layout.TURN) or len(setup.grid) > setup.laid:
        return
    laid = int(laid_kinds(array))
    tied = int(seats_with_largest_set(array, laid, setup.mover))
    if array[layout.TIE] == layout.RANDOM and tied & (tied - 1):
        array[layout.TIED] = tied
    _require(
        setup.stage == layout.TURN or array[layout.TIED],
        "no lot is drawn: somebody has the largest set",
    )
    fits = setup.stage == layout.TIEBREAK or tied >> setup.mover & 1
    _require(
        fits and is_first_player_consistent(array),
        "another seat begins, or other tiles are laid first",
    )
