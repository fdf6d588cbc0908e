"""The oracle of Flecks: a slow and simple second implementation of the game.

It is written from the rules alone (the inventor's text and our reading of it) and serves the tests
only: the game never imports it, and it imports nothing from the package. Cells are axial (q, r)
tuples in sets, colours are words, and every question is answered by looking at the whole board.

Cells: side n, N = n - 1, a cell has |q|, |r|, |q + r| <= N, the centre is (0, 0), and r grows
downward. A cell's name is the letter of q (`a` is -N) and the number r + n.

Actions: a placement is the cell's name ("e5"); a row move is the name of its rear stone, the
direction and the distance ("e5-ne2"); "stop" ends the turn without a row move. A turn of phase 1 is
one placement. A turn of phase 2 is a placement and then a row move or "stop", two actions of the
same seat, unless the placement has won.

How the open points are read:

* Border "quarters": four equal parts of one and a half sides; the four cut cells belong to both
  colours. Border "sides": red owns the top and the bottom side (n cells each), blue the two sides
  on the left and the two on the right (2n - 1 cells each); the four corners where the colours meet
  belong to both.
* Whoever has no cell to place on at the start of a turn of phase 2 is skipped without an action. He
  has no row move either: the cell ahead of a row is an empty cell that touches an own stone.
* place_optional: a turn of phase 2 may begin with a row move instead, which ends it. After n turns
  in a row without a placement (both players counted together) only placements are offered. A
  skipped turn is not counted, nor does it reset the count.
* new_stone_fixed: the stone placed in this turn isn't part of the row that moves; it still stands
  in the way of others.
* win_at_end_only: there is no look at the win between the placement and the row move. So the mover
  can break a finished chain again, and then has not won.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property

Cell = tuple[int, int]

COLOURS = ("red", "blue")
BORDERS = ("quarters", "sides")
SIZES = range(5, 14, 2)
DIRECTIONS: dict[str, Cell] = {
    "e": (1, 0),
    "se": (0, 1),
    "sw": (-1, 1),
    "w": (-1, 0),
    "nw": (0, -1),
    "ne": (1, -1),
}
LETTERS = "abcdefghijklmnopqrstuvwxyz"


# The board


@cache
def board_cells(size: int) -> frozenset[Cell]:
    """All cells of the board of this side."""
    far = size - 1
    span = range(-far, far + 1)
    return frozenset((q, r) for q in span for r in span if abs(q + r) <= far)


@cache
def outer_ring(size: int) -> frozenset[Cell]:
    """The cells next to the border."""
    far = size - 1
    return frozenset((q, r) for q, r in board_cells(size) if max(abs(q), abs(r), abs(q + r)) == far)


@cache
def step(cell: Cell, direction: str, distance: int = 1) -> Cell:
    """The cell this many steps away, on the board or not."""
    dq, dr = DIRECTIONS[direction]
    return (cell[0] + distance * dq, cell[1] + distance * dr)


@cache
def neighbours(cell: Cell, size: int) -> frozenset[Cell]:
    """The cells of the board that touch this one."""
    return board_cells(size) & {step(cell, direction) for direction in DIRECTIONS}


@cache
def cell_name(cell: Cell, size: int) -> str:
    """The name of a cell: letter of q, number r + n."""
    q, r = cell
    return f"{LETTERS[q + size - 1]}{r + size}"


@cache
def cell_named(name: str, size: int) -> Cell:
    """The cell of this name; ValueError if the board has none."""
    for cell in board_cells(size):
        if cell_name(cell, size) == name:
            return cell
    raise ValueError(f"no cell {name!r} on a board of side {size}")


@cache
def border_cells(size: int, colour: str, part: int, border: str = "quarters") -> frozenset[Cell]:
    """The cells at one of the two parts (0 or 1) of a colour's border.

    Quarters: red north-east and south-west, blue north-west and south-east. Sides: red top and
    bottom, blue left and right.
    """
    if colour not in COLOURS or part not in (0, 1) or border not in BORDERS:
        raise ValueError(f"no border part {colour!r} {part!r} {border!r}")
    far = size - 1
    first: set[Cell]
    if border == "quarters":
        half = far // 2
        if colour == "red":
            # North-east: the right half of the top side and the whole upper right side.
            first = {(q, -far) for q in range(half, far + 1)}
            first |= {(far, r) for r in range(-far, 1)}
        else:
            # North-west: the whole upper left side and the left half of the top side.
            first = {(q, -far - q) for q in range(-far, 1)}
            first |= {(q, -far) for q in range(half + 1)}
    elif colour == "red":
        # The top side.
        first = {(q, -far) for q in range(far + 1)}
    else:
        # The upper left and the lower left side.
        first = {(q, -far - q) for q in range(-far, 1)}
        first |= {(-far, r) for r in range(far + 1)}
    # The other part lies opposite, through the centre.
    return frozenset(first) if part == 0 else frozenset((-q, -r) for q, r in first)


def connected(stones: Iterable[Cell], size: int, colour: str, border: str = "quarters") -> bool:
    """Whether these stones join the two parts of the colour's border."""
    own = set(stones)
    goal = border_cells(size, colour, 1, border)
    reached = own & border_cells(size, colour, 0, border)
    waiting = list(reached)
    while waiting:
        for cell in neighbours(waiting.pop(), size) & own:
            if cell not in reached:
                reached.add(cell)
                waiting.append(cell)
    return bool(reached & goal)


