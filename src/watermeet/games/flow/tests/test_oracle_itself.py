"""Tests of the oracle of Flow: the positions of the shared rules, mirrored, and some of its own.

The shared rules name cells (row, column) with row 0 at the top; here that is row 1, at the bottom,
so N and S change places. Their list has no position 5.
"""

import random
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

import pytest

from watermeet.games.flow.tests import oracle_board
from watermeet.games.flow.tests.oracle import CARDS, Match, Options, lay_moves, start
from watermeet.games.flow.tests.oracle_board import (
    ANIMALS,
    BOAT,
    CELLS,
    COMPASS,
    FREE,
    OPPOSITE,
    Board,
    Edges,
    can_still_reach,
    connected,
    may_lay,
    neighbour,
    places,
    turns_of,
    water_from,
    wave,
)

MIRROR = {"N": "S", "S": "N", "E": "E", "W": "W"}
KINDS = ("straight", "bend", "cross", "obstacle", "tee")
BRANCHES = {"straight": 10, "bend": 11, "cross": 6, "obstacle": 8, "tee": 7}
CALM = {"straight": 13, "bend": 16, "cross": 9, "obstacle": 4}


def edges(text: str) -> Edges:
    """The edges of a text."""
    return frozenset(text)


def board_of(*lays: str) -> Board:
    """A board with these tiles on it, each written like a move: `NE@c4`, `X@c5`."""
    board = Board()
    for lay in lays:
        ways, _, cell = lay.partition("@")
        board = board.with_tile(cell, kind_of(ways), edges(ways))
    return board


def kind_of(ways: str) -> str:
    """The kind of a tile by its edges."""
    if ways == "X":
        return "X"
    return next(kind for kind in KINDS if edges(ways) in turns_of(kind))


def mirrored(row: int, column: int, ways: str) -> str:
    """A tile of the shared rules as a move."""
    turned = "".join(e for e in COMPASS if e in {MIRROR[way] for way in ways})
    return f"{turned}@{'abcdefg'[column]}{row + 1}"


def in_turn(options: Options, rng: random.Random) -> Match:
    """A match at its first turn."""
    match = start(options)
    while match.phase != "turn":
        match.play(any_text(match, rng))
    return match


def any_text(match: Match, rng: random.Random) -> str:
    """Something that can happen next; `time` is said seldom."""
    texts = sorted(match.moves() | set(match.chances()))
    if "time" in texts and rng.random() > 0.05:
        texts.remove("time")
    return rng.choice(texts)


# The positions of the shared rules


@pytest.mark.parametrize(
    ("kind", "count"),
    [("straight", 8), ("bend", 16), ("cross", 8), ("obstacle", 8), ("tee", 24)],
)
def test_position_1_first_tile(kind: str, count: int) -> None:
    """The number of ways to lay a tile on an empty board."""
    found = list(places(Board(), kind))
    assert len(found) == count
    assert {cell for cell, _ in found} == {"a2", "b1", "f1", "g2", "a6", "b7", "f7", "g6"}


def test_position_2_dead_end() -> None:
    """An animal keeps its other way after a dead end."""
    board = board_of(mirrored(0, 1, "W"))
    assert can_still_reach(board, "a1")
    expected = {"a2", "f1", "g2", "a6", "b7", "f7", "g6"}
    assert {cell for cell, _ in places(board, "straight")} == expected


def test_position_3_what_fits() -> None:
    """Beside a bend that leads inward."""
    board = board_of(mirrored(0, 1, "EW"), mirrored(0, 2, "SW"))
    fits = {text for kind in KINDS if kind != "tee" for text in lay_moves(board, kind, None)}
    here = {text for text in fits if text.endswith("@c2")}
    expected = {mirrored(1, 2, ways) for ways in ("NS", "NE", "NW", "NESW", "N")}
    assert here == expected == {"NS@c2", "ES@c2", "SW@c2", "NESW@c2", "S@c2"}
    assert not [text for text in fits if text[-2:] in ("d1", "b2")]


def position_4() -> list[str]:
    """All four animals are joined with the boat."""
    rows = [(0, c, "EW") for c in (1, 2, 4, 5)] + [(6, c, "EW") for c in (1, 2, 4, 5)]
    crosses = [(0, 3, "NESW"), (6, 3, "NESW")]
    columns = [(r, 3, "NS") for r in (1, 2, 5, 4)]
    return [mirrored(*tile) for tile in rows + crosses + columns]


