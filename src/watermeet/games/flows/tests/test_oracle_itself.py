"""Tests of the oracle itself: the known positions, and completions against two plain searches.

The positions are those of SHARED_RULES_PART1.md, section (c), whose cells are (row, column) from
the bottom left.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import pytest

from watermeet.games.flows.tests.completion import completion
from watermeet.games.flows.tests.oracle import (
    AXES,
    EDGES,
    ORIENTATIONS,
    PARTNERS,
    Board,
    Cell,
    Match,
    Options,
    Orientation,
    Port,
    Strand,
    board_cells,
    cell_name,
    cell_named,
    connected,
    follow,
    neighbour,
    payoffs,
    reachable,
    rim,
    side_edges,
)

TWO = frozenset({0, 2})
THREE = frozenset({0, 1, 2})


def at(row: int, column: int) -> Cell:
    """The cell of the text's row and column."""
    return (column - 3, 3 - row)


def mover(match: Match) -> int | str:
    """The seat to move; a call keeps the type checker from assuming that it stays the same."""
    return match.to_move


def placement_legal(board: Board, axes: Iterable[int]) -> bool:
    """Whether laying a tile may lead to this board, by R5.1 and R5.2 word for word."""
    axes = list(axes)
    return any(connected(board, axis) for axis in axes) or completion(board, axes) is not None


# Plain searches for the same question


def brute_force(board: Board, axes: Iterable[int], radius: int = 3) -> bool:
    """Whether one of all orientations of the empty cells connects all the axes."""
    empty = sorted(board_cells(radius) - set(board))
    for orientations in product(ORIENTATIONS, repeat=len(empty)):
        full = dict(board) | dict(zip(empty, orientations, strict=True))
        if all(connected(full, axis, radius) for axis in axes):
            return True
    return False


def fits(strands: set[Strand]) -> bool:
    """Whether some tile has all these strands."""
    return any(strands <= orientation for orientation in ORIENTATIONS.values())


def routes(
    board: Board, axis: int, used: dict[Cell, set[Strand]], radius: int
) -> Iterator[dict[Cell, set[Strand]]]:
    """All routes of this axis: the strands used in empty cells, `used` included."""

    def onward(end: Port, used: dict[Cell, set[Strand]]) -> Iterator[dict[Cell, set[Strand]]]:
        cell, edge = end
        if cell in board:
            if rim(radius)[end] == axis + 3:
                yield used
            return
        taken = {e for strand in used.get(cell, set()) for e in strand}
        if edge in taken:
            return
        for out in set(EDGES) - taken - {edge}:
            strands = used.get(cell, set()) | {(min(edge, out), max(edge, out))}
            if not fits(strands):
                continue
            after = used | {cell: strands}
            if (cell, out) not in rim(radius):
                yield from onward(
                    follow(board, (neighbour(cell, out), (out + 3) % 6), radius), after
                )
            elif rim(radius)[cell, out] == axis + 3:
                yield after

    for port in side_edges(axis, radius):
        yield from onward(follow(board, port, radius), used)


def routes_exist(board: Board, axes: Iterable[int], radius: int = 3) -> bool:
    """Whether all axes have compatible routes, by exhaustion."""

    def served(left: list[int], used: dict[Cell, set[Strand]]) -> bool:
        if not left:
            return True
        return any(served(left[1:], after) for after in routes(board, left[0], used, radius))

    return served(sorted(axes), {})


def random_board(rng: random.Random, empties: int, axes: Iterable[int]) -> dict[Cell, Orientation]:
    """A board with this many empty cells, near the border between possible and impossible.

    A full board that connects all axes, some of its tiles changed at random, some taken away.
    """
    cells = sorted(board_cells())
    seeds = {
        cell: rng.choice(list(ORIENTATIONS)) for cell in rng.sample(cells, rng.randrange(3, 20))
    }
    full = completion(seeds, axes)
    if full is None:
        full = {cell: rng.choice(list(ORIENTATIONS)) for cell in cells}
    for cell in rng.sample(cells, rng.randrange(0, 3 + empties)):
        full[cell] = rng.choice(list(ORIENTATIONS))
    for cell in rng.sample(cells, empties):
        del full[cell]
    return full