# The two actions of phase 2, on bare sets of stones


def placements(own: frozenset[Cell], other: frozenset[Cell], size: int) -> set[Cell]:
    """The empty cells that touch an own stone."""
    empty = board_cells(size) - own - other
    return {cell for cell in empty if neighbours(cell, size) & own}


def row_moves(
    own: frozenset[Cell], other: frozenset[Cell], size: int, fixed: Cell | None = None
) -> dict[str, frozenset[Cell]]:
    """Every row move by its text, with the own stones after it; `fixed` may not take part.

    No two row moves have the same result. A move of k stones by s steps empties the s rearmost
    cells of the row and fills the s cells ahead of its front (s <= k); these two sets tell the
    direction, the rear, the front and the distance.
    """
    empty = board_cells(size) - own - other
    result: dict[str, frozenset[Cell]] = {}
    for rear in own:
        for direction in DIRECTIONS:
            row = [rear]
            while step(row[-1], direction) in own:
                row.append(step(row[-1], direction))
            if fixed in row:
                continue
            for distance in range(1, len(row) + 1):
                if step(row[-1], direction, distance) not in empty:
                    break
                moved = {step(stone, direction, distance) for stone in row}
                text = f"{cell_name(rear, size)}-{direction}{distance}"
                result[text] = (own - set(row)) | moved
    return result


# The match


def other_colour(colour: str) -> str:
    """The opponent's colour."""
    return "blue" if colour == "red" else "red"