def test_position_4_won() -> None:
    """Fourteen tiles join all; without one of them two animals are left."""
    assert len(position_4()) == 14
    assert connected(board_of(*position_4())) == frozenset(ANIMALS)
    less = [text for text in position_4() if text != "NS@d3"]
    assert connected(board_of(*less)) == {"a7", "g7"}


def test_position_4_is_won_in_a_match() -> None:
    """The last tile wins the match before any wave."""
    match = in_turn(Options(seats=1), random.Random(1))
    match.board = board_of(*(text for text in position_4() if text != "NS@d3"))
    match.turns_done = 9
    match.play("draw")
    match.play("tile:straight")
    match.play("NS@d3")
    assert (match.to_move, match.why, match.returns()) == ("over", "won", (1,))


def test_position_6_dice() -> None:
    """White 3 and black 2 take what lies in row 3 and in column b."""
    assert (oracle_board.die_row(3), oracle_board.die_column(2)) == ("3", "b")
    assert (oracle_board.die_row(4), oracle_board.die_column(6)) == ("5", "g")
    board = board_of(*position_4())
    before = set(board.tiles)
    assert wave(board, "3", "b", remain=False) == ["straight"] * 3
    assert before - set(board.tiles) == {"b1", "d3", "b7"}


# Water


class Unions:
    """Union-find over anything."""

    def __init__(self) -> None:
        """Everything is alone."""
        self.parent: dict[object, object] = {}

    def find(self, thing: object) -> object:
        """The one that stands for all that are joined with this."""
        while thing in self.parent:
            thing = self.parent[thing]
        return thing

    def join(self, one: object, other: object) -> None:
        """Join two things."""
        one, other = self.find(one), self.find(other)
        if one != other:
            self.parent[one] = other


def joined_by_unions(board: Board, animal: str) -> bool:
    """Whether water leads from this animal to the boat, by joining the edges of all cells."""
    unions = Unions()
    for cell in CELLS:
        ways = board.ways(cell) or frozenset()
        stops = board.boat_stops and cell in ANIMALS and cell != animal
        for way in ways:
            if not stops:
                unions.join((cell, way), (cell, "middle"))
            other = neighbour(cell, way)
            if other is not None and OPPOSITE[way] in (board.ways(other) or ()):
                unions.join((cell, way), (other, OPPOSITE[way]))
    return unions.find((animal, "middle")) == unions.find((BOAT, "middle"))


def random_board(rng: random.Random, share: float, boat_stops: bool) -> Board:
    """A board with tiles thrown on it, with no regard to the rules."""
    board = Board(boat_stops=boat_stops)
    if rng.random() < 0.5:
        board.boat = edges(rng.choice(COMPASS))
    for cell in FREE:
        if rng.random() < share:
            kind = rng.choices(KINDS, (3, 4, 4, 1, 4))[0]
            board.tiles[cell] = (kind, rng.choice(sorted(turns_of(kind), key=sorted)))
        elif rng.random() < 0.1:
            board.obstacles.add(cell)
    return board


@pytest.mark.parametrize("boat_stops", [False, True])
def test_water_against_union_find(boat_stops: bool) -> None:
    """Two ways to follow the water agree."""
    rng = random.Random(5)
    seen: Counter[int] = Counter()
    for _ in range(400):
        board = random_board(rng, rng.choice((0.7, 0.9, 1.0)), boat_stops)
        expected = {animal for animal in ANIMALS if joined_by_unions(board, animal)}
        assert connected(board) == expected
        seen[len(expected)] += 1
    assert len(seen) >= 3


@pytest.mark.parametrize("boat_stops", [False, True])
def test_can_still_reach_is_water_over_crosses(boat_stops: bool) -> None:
    """Nothing passes more water than a cross, so crosses on all empty cells tell the same."""
    rng = random.Random(6)
    seen: Counter[bool] = Counter()
    for _ in range(300):
        board = random_board(rng, rng.choice((0.4, 0.6, 0.8)), boat_stops)
        filled = board.copy()
        for cell in FREE:
            if board.is_empty(cell):
                filled.tiles[cell] = ("cross", edges(COMPASS))
        for animal in ANIMALS:
            expected = BOAT in water_from(filled, animal)
            assert can_still_reach(board, animal) == expected
            seen[expected] += 1
    assert min(seen[True], seen[False]) > 50