# The positions of the text


def test_1_tiles() -> None:
    """Strands, turns, and the one pairing that isn't a tile."""
    assert [PARTNERS[0, 0][edge] for edge in range(4)] == [2, 4, 0, 5]
    assert ORIENTATIONS[1, 2] == {(1, 2), (3, 5), (0, 4)}
    assert Counter(kind for kind, _ in ORIENTATIONS) == {0: 3, 1: 6, 2: 3, 3: 2}
    assert len(set(ORIENTATIONS.values())) == 14
    pairs = list(combinations(EDGES, 2))
    pairings = {frozenset(three) for three in combinations(pairs, 3) if len({*sum(three, ())}) == 6}
    assert pairings - set(ORIENTATIONS.values()) == {frozenset({(0, 3), (1, 4), (2, 5)})}


RIM_TABLE = """
0 03:5 03:0 02:5 02:0 01:5 01:0 00:5
1 00:0 00:1 10:0 10:1 20:0 20:1 30:0
2 30:1 30:2 41:1 41:2 52:1 52:2 63:1
3 63:2 63:3 64:2 64:3 65:2 65:3 66:2
4 66:3 66:4 56:3 56:4 46:3 46:4 36:3
5 36:4 36:5 25:4 25:5 14:4 14:5 03:4
"""


def test_2_rim() -> None:
    """The table of outer edges."""
    table: dict[Port, int] = {}
    for line in RIM_TABLE.split("\n")[1:-1]:
        side, *edges = line.split()
        for edge in edges:
            table[at(int(edge[0]), int(edge[1])), int(edge[3])] = int(side)
    assert len(table) == 42
    assert rim() == table


@pytest.mark.parametrize("radius", range(1, 7))
def test_2_rim_of_other_boards(radius: int) -> None:
    """The sides divide the outer edges among them, 2n - 1 each."""
    outer = {
        (cell, edge)
        for cell in board_cells(radius)
        for edge in EDGES
        if neighbour(cell, edge) not in board_cells(radius)
    }
    assert set(rim(radius)) == outer
    assert Counter(rim(radius).values()) == dict.fromkeys(range(6), 2 * (radius + 1) - 1)


def test_3_strand_ends_at_rim() -> None:
    """T3 alone in a corner."""
    board = {at(0, 0): (3, 0)}
    assert rim()[at(0, 0), 5] == 0
    assert follow(board, (at(0, 0), 5)) == (at(0, 0), 0)
    assert rim()[at(0, 0), 0] == 1
    assert rim()[at(0, 0), 1] == 1
    assert follow(board, (at(0, 0), 1)) == (at(1, 0), 5)


ZIGZAG = [at(0, 1), at(1, 2), at(2, 2), at(3, 3), at(4, 3), at(5, 4), at(6, 4)]


def test_4_zigzag_connects() -> None:
    """Seven tiles connect the sides 0 and 3."""
    board: dict[Cell, Orientation] = dict.fromkeys(ZIGZAG, (0, 0))
    assert follow(board, (at(0, 1), 5)) == (at(6, 4), 3)
    assert [connected(board, axis) for axis in AXES] == [True, False, False]
    del board[at(3, 3)]
    assert not any(connected(board, axis) for axis in AXES)
    assert completion(board, TWO) is not None


@pytest.mark.parametrize("first", [0, 1])
def test_4_the_last_tile_wins_whoever_lays_it(first: int) -> None:
    """Side 0's player wins with the seventh tile, in any order and whoever lays it."""
    order = random.Random(first).sample(ZIGZAG, 7)
    match = Match.start()
    match.play(f"first:{first}")
    for cell in order:
        match.play("draw:T0")
        match.play(f"T0.0@{cell_name(cell)}")
    assert mover(match) == "over"
    assert match.why == "route"
    assert match.returns() == [1, -1]


