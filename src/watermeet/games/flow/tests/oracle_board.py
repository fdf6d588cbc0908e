"""The board of Flow's oracle: cells, tiles, water.

It is written from RULES.md alone (R1.1 and so on are its paragraphs) and serves the tests only: the
game never imports it, and it imports nothing from the package. Every question is answered by laying
the tile on a copy of the board and following the water over all cells.

A cell is its name, `a1` to `g7`; an edge is one of the letters N, E, S, W. The kinds of map tiles
are straight, bend, cross, obstacle and tee; `X` stands for a scenario obstacle where a tile could
stand as well.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

Cell = str
Kind = str
Edges = frozenset[str]
Tile = tuple[Kind, Edges]
Key = tuple[frozenset[tuple[Cell, Tile]], frozenset[Cell], Edges, bool, int, frozenset[Kind]]
"""A board as a value, to look up what is known about it."""

COMPASS = "NESW"
LETTERS = "abcdefg"
STEPS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
CELLS = tuple(letter + str(number) for number in range(1, 8) for letter in LETTERS)
BOAT = "d4"
ANIMALS: dict[Cell, Edges] = {
    "a1": frozenset("NE"),
    "g1": frozenset("NW"),
    "a7": frozenset("ES"),
    "g7": frozenset("SW"),
}
"""The animals' spaces with their two ways (R1.1, R1.2)."""
FREE = tuple(cell for cell in CELLS if cell not in ANIMALS and cell != BOAT)
"""The 44 cells where tiles can lie (R1.1)."""
IS_FREE = frozenset(FREE)

UNTURNED: dict[Kind, str] = {
    "straight": "NS",
    "bend": "NE",
    "cross": "NESW",
    "obstacle": "N",
    "tee": "NES",
}
SCENARIO_OBSTACLE = "X"
OURS: Mapping[Kind, int] = {"straight": 12, "bend": 14, "cross": 8, "obstacle": 8}
SWAPPABLE = frozenset(("straight", "bend", "cross", "tee"))
"""The kinds that may be given for a card (R3.3)."""

# Cells and tiles


@cache
def neighbour(cell: Cell, edge: str) -> Cell | None:
    """The cell across this edge, None at the rim."""
    column = LETTERS.index(cell[0]) + STEPS[edge][0]
    row = int(cell[1]) + STEPS[edge][1]
    if 0 <= column < 7 and 1 <= row <= 7:
        return LETTERS[column] + str(row)
    return None


def turned(edges: Iterable[str], quarters: int) -> Edges:
    """These edges after this many quarter turns clockwise."""
    return frozenset(COMPASS[(COMPASS.index(edge) + quarters) % 4] for edge in edges)


@cache
def turns_of(kind: Kind) -> frozenset[Edges]:
    """All the ways in which a tile of this kind can lie, each of them once (R1.4)."""
    return frozenset(turned(UNTURNED[kind], quarters) for quarters in range(4))


def edges_text(edges: Edges) -> str:
    """The edges in the order N, E, S, W."""
    return "".join(edge for edge in COMPASS if edge in edges)


def die_row(number: int) -> str:
    """The number of the row that the white die names (R6.4)."""
    return str(number if number <= 3 else number + 1)


def die_column(number: int) -> str:
    """The letter of the column that the black die names (R6.4)."""
    return LETTERS[number - 1 if number <= 3 else number]


# The board


@dataclass
class Board:
    """What lies on the table.

    Attributes:
        tiles: The map tiles, by cell.
        obstacles: The cells with scenario obstacles.
        birds: The cells where a bird sits.
        boat: The ways of the boat.
        boat_stops: Whether water ends at the boat and at animals' spaces (R8.5).
        version: The version of the rules, for R4.4.
        kinds: The kinds of map tiles in the set in play, for R4.4.
    """

    tiles: dict[Cell, Tile] = field(default_factory=dict)
    obstacles: set[Cell] = field(default_factory=set)
    birds: set[Cell] = field(default_factory=set)
    boat: Edges = frozenset(COMPASS)
    boat_stops: bool = False
    version: int = 3
    kinds: frozenset[Kind] = frozenset(OURS)

    def copy(self) -> Board:
        """An independent copy of the board."""
        return Board(
            dict(self.tiles),
            set(self.obstacles),
            set(self.birds),
            self.boat,
            self.boat_stops,
            self.version,
            self.kinds,
        )

    def key(self) -> Key:
        """All that decides what may be laid; birds don't."""
        tiles, obstacles = frozenset(self.tiles.items()), frozenset(self.obstacles)
        return tiles, obstacles, self.boat, self.boat_stops, self.version, self.kinds

    @classmethod
    def of_key(cls, key: Key) -> Board:
        """A board without birds."""
        tiles, obstacles, boat, boat_stops, version, kinds = key
        return cls(dict(tiles), set(obstacles), set(), boat, boat_stops, version, kinds)

    def is_empty(self, cell: Cell) -> bool:
        """Whether something can be laid on this cell."""
        return cell in IS_FREE and cell not in self.tiles and cell not in self.obstacles

    def ways(self, cell: Cell) -> Edges | None:
        """The open edges of an animal's space, the boat or a tile; None for other cells."""
        if cell in ANIMALS:
            return ANIMALS[cell]
        if cell == BOAT:
            return self.boat
        return self.tiles[cell][1] if cell in self.tiles else None

    def with_tile(self, cell: Cell, kind: Kind, edges: Edges) -> Board:
        """The board after this tile has been laid, if it may or not."""
        result = self.copy()
        if kind == SCENARIO_OBSTACLE:
            result.obstacles.add(cell)
        else:
            result.tiles[cell] = (kind, edges)
        return result

    def without(self, cell: Cell) -> Board:
        """The board without the tile or scenario obstacle of this cell and its bird."""
        result = self.copy()
        result.tiles.pop(cell, None)
        result.obstacles.discard(cell)
        result.birds.discard(cell)
        return result