def test_straights_and_bends_join_any_two_edges() -> None:
    """The claim in the docstring of `can_still_reach`."""
    pairs = {edges(a + b) for a in COMPASS for b in COMPASS if a != b}
    assert turns_of("straight") | turns_of("bend") == pairs


def test_a_cell_that_only_a_tee_fills() -> None:
    """The search passes an empty cell which no tile of `ours` can fill (NOTES.md, 2)."""
    board = board_of("X@a2", "EW@b1", "NW@c1", "EW@b2", "EW@d2", "EW@c3")
    fits = {kind for kind in KINDS for cell, _ in places(board, kind) if cell == "c2"}
    assert fits == {"tee"}
    assert can_still_reach(board, "a1")
    assert not can_still_reach(board.with_tile("c2", "X", frozenset()), "a1")


def test_boat_stops() -> None:
    """Water passes through the boat, or not."""
    board = board_of(*(f"NS@a{n}" for n in (2, 3)), "ES@a4", "EW@b4", "EW@c4", "EW@e4")
    assert "e4" in water_from(board, "a1")
    assert may_lay(board, "f4", "bend", edges("NW"))
    board.boat_stops = True
    assert BOAT in water_from(board, "a1")
    assert "e4" not in water_from(board, "a1")
    assert not may_lay(board, "f4", "bend", edges("NW"))
    assert may_lay(board, "f4", "bend", edges("NW"), need_water=False)


def test_water_through_animals() -> None:
    """An animal passes the water of another one."""
    board = board_of(*(f"NS@a{n}" for n in range(2, 7)))
    assert {"a7"} <= water_from(board, "a1")
    assert may_lay(board, "b7", "straight", edges("EW"))
    dead = board_of(*(f"NS@a{n}" for n in range(2, 7)), "W@b1")
    assert can_still_reach(dead, "a1")
    dead.boat_stops = True
    assert not can_still_reach(dead, "a1")


# Laying


def test_obstacle_tile_may_not_cut_off() -> None:
    """R4.4, and that the other kinds may."""
    board = board_of("W@b1")
    assert not may_lay(board, "a2", "obstacle", edges("S"))
    assert may_lay(board, "a2", "bend", edges("SW"))
    board.tiles["a2"] = ("bend", edges("SW"))
    assert not can_still_reach(board, "a1")
    assert may_lay(board, "f1", "obstacle", edges("E"))
    board.tiles["f1"] = ("obstacle", edges("E"))
    assert not may_lay(board, "g2", "obstacle", edges("S"))
    board.version = 1
    assert not list(places(board, "obstacle"))


def test_single_path_boat_has_closed_edges() -> None:
    """A boat with one way is closed elsewhere."""
    board = board_of("NS@d1", "NS@d2")
    board.boat = edges("N")
    assert not may_lay(board, "d3", "straight", edges("NS"), need_water=False)
    assert may_lay(board, "d3", "obstacle", edges("S"), need_water=False)
    assert not may_lay(board, "d5", "obstacle", edges("S"), need_water=False)


def test_scenario_obstacles_do_not_support_tiles() -> None:
    """R4.1 and R4.3 at a scenario obstacle."""
    board = board_of("X@b3", "X@c1")
    assert not may_lay(board, "b4", "bend", edges("NE"), need_water=False)
    assert may_lay(board, "b1", "straight", edges("EW"))
    assert may_lay(board, "b1", "obstacle", edges("W"))


# Cards


def with_hand(options: Options, *cards: str) -> Match:
    """A match at its first turn where seat 0 has just these cards, taken from the pile."""
    match = in_turn(options, random.Random(0))
    for hand in match.hands:
        match.pile += hand
        hand.clear()
    match.hands[0] = Counter(cards)
    match.pile -= match.hands[0]
    return match


def test_cards_need_their_effect() -> None:
    """R5.1 on an empty board."""
    match = with_hand(Options(), *CARDS)
    assert match.moves() == {"draw", "fishing", "calm"}
    match.down = Counter({"cross": 1})
    assert match.moves() == {"draw", "calm"}


