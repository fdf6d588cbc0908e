"""The oracle of Hex: a slow, simple second implementation, from RULES.md alone."""

from __future__ import annotations

from dataclasses import dataclass, field

COLUMNS = "abcdefghijklmnopqrs"
RED, BLUE = 0, 1


@dataclass
class Position:
    """Who owns which cell; cells are (column, row) from the upper left."""

    size: int
    pie: bool = True
    owner: dict[tuple[int, int], int] = field(default_factory=dict)
    turns: int = 0

    @property
    def mover(self) -> int | None:
        """The seat to move; None when the match is over."""
        return None if self.winner is not None else self.turns % 2

    @property
    def winner(self) -> int | None:
        """The seat whose stones connect its sides."""
        for seat in (RED, BLUE):
            own = {cell for cell, owner in self.owner.items() if owner == seat}
            reached = {cell for cell in own if self._along(cell, seat) == 0}
            while more := {near for cell in reached for near in self._near(cell)} & own - reached:
                reached |= more
            if any(self._along(cell, seat) == self.size - 1 for cell in reached):
                return seat
        return None

    @staticmethod
    def _along(cell: tuple[int, int], seat: int) -> int:
        """How far a cell is from the first side of a seat."""
        return cell[1] if seat == RED else cell[0]

    @staticmethod
    def _near(cell: tuple[int, int]) -> set[tuple[int, int]]:
        column, row = cell
        beside = {(column - 1, row), (column + 1, row)}
        above = {(column, row - 1), (column + 1, row - 1)}
        below = {(column - 1, row + 1), (column, row + 1)}
        return beside | above | below

    def legal(self) -> set[str]:
        """The moves that can be played."""
        if self.mover is None:
            return set()
        cells = ((c, r) for c in range(self.size) for r in range(self.size))
        moves = {f"{COLUMNS[c]}{r + 1}" for c, r in cells if (c, r) not in self.owner}
        return moves | {"swap"} if self.pie and self.turns == 1 else moves

    def play(self, move: str) -> None:
        """Place the mover's stone, or swap."""
        assert self.mover is not None
        if move == "swap":
            [(column, row)] = self.owner
            self.owner = {(row, column): BLUE}
        else:
            self.owner[COLUMNS.index(move[0]), int(move[1:]) - 1] = self.mover
        self.turns += 1

    def count(self, depth: int) -> int:
        """The number of sequences of that many moves."""
        if depth == 0:
            return 1
        total = 0
        for move in self.legal():
            after = Position(self.size, self.pie, dict(self.owner), self.turns)
            after.play(move)
            total += after.count(depth - 1)
        return total
