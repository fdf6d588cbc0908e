"""Validation of states that are parsed rather than played.

Kernels trust their array, so every state that enters is checked: each tile exists, the grid is
connected and its lines are valid, hands are as full as the bag allows, and the counters agree.
Whether a match could have reached the state tile by tile is not checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.notation import require
from watermeet.games.qwirkle import layout, rules
from watermeet.games.qwirkle.hidden import is_first_player_consistent
from watermeet.games.qwirkle.legal_actions import laid_kinds
from watermeet.games.qwirkle.names import Cell, cell_name, tile_name
from watermeet.games.qwirkle.tiles import seats_with_largest_set

Grid = dict[Cell, int]


@dataclass
class ParsedState:
    """A state as parsed: kinds by seat, cells with their kinds, and the counters."""

    stage: int
    mover: int
    hands: list[list[int]]
    points: list[int]
    aside: list[int]
    grid: list[tuple[Cell, int]]
    numbers: dict[str, int]

    @property
    def laid(self) -> int:
        """The number of tiles placed in this turn."""
        return self.numbers["laid"]

    @property
    def last(self) -> int:
        """The number of tiles the previous turn placed."""
        return self.numbers["last"]

    @property
    def passes(self) -> int:
        """Consecutive passes."""
        return self.numbers["passes"]

    @property
    def exchanges(self) -> int:
        """Consecutive trades."""
        return self.numbers["exchanges"]


def array_of(game: Game, parsed: ParsedState) -> StateArray:
    """The state array without its cache; raise ValueError with what is wrong."""
    _check_sizes(game, parsed)
    bag = _rest_of_tiles(parsed)
    _check_grid(parsed)
    _check_stage(game, parsed, bag.total())
    array = _write(game, parsed, bag)
    _check_beginning(parsed, array)
    return array


# ---- tiles ------------------------------------------------------------------------------------


def _check_sizes(game: Game, parsed: ParsedState) -> None:
    seats = game.seats
    require(len(parsed.hands) == seats, f"expected {seats} hands, found {len(parsed.hands)}")
    require(len(parsed.points) == seats, f"expected {seats} scores, found {len(parsed.points)}")
    require(parsed.mover < seats, f"there is no seat {parsed.mover}")
    require(
        all(len(hand) <= layout.HAND for hand in parsed.hands), "a hand holds at most six tiles"
    )
    require(
        parsed.laid + parsed.last <= len(parsed.grid),
        "the grid has fewer tiles than 'laid' and 'last' count",
    )
    require(max(parsed.laid, parsed.last) <= layout.HAND, "a turn places at most six tiles")
    require(len(parsed.aside) <= layout.HAND, "at most six tiles can be set aside")


def _rest_of_tiles(parsed: ParsedState) -> Counter[int]:
    """The bag: the tiles that are nowhere else."""
    on_grid = (kind for _, kind in parsed.grid)
    in_hands = (kind for hand in parsed.hands for kind in hand)
    used = Counter((*on_grid, *in_hands, *parsed.aside))
    for kind, number in used.items():
        require(
            number <= layout.COPIES,
            f"{tile_name(kind)} appears {number} times, but there are only {layout.COPIES}",
        )
    return Counter(dict.fromkeys(range(layout.KINDS), layout.COPIES)) - used


def _check_grid(parsed: ParsedState) -> None:
    grid = dict(parsed.grid)
    require(len(grid) == len(parsed.grid), "two tiles are on the same cell")
    require(not grid or (0, 0) in grid, "the first tile must be on 0,0")
    require(_is_connected(set(grid)), "the tiles on the grid must be connected")
    for cell in grid:
        for step in ((1, 0), (0, 1)):
            if (cell[0] - step[0], cell[1] - step[1]) not in grid:
                _check_line(grid, cell, step)
    laid, last = parsed.laid, parsed.last
    tiles = [cell for cell, _ in parsed.grid]
    before_laid = len(tiles) - laid
    _check_turn(tiles[:before_laid], tiles[before_laid:])
    _check_turn(tiles[: before_laid - last], tiles[before_laid - last : before_laid])
    turns = (tiles[before_laid - last : before_laid], tiles[before_laid:])
    for cells in turns:
        require(
            cells == sorted(cells, key=_reading_order), "list a turn's tiles by row, then column"
        )


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
        raise ValueError(f"{names} from {cell_name(first)} isn't a line of one colour or shape")


def is_line(kinds: list[int]) -> bool:
    """Whether kinds form a line: all different, and all of one colour or one shape."""
    one_colour = len({kind // 6 for kind in kinds}) == 1
    one_shape = len({kind % 6 for kind in kinds}) == 1
    return len(set(kinds)) == len(kinds) and (one_colour or one_shape)


def _check_turn(before: list[Cell], placed: list[Cell]) -> None:
    """Check that tiles could have been placed in one turn."""
    if not placed:
        return
    steps = [
        step for step, axis in (((1, 0), 1), ((0, 1), 0)) if len({c[axis] for c in placed}) == 1
    ]
    after = [*before, *placed]
    in_line = any(set(placed) <= set(run_of(after, placed[0], step)) for step in steps)
    require(in_line, "the tiles of a turn must be in one unbroken line")
    require(_is_connected(set(before)), "the tiles of earlier turns must be connected")
    require(not before or (0, 0) in before, "the first turn must include 0,0")


# ---- stages -----------------------------------------------------------------------------------


def _check_stage(game: Game, parsed: ParsedState, bag: int) -> None:
    played = len(parsed.grid) - parsed.laid
    quiet = parsed.passes + parsed.exchanges
    if parsed.stage in (layout.DEAL, layout.TIEBREAK):
        _check_deal(parsed)
        return
    require(parsed.stage == layout.TURN or parsed.laid == 0, "tiles are only placed during a turn")
    require(
        parsed.stage in (layout.TURN, layout.REPLACE) or not parsed.aside,
        "tiles are only set aside during a turn",
    )
    require(not (parsed.laid and parsed.aside), "a turn can't both place tiles and set them aside")
    require(parsed.passes == 0 or parsed.exchanges == 0, "passes and exchanges can't both be set")
    require(
        bool(parsed.last) == bool(played and not quiet),
        "'last' must count the tiles of the previous turn",
    )
    require(played or (not quiet and not any(parsed.points)), "nothing can precede the first turn")
    _check_hands(parsed, bag)
    limit = game.options.number("exchange_limit") * game.seats
    if parsed.stage == layout.FINISHED:
        _check_end(game, parsed, bag, limit)
        return
    require(parsed.passes < game.seats, "the match is over when everybody has passed")
    require(parsed.exchanges < limit, "the match is over after that many exchanges")
    require(parsed.passes == 0 or bag == 0, "nobody can pass while the bag has tiles")
    require(parsed.exchanges == 0 or bag > 0, "nobody can trade with an empty bag")


def _check_deal(parsed: ParsedState) -> None:
    nothing = not (
        parsed.grid or parsed.aside or any(parsed.points) or any(parsed.numbers.values())
    )
    require(nothing, "nothing can happen before the deal is over")
    sizes = [len(hand) for hand in parsed.hands]
    if parsed.stage == layout.TIEBREAK:
        require(parsed.mover == 0, "write lot=0")
        require(set(sizes) == {layout.HAND}, "all hands must be full before a tie is broken")
        return
    require(sizes[parsed.mover] < layout.HAND, "the hand being dealt must not be full yet")
    require(set(sizes[: parsed.mover]) <= {layout.HAND}, "hands are dealt one after another")
    require(not any(sizes[parsed.mover + 1 :]), "hands are dealt one after another")


def _check_hands(parsed: ParsedState, bag: int) -> None:
    """Check that hands must be full while the bag has tiles, and never empty during play."""
    sizes = [len(hand) for hand in parsed.hands]
    own = sizes.pop(parsed.mover)
    is_bag_used = bag > 0 or parsed.stage in (layout.REFILL, layout.REPLACE) or parsed.aside
    require(all(sizes) or not sizes, "the match is over once a hand is empty")
    if is_bag_used:
        require(set(sizes) <= {layout.HAND}, "hands must be full while the bag has tiles")
    if parsed.stage == layout.REFILL:
        require(
            bag > 0 and layout.HAND - parsed.last <= own < layout.HAND,
            "the mover draws as many tiles as they placed",
        )
    elif parsed.stage == layout.REPLACE:
        drawn = own + len(parsed.aside) - layout.HAND
        require(
            parsed.aside and 0 <= drawn < len(parsed.aside),
            "the mover draws as many tiles as they set aside",
        )
        require(layout.HAND - own <= bag, "the bag must be able to replace the tiles set aside")
    else:
        whole = own + parsed.laid + len(parsed.aside)
        require(whole <= layout.HAND, "a hand holds at most six tiles")
        require(
            whole == layout.HAND or not is_bag_used, "hands must be full while the bag has tiles"
        )
        require(
            whole > 0 or parsed.stage == layout.FINISHED, "the match is over once a hand is empty"
        )
        require(len(parsed.aside) <= bag, "the bag must be able to replace the tiles set aside")
    require(not parsed.aside or parsed.grid, "the first turn must place tiles")


def _check_end(game: Game, parsed: ParsedState, bag: int, limit: int) -> None:
    out_of_tiles = bag == 0 and not parsed.hands[parsed.mover] and parsed.last > 0
    require(
        out_of_tiles or parsed.hands[parsed.mover],
        "a hand can only become empty by placing its last tile",
    )
    blocked = bag == 0 and parsed.passes == game.seats
    exhausted = bag > 0 and parsed.exchanges == limit
    require(out_of_tiles + blocked + exhausted == 1, "the match isn't over")


# ---- the array --------------------------------------------------------------------------------


def _write(game: Game, parsed: ParsedState, bag: Counter[int]) -> StateArray:
    array = game.start_array()
    array[layout.STAGE], array[layout.MOVER] = parsed.stage, parsed.mover
    array[layout.COUNT], array[layout.LAID], array[layout.LAST] = (
        len(parsed.grid),
        parsed.laid,
        parsed.last,
    )
    array[layout.PASSES], array[layout.EXCHANGES] = parsed.passes, parsed.exchanges
    array[layout.BAG_LEFT] = bag.total()
    for kind in range(layout.KINDS):
        array[layout.BAG + kind] = bag[kind]
    for seat, points in enumerate(parsed.points):
        rules.set_points(array, seat, points)
    groups = [(layout.HANDS + layout.HAND * seat, hand) for seat, hand in enumerate(parsed.hands)]
    for first, kinds in (*groups, (layout.ASIDE, parsed.aside)):
        for slot, kind in enumerate(sorted(kinds)):
            array[first + slot] = kind + 1
    for index, ((x, y), kind) in enumerate(parsed.grid):
        array[layout.XS + index], array[layout.YS + index], array[layout.TILES + index] = (
            x,
            y,
            kind + 1,
        )
    return array


def _check_beginning(parsed: ParsedState, array: StateArray) -> None:
    """In the first turn, check that the hands make this seat begin with these tiles."""
    if parsed.stage not in (layout.TIEBREAK, layout.TURN) or len(parsed.grid) > parsed.laid:
        return
    laid = int(laid_kinds(array))
    tied = int(seats_with_largest_set(array, laid, parsed.mover))
    if array[layout.TIE] == layout.RANDOM and tied & (tied - 1):
        array[layout.TIED] = tied
    require(
        parsed.stage == layout.TURN or array[layout.TIED],
        "there is no tie to break: one seat has the largest set",
    )
    fits = parsed.stage == layout.TIEBREAK or tied >> parsed.mover & 1
    require(
        fits and is_first_player_consistent(array),
        "another seat begins, or must place other tiles first",
    )