def test_current_moves_the_bird_too() -> None:
    """A tile with a bird moves, not to its own cell, and water is not needed."""
    match = with_hand(Options(clock="free"), "current")
    match.board = board_of("EW@b1")
    match.board.birds.add("b1")
    match.play("current:b1")
    assert match.birds_left == 2
    assert "time" in match.moves()
    match.play("time")
    assert "time" not in match.moves()
    assert not [text for text in match.moves() if text.endswith("@b1")]
    match.play("NS@d5")
    assert match.board.birds == {"d5"}
    assert match.phase == "dice"


def test_current_moves_scenario_obstacles() -> None:
    """To any empty cell that leaves every animal a way."""
    match = with_hand(Options(), "current")
    match.board = board_of("X@b1", "X@e5")
    assert {"current:b1", "current:e5"} <= match.moves()
    match.play("current:e5")
    assert match.moves() == {f"X@{c}" for c in FREE if c not in ("a2", "b1", "e5")}
    match.play("X@d3")
    assert match.board.obstacles == {"b1", "d3"}


def test_return_takes_a_discarded_tile() -> None:
    """Only kinds that lie there and fit."""
    match = with_hand(Options(), "return")
    assert not [text for text in match.moves() if text.startswith("return")]
    match.down -= Counter(["cross", "obstacle"])
    match.discarded = Counter(["cross", "obstacle"])
    assert {"return:cross", "return:obstacle"} <= match.moves()
    match.play("return:cross")
    assert len(match.moves()) == 8
    match.play("NESW@a2")
    assert match.discarded == Counter(["obstacle"])


def test_support_frees_the_bird() -> None:
    """A map tile goes to the others, a scenario obstacle out of the game."""
    match = with_hand(Options(seats=1), "support", "support", "return")
    match.board = board_of("EW@b1", "X@c3")
    match.board.birds |= {"b1", "c3"}
    match.play("support:b1")
    match.play("support:c3")
    assert match.birds_left == 3
    assert match.discarded == Counter(["straight"])
    assert "return:straight" in match.moves()


def test_not_for_obstacles() -> None:
    """Support and Current leave obstacles alone, but Bird does not."""
    match = with_hand(Options(not_for_obstacles=True), "support", "current", "bird")
    match.board = board_of("W@b1", "X@c3", "NS@a2")
    cells = {text for text in match.moves() if ":" in text}
    assert cells == {"support:a2", "current:a2", "bird:b1", "bird:c3", "bird:a2"}


def test_one_card_per_round() -> None:
    """The second card has to wait for the wave; two Calm Waters anyway."""
    match = with_hand(Options(seats=1, one_card=True), "fishing", "fishing", "calm")
    for text in ("fishing", "tile:bend", "tile:bend"):
        match.play(text)
    assert match.moves() == {"draw", "take:bend"}
    match = with_hand(Options(seats=1), "calm", "calm", "fishing")
    match.play("calm")
    assert match.moves() == {"draw", "fishing"}
    assert match.used["calm"] == 0


def test_fishing() -> None:
    """Two tiles are turned up, one after the other."""
    match = with_hand(Options(seats=1), "fishing")
    match.play("fishing")
    assert match.chances()["tile:bend"] == Fraction(1, 3)
    match.play("tile:bend")
    assert match.chances()["tile:bend"] == Fraction(13, 41)
    match.play("tile:obstacle")
    assert match.moves() == {"draw", "take:bend", "take:obstacle"}
    match.play("take:bend")
    assert "swap" in match.moves()
    assert not match.up["bend"]


def test_swap_and_discard() -> None:
    """Swapping needs a card; discarding that nothing fits."""
    match = in_turn(Options(), random.Random(3))
    match.board = board_of(*(f"{e}@{c}" for e, c in CLOSED))
    match.play("draw")
    match.play("tile:bend")
    assert match.moves() == {"discard", "swap"}
    other = match.copy()
    other.rules.add("no_new_cards")
    assert other.moves() == {"discard"}
    other.held = "obstacle"
    assert other.moves() == {"discard"}
    match.play("swap")
    assert match.to_move == "chance"
    match.play("card:fishing")
    assert (match.seat, match.phase) == (1, "turn")