@dataclass(frozen=True)
class Position:
    """A position of a match, with the options it is played by."""

    size: int
    border: str
    place_optional: bool
    new_stone_fixed: bool
    win_at_end_only: bool
    red: frozenset[Cell]
    blue: frozenset[Cell]
    colour: str
    """Whose turn it is."""
    new_stone: Cell | None
    """The stone placed in this turn of phase 2, while its row move or "stop" is awaited."""
    idle_turns: int
    """How many turns in a row went without a placement."""
    victor: str | None
    """The colour that has won."""

    @staticmethod
    def start(
        size: int = 7,
        *,
        border: str = "quarters",
        place_optional: bool = False,
        new_stone_fixed: bool = False,
        win_at_end_only: bool = False,
    ) -> "Position":
        """The empty board; the side is odd, from 5 to 13 (then the letters run out)."""
        if size not in SIZES:
            raise ValueError(f"no board of side {size}")
        if border not in BORDERS:
            raise ValueError(f"no border {border!r}")
        return Position(
            size=size,
            border=border,
            place_optional=place_optional,
            new_stone_fixed=new_stone_fixed,
            win_at_end_only=win_at_end_only,
            red=frozenset(),
            blue=frozenset(),
            colour="red",
            new_stone=None,
            idle_turns=0,
            victor=None,
        )

    @property
    def mover(self) -> int | None:
        """The seat to act; None when the match is over."""
        return None if self.victor else COLOURS.index(self.colour)

    def winner(self) -> int | None:
        """The seat that has won; None before the end."""
        return COLOURS.index(self.victor) if self.victor else None

    def stones(self, seat: int) -> frozenset[Cell]:
        """The cells of this seat's stones."""
        return self._stones_of(COLOURS[seat])

    def legal(self) -> set[str]:
        """The actions of the mover; none when the match is over."""
        return set(self._legal)

    @cached_property
    def _legal(self) -> set[str]:
        if self.victor:
            return set()
        if self._first_phase():
            cells = set(board_cells(self.size) - self.red - self.blue)
            if not self.red:
                cells &= outer_ring(self.size)
            return self._names(cells)
        if self.new_stone is not None:
            return set(self._row_moves) | {"stop"}
        actions = self._names(self._placements(self.colour))
        if self.place_optional and self.idle_turns < self.size:
            actions |= set(self._row_moves)
        return actions

    def play(self, move: str) -> "Position":
        """The position after an action of the mover; ValueError if it is not legal."""
        if move not in self.legal():
            raise ValueError(f"illegal action {move!r}")
        if move == "stop":
            return self._end_turn()
        if "-" in move:
            after = self._with_stones(self._row_moves[move])
            if self.new_stone is None:
                after = replace(after, idle_turns=self.idle_turns + 1)
            return after._end_turn()
        cell = cell_named(move, self.size)
        after = self._with_stones(self._stones_of(self.colour) | {cell})
        after = replace(after, idle_turns=0)
        if self._first_phase():
            return after._end_turn()
        if not self.win_at_end_only and after._has_won():
            return replace(after, victor=self.colour)
        return replace(after, new_stone=cell)

    def _stones_of(self, colour: str) -> frozenset[Cell]:
        return self.red if colour == "red" else self.blue

    def _with_stones(self, own: frozenset[Cell]) -> "Position":
        """The same position with other stones of the mover."""
        if self.colour == "red":
            return replace(self, red=own)
        return replace(self, blue=own)

    def _names(self, cells: set[Cell]) -> set[str]:
        return {cell_name(cell, self.size) for cell in cells}

    def _first_phase(self) -> bool:
        """Whether stones are still placed freely: until both have n - 3."""
        return min(len(self.red), len(self.blue)) < self.size - 3

    def _placements(self, colour: str) -> set[Cell]:
        """Where this colour may place in phase 2."""
        other = self._stones_of(other_colour(colour))
        return placements(self._stones_of(colour), other, self.size)

    @cached_property
    def _row_moves(self) -> dict[str, frozenset[Cell]]:
        """The mover's row moves, with their stones after each."""
        own = self._stones_of(self.colour)
        other = self._stones_of(other_colour(self.colour))
        fixed = self.new_stone if self.new_stone_fixed else None
        return row_moves(own, other, self.size, fixed)

    def _has_won(self) -> bool:
        """Whether the mover's stones join their two parts of the border."""
        return connected(self._stones_of(self.colour), self.size, self.colour, self.border)

    def _end_turn(self) -> "Position":
        """End the mover's turn: they have won, or the next seat that can place is to move."""
        after = replace(self, new_stone=None)
        if after._has_won():
            return replace(after, victor=self.colour)
        after = replace(after, colour=other_colour(self.colour))
        if after._first_phase() or after._placements(after.colour):
            return after
        # The opponent is skipped. An empty cell is left, or else someone would have won, so the
        # mover can place.
        return replace(after, colour=self.colour)


def perft(position: Position, depth: int) -> int:
    """The number of sequences of this many actions; a match that ends earlier doesn't count."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(position.legal())
    return sum(perft(position.play(move), depth - 1) for move in position.legal())
