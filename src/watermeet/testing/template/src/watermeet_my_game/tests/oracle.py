"""The oracle of My Game: a slow, simple second implementation, from RULES.md alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass
class Position:
    """Who owns which cell; cells are (column, row) from the lower left."""

    size: int
    seats: int
    owner: dict[tuple[int, int], int] = field(default_factory=dict)

    @property
    def mover(self) -> int | None:
        """The seat to move; None when the match is over."""
        is_over = self.winner is not None or len(self.owner) == self.size**2
        return None if is_over else len(self.owner) % self.seats

    @property
    def winner(self) -> int | None:
        """The seat with three in a row."""
        for line in self._lines():
            owners = {self.owner.get(cell) for cell in line}
            if len(owners) == 1 and None not in owners:
                return owners.pop()
        return None

    def _lines(self) -> Iterator[list[tuple[int, int]]]:
        for column in range(self.size):
            for row in range(self.size):
                for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    line = [(column + i * right, row + i * up) for i in range(3)]
                    if all(0 <= c < self.size and 0 <= r < self.size for c, r in line):
                        yield line

    def legal(self) -> set[str]:
        """The moves that can be played."""
        if self.mover is None:
            return set()
        cells = ((c, r) for c in range(self.size) for r in range(self.size))
        return {f"{'abcdefghi'[c]}{r + 1}" for c, r in cells if (c, r) not in self.owner}

    def play(self, move: str) -> None:
        """Place the mover's stone."""
        assert self.mover is not None
        self.owner["abcdefghi".index(move[0]), int(move[1:]) - 1] = self.mover
