"""The oracle of Flow: a slow and simple second implementation of the game.

It is written from RULES.md alone (R1.1 and so on are its paragraphs) and serves the tests only: the
game never imports it, and it imports nothing from the package but its own board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from watermeet.games.flow.tests.oracle_board import (
    ANIMALS,
    COMPASS,
    FREE,
    OURS,
    SCENARIO_OBSTACLE,
    SWAPPABLE,
    UNTURNED,
    Board,
    Cell,
    Key,
    Kind,
    connected,
    die_column,
    die_row,
    is_obstacle,
    lay_text,
    may_lay_obstacle,
    places,
    wave,
)

CARDS = {"support": 3, "bird": 3, "current": 3, "fishing": 2, "calm": 2, "return": 2}
SWITCHES = (
    "one_card",
    "no_new_cards",
    "not_for_obstacles",
    "single_path",
    "obstacles_remain",
)
"""The scenario cards of which there is one, named as options and in the notation alike."""
BIRDS = 3
IDLE_ROUNDS = 3
DIE = range(1, 7)


# Options


@dataclass(frozen=True)
class Options:
    """The options of a match (R2.1, R8)."""

    seats: int = 2
    scenarios: int = 0
    obstacles: int = 0
    no_communication: bool = False
    one_card: bool = False
    no_new_cards: bool = False
    not_for_obstacles: bool = False
    single_path: bool = False
    obstacles_remain: bool = False
    clock: str = "turns"
    turns: int = 10
    tiles: Mapping[Kind, int] = field(default_factory=lambda: dict(OURS))
    boat_stops: bool = False
    version: int = 3

    def __post_init__(self) -> None:
        """Refuse options that don't exist."""
        ranges = (
            (self.seats, 1, 6),
            (self.scenarios, 0, 6),
            (self.obstacles, 0, 4),
            (self.turns, 6, 14),
        )
        if any(not low <= value <= high for value, low, high in ranges):
            raise ValueError("an option is out of its range")
        if self.version not in (1, 2, 3):
            raise ValueError(f"no version {self.version}")
        if self.clock not in ("turns", "minute", "free"):
            raise ValueError(f"no clock {self.clock!r}")
        if set(self.tiles) - set(UNTURNED) or sum(self.tiles.values()) != 42:
            raise ValueError("a tile set has 42 tiles of known kinds")

    def hand_size(self) -> int:
        """How many cards each seat is dealt (R2.2)."""
        return {1: 3, 2: 2}.get(self.seats, 1)

    def named(self) -> list[str]:
        """The scenario cards that are in play from the beginning (R8.2)."""
        return [name for name in SWITCHES if getattr(self, name)]

    def scenario_pile(self) -> Counter[str]:
        """The scenario cards that can be drawn: those that are not named (R8.1, R8.2)."""
        pile = Counter({name: 1 for name in SWITCHES if name not in self.named()})
        pile["obstacles"] = 4 - self.obstacles
        pile["silence"] = 0 if self.no_communication else 2
        return +pile


# The match


def without_one(things: Mapping[str, int], name: str) -> Counter[str]:
    """The things that are left when one of this name is taken away."""
    return +(Counter(things) - Counter([name]))


def lay_moves(board: Board, kind: Kind, left: Cell | None) -> set[str]:
    """The moves that lay this tile; if Current took it from a cell, not there and without R4.2."""
    return set(_lay_moves(board.key(), kind, left))


@lru_cache(maxsize=1024)
def _lay_moves(key: Key, kind: Kind, left: Cell | None) -> frozenset[str]:
    """The same; a match asks several times for each board."""
    found = places(Board.of_key(key), kind, need_water=left is None)
    return frozenset(lay_text(kind, cell, edges) for cell, edges in found if cell != left)


@lru_cache(maxsize=1024)
def _cells_for_obstacles(key: Key) -> tuple[Cell, ...]:
    """The cells where dice can lay a scenario obstacle."""
    board = Board.of_key(key)
    named = [die_column(black) + die_row(white) for white in DIE for black in DIE]
    return tuple(cell for cell in named if may_lay_obstacle(board, cell))


def shares(things: Mapping[str, int], prefix: str) -> dict[str, Fraction]:
    """How likely it is to get each kind, each single thing being equally likely."""
    total = sum(things.values())
    return {f"{prefix}:{name}": Fraction(n, total) for name, n in things.items() if n > 0}


