"""The oracle of Flows: a slow and simple second implementation of the game.

It is written from RULES.md alone (R1.1 and so on are its paragraphs) and serves the tests only: the
game never imports it, and it imports nothing from the package. A board is a dict from cells to
orientations, and every question is answered by following strands over the whole board.

Cells are axial (q, r) with |q|, |r|, |q + r| <= radius; r grows downward. A cell's name is the
letter of q (`a` is -radius) and the number r + radius + 1. An orientation is (type, turn) with the
smallest turn that gives these strands. An axis a (0 to 2) joins the sides a and a + 3; since every
player or team has an axis of its own, the axis serves as its name.

Whether one completion serves several axes at once (R5.2) is decided by `completion.py`, which needs
the package python-sat; everything else here needs only the standard library.
"""

import importlib
from collections.abc import Callable, Iterable, Mapping
from copy import copy as shallow_copy
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Literal, cast

Cell = tuple[int, int]
Orientation = tuple[int, int]
Strand = tuple[int, int]
Port = tuple[Cell, int]
"""An edge of a cell, seen from that cell."""
Board = Mapping[Cell, Orientation]
Completion = Callable[[Board, frozenset[int], int], dict[Cell, Orientation] | None]

LETTERS = "abcdefghijklmnopqrstuvwxyz"
EDGES = range(6)
SIDES = range(6)
AXES = range(3)
TYPES = range(4)

STEPS: tuple[Cell, ...] = ((-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0), (0, 1))
"""The step to the neighbour across each edge: south-west, west, north-west and so on (R1.2)."""

UNTURNED: tuple[tuple[Strand, ...], ...] = (
    ((0, 2), (3, 5), (1, 4)),
    ((0, 5), (1, 3), (2, 4)),
    ((0, 5), (2, 3), (1, 4)),
    ((0, 5), (1, 2), (3, 4)),
)
"""The strands of T0 to T3 before they are turned (R1.5)."""


# The tiles


def strands_of(kind: int, turn: int) -> frozenset[Strand]:
    """The strands of a tile after this many turns, each as (lower edge, higher edge)."""
    turned = [((a + turn) % 6, (b + turn) % 6) for a, b in UNTURNED[kind]]
    return frozenset((min(pair), max(pair)) for pair in turned)


def different_turns(kind: int) -> list[int]:
    """The turns of a tile that give different strands, each the smallest of its kind (R1.6)."""
    return [
        turn
        for turn in EDGES
        if all(strands_of(kind, turn) != strands_of(kind, less) for less in range(turn))
    ]


ORIENTATIONS: dict[Orientation, frozenset[Strand]] = {
    (kind, turn): strands_of(kind, turn) for kind in TYPES for turn in different_turns(kind)
}
"""The 14 ways to fill a cell, with their strands."""

PARTNERS: dict[Orientation, dict[int, int]] = {
    orientation: dict(strands) | {b: a for a, b in strands}
    for orientation, strands in ORIENTATIONS.items()
}
"""For each orientation, the edge that each edge is joined with."""


# The board


@cache
def board_cells(radius: int = 3) -> frozenset[Cell]:
    """All cells of the board."""
    span = range(-radius, radius + 1)
    return frozenset((q, r) for q in span for r in span if abs(q + r) <= radius)


@cache
def neighbour(cell: Cell, edge: int) -> Cell:
    """The cell across this edge, on the board or not; there the edge has the number edge + 3."""
    return (cell[0] + STEPS[edge][0], cell[1] + STEPS[edge][1])


def cell_name(cell: Cell, radius: int = 3) -> str:
    """The name of a cell: letter of q, number r + radius + 1."""
    return f"{LETTERS[cell[0] + radius]}{cell[1] + radius + 1}"


def cell_named(name: str, radius: int = 3) -> Cell:
    """The cell of this name; ValueError if the board has none."""
    for cell in board_cells(radius):
        if cell_name(cell, radius) == name:
            return cell
    raise ValueError(f"no cell {name!r} on a board of radius {radius}")