def test_5_wall() -> None:
    """A wall with a hole is legal, a closed one is not."""
    wall: dict[Cell, Orientation] = {at(3, column): (1, 0) for column in range(7) if column != 3}
    closed = wall | {at(3, 3): (1, 0)}
    for axes in (TWO, THREE):
        assert placement_legal(wall, axes)
        assert not placement_legal(closed, axes)
    assert not reachable(closed, 0)
    assert reachable(closed, 2)


def test_6_sealed_bottom() -> None:
    """All seven entries of side 0 turn back, or one does not."""
    board: dict[Cell, Orientation] = {at(0, 0): (1, 0), at(0, 1): (2, 0), at(0, 2): (1, 0)}
    assert not placement_legal(board | {at(0, 3): (3, 0)}, TWO)
    assert placement_legal(board | {at(0, 3): (3, 1)}, TWO)
    assert follow(board | {at(0, 3): (3, 1)}, (at(0, 3), 0)) == (at(1, 2), 5)


def test_8_two_straights() -> None:
    """Each alone can pass the centre, but not both."""
    board: dict[Cell, Orientation] = dict.fromkeys(board_cells(), (2, 0))
    for row in (0, 1, 2, 4, 5, 6):
        board[at(row, 3)] = (2, 1)
    del board[at(3, 3)]
    assert not any(connected(board, axis) for axis in AXES)
    for axis in TWO:
        assert reachable(board, axis)
        assert completion(board, [axis]) is not None
    assert completion(board, TWO) is None
    assert not brute_force(board, TWO)


def turn_order(options: Options, first: int, turns: int) -> list[int]:
    """The sides of the movers in the first turns of a match."""
    rng = random.Random(0)
    match = Match.start(options)
    match.play(f"first:{first}")
    result: list[int] = []
    while len(result) < turns:
        if mover(match) == "chance":
            match.play(min(match.chances()))
        else:
            assert isinstance(match.to_move, int)
            result.append(match.side_of[match.to_move])
            match.play(rng.choice(sorted(match.moves())))
    return result


def test_10_turns() -> None:
    """The player alone against four has two turns a round."""
    five = Options(seats=5, supermove="full")
    assert turn_order(five, 0, 8) == [0, 1, 2, 3, 4, 2, 0, 1]
    assert turn_order(five, 2, 8) == [2, 3, 4, 2, 0, 1, 2, 3]
    four = Options(seats=4, supermove="full")
    assert turn_order(four, 0, 5) == [0, 1, 3, 4, 0]
    match = Match.start(four)
    assert [match.axis_of(seat) for seat in range(4)] == [0, 1, 0, 1]


@pytest.mark.parametrize("seats", [2, 3])
def test_11_first_move(seats: int) -> None:
    """Everything is legal on the empty board."""
    total = 0
    for kind in range(4):
        match = Match.start(Options(seats=seats))
        match.play("first:0")
        match.play(f"draw:T{kind}")
        total += len(match.moves())
    assert total == 37 * 14 == 518


def test_11_subsets_of_zigzag() -> None:
    """Every part of the zigzag of test 4 is legal."""
    for size in range(7):
        for cells in combinations(ZIGZAG, size):
            for axes in (TWO, THREE):
                assert completion(dict.fromkeys(cells, (0, 0)), axes) is not None


# Completions


@pytest.mark.slow
@pytest.mark.parametrize("axes", [TWO, frozenset({0, 1}), THREE], ids=str)
@pytest.mark.parametrize(
    ("empties", "boards"),
    [(0, 60), (1, 60), (2, 60), pytest.param(3, 40, marks=pytest.mark.soak)],
)
def test_completion_by_brute_force(axes: frozenset[int], empties: int, boards: int) -> None:
    """The solver agrees with trying all orientations."""
    rng = random.Random(f"{sorted(axes)} {empties}")
    answers = Counter[bool]()
    for _ in range(boards):
        board = random_board(rng, empties, axes)
        expected = brute_force(board, axes)
        assert (completion(board, axes) is not None) == expected
        answers[expected] += 1
    assert min(answers[True], answers[False]) >= boards // 10