@dataclass
class Match:
    """A match of Flow as a state machine; `start` begins one.

    Attributes:
        options: The options.
        board: The board.
        down: The map tiles that are face down.
        up: The map tiles that Fishing has turned up.
        discarded: The discarded map tiles.
        pile: The action cards that nobody has.
        hands: The action cards of each seat.
        shown: Of those, the cards that everybody saw at a wave (R8.1).
        used: The action cards that are out of play.
        rules: The scenario cards in play, but for *obstacles*.
        scenario_pile: The scenario cards that can still be drawn.
        scenarios_left: How many are still to be drawn.
        obstacles_left: How many scenario obstacles are still to be laid.
        phase: What comes next. A seat moves in `boat`, `turn`, `lay` (a drawn tile), `part` (the
            second part of a card) and `roll`; chance in `scenario`, `obstacle`, `deal`, `draw`,
            `fishing`, `card` (for a swap) and `dice`; else it is `over`.
        seat: Whose turn it is, or was.
        boat_chosen: Whether seat 0 has chosen the way of the boat.
        held: The kind of the tile in the hand of this seat, `X` for a scenario obstacle.
        held_from: The cell that Current has taken it from.
        held_bird: Whether a bird travels with it.
        fishing_left: How many tiles Fishing has still to turn up.
        time_up: Whether `time` has been said in this turn.
        turns_done: How many turns of this round are finished.
        acted: Whether anybody has done anything in this round.
        idle_rounds: How many rounds in succession nobody has done anything (R6.6).
        cards_played: How many cards have been played in this round.
        calm: Whether Calm Waters waits for the wave.
        to_roll: The dice that are still to be rolled.
        rolled: What the dice of this wave show.
        why: Why the match is over: `won`, `no tiles` (R7.2) or `idle` (R6.6); else empty.
    """

    options: Options
    board: Board
    down: Counter[str]
    pile: Counter[str]
    hands: list[Counter[str]]
    rules: set[str]
    scenario_pile: Counter[str]
    scenarios_left: int
    obstacles_left: int
    shown: list[Counter[str]] = field(default_factory=list)
    up: Counter[str] = field(default_factory=Counter)
    discarded: Counter[str] = field(default_factory=Counter)
    used: Counter[str] = field(default_factory=Counter)
    phase: str = "scenario"
    seat: int = 0
    boat_chosen: bool = False
    held: Kind | None = None
    held_from: Cell | None = None
    held_bird: bool = False
    fishing_left: int = 0
    time_up: bool = False
    turns_done: int = 0
    acted: bool = False
    idle_rounds: int = 0
    cards_played: int = 0
    calm: bool = False
    to_roll: list[str] = field(default_factory=list)
    rolled: dict[str, int] = field(default_factory=dict)
    why: str = ""

    @classmethod
    def start(cls, options: Options | None = None) -> Match:
        """A match at its very beginning."""
        options = options or Options()
        silence = {"silence"} if options.no_communication else set()
        match = cls(
            options=options,
            board=Board(
                boat_stops=options.boat_stops,
                version=options.version,
                kinds=frozenset(kind for kind, count in options.tiles.items() if count),
            ),
            down=+Counter(options.tiles),
            pile=Counter(CARDS),
            hands=[Counter() for _ in range(options.seats)],
            shown=[Counter() for _ in range(options.seats)],
            rules=set(options.named()) | silence,
            scenario_pile=options.scenario_pile(),
            scenarios_left=options.scenarios,
            obstacles_left=2 * options.obstacles,
        )
        match._begin()
        return match

    # Queries

    @property
    def to_move(self) -> int | str:
        """The seat that is to move, or `chance` or `over`."""
        if self.phase == "over":
            return "over"
        return self.seat if self.phase in ("boat", "turn", "lay", "part", "roll") else "chance"

    @property
    def birds_left(self) -> int:
        """The bird tokens that are not in use."""
        return BIRDS - len(self.board.birds) - self.held_bird

    def hand_seen_by(self, viewer: int, seat: int) -> tuple[Counter[str], int]:
        """The cards of a seat that a viewer knows, and how many others there are (R2.4, R8.1)."""
        hand = +self.hands[seat]
        if viewer == seat or self.phase == "over" or "silence" not in self.rules:
            return hand, 0
        known = +self.shown[seat]
        return known, sum(hand.values()) - sum(known.values())

    def copy(self) -> Match:
        """An independent copy of the match."""
        return deepcopy(self)

    def returns(self) -> tuple[int, ...]:
        """The points of all seats (R7.1), 0 before the end."""
        points = {"": 0, "won": 1}.get(self.why, -1)
        return (points,) * self.options.seats

    def moves(self) -> set[str]:
        """The moves of the seat that is to move; none if it is chance's turn or all is over."""
        if self.phase == "boat":
            return {f"boat:{edge}" for edge in COMPASS}
        if self.phase == "roll":
            return {"roll:white", "roll:black"}
        if self.phase == "turn":
            return self._draw_moves() | self._card_moves() | self._time_moves()
        if self.phase == "lay":
            return self._hand_moves() | self._time_moves()
        if self.phase == "part":
            return self._lay_moves() | self._time_moves()
        return set()

    def chances(self) -> dict[str, Fraction]:
        """What chance can do and how likely it is; nothing if it is not chance's turn."""
        if self.phase == "scenario":
            return shares(self.scenario_pile, "scenario")
        if self.phase == "obstacle":
            return shares(dict.fromkeys(self._obstacle_cells(), 1), "obstacle")
        if self.phase in ("deal", "card"):
            return shares(self.pile, "card")
        if self.phase in ("draw", "fishing"):
            return shares(self.down, "tile")
        if self.phase == "dice":
            return shares(dict.fromkeys(map(str, DIE), 1), self.to_roll[0])
        return {}

    def play(self, text: str) -> None:
        """Do what this text says; ValueError if it is neither a move nor a chance now."""
        if text not in self.moves() and text not in self.chances():
            raise ValueError(f"{text!r} is not possible now ({self.phase})")
        if "@" in text:
            self._play_lay(text)
            return
        verb, _, what = text.partition(":")
        if verb in CARDS:
            self._use_card(verb, what)
        elif verb in ("white", "black"):
            self._play_die(verb, int(what))
        elif what:
            getattr(self, f"_play_{verb}")(what)
        else:
            getattr(self, f"_play_{verb}")()

    # The beginning ("The order of the beginning")

    def _begin(self) -> None:
        """Advance to the next step of the setup that has something to do."""
        if self.scenarios_left and self.scenario_pile:
            self.phase = "scenario"
        elif self.obstacles_left and self._obstacle_cells():
            self.phase = "obstacle"
        elif self._next_to_deal() is not None:
            self.phase = "deal"
        elif "single_path" in self.rules and not self.boat_chosen:
            self.phase = "boat"
        else:
            self._begin_turn()

    def _obstacle_cells(self) -> list[Cell]:
        """The cells where dice can lay a scenario obstacle."""
        return list(_cells_for_obstacles(self.board.key()))

    def _next_to_deal(self) -> int | None:
        """The first seat that still needs a card."""
        for seat, hand in enumerate(self.hands):
            if sum(hand.values()) < self.options.hand_size():
                return seat
        return None

    def _play_scenario(self, name: str) -> None:
        """A scenario card is drawn; a second *no communication* does not count (R8.1)."""
        self.scenario_pile = without_one(self.scenario_pile, name)
        if name == "silence" and "silence" in self.rules:
            self._begin()
            return
        self.scenarios_left -= 1
        if name == "obstacles":
            self.obstacles_left += 2
        else:
            self.rules.add(name)
        self._begin()

    def _play_obstacle(self, cell: Cell) -> None:
        """A scenario obstacle is laid."""
        self.board.obstacles.add(cell)
        self.obstacles_left -= 1
        self._begin()

    def _play_card(self, card: str) -> None:
        """Chance gives a card, in the beginning or for a swap."""
        dealt = self._next_to_deal() if self.phase == "deal" else self.seat
        assert dealt is not None
        self.pile = without_one(self.pile, card)
        self.hands[dealt][card] += 1
        if self.phase == "deal":
            self._begin()
        else:
            self._end_turn()

    def _play_boat(self, edge: str) -> None:
        """Seat 0 chooses the way of the boat."""
        self.board.boat = frozenset(edge)
        self.boat_chosen = True
        self._begin()

    # Turns

    def _begin_turn(self) -> None:
        """The turn of this seat begins, or the match is lost by R7.2."""
        self.phase = "turn"
        if not self._draw_moves() and not self._card_moves():
            self._finish("no tiles")

    def _end_turn(self) -> None:
        """The turn of this seat is over: the match is won, a wave comes, or the next has a turn."""
        self.turns_done += 1
        if len(connected(self.board)) == len(ANIMALS):
            self._finish("won")
        elif self.time_up or self._turns_are_over():
            self._begin_wave()
        else:
            self._pass_on()

    def _turns_are_over(self) -> bool:
        """Whether the clock counts turns and all of them have been played (R6.2)."""
        return self.options.clock == "turns" and self.turns_done >= self.options.turns

    def _pass_on(self) -> None:
        """The next seat has a turn."""
        self.seat = (self.seat + 1) % self.options.seats
        self._begin_turn()

    def _finish(self, why: str) -> None:
        """The match is over."""
        self.phase = "over"
        self.why = why

    def _time_moves(self) -> set[str]:
        """`time`, if it can be said (R6.2)."""
        return set() if self.options.clock == "turns" or self.time_up else {"time"}

    def _play_time(self) -> None:
        """Time is up: a turn in progress is finished, any other is lost (R6.1)."""
        self.time_up = True
        if self.phase == "turn":
            self._begin_wave()

    # Tiles

    def _draw_moves(self) -> set[str]:
        """The ways to draw a tile (R3.2)."""
        moves = {f"take:{kind}" for kind in self.up}
        return moves | {"draw"} if self.down else moves

    def _play_draw(self) -> None:
        """A face-down tile will be drawn."""
        self.acted = True
        self.phase = "draw"

    def _play_take(self, kind: Kind) -> None:
        """A tile is taken that Fishing has turned up."""
        self.acted = True
        self.up = without_one(self.up, kind)
        self._hold(kind)

    def _play_tile(self, kind: Kind) -> None:
        """Chance gives a face-down tile to the seat, or turns one up for Fishing."""
        self.down = without_one(self.down, kind)
        if self.phase == "draw":
            self._hold(kind)
            return
        self.up[kind] += 1
        self.fishing_left -= 1
        if not self.fishing_left:
            self._end_turn()

    def _hold(self, kind: Kind) -> None:
        """The seat has drawn this tile."""
        self.phase = "lay"
        self.held = kind

    def _let_go(self) -> None:
        """The seat has nothing in hand any more."""
        self.held = None
        self.held_from = None
        self.held_bird = False

    def _lay_moves(self) -> set[str]:
        """The ways to lay what the seat has in hand."""
        if self.held is None:
            return set()
        return lay_moves(self.board, self.held, self.held_from)

    def _hand_moves(self) -> set[str]:
        """What can be done with a tile that has been drawn (R3.3, R3.4)."""
        swap = self.held in SWAPPABLE and self.pile and "no_new_cards" not in self.rules
        return (self._lay_moves() or {"discard"}) | ({"swap"} if swap else set())

    def _play_lay(self, text: str) -> None:
        """The tile in hand is laid; a bird that travels with it stays on it."""
        assert self.held is not None
        edges, _, cell = text.partition("@")
        self.board = self.board.with_tile(cell, self.held, frozenset(edges))
        if self.held_bird:
            self.board.birds.add(cell)
        self._let_go()
        self._end_turn()

    def _play_discard(self) -> None:
        """The tile in hand fits nowhere and is put away."""
        assert self.held is not None
        self.discarded[self.held] += 1
        self._let_go()
        self._end_turn()

    def _play_swap(self) -> None:
        """The tile in hand is given for a card, which chance will name."""
        assert self.held is not None
        self.discarded[self.held] += 1
        self._let_go()
        self.phase = "card"

    # Cards

    def _card_moves(self) -> set[str]:
        """The ways to play a card of the seat whose turn it is (R5.1)."""
        if "one_card" in self.rules and self.cards_played:
            return set()
        result: set[str] = set()
        for card in self.hands[self.seat]:
            result |= getattr(self, f"_moves_{card}")()
        return result

    def _things(self) -> list[Cell]:
        """The cells with a map tile or a scenario obstacle."""
        return [cell for cell in FREE if not self.board.is_empty(cell)]

    def _movable(self) -> list[Cell]:
        """The cells where Support and Current may be used."""
        spared = "not_for_obstacles" in self.rules
        return [c for c in self._things() if not (spared and is_obstacle(self.board, c))]

    def _kind_at(self, cell: Cell) -> Kind:
        """The kind of tile on this cell, `X` for a scenario obstacle."""
        return SCENARIO_OBSTACLE if cell in self.board.obstacles else self.board.tiles[cell][0]

    def _moves_support(self) -> set[str]:
        """R5.2."""
        return {f"support:{cell}" for cell in self._movable()}

    def _moves_bird(self) -> set[str]:
        """R5.3."""
        if not self.birds_left:
            return set()
        return {f"bird:{cell}" for cell in self._things() if cell not in self.board.birds}

    def _moves_current(self) -> set[str]:
        """R5.5: only tiles that then have a place to go."""
        return {
            f"current:{cell}"
            for cell in self._movable()
            if lay_moves(self.board.without(cell), self._kind_at(cell), cell)
        }

    def _moves_fishing(self) -> set[str]:
        """R5.4."""
        return {"fishing"} if sum(self.down.values()) >= 2 else set()

    def _moves_calm(self) -> set[str]:
        """R5.6."""
        return set() if self.calm else {"calm"}

    def _moves_return(self) -> set[str]:
        """R5.7: only tiles that then have a place to go."""
        return {f"return:{kind}" for kind in self.discarded if lay_moves(self.board, kind, None)}

    def _use_card(self, card: str, what: str) -> None:
        """A card is played; it is out of play at once, but Calm Waters after the wave (R5.1)."""
        self.acted = True
        self.cards_played += 1
        hand = self.hands[self.seat]
        self.hands[self.seat] = without_one(hand, card)
        self.shown[self.seat] = without_one(self.shown[self.seat], card)
        if card != "calm":
            self.used[card] += 1
        if card in ("current", "return"):
            self._begin_card(card, what)
        elif card == "fishing":
            self.phase = "fishing"
            self.fishing_left = 2
        else:
            self._simple_card(card, what)
            self._end_turn()

    def _begin_card(self, card: str, what: str) -> None:
        """Current or Return: something is taken in hand, to be laid as the second part."""
        self.phase = "part"
        if card == "return":
            self.discarded = without_one(self.discarded, what)
            self.held = what
            return
        self.held = self._kind_at(what)
        self.held_from = what
        self.held_bird = what in self.board.birds
        self.board = self.board.without(what)

    def _simple_card(self, card: str, what: str) -> None:
        """Support, Bird or Calm Waters, which have one part."""
        if card == "calm":
            self.calm = True
        elif card == "bird":
            self.board.birds.add(what)
        else:
            if what in self.board.tiles:
                self.discarded[self._kind_at(what)] += 1
            self.board = self.board.without(what)

    # The wave

    def _begin_wave(self) -> None:
        """The seat rolls both dice, or chooses one of them in Calm Waters (R5.6, R6.4).

        Players who may not communicate show each other their cards now (R8.1).
        """
        if "silence" in self.rules and self.options.version >= 2:
            self.shown = [Counter(hand) for hand in self.hands]
        self.phase = "roll" if self.calm else "dice"
        self.to_roll = [] if self.calm else ["white", "black"]

    def _play_roll(self, die: str) -> None:
        """The seat chooses the die."""
        self.phase = "dice"
        self.to_roll = [die]

    def _play_die(self, die: str, number: int) -> None:
        """A die is rolled; after the last one the wave comes."""
        self.to_roll.remove(die)
        self.rolled[die] = number
        if not self.to_roll:
            self._wave()

    def _wave(self) -> None:
        """The wave takes what it hits, and the round is over."""
        row = die_row(self.rolled["white"]) if "white" in self.rolled else None
        column = die_column(self.rolled["black"]) if "black" in self.rolled else None
        taken = wave(self.board, row, column, remain="obstacles_remain" in self.rules)
        self.discarded.update(taken)
        self._end_round()

    def _end_round(self) -> None:
        """A new round begins with the next seat, or the match is lost by R6.6."""
        self.idle_rounds = 0 if self.acted else self.idle_rounds + 1
        if self.calm:
            self.used["calm"] += 1
        self.calm = self.acted = self.time_up = False
        self.turns_done = self.cards_played = 0
        self.rolled = {}
        if self.idle_rounds == IDLE_ROUNDS:
            self._finish("idle")
        else:
            self._pass_on()


def start(options: Options | None = None) -> Match:
    """A match at its very beginning."""
    return Match.start(options)
