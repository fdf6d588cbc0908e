"""The independent oracle of Flume: a slow, simple second implementation for the tests.

It was written from the rules alone (the author's sheet and our reading of it), without sight of
the game's own code, and it shares nothing with that code: it imports nothing from the package, and
the game never imports it.  Two separate things live here:

* ``Position`` and ``perft``: the rules, clause by clause, on sets of (column, row) points with
  named colours.  The numbers in the comments are paragraphs of RULES.md.
* ``exhaustive_table`` and ``first_stone_values``: the best play of small boards, by a plain
  computation over every set of filled points, without pruning, symmetry or game insight.

Points are written column letter + row number, "a1" being the lower left corner; the pie rule's
exchange of colours is written "swap".  Seat 0 starts, and plays Red until a swap.
"""

from __future__ import annotations

import string
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Colour = Literal["red", "blue"]
Point = tuple[int, int]  # (column, row), both counted from 1

SWAP = "swap"
OTHER: dict[Colour, Colour] = {"red": "blue", "blue": "red"}

LARGEST_TABLE = 5  # 2^25 sets of filled points
CHUNK = 1 << 18  # sets of filled points that are computed together


def check_size(size: int) -> None:
    """Refuse the boards that the game does not have: the side must be odd (R1.1)."""
    if size < 1 or size % 2 == 0 or size > len(string.ascii_lowercase):
        raise ValueError(f"Flume has no board of size {size}")


def all_points(size: int) -> list[Point]:
    """List the free points of the empty board, row by row from a1."""
    return [(column, row) for row in range(1, size + 1) for column in range(1, size + 1)]


def text_of(point: Point) -> str:
    """Write a point, such as (3, 1), as its text, such as "c1"."""
    column, row = point
    return f"{string.ascii_lowercase[column - 1]}{row}"


def point_of(text: str) -> Point:
    """Read a point's text, such as "c1", as (3, 1)."""
    return string.ascii_lowercase.index(text[0]) + 1, int(text[1:])


def neighbours(point: Point) -> list[Point]:
    """List the four orthogonal neighbours; those outside the board are the green rim."""
    column, row = point
    return [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]


@dataclass(frozen=True)
class Position:
    """A match of Flume at one moment, as an immutable value."""

    size: int
    pie: bool
    no_centre_first: bool
    stones: frozenset[tuple[Point, Colour]]
    to_move: Colour | None  # None when the board is full
    red_seat: int  # the seat that plays red; the other one plays blue

    @staticmethod
    def start(size: int, *, pie: bool = True, no_centre_first: bool = False) -> Position:
        """Return the empty board: Red, who is seat 0, moves first (R2.1)."""
        check_size(size)
        if size == 1 and no_centre_first:
            raise ValueError("without its centre, a board of one point has no first move")
        return Position(size, pie, no_centre_first, frozenset(), "red", 0)

    @property
    def mover(self) -> int | None:
        """Return the seat that moves now, or None when the board is full."""
        if self.to_move is None:
            return None
        return self.red_seat if self.to_move == "red" else 1 - self.red_seat

    def occupied(self) -> set[Point]:
        """Return the points of the board that hold a stone of either colour."""
        return {point for point, _ in self.stones}

    def legal(self) -> set[str]:
        """Return the texts of all legal actions; none when the board is full."""
        free = set(all_points(self.size)) - self.occupied()
        moves = {text_of(point) for point in free}
        if self.no_centre_first and not self.stones:
            middle = (self.size + 1) // 2
            moves.remove(text_of((middle, middle)))
        # R5.3: once, straight after the first stone, and not when that stone ended the match.
        if self.pie and len(self.stones) == 1 and self.red_seat == 0 and free:
            moves.add(SWAP)
        return moves

    def play(self, move: str) -> Position:
        """Return the position after one action: one stone, or the swap."""
        if move not in self.legal() or self.to_move is None:
            raise ValueError(f"{move} is not legal here")
        if move == SWAP:
            # R5.2: the board stays, and Blue, who is now the former first player, moves.
            return replace(self, red_seat=1)
        again = self.connections(move) >= 3
        stones = self.stones | {(point_of(move), self.to_move)}
        after: Colour | None
        if len(stones) == self.size * self.size:
            after = None  # R4.1: the match ends at once, whatever the last stone connects
        elif again:
            after = self.to_move  # R3.2: the same player must place another stone
        else:
            after = OTHER[self.to_move]
        return replace(self, stones=stones, to_move=after)

    def stones_of_seat(self, seat: int) -> int:
        """Count the stones of the colour that this seat plays now."""
        wanted = "red" if seat == self.red_seat else "blue"
        return sum(1 for _, colour in self.stones if colour == wanted)

    def winner(self) -> int | None:
        """Return the seat with the most stones when the board is full, else None (R4.2)."""
        if len(self.stones) < self.size * self.size:
            return None
        return 0 if self.stones_of_seat(0) > self.stones_of_seat(1) else 1

    def connections(self, move: str) -> int:
        """Count the occupied orthogonal neighbours of a point, the green rim among them."""
        inside = set(all_points(self.size))
        occupied = self.occupied()
        return sum(
            1 for point in neighbours(point_of(move)) if point not in inside or point in occupied
        )