@pytest.mark.slow
@pytest.mark.parametrize("axes", [TWO, THREE], ids=str)
@pytest.mark.parametrize(
    "empties", [3, 4, *(pytest.param(count, marks=pytest.mark.soak) for count in (5, 6))]
)
def test_completion_by_routes(axes: frozenset[int], empties: int) -> None:
    """The solver agrees with trying all routes."""
    rng = random.Random(f"{sorted(axes)} {empties}")
    answers = Counter[bool]()
    for _ in range(60):
        board = random_board(rng, empties, axes)
        expected = routes_exist(board, axes)
        assert (completion(board, axes) is not None) == expected
        answers[expected] += 1
    assert min(answers[True], answers[False]) >= 6


@pytest.mark.slow
def test_small_board_by_routes() -> None:
    """On the board of seven cells, with any number of empty ones."""
    rng = random.Random(7)
    cells = sorted(board_cells(1))
    for _ in range(100):
        laid = rng.sample(cells, rng.randrange(3, 8))
        board = {cell: rng.choice(list(ORIENTATIONS)) for cell in laid}
        for axes in (TWO, THREE):
            assert (completion(board, axes, 1) is not None) == routes_exist(board, axes, 1)


@pytest.mark.slow
def test_reachable_is_completion_of_one() -> None:
    """The plain search for one axis agrees with the solver."""
    rng = random.Random(1)
    answers = Counter[bool]()
    for _ in range(1000):
        laid = rng.sample(sorted(board_cells()), rng.randrange(5, 38))
        board = {cell: rng.choice(list(ORIENTATIONS)) for cell in laid}
        for axis in AXES:
            expected = reachable(board, axis)
            assert (completion(board, [axis]) is not None) == expected
            answers[expected] += 1
    assert min(answers.values()) >= 300


# The match


def play_at_random(match: Match, rng: random.Random) -> int:
    """Play to the end; return the number of moves."""
    tiles = sum(match.options.tiles())
    moves = 0
    while mover(match) != "over":
        chances = match.chances()
        if chances:
            assert sum(chances.values()) == 1
            weights = [float(chance) for chance in chances.values()]
            match.play(rng.choices(list(chances), weights)[0])
        else:
            # If exchanges are legal, half of the moves are exchanges.
            options = sorted(match.moves())
            exchanges = [text for text in options if "x" in text]
            match.play(rng.choice(exchanges if exchanges and rng.random() < 0.5 else options))
            moves += 1
        held = sum(hand is not None for hand in match.hands)
        if mover(match) != "over":
            assert len(match.board) + sum(match.bag) + held == tiles
    return moves


@pytest.mark.slow
@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("supermove", ["off", "full", "single"])
@pytest.mark.parametrize("hold_tile", [False, True])
def test_random_matches(seats: int, supermove: str, hold_tile: bool) -> None:
    """Matches end, the tiles stay the same, and the points sum to zero."""
    rng = random.Random(f"{seats} {supermove} {hold_tile}")
    for index, sides in enumerate(("set", "adjacent", "chosen")):
        for supermove_any in (False, True):
            options = Options(
                seats=seats,
                sides=sides,  # type: ignore[arg-type]
                hold_tile=hold_tile,
                supermove=supermove,  # type: ignore[arg-type]
                supermove_any=supermove_any,
                legality="joint" if supermove_any else "reach",
                radius=1 + index % 2,
                mix0=index,
            )
            match = Match.start(options)
            play_at_random(match, rng)
            assert sum(match.returns()) == 0
            assert match.why in ("route", "unplayable")
            assert (match.returns()[0] > 0) == (
                match.axis_of(0) in match.winners and match.winners != match.axes()
            )


def test_points() -> None:
    """R6.5, in numbers."""
    assert payoffs([0, 2], {2}) == [-1, 1]
    assert payoffs([0, 2], {0, 2}) == [0, 0]
    half, quarter, third = Fraction(1, 2), Fraction(1, 4), Fraction(1, 3)
    assert payoffs([0, 2, 1], {0}) == [1, -half, -half]
    assert payoffs([0, 2, 1], {0, 1}) == [quarter, -half, quarter]
    assert payoffs([0, 1, 2, 0, 1], {2}) == [-quarter, -quarter, 1, -quarter, -quarter]
    assert payoffs([0, 1, 2, 0, 1], {0}) == [1, -2 * third, -2 * third, 1, -2 * third]


