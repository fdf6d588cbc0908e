"""The oracle of Qwirkle: a slow, simple second implementation, from the rules alone.

It exists to be compared with the game and is never imported by it; it imports nothing from the
package.  Everything is spelled out in plain values: a tile is a text such as ``"Rc"`` (colour
letter, shape letter), the table is a dict from ``(x, y)``, with y downward, to tiles, a hand is a
list, the bag a Counter.  The first half judges whole turns on a table; the second half,
``Position``, plays a match tile by tile, where the caller plays chance by naming the drawn tiles.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, permutations

COLOURS = "ROYGBP"  # red, orange, yellow, green, blue, purple
SHAPES = "cxdsbv"  # circle, criss-cross, diamond, square, starburst, clover
TILES = [colour + shape for colour in COLOURS for shape in SHAPES]  # in order of tile number
COPIES = 3
HAND_SIZE = 6
LONGEST_LINE = 6
LINE_BONUS = 6
LAST_TILE_BONUS = 6

Cell = tuple[int, int]
Grid = dict[Cell, str]
Placed = list[tuple[Cell, str]]
Placement = frozenset[tuple[Cell, str]]

ROW = (1, 0)
COLUMN = (0, 1)


def full_bag() -> Counter[str]:
    """All 108 tiles."""
    return Counter(dict.fromkeys(TILES, COPIES))


# --- whole turns on a table ---------------------------------------------------------------------


def is_valid_line(tiles: list[str]) -> bool:
    """Whether the tiles make a line: 2 to 6, no two equal, all of one colour or of one shape."""
    if not 2 <= len(tiles) <= LONGEST_LINE:
        return False
    if len(set(tiles)) != len(tiles):
        return False
    one_colour = len({tile[0] for tile in tiles}) == 1
    one_shape = len({tile[1] for tile in tiles}) == 1
    return one_colour or one_shape


def neighbours(cell: Cell) -> list[Cell]:
    """The four cells that share an edge with this one."""
    x, y = cell
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


def run_through(grid: Grid, cell: Cell, direction: Cell) -> list[Cell]:
    """The longest unbroken run of occupied cells through an occupied cell, in order."""
    dx, dy = direction
    x, y = cell
    while (x - dx, y - dy) in grid:
        x, y = x - dx, y - dy
    run = []
    while (x, y) in grid:
        run.append((x, y))
        x, y = x + dx, y + dy
    return run


def lines_touched(after: Grid, placed: Placed) -> set[tuple[Cell, ...]]:
    """The distinct lines of two tiles or more, as their cells, that contain a placed tile."""
    lines = set()
    for cell, _ in placed:
        for direction in (ROW, COLUMN):
            run = run_through(after, cell, direction)
            if len(run) >= 2:
                lines.add(tuple(run))
    return lines


def placement_error(grid: Grid, placed: Placed) -> str | None:
    """Why these tiles may not be placed in one turn, as one word; None if they may.

    The words: "none" (no tile), "many" (more than a hand), "occupied" (a cell is taken, or named
    twice), "crooked" (neither one row nor one column), "gap" (not one unbroken line), "apart"
    (no placed tile beside an old one), "line" (a line that is not valid).
    """
    cells = [cell for cell, _ in placed]
    if not cells:
        return "none"
    if len(cells) > HAND_SIZE:
        return "many"
    if len(set(cells)) != len(cells) or any(cell in grid for cell in cells):
        return "occupied"
    if len({y for _, y in cells}) == 1:
        direction = ROW
    elif len({x for x, _ in cells}) == 1:
        direction = COLUMN
    else:
        return "crooked"
    after = {**grid, **dict(placed)}
    if not set(cells) <= set(run_through(after, cells[0], direction)):
        return "gap"
    if grid and not any(beside in grid for cell in cells for beside in neighbours(cell)):
        return "apart"
    for line in lines_touched(after, placed):
        if not is_valid_line([after[cell] for cell in line]):
            return "line"
    return None


def placement_score(grid: Grid, placed: Placed) -> int:
    """The points of a legal placement: each line counts its tiles, and 6 more if it has six."""
    error = placement_error(grid, placed)
    if error is not None:
        raise ValueError(f"not a legal placement: {error}")
    lines = lines_touched({**grid, **dict(placed)}, placed)
    if not lines:
        return 1  # a single first tile
    return sum(len(line) + (LINE_BONUS if len(line) == LONGEST_LINE else 0) for line in lines)


def _cell_sets(grid: Grid) -> list[frozenset[Cell]]:
    """Every set of cells that one turn could fill, whatever the tiles; smallest sets first.

    From its first placed tile to its last a placement is a straight segment of at most six cells
    without a gap, so the placed cells are all the empty cells of that segment; and one of them is
    beside an old tile.  On an empty table the segment begins at (0, 0).
    """
    found = set()
    if grid:
        anchors = {beside for cell in grid for beside in neighbours(cell) if beside not in grid}
    else:
        anchors = {(0, 0)}
    for x, y in anchors:
        for dx, dy in (ROW, COLUMN):
            for before in range(LONGEST_LINE if grid else 1):
                for behind in range(LONGEST_LINE - before):
                    steps = range(-before, behind + 1)
                    segment = [(x + step * dx, y + step * dy) for step in steps]
                    found.add(frozenset(cell for cell in segment if cell not in grid))
    return sorted(found, key=lambda cells: (len(cells), sorted(cells)))


def _each_placement(grid: Grid, hand: list[str]) -> Iterator[Placement]:
    """Try all tiles in all orders on all sets of cells; keep what is legal."""
    kinds = sorted(set(hand))  # equal tiles never fit into one line, so never into one turn
    for cell_set in _cell_sets(grid):
        cells = sorted(cell_set)
        for tiles in combinations(kinds, len(cells)):
            if len(tiles) > 1 and not is_valid_line(list(tiles)):
                continue  # they will lie in one line
            for order in permutations(tiles):
                placed = list(zip(cells, order, strict=True))
                if placement_error(grid, placed) is None:
                    yield frozenset(placed)


def all_placements(grid: Grid, hand: list[str]) -> set[Placement]:
    """Every legal placement of one turn with tiles of this hand.

    The table has no origin: on an empty one the first tile (smallest x, then y) is at (0, 0).
    """
    return set(_each_placement(grid, hand))


def can_place(grid: Grid, hand: list[str]) -> bool:
    """Whether the hand has any legal placement."""
    return any(True for _ in _each_placement(grid, hand))


# --- the first player ---------------------------------------------------------------------------


def largest_set(hand: list[str]) -> int:
    """The largest number of different tiles of the hand that share a colour or a shape."""
    kinds = set(hand)
    by_colour = [sum(tile[0] == colour for tile in kinds) for colour in COLOURS]
    by_shape = [sum(tile[1] == shape for tile in kinds) for shape in SHAPES]
    return max(by_colour + by_shape)


def first_player(hands: list[list[str]], tie: str = "oldest") -> int:
    """The seat with the largest set; of those tied the lowest ("oldest") or highest seat."""
    sizes = [largest_set(hand) for hand in hands]
    tied = [seat for seat, size in enumerate(sizes) if size == max(sizes)]
    if tie == "oldest":
        return tied[0]
    if tie == "youngest":
        return tied[-1]
    raise ValueError(f"the tie {tie!r} is for the caller to break")


# --- a match, tile by tile ----------------------------------------------------------------------


def _in_order(tiles: list[str]) -> list[str]:
    """The tiles in ascending order of tile number."""
    return sorted(tiles, key=TILES.index)


def _without(hand: list[str], tile: str) -> list[str]:
    """The hand less one copy of the tile."""
    rest = list(hand)
    rest.remove(tile)
    return rest


@dataclass(frozen=True)
class Position:
    """A moment of a match.  It is a value: ``play`` returns another and changes nothing.

    Actions: "Rc@3,-2" lays a tile, "trade:Rc" sets one aside for exchange, "end" ends the turn,
    "pass" passes, "draw:Rc" draws.  Every tile laid must leave a placement that is legal as it
    stands; tiles are set aside in ascending order of tile number.
    """

    grid: Grid  # the tiles of the turns before this one
    hands: list[list[str]]  # each in order of tile number
    bag: Counter[str]
    scores: list[int]
    mover: int | None  # the seat to act; None when the match is over
    placed: Placed = field(default_factory=list)  # laid this turn, in the order of laying
    aside: list[str] = field(default_factory=list)  # set aside for exchange this turn
    needs_draw: int = 0  # tiles the mover must still draw
    passes: int = 0  # passes in a row
    exchanges: int = 0  # turns of exchange in a row
    first_play_full: bool = False
    exchange_limit: int = 0

    @staticmethod
    def start(
        hands: list[list[str]],
        bag: Counter[str],
        *,
        first: int | None = None,
        first_play_full: bool = False,
        tie: str = "oldest",
        exchange_limit: int = 0,
    ) -> "Position":
        """The match before its first turn, with the tiles as they were dealt.

        ``first`` names the first player; None leaves it to the rule.  ``first_play_full`` makes
        the first turn use a whole largest set.  ``exchange_limit`` ends the match after that many
        rounds of nothing but exchanges (0: never).
        """
        return Position(
            grid={},
            hands=[_in_order(hand) for hand in hands],
            bag=+bag,
            scores=[0] * len(hands),
            mover=first_player(hands, tie) if first is None else first,
            first_play_full=first_play_full,
            exchange_limit=exchange_limit,
        )

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.mover is None

    def winners(self) -> list[int]:
        """The seats with the most points, who share the win; none before the end."""
        if not self.over:
            return []
        return [seat for seat, score in enumerate(self.scores) if score == max(self.scores)]

    def table(self) -> Grid:
        """All tiles on the table, with those laid this turn."""
        return {**self.grid, **dict(self.placed)}

    def legal(self) -> set[str]:
        """The texts of all legal actions."""
        return set(self._legal)

    @cached_property
    def _legal(self) -> set[str]:
        if self.mover is None:
            return set()
        if self.needs_draw:
            return {f"draw:{tile}" for tile in +self.bag}
        actions = set()
        if not self.aside:
            actions |= self._legal_lays()
        if not self.placed:
            actions |= self._legal_trades()
        if self._may_end():
            actions.add("end")
        if self._may_pass():
            actions.add("pass")
        return actions

    def play(self, action: str) -> "Position":
        """The position after a legal action."""
        if action not in self.legal():
            raise ValueError(f"not a legal action: {action!r}")
        if action == "pass":
            return self._pass()
        if action == "end":
            return self._end_placement() if self.placed else self._end_exchange()
        if action.startswith("draw:"):
            return self._draw(action.removeprefix("draw:"))
        if action.startswith("trade:"):
            tile = action.removeprefix("trade:")
            rest = self._with_hand(_without(self._hand(), tile))
            return replace(self, hands=rest, aside=[*self.aside, tile])
        tile, _, place = action.partition("@")
        x, _, y = place.partition(",")
        rest = self._with_hand(_without(self._hand(), tile))
        return replace(self, hands=rest, placed=[*self.placed, ((int(x), int(y)), tile)])

    # what is legal

    def _legal_lays(self) -> set[str]:
        """The tiles that can be laid so that all of this turn's are a legal placement."""
        table = self.table()
        if table:
            cells = {beside for cell in table for beside in neighbours(cell)} - set(table)
        else:
            cells = {(0, 0)}  # the table has no origin: the first tile makes it
        actions = set()
        for tile in set(self._hand()):
            for x, y in cells:
                placed = [*self.placed, ((x, y), tile)]
                if placement_error(self.grid, placed) is None and self._can_be_full(placed):
                    actions.add(f"{tile}@{x},{y}")
        return actions

    def _legal_trades(self) -> set[str]:
        """The tiles that can be set aside: in order, no more than the bag holds."""
        if not self.grid or len(self.aside) >= self.bag.total():
            return set()  # the first turn of the match is a placement
        least = TILES.index(self.aside[-1]) if self.aside else 0
        return {f"trade:{tile}" for tile in self._hand() if TILES.index(tile) >= least}

    def _may_end(self) -> bool:
        """Whether the turn can end here."""
        if self.placed and not self.grid and self.first_play_full:
            return len(self.placed) == largest_set(self._hand_before())
        return bool(self.placed or self.aside)

    def _may_pass(self) -> bool:
        """Whether the mover is stuck: nothing in the bag and nothing to place."""
        if self.placed or self.aside or self.bag.total():
            return False
        return not can_place(self.grid, self._hand())

    def _can_be_full(self, placed: Placed) -> bool:
        """Whether the tiles are part of a largest set, where the first turn must use one."""
        if self.grid or not self.first_play_full:
            return True
        hand = self._hand_before()
        laid = {tile for _, tile in placed}
        return any(
            laid <= set(tiles) and largest_set(list(tiles)) == len(tiles)
            for tiles in combinations(set(hand), largest_set(hand))
        )

    # what follows

    def _hand(self) -> list[str]:
        """The mover's tiles in hand."""
        assert self.mover is not None
        return self.hands[self.mover]

    def _hand_before(self) -> list[str]:
        """The mover's tiles as they were before laying any this turn."""
        return self._hand() + [tile for _, tile in self.placed]

    def _with_hand(self, hand: list[str]) -> list[list[str]]:
        """All hands, with this one for the mover's."""
        return [hand if seat == self.mover else old for seat, old in enumerate(self.hands)]

    def _with_points(self, points: int) -> list[int]:
        """All scores, with these points added to the mover's."""
        return [old + points * (seat == self.mover) for seat, old in enumerate(self.scores)]

    def _next_seat(self) -> int:
        """The seat after the mover's, clockwise."""
        assert self.mover is not None
        return (self.mover + 1) % len(self.hands)

    def _end_placement(self) -> "Position":
        """Score the tiles laid; then the match ends, the mover draws, or the next one moves."""
        points = placement_score(self.grid, self.placed)
        done = replace(self, grid=self.table(), placed=[], passes=0, exchanges=0)
        if not self._hand() and not self.bag.total():
            return replace(done, scores=self._with_points(points + LAST_TILE_BONUS), mover=None)
        done = replace(done, scores=self._with_points(points))
        draws = min(HAND_SIZE - len(self._hand()), self.bag.total())
        if draws > 0:
            return replace(done, needs_draw=draws)
        return replace(done, mover=self._next_seat())

    def _end_exchange(self) -> "Position":
        """Have as many drawn as were set aside; those stay out of the bag until then."""
        return replace(self, needs_draw=len(self.aside))

    def _draw(self, tile: str) -> "Position":
        """Move a tile from the bag to the hand; after the last one the turn is over."""
        hands = self._with_hand(_in_order([*self._hand(), tile]))
        bag = self.bag - Counter([tile])
        left = self.needs_draw - 1
        if left:
            return replace(self, hands=hands, bag=bag, needs_draw=left)
        done = replace(self, hands=hands, bag=bag, needs_draw=0, mover=self._next_seat())
        if not self.aside:
            return done
        bag = bag + Counter(self.aside)
        exchanges = self.exchanges + 1
        done = replace(done, bag=bag, aside=[], passes=0, exchanges=exchanges)
        if self.exchange_limit and exchanges >= self.exchange_limit * len(self.hands):
            return replace(done, mover=None)
        return done

    def _pass(self) -> "Position":
        """Count the pass; when all have passed in succession the match is over."""
        passes = self.passes + 1
        over = passes >= len(self.hands)
        return replace(self, passes=passes, exchanges=0, mover=None if over else self._next_seat())