@cache
def rim(radius: int = 3) -> dict[Port, int]:
    """The side of every outer edge (R1.4, R7.10).

    Side s begins, clockwise, at the corner in the direction s - 1 from the centre, and runs in the
    direction s + 1. All its cells show it the edges s - 1 and s, but in its last cell, the next
    corner, only the first of them is its own.
    """
    result: dict[Port, int] = {}
    for side in SIDES:
        dq, dr = STEPS[(side - 1) % 6]
        cell = (radius * dq, radius * dr)
        for index in range(radius + 1):
            result[cell, (side - 1) % 6] = side
            if index < radius:
                result[cell, side] = side
            cell = neighbour(cell, (side + 1) % 6)
    return result


@cache
def side_edges(side: int, radius: int = 3) -> tuple[Port, ...]:
    """The outer edges of a side."""
    return tuple(port for port, owner in rim(radius).items() if owner == side)


# Strands


def follow(board: Board, port: Port, radius: int = 3) -> Port:
    """Where a strand ends that goes into a cell through this edge of it.

    The end is either an edge through which it would go into an empty cell (then an edge of that
    empty cell), or the outer edge through which it leaves the board (an edge of a filled cell). The
    start must be such an end as well, so the strand isn't a loop.
    """
    outer = rim(radius)
    cell, edge = port
    while cell in board:
        edge = PARTNERS[board[cell]][edge]
        if (cell, edge) in outer:
            return cell, edge
        cell, edge = neighbour(cell, edge), (edge + 3) % 6
    return cell, edge


def connected(board: Board, axis: int, radius: int = 3) -> bool:
    """Whether a strand joins the two sides of this axis (R6.1)."""
    for port in side_edges(axis, radius):
        end = follow(board, port, radius)
        if end[0] in board and rim(radius)[end] == axis + 3:
            return True
    return False


def reachable(board: Board, axis: int, radius: int = 3) -> bool:
    """Whether some completion of the board connects this axis, no matter what others need.

    A search over the edges through which a route can get into empty cells; from an empty cell it
    leaves through any other edge. This is exact: a shortest route uses each empty cell at most
    once (it could leave at its first visit the way it leaves at its last), and every single strand
    is on some tile.
    """
    starts = [follow(board, port, radius) for port in side_edges(axis, radius)]
    seen = set(starts)
    waiting = list(starts)
    while waiting:
        cell, edge = waiting.pop()
        if cell in board:
            if rim(radius)[cell, edge] == axis + 3:
                return True
            continue
        for out in EDGES:
            if out == edge:
                continue
            if (cell, out) in rim(radius):
                if rim(radius)[cell, out] == axis + 3:
                    return True
                continue
            end = follow(board, (neighbour(cell, out), (out + 3) % 6), radius)
            if end not in seen:
                seen.add(end)
                waiting.append(end)
    return False


# The match


DEFAULT_SIDES = {
    2: (0, 2),
    3: (0, 2, 4),
    4: (0, 1, 3, 4),
    5: (0, 1, 2, 3, 4),
    6: (0, 1, 2, 3, 4, 5),
}
ADJACENT_SIDES = DEFAULT_SIDES | {2: (0, 1), 3: (0, 1, 2)}
SOLO_OF_FIVE = 2
"""With five players, the seat that plays alone and has two turns a round."""

Seating = Literal["set", "adjacent", "chosen"]
Legality = Literal["joint", "reach"]
Supermove = Literal["off", "full", "single"]
Phase = Literal["first", "sides", "deal", "draw", "lay", "relay", "refill", "over"]


@dataclass(frozen=True)
class Options:
    """What a match is played by (R7)."""

    seats: int = 2
    sides: Seating = "set"
    open_tile: bool = False
    hold_tile: bool = False
    legality: Legality = "joint"
    supermove: Supermove = "off"
    supermove_any: bool = False
    radius: int = 3
    mix0: int = 1
    mix1: int = 1
    mix2: int = 1
    mix3: int = 1

    def tiles(self) -> list[int]:
        """How many tiles of each type there are (R7.11)."""
        ratio = [self.mix0, self.mix1, self.mix2, self.mix3]
        times = 1
        while times * sum(ratio) < len(board_cells(self.radius)):
            times += 1
        return [times * part for part in ratio]

    def check(self) -> None:
        """ValueError if there is no such match."""
        good = (
            self.seats in DEFAULT_SIDES
            and self.sides in ("set", "adjacent", "chosen")
            and self.legality in ("joint", "reach")
            and self.supermove in ("off", "full", "single")
            and 1 <= self.radius <= 12
            and min(self.mix0, self.mix2, self.mix3) >= 0
            and self.mix1 >= 1
        )
        if not good:
            raise ValueError(f"no such match: {self}")