def test_tiles() -> None:
    """R7.11, in numbers."""
    assert Options().tiles() == [10, 10, 10, 10]
    assert Options(radius=1).tiles() == [2, 2, 2, 2]
    assert Options(mix0=0, mix2=2, mix3=0).tiles() == [0, 13, 26, 0]
    assert Options(mix0=0, mix2=0, mix3=0).tiles() == [0, 37, 0, 0]


def test_chosen_sides() -> None:
    """R7.1: two may not sit opposite; partners get the opposite side."""
    match = Match.start(Options(seats=2, sides="chosen"))
    match.play("first:1")
    assert mover(match) == 1
    match.play("side:4")
    assert mover(match) == 0
    assert match.moves() == {"side:0", "side:2", "side:3", "side:5"}
    match = Match.start(Options(seats=5, sides="chosen"))
    match.play("first:4")
    match.play("side:0")
    assert match.side_of == {4: 0, 1: 3}
    assert mover(match) == 0
    match.play("side:5")
    assert mover(match) == 2
    assert match.moves() == {"side:1", "side:4"}
    match.play("side:4")
    assert match.side_of == {4: 0, 1: 3, 0: 5, 3: 2, 2: 4}
    assert turn_order(Options(seats=2, supermove="full"), 1, 3) == [2, 0, 2]


def test_exchange() -> None:
    """The wall of test 5 closed: side 0's player may open it, side 2's only with supermove_any."""
    wall: dict[Cell, Orientation] = {at(3, column): (1, 0) for column in range(7)}
    for supermove in ("full", "single"):
        for first, any_team in product((0, 1), (False, True)):
            match = Match.start(Options(supermove=supermove, supermove_any=any_team))
            match.play(f"first:{first}")
            match.board = dict(wall)
            match.bag[1] -= 7
            match.play("draw:T2")
            exchanges = {text for text in match.moves() if "x" in text}
            assert ("T2.1xd4" in exchanges) == (first == 0 or any_team)
            assert len(match.moves() - exchanges) == 30 * 3
            if exchanges:
                match.play("T2.1xd4")
                assert mover(match) == (first if supermove == "full" else "chance")
                assert all(text.startswith("T1.") and "@" in text for text in match.moves())
                assert match.bag[1] == (3 if supermove == "full" else 4)


def test_hold_tile() -> None:
    """With hold_tile two tiles are dealt, and the third is drawn after the first turn."""
    match = Match.start(Options(hold_tile=True))
    for text in ("first:1", "draw:T0", "draw:T3"):
        assert mover(match) == "chance"
        match.play(text)
    assert mover(match) == 1
    match.play("T0.2@d4")
    assert mover(match) == "chance"
    assert match.chances()["draw:T0"] == Fraction(9, 38)
    match.play("draw:T0")
    assert mover(match) == 0
    assert all(text.startswith("T3.") for text in match.moves())
    assert cell_name(at(0, 0)) == "a7"
    assert cell_name(at(6, 6)) == "g1"
    assert cell_named("d4") == (0, 0)
    with pytest.raises(ValueError, match="illegal"):
        match.play("T3.2@a7")


@pytest.mark.slow
@pytest.mark.parametrize("supermove", ["off", "full", "single"])
def test_exactly_as_many_tiles_as_cells(supermove: str) -> None:
    """Seven cells, seven tiles, six players: with hold_tile some run out in the end (R7.3)."""
    rng = random.Random(supermove)
    passed_over = 0
    for _ in range(20):
        options = Options(seats=6, hold_tile=True, radius=1, mix0=0, mix2=0, mix3=0)
        options = replace(options, supermove=supermove)  # type: ignore[arg-type]
        match = Match.start(options)
        play_at_random(match, rng)
        passed_over += None in match.hands
        assert match.why == "route" or supermove != "off" or match.hands[match.seat] == 1
    assert passed_over