def ends_here(board: Board, cell: Cell) -> bool:
    """Whether water ends at this cell because of R8.5."""
    return board.boat_stops and (cell in ANIMALS or cell == BOAT)


def water_from(board: Board, animal: Cell) -> set[Cell]:
    """The cells that the water of this animal comes to, its own space among them (R4.5).

    An obstacle tile needs no case of its own: its only open edge is that where the water came in.
    """
    reached = {animal}
    queue = deque([animal])
    while queue:
        cell = queue.popleft()
        if cell != animal and ends_here(board, cell):
            continue
        for edge in board.ways(cell) or ():
            other = neighbour(cell, edge)
            if other is None or other in reached:
                continue
            if OPPOSITE[edge] in (board.ways(other) or ()):
                reached.add(other)
                queue.append(other)
    return reached


def connected(board: Board) -> frozenset[Cell]:
    """The animals that are joined with the boat."""
    return frozenset(animal for animal in ANIMALS if BOAT in water_from(board, animal))


def may_pass(board: Board, cell: Cell, edge: str) -> bool:
    """Whether water could pass this edge of the cell if the right thing lay on empty cells."""
    ways = board.ways(cell)
    return board.is_empty(cell) if ways is None else edge in ways


def can_still_reach(board: Board, animal: Cell) -> bool:
    """Whether the animal is not cut off by R4.4, as the version of the rules judges it."""
    if board.version < 3:
        return could_reach_over_any_cell(board, animal)
    return could_be_built(board, animal)


def could_be_built(board: Board, animal: Cell) -> bool:
    """Whether tiles of the set in play, each fitting where it is needed, could join it to the boat.

    The search goes from edge to edge: it asks by which edges water can leave a cell that it entered
    by this one. What is laid answers by itself. On an empty cell every tile of the set is tried in
    every turn: it must match what lies around the cell (R4.3) and be open where the water comes in;
    then the water may leave by its other edges. Other empty cells stay empty meanwhile, so they ask
    nothing of it: "each cell is judged by itself". An obstacle tile lets nothing through.
    """
    queue = deque((animal, edge) for edge in ANIMALS[animal])
    left = set(queue)
    while queue:
        cell, edge = queue.popleft()
        other, back = neighbour(cell, edge), OPPOSITE[edge]
        if other is None or not may_pass(board, other, back):
            continue
        if other == BOAT:
            return True
        if ends_here(board, other):
            continue
        ways = board.ways(other)
        tried = (
            [edges for kind in board.kinds for edges in turns_of(kind)] if ways is None else [ways]
        )
        for edges in tried:
            if back in edges and (ways is not None or edges_agree(board, other, edges)):
                further = {(other, out) for out in edges - {back}} - left
                left |= further
                queue.extend(further)
    return False


def could_reach_over_any_cell(board: Board, animal: Cell) -> bool:
    """Whether the animal could be joined with the boat, "whatever was laid on the empty cells".

    So it was judged up to version 2 of the rules.

    The search goes from cell to cell. What is laid passes water as it lies, a scenario obstacle
    passes none, and an empty cell passes it between any two of its edges.

    Can an empty cell really do that? A shortest way enters a cell once and leaves it once, so it
    needs of each empty cell only that two edges are joined, and a straight or a bend does this for
    every pair of edges. Different empty cells can be filled without regard to each other, since the
    way opens both sides of each edge that it crosses. A *closed* edge of a neighbour matters only
    if the way crosses that very edge, and there the search stops. So the search is exact as long as
    one may lay "whatever" one likes.

    If R4.3 has to be kept, it is not exact: an *open* edge of a neighbour that is not on the way
    must be met by an open edge too. An empty cell with three open edges and one closed edge towards
    it can be filled by a tee only, and by nothing in a set without tees, though this search
    passes it: version 3 mends that. Nor does it ask which tiles are left, or whether one filling
    serves all animals at once. RULES.md asks nothing of the kind.
    """
    reached = {animal}
    queue = deque([animal])
    while queue:
        cell = queue.popleft()
        if cell != animal and ends_here(board, cell):
            continue
        for edge in COMPASS:
            other = neighbour(cell, edge)
            if other is None or other in reached or not may_pass(board, cell, edge):
                continue
            if may_pass(board, other, OPPOSITE[edge]):
                if other == BOAT:
                    return True
                reached.add(other)
                queue.append(other)
    return False


