"""The state array of Flow and the numbering of its actions.

The cells are followed by the cache: bitboards, which is why the array is of 64-bit integers.
"""

from __future__ import annotations

from watermeet.games.flow.board import CELL_COUNT
from watermeet.games.flow.shapes import EDGES, SHAPE_COUNT
from watermeet.games.flow.tile_sets import KINDS

MAX_SEATS = 6
KIND_COUNT = len(KINDS)
SUPPORT, BIRD, CURRENT, FISHING, CALM, RETURN = range(6)
CARD_NAMES = ("support", "bird", "current", "fishing", "calm", "return")
CARD_COUNTS = (3, 3, 3, 2, 2, 2)
CARD_KINDS = len(CARD_NAMES)
BIRD_COUNT = 3

# Scenario cards, in the order of their options.
(
    OBSTACLES,
    NO_COMMUNICATION,
    ONE_CARD,
    NO_NEW_CARDS,
    NOT_FOR_OBSTACLES,
    SINGLE_PATH,
    OBSTACLES_REMAIN,
) = range(7)
SCENARIO_NAMES = (
    "obstacles", "silence", "one_card", "no_new_cards", "not_for_obstacles", "single_path",
    "obstacles_remain",
)  # fmt: skip
SCENARIO_COUNTS = (4, 2, 1, 1, 1, 1, 1)
SCENARIO_KINDS = len(SCENARIO_NAMES)
OBSTACLES_PER_CARD = 2

# ---- the array --------------------------------------------------------------------------------
SEATS = 0
SCENARIOS = 1  # Scenario cards still to be drawn.
IN_PLAY = 2  # By scenario: its cards in play.
CLOCK = IN_PLAY + SCENARIO_KINDS
TURNS = CLOCK + 1  # Turns per round, with CLOCK == BY_TURNS.
TILE_SET = CLOCK + 2
BOAT_STOPS = CLOCK + 3
VERSION = CLOCK + 4  # Of the rules.
STAGE = CLOCK + 5
MOVER = STAGE + 1
TURNS_DONE = STAGE + 2  # In this round.
TIME_UP = STAGE + 3  # 1 if time was called and the mover still finishes their turn.
CARD_PLAYED = STAGE + 4  # 1 if an action card was played in this round.
CALM_PLAYED = STAGE + 5  # 1 if Calm Waters is in play.
IDLE_ROUNDS = STAGE + 6  # Consecutive rounds in which nobody did anything.
DICE = STAGE + 7  # Which dice are rolled: 1 white, 2 black, 3 both.
WHITE = STAGE + 8  # What the white die shows, in a wave.
TILE = STAGE + 9  # The tile in the mover's hand: 0 none, 1 + kind, or SCENARIO_TILE.
LIFTED_FROM = STAGE + 10  # 1 + the cell that Current took the tile from, or 0.
LIFTED_BIRD = STAGE + 11  # 1 if it has a bird.
PENDING = STAGE + 12  # Obstacles to place, cards to deal, or tiles to turn face up.
BOAT_EDGES = STAGE + 13  # The open edges of the boat, as a bit mask.
BIRDS_LEFT = STAGE + 14
WON = STAGE + 15
SCENARIO_PILE = STAGE + 16  # By scenario: cards that can still be drawn.
FACE_DOWN = SCENARIO_PILE + SCENARIO_KINDS  # By kind: face-down tiles.
FACE_UP = FACE_DOWN + KIND_COUNT  # Tiles that Fishing turned face up.
DISCARDED = FACE_UP + KIND_COUNT
PILE = DISCARDED + KIND_COUNT  # By card: cards in the pile.
HANDS = PILE + CARD_KINDS  # By seat and card.
HIDDEN_CARDS = HANDS + MAX_SEATS * CARD_KINDS  # By seat: concealed cards.
SHOWN = HIDDEN_CARDS + MAX_SEATS  # By seat and card: cards that all saw at a wave (R8.1).
CELLS = (
    SHOWN + MAX_SEATS * CARD_KINDS
)  # 0 empty, 1 + shape, or SCENARIO_TILE; plus BIRD_ON with a bird.
CACHE = CELLS + CELL_COUNT
EMPTY = CACHE  # The cache: bitboards of empty cells,
OPEN = EMPTY + 1  # by edge: of cells open there (tiles, animals and the boat),
FIXED = OPEN + EDGES  # of tiles, animals and the boat,
DEAD_ENDS = FIXED + 1  # of obstacle tiles, where water ends,
WET = DEAD_ENDS + 1  # and of the cells that water reaches from some animal.
STATE_SIZE = WET + 1

SCENARIO_TILE = 1 + SHAPE_COUNT
BIRD_ON = 32

# The values of the option ``clock``.
BY_TURNS, BY_MINUTE, FREE = range(3)

# The stages: first those of chance, then those of players.
DRAW_SCENARIO = 0
LAY_OBSTACLE = 1
DEAL = 2
DRAW_TILE = 3
DRAW_CARD = 4
FISH = 5
ROLL_WHITE = 6
ROLL_BLACK = 7
CHOOSE_BOAT_EDGE = 8
TURN = 9
HAND = 10  # The mover holds a drawn tile.
CARRY = 11  # The mover places the tile of Current or Return.
CHOOSE_DIE = 12
FINISHED = 13

# ---- actions ----------------------------------------------------------------------------------
LAY = 0  # + SHAPE_COUNT * cell + shape
LAY_SCENARIO = LAY + SHAPE_COUNT * CELL_COUNT  # + cell
PLAY_SUPPORT = LAY_SCENARIO + CELL_COUNT  # + cell
PLAY_BIRD = PLAY_SUPPORT + CELL_COUNT
PLAY_CURRENT = PLAY_BIRD + CELL_COUNT
DRAW_FACE_DOWN = PLAY_CURRENT + CELL_COUNT
TAKE_FACE_UP = DRAW_FACE_DOWN + 1  # + kind
PLAY_FISHING = TAKE_FACE_UP + KIND_COUNT
PLAY_CALM = PLAY_FISHING + 1
PLAY_RETURN = PLAY_CALM + 1  # + kind
SWAP = PLAY_RETURN + KIND_COUNT
DISCARD = SWAP + 1
TIME = DISCARD + 1
CHOOSE_WHITE = TIME + 1
CHOOSE_BLACK = CHOOSE_WHITE + 1
BOAT_EDGE = CHOOSE_BLACK + 1  # + edge
CHANCE_TILE = BOAT_EDGE + EDGES  # + kind
CHANCE_CARD = CHANCE_TILE + KIND_COUNT  # + card
CHANCE_WHITE = CHANCE_CARD + CARD_KINDS  # + number - 1
CHANCE_BLACK = CHANCE_WHITE + 6
CHANCE_SCENARIO = CHANCE_BLACK + 6  # + scenario
CHANCE_OBSTACLE = CHANCE_SCENARIO + SCENARIO_KINDS  # + cell
ACTION_COUNT = CHANCE_OBSTACLE + CELL_COUNT

WHITE_DIE, BLACK_DIE, BOTH_DICE = 1, 2, 3
MAX_IDLE_ROUNDS = 3