CLOSED = (
    ("SW", "a2"),
    ("SW", "b1"),
    ("ES", "f1"),
    ("ES", "g2"),
    ("NW", "a6"),
    ("NW", "b7"),
    ("NE", "f7"),
    ("NE", "g6"),
)
"""Bends that lead all water over the rim."""


# The wave


def test_wave_and_birds() -> None:
    """One die takes the bird, both take bird and tile."""
    board = board_of("NS@a2", "NS@b2", "NS@b3", "X@c2", "N@b5")
    board.birds = {"a2", "b2"}
    assert wave(board, "2", "b", remain=False) == ["straight", "straight", "obstacle"]
    assert (set(board.tiles), board.obstacles, board.birds) == ({"a2"}, set(), set())


def test_wave_when_obstacles_remain() -> None:
    """Obstacles stay, but not their birds."""
    board = board_of("X@b2", "N@b3", "NS@b5")
    board.birds = {"b2", "b3"}
    assert wave(board, "2", "b", remain=True) == ["straight"]
    assert (set(board.tiles), board.obstacles, board.birds) == ({"b3"}, {"b2"}, set())


def test_calm_waters() -> None:
    """The roller chooses one die."""
    match = with_hand(Options(seats=2, clock="minute"), "calm")
    match.board = board_of("NS@a2", "EW@b1")
    match.play("calm")
    assert match.moves() >= {"time", "draw"}
    match.play("time")
    assert (match.to_move, match.moves()) == (1, {"roll:white", "roll:black"})
    match.play("roll:black")
    assert set(match.chances()) == {f"black:{n}" for n in range(1, 7)}
    match.play("black:1")
    assert set(match.board.tiles) == {"b1"}
    assert (match.to_move, match.used["calm"], match.calm) == (0, 1, False)


def test_wave_after_n_turns() -> None:
    """With the clock `turns` the wave comes automatically, and the next seat continues."""
    match = in_turn(Options(seats=3, turns=7), random.Random(4))
    for turn in range(7):
        assert match.seat == turn % 3
        match.play("draw")
        match.play("tile:straight")
        match.play(min(match.moves() - {"swap"}))
    assert (match.to_move, set(match.chances())) == ("chance", {f"white:{n}" for n in range(1, 7)})
    match.play("white:2")
    match.play("black:5")
    assert (match.to_move, match.turns_done) == (1, 0)


def test_three_idle_rounds() -> None:
    """R6.6; a round in which something is done restarts the count."""
    match = in_turn(Options(seats=2, clock="free"), random.Random(4))
    idle = ["time", "white:1", "black:1"]
    busy = ["draw", "tile:cross", "time", "NESW@a2", "white:6", "black:6"]
    for text in idle * 2 + busy + idle * 3:
        assert match.to_move != "over"
        match.play(text)
    assert (match.to_move, match.why, match.returns()) == ("over", "idle", (-1, -1))


def test_lost_without_tiles() -> None:
    """R7.2 depends on the player's own hand, and on a playable card."""
    match = with_hand(Options(seats=2))
    match.down = Counter(["cross"])
    match.hands[1] = Counter(["fishing"])
    for text in ("draw", "tile:cross"):
        match.play(text)
    other = match.copy()
    match.play("NESW@a2")
    assert (match.why, match.returns()) == ("no tiles", (-1, -1))
    other.hands[1] = Counter(["support"])
    other.play("NESW@a2")
    assert other.moves() == {"support:a2"}


# Scenarios


def test_second_silence_is_put_away() -> None:
    """Another card is drawn for it."""
    match = start(Options(scenarios=2))
    assert match.chances()["scenario:obstacles"] == Fraction(4, 11)
    match.play("scenario:silence")
    match.play("scenario:silence")
    assert match.chances()["scenario:obstacles"] == Fraction(4, 9)
    match.play("scenario:single_path")
    assert set(match.chances()) == {f"card:{name}" for name in CARDS}
    for card in ("bird", "bird", "calm", "calm"):
        match.play(f"card:{card}")
    assert match.hands == [Counter({"bird": 2}), Counter({"calm": 2})]
    assert (match.to_move, match.moves()) == (0, {"boat:N", "boat:E", "boat:S", "boat:W"})
    match.play("boat:E")
    assert (match.board.boat, match.phase) == (edges("E"), "turn")