def all_can_reach(board: Board) -> bool:
    """Whether every animal, taken alone, could still be joined with the boat."""
    return all(can_still_reach(board, animal) for animal in ANIMALS)


def blocks(before: Board, after: Board) -> bool:
    """Whether an obstacle that was put on the board is forbidden there by R4.4.

    It must not cut off an animal that was not cut off without it. In version 1 it was enough that
    some animal was cut off afterwards.
    """
    if before.version == 1:
        return not all_can_reach(after)
    return any(
        not can_still_reach(after, animal) and can_still_reach(before, animal) for animal in ANIMALS
    )


def touches(board: Board, cell: Cell) -> bool:
    """Whether an animal's space, the boat or a tile is beside this cell (R4.1)."""
    others = [neighbour(cell, edge) for edge in COMPASS]
    return any(other is not None and board.ways(other) is not None for other in others)


def edges_agree(board: Board, cell: Cell, edges: Edges) -> bool:
    """Whether a tile that is open at these edges agrees with all that is beside it (R4.3).

    The corners need no case of their own: the edges of an animal's space that are not its ways lie
    at the rim, so no cell is behind them.
    """
    for edge in COMPASS:
        other = neighbour(cell, edge)
        ways = None if other is None else board.ways(other)
        if ways is not None and (edge in edges) != (OPPOSITE[edge] in ways):
            return False
    return True


def may_lay(board: Board, cell: Cell, kind: Kind, edges: Edges, need_water: bool = True) -> bool:
    """Whether a tile may be laid so by R4.1 to R4.4, or without R4.2 for Current."""
    if edges not in turns_of(kind) or not board.is_empty(cell) or not touches(board, cell):
        return False
    if not edges_agree(board, cell, edges):
        return False
    after = board.with_tile(cell, kind, edges)
    if need_water and not any(cell in water_from(after, animal) for animal in ANIMALS):
        return False
    return kind != "obstacle" or not blocks(board, after)


def may_lay_obstacle(board: Board, cell: Cell) -> bool:
    """Whether a scenario obstacle may be put on this cell (R5.5, R8.1)."""
    return board.is_empty(cell) and not blocks(board, board.with_tile(cell, "X", frozenset()))


def places(board: Board, kind: Kind, need_water: bool = True) -> Iterator[tuple[Cell, Edges]]:
    """All the cells and turns where this tile, or scenario obstacle, may be laid."""
    for cell in FREE:
        if kind == SCENARIO_OBSTACLE:
            if may_lay_obstacle(board, cell):
                yield cell, frozenset()
            continue
        for edges in turns_of(kind):
            if may_lay(board, cell, kind, edges, need_water):
                yield cell, edges


def lay_text(kind: Kind, cell: Cell, edges: Edges) -> str:
    """The move that lays a tile so."""
    return f"{'X' if kind == SCENARIO_OBSTACLE else edges_text(edges)}@{cell}"


def is_hit(cell: Cell, row: str | None, column: str | None) -> tuple[bool, bool]:
    """Whether the white and whether the black die hits this cell."""
    return cell[1] == row, cell[0] == column


def wave(board: Board, row: str | None, column: str | None, remain: bool) -> list[Kind]:
    """Let a wave pass over the board (R6.5) and tell which map tiles are discarded.

    Args:
        board: The board, which is changed.
        row: The row that is hit, None if that die is not rolled.
        column: The column that is hit, None if that die is not rolled.
        remain: Whether the scenario *obstacles remain* is in play.

    Returns:
        The kinds of the map tiles that the wave has taken.
    """
    taken: list[Kind] = []
    for cell in FREE:
        hits = sum(is_hit(cell, row, column))
        if hits == 0 or (cell not in board.tiles and cell not in board.obstacles):
            continue
        saved = cell in board.birds and hits == 1
        board.birds.discard(cell)
        if saved or (remain and is_obstacle(board, cell)):
            continue
        if cell in board.tiles:
            taken.append(board.tiles.pop(cell)[0])
        board.obstacles.discard(cell)
    return taken


def is_obstacle(board: Board, cell: Cell) -> bool:
    """Whether an obstacle tile or a scenario obstacle lies on this cell."""
    return cell in board.obstacles or (cell in board.tiles and board.tiles[cell][0] == "obstacle")