def perft(position: Position, depth: int) -> int:
    """Count the sequences of exactly this many actions (a stone or the swap)."""
    if depth == 0:
        return 1
    return sum(perft(position.play(move), depth - 1) for move in position.legal())


def bit_of(point: Point, size: int) -> int:
    """Return the bit mask of one point: bit number (row - 1) * size + (column - 1)."""
    column, row = point
    return 1 << ((row - 1) * size + (column - 1))


@cache
def exhaustive_table(size: int) -> NDArray[np.int8]:
    """Solve every set of filled points of a small board; the array cannot be written to.

    Colours do not matter for what is still to come, so a set of filled points is enough.  The
    index is the bit mask of the filled points.  The value is the number of stones that the
    player to move will still place minus the number that the other one will, with best play.
    """
    check_size(size)
    if size > LARGEST_TABLE:
        raise ValueError(f"the table of size {size} is too large")
    points = all_points(size)

    # How many points each set holds, by doubling: first without, then with the next point.
    counts = np.zeros(1, dtype=np.int8)
    for _ in points:
        counts = np.concatenate([counts, counts + np.int8(1)])

    # The full board has nothing to come.  Then go down one stone at a time: each set needs the
    # values only of the sets with one stone more.
    table = np.zeros(1 << len(points), dtype=np.int8)
    for filled in range(len(points) - 1, -1, -1):
        level = np.flatnonzero(counts == filled)
        for begin in range(0, len(level), CHUNK):
            masks = level[begin : begin + CHUNK]
            best = np.full(len(masks), -128, dtype=np.int8)  # less than any value
            for point in points:
                connected = np.zeros(len(masks), dtype=np.int8)
                for neighbour in neighbours(point):
                    if neighbour in points:
                        connected += (masks & bit_of(neighbour, size)) != 0
                    else:
                        connected += np.int8(1)
                to_come = table[masks | bit_of(point, size)]
                value = np.int8(1) + np.where(connected >= 3, to_come, -to_come)
                free = (masks & bit_of(point, size)) == 0
                best = np.where(free, np.maximum(best, value), best)
            table[masks] = best
    table.setflags(write=False)
    return table


def first_stone_values(size: int) -> dict[str, int]:
    """Return, for each first stone of Red, Red minus Blue stones at the end with best play.

    There is no pie rule here, and the first stone itself is counted.
    """
    table = exhaustive_table(size)
    values: dict[str, int] = {}
    for point in all_points(size):
        to_come = int(table[bit_of(point, size)])
        green = sum(1 for neighbour in neighbours(point) if neighbour not in all_points(size))
        values[text_of(point)] = 1 + to_come if green >= 3 else 1 - to_come
    return values