def test_never_more_scenarios_than_there_are() -> None:
    """All named, and six to draw."""
    options = Options(
        scenarios=6,
        obstacles=4,
        no_communication=True,
        one_card=True,
        no_new_cards=True,
        not_for_obstacles=True,
        single_path=True,
    )
    match = start(options)
    assert match.chances() == {"scenario:obstacles_remain": Fraction(1)}
    match.play("scenario:obstacles_remain")
    assert len(match.chances()) == 32
    match.play("obstacle:a2")
    assert set(match.chances()).isdisjoint({"obstacle:a2", "obstacle:b1"})
    assert len(match.chances()) == 30


def test_options_are_checked() -> None:
    """Options that don't exist."""
    with pytest.raises(ValueError, match="range"):
        Options(seats=7)
    with pytest.raises(ValueError, match="range"):
        Options(turns=5)
    with pytest.raises(ValueError, match="clock"):
        Options(clock="sand")
    with pytest.raises(ValueError, match="42"):
        Options(tiles={"bend": 41})
    with pytest.raises(ValueError, match="not possible"):
        start().play("draw")


# Whole matches


def tiles_of(match: Match) -> Counter[str]:
    """All map tiles, wherever they are."""
    board = Counter(kind for kind, _ in match.board.tiles.values())
    held = Counter([match.held] if match.held not in (None, "X") else [])
    return match.down + match.up + match.discarded + board + held


def cards_of(match: Match) -> Counter[str]:
    """All action cards, wherever they are."""
    total = match.pile + match.used + Counter(["calm"] if match.calm else [])
    return sum(match.hands, total)


def check_sound(match: Match) -> None:
    """What must hold at any time."""
    assert tiles_of(match) == +Counter(match.options.tiles)
    assert cards_of(match) == Counter(CARDS)
    board = match.board
    assert match.birds_left >= 0
    assert board.birds <= set(board.tiles) | board.obstacles
    assert not set(board.tiles) & board.obstacles
    assert set(board.tiles) | board.obstacles <= set(FREE)
    assert len(board.obstacles) <= 8
    for cell, (kind, ways) in board.tiles.items():
        assert ways in turns_of(kind)
        assert oracle_board.edges_agree(board, cell, ways)
    check_texts(match)


def check_texts(match: Match) -> None:
    """There are moves just if a seat is to move, and chances just if chance is."""
    chances, over = match.chances(), match.to_move == "over"
    assert bool(chances) == (match.to_move == "chance")
    assert not chances or sum(chances.values()) == 1
    assert over == bool(match.why)
    assert set(match.returns()) == ({-1} if over and match.why != "won" else {int(over)})
    if match.phase in ("turn", "lay", "part"):
        assert len(connected(match.board)) < 4


VARIANTS: list[Options] = [
    *(Options(seats=n) for n in range(1, 7)),
    *(Options(scenarios=n, seats=3) for n in range(1, 7)),
    *(Options(obstacles=n) for n in range(1, 5)),
    *(Options(turns=n, seats=1) for n in (6, 14)),
    *(Options(clock=clock, seats=2, scenarios=2) for clock in ("minute", "free")),
    Options(no_communication=True, scenarios=6),
    Options(one_card=True, seats=1),
    Options(no_new_cards=True, seats=6),
    Options(not_for_obstacles=True, obstacles=2),
    Options(single_path=True),
    Options(obstacles_remain=True, obstacles=3),
    Options(boat_stops=True, single_path=True, clock="free"),
    Options(tiles=BRANCHES),
    Options(tiles=CALM, boat_stops=True),
]


def play_out(match: Match, rng: random.Random) -> Iterable[Match]:
    """Play at random and show the match after each step."""
    while match.to_move != "over":
        match.play(any_text(match, rng))
        yield match


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize("index", range(len(VARIANTS)))
def test_random_matches_are_sound(index: int) -> None:
    """Nothing is lost or made in a whole match."""
    for steps, match in enumerate(play_out(start(VARIANTS[index]), random.Random(index))):
        check_sound(match)
        assert steps < 1000


def test_copies_are_independent() -> None:
    """A copy is equal, and changing it changes nothing else."""
    rng = random.Random(9)
    match = in_turn(Options(scenarios=3), rng)
    for _ in range(30):
        other = match.copy()
        assert other == match
        before = match.copy()
        other.play(any_text(other, rng))
        assert match == before
        match = other