def partner_of(seat: int, seats: int) -> int | None:
    """The fixed partner when sides are chosen (R7.1); None for a player alone."""
    if seats <= 3 or (seats == 5 and seat == SOLO_OF_FIVE):
        return None
    half = 2 if seats == 4 else 3
    return seat + half if seat < half else seat - half


def payoffs(teams: list[int], winners: Iterable[int]) -> list[Fraction]:
    """The points of each seat (R6.5), from the team of each seat and the teams that share the win.

    Each winning seat gets (K - W) / (W (K - 1)); the losing seats together pay the sum of that.
    """
    won = set(winners)
    number = len(set(teams))
    gain = Fraction(number - len(won), len(won) * (number - 1))
    takers = sum(team in won for team in teams)
    payers = len(teams) - takers
    if payers == 0:
        return [Fraction(0) for _ in teams]
    return [gain if team in won else -gain * takers / payers for team in teams]


def _default_completion() -> Completion:
    """The completion of `completion.py`, next to this file."""
    name = f"{__package__}.completion" if __package__ else "completion"
    return cast(Completion, importlib.import_module(name).completion)


@dataclass
class Match:
    """A match as a state machine; `play` changes it, `copy` makes an independent one.

    The phases: "first" the lot who begins; "sides" the choice of sides; "deal" the tiles dealt with
    hold_tile; "draw" the draw at the beginning of a turn; "lay" the turn; "relay" the laying of the
    tile that an exchange took off (supermove full); "refill" the draw after a turn with hold_tile;
    "over".
    """

    options: Options
    complete: Completion | None
    phase: Phase = "first"
    first: int = -1
    """The seat that begins."""
    seat: int = -1
    """The seat to act, or for which chance draws."""
    place: int = -1
    """The side whose turn it is; with five players it may be the black one."""
    side_of: dict[int, int] = field(default_factory=dict)
    bag: list[int] = field(default_factory=list)
    hands: list[int | None] = field(default_factory=list)
    """The type of the tile each seat has in hand."""
    board: dict[Cell, Orientation] = field(default_factory=dict)
    exchanges: int = 0
    winners: frozenset[int] = frozenset()
    """The axes of the players or teams that share the win."""
    why: Literal["", "route", "unplayable"] = ""
    _moves: set[str] | None = None
    """What `moves` has found for this position."""

    @staticmethod
    def start(options: Options | None = None, complete: Completion | None = None) -> "Match":
        """A new match; `complete` answers R5.2 (that of completion.py if None)."""
        options = Options() if options is None else options
        options.check()
        match = Match(options, complete)
        match.bag = options.tiles()
        match.hands = [None] * options.seats
        if options.sides != "chosen":
            table = DEFAULT_SIDES if options.sides == "set" else ADJACENT_SIDES
            match.side_of = dict(enumerate(table[options.seats]))
        return match

    def copy(self) -> "Match":
        """An independent copy."""
        other = shallow_copy(self)
        other.side_of = dict(self.side_of)
        other.bag = list(self.bag)
        other.hands = list(self.hands)
        other.board = dict(self.board)
        return other

    # Queries

    @property
    def to_move(self) -> int | Literal["chance", "over"]:
        """The seat to move, or "chance", or "over"."""
        if self.phase == "over":
            return "over"
        if self.phase in ("sides", "lay", "relay"):
            return self.seat
        return "chance"

    def moves(self) -> set[str]:
        """The texts of the legal moves of the seat to move; none at chance or when it is over."""
        if not isinstance(self.to_move, int):
            return set()
        if self._moves is None:
            if self.phase == "sides":
                self._moves = {f"side:{side}" for side in SIDES if self._may_take(side)}
            else:
                self._moves = self._placements() | self._exchanges()
        return set(self._moves)

    def chances(self) -> dict[str, Fraction]:
        """The texts of chance outcomes with their probabilities; none unless chance is to act."""
        if self.to_move != "chance":
            return {}
        if self.phase == "first":
            seats = self.options.seats
            return {f"first:{seat}": Fraction(1, seats) for seat in range(seats)}
        left = sum(self.bag)
        return {f"draw:T{kind}": Fraction(self.bag[kind], left) for kind in TYPES if self.bag[kind]}

    def axes(self) -> frozenset[int]:
        """The axes of all players and teams."""
        return frozenset(side % 3 for side in self.side_of.values())

    def axis_of(self, seat: int) -> int:
        """The axis of the player's team."""
        return self.side_of[seat] % 3

    def returns(self) -> list[Fraction]:
        """The points of each seat at the end (R6.5)."""
        if self.phase != "over":
            raise ValueError("the match is not over")
        teams = [self.axis_of(seat) for seat in range(self.options.seats)]
        return payoffs(teams, self.winners)

    def play(self, text: str) -> None:
        """Play a move or a chance outcome; ValueError if it isn't among `moves` or `chances`."""
        if text not in self.moves() and text not in self.chances():
            raise ValueError(f"illegal: {text!r}")
        self._moves = None
        word, _, rest = text.partition(":")
        if word == "first":
            self.first = self.seat = int(rest)
            self._seat_next()
        elif word == "side":
            self._take(int(rest))
            self._seat_next()
        elif word == "draw":
            self._draw(int(rest[1:]))
        else:
            orientation = (int(text[1]), int(text[3]))
            cell = cell_named(text[5:], self.options.radius)
            if text[4] == "@":
                self._lay(cell, orientation)
            else:
                self._exchange(cell, orientation)

    # The beginning

    def _from_first(self) -> list[int]:
        """All seats by number, from the first player on."""
        return [(self.first + index) % self.options.seats for index in range(self.options.seats)]

    def _may_take(self, side: int) -> bool:
        """Whether a side may be taken: with its opposite one, it must be free (R7.1)."""
        return all(side % 3 != other % 3 for other in self.side_of.values())

    def _take(self, side: int) -> None:
        """The seat takes a side and gives the partner the opposite one."""
        self.side_of[self.seat] = side
        partner = partner_of(self.seat, self.options.seats)
        if partner is not None:
            self.side_of[partner] = (side + 3) % 6

    def _seat_next(self) -> None:
        """The next seat without a side takes one; if all have one, the match proper begins."""
        waiting = [seat for seat in self._from_first() if seat not in self.side_of]
        if waiting:
            self.phase = "sides"
            self.seat = waiting[0]
            return
        self.place = self.side_of[self.first]
        self.seat = self.first
        if self.options.hold_tile:
            self.phase = "deal"
        else:
            self._begin_turn()

    # Draws

    def _draw(self, kind: int) -> None:
        """The seat gets a tile of this type from the bag."""
        self.bag[kind] -= 1
        self.hands[self.seat] = kind
        if self.phase == "draw":
            self._begin_laying()
        elif self.phase == "refill":
            self._next_turn()
        else:
            without = [seat for seat in self._from_first() if self.hands[seat] is None]
            if without and any(self.bag):
                self.seat = without[0]
            else:
                self.seat = self.first
                self._begin_turn()

    # Turns

    def _seat_at(self, place: int) -> int | None:
        """The seat whose turn it is at this side (R3.1, R3.2); None if the side is skipped."""
        for seat, side in self.side_of.items():
            if side == place:
                return seat
        return SOLO_OF_FIVE if self.options.seats == 5 else None

    def _next_turn(self) -> None:
        """The turn passes clockwise, skipping seats that should hold a tile and don't (R7.3)."""
        anybody = any(hand is not None for hand in self.hands)
        while True:
            self.place = (self.place + 1) % 6
            seat = self._seat_at(self.place)
            if seat is None:
                continue
            if self.options.hold_tile and anybody and self.hands[seat] is None:
                continue
            self.seat = seat
            self._begin_turn()
            return

    def _begin_turn(self) -> None:
        """Begin the seat's turn: on a full board it wins, otherwise it draws or has its tile."""
        if self._full():
            self._win_unplayable()
        elif self.options.hold_tile:
            self._begin_laying()
        else:
            self.phase = "draw"

    def _begin_laying(self) -> None:
        """The seat is to lay the tile in hand; if it cannot, it wins (R4.3)."""
        self.phase = "lay"
        if not self.moves():
            self._win_unplayable()

    def _win_unplayable(self) -> None:
        self.phase = "over"
        self.why = "unplayable"
        self.winners = frozenset({self.axis_of(self.seat)})

    def _full(self) -> bool:
        return len(self.board) == len(board_cells(self.options.radius))

    def _route_wins(self) -> bool:
        """Ends the match if somebody is connected (R6.2)."""
        joined = [axis for axis in self.axes() if connected(self.board, axis, self.options.radius)]
        if joined:
            self.phase = "over"
            self.why = "route"
            self.winners = frozenset(joined)
        return bool(joined)

    def _lay(self, cell: Cell, orientation: Orientation) -> None:
        """The seat lays the tile in hand on an empty cell, which ends the turn."""
        self.board[cell] = orientation
        self.hands[self.seat] = None
        if self._route_wins():
            return
        if self.options.hold_tile and any(self.bag) and not self._full():
            self.phase = "refill"
        else:
            self._next_turn()

    def _exchange(self, cell: Cell, orientation: Orientation) -> None:
        """The seat exchanges a tile on the board for the one in hand (R7.5 to R7.7)."""
        taken_off = self.board[cell][0]
        self.board[cell] = orientation
        self.hands[self.seat] = None
        self.exchanges += 1
        if self._route_wins():
            # What happens to the removed tile no longer matters.
            return
        if self.options.supermove == "full":
            self.hands[self.seat] = taken_off
            self.phase = "relay"
            return
        if self.options.hold_tile:
            self.hands[self.seat] = taken_off
        else:
            self.bag[taken_off] += 1
        self._next_turn()

    # Moves

    def _in_hand(self) -> list[Orientation]:
        """The different ways to turn the tile in hand."""
        return [
            orientation for orientation in ORIENTATIONS if orientation[0] == self.hands[self.seat]
        ]

    def _text(self, orientation: Orientation, sign: str, cell: Cell) -> str:
        return f"T{orientation[0]}.{orientation[1]}{sign}{cell_name(cell, self.options.radius)}"

    def _placements(self) -> set[str]:
        """The legal ways to lay the tile in hand on an empty cell."""
        empty = board_cells(self.options.radius) - set(self.board)
        return {
            self._text(orientation, "@", cell)
            for cell in empty
            for orientation in self._in_hand()
            if self._may_lie(self.board | {cell: orientation})
        }

    def _may_lie(self, board: Board) -> bool:
        """Whether laying a tile may lead to this board (R5, R7.4, R7.5)."""
        radius = self.options.radius
        if self.options.supermove != "off":
            return True
        if any(connected(board, axis, radius) for axis in self.axes()):
            return True
        if self.options.legality == "reach":
            return all(reachable(board, axis, radius) for axis in self.axes())
        if self.complete is None:
            self.complete = _default_completion()
        return self.complete(board, self.axes(), radius) is not None

    def _exchanges(self) -> set[str]:
        """The legal ways to exchange a tile on the board for the one in hand."""
        cells = board_cells(self.options.radius)
        if self.options.supermove == "off" or self.phase == "relay" or self._full():
            return set()
        if self.options.supermove == "single" and self.exchanges >= len(cells):
            return set()
        whose = self.axes() if self.options.supermove_any else {self.axis_of(self.seat)}
        blocked = [axis for axis in whose if not reachable(self.board, axis, self.options.radius)]
        return {
            self._text(orientation, "x", cell)
            for cell in self.board
            for orientation in self._in_hand()
            if self._frees(self.board | {cell: orientation}, blocked)
        }

    def _frees(self, board: Board, blocked: list[int]) -> bool:
        """Whether one of these axes is not blocked on this board."""
        return any(reachable(board, axis, self.options.radius) for axis in blocked)
