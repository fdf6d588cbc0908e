"""States that are set up rather than played: the array of one, if kernels can bear it.

Every tile, card and bird exists and is where the stage has it, counters are within their limits,
and the match is over if and only if the rules say so. Not asked is whether a match could have come
there: tiles need not have had water when they were laid, nor need the numbers of turns fit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.games.flow import rules
from watermeet.games.flow.beginning import obstacle_cells
from watermeet.games.flow.board import ANIMALS, CELL_COUNT, FREE_CELLS
from watermeet.games.flow.cards import (
    FISHED,
    cells_for_scenario,
    fits,
    list_cards,
    list_other_cards,
)
from watermeet.games.flow.layout import (
    ACTION_COUNT,
    AIM_BOAT,
    BIRD_COUNT,
    BIRD_ON,
    BIRDS_LEFT,
    BLACK_DIE,
    BOAT_EDGES,
    BOTH_DICE,
    BY_TURNS,
    CALM_PLAYED,
    CARD_COUNTS,
    CARD_KINDS,
    CARD_NAMES,
    CARD_PLAYED,
    CARRY,
    CELLS,
    CHOOSE_DIE,
    CLOCK,
    DEAL,
    DICE,
    DISCARDED,
    DOWN,
    DRAW_CARD,
    DRAW_SCENARIO,
    DRAW_TILE,
    FINISHED,
    FISH,
    HAND,
    HANDS,
    HIDDEN_CARDS,
    IDLE_ROUNDS,
    IN_PLAY,
    KIND_COUNT,
    LAY_OBSTACLE,
    LIFTED_BIRD,
    LIFTED_FROM,
    MOST_IDLE_ROUNDS,
    MOST_SEATS,
    MOVER,
    NO_NEW_CARDS,
    OBSTACLES,
    OBSTACLES_A_CARD,
    PILE,
    ROLL_BLACK,
    ROLL_WHITE,
    SCENARIO_COUNTS,
    SCENARIO_KINDS,
    SCENARIO_NAMES,
    SCENARIO_PILE,
    SCENARIO_TILE,
    SCENARIOS,
    SILENCE,
    SINGLE_PATH,
    STAGE,
    TILE,
    TIME_UP,
    TO_COME,
    TURN,
    TURNS,
    TURNS_DONE,
    UP,
    WHITE,
    WHITE_DIE,
    WON,
)
from watermeet.games.flow.shapes import SHAPE_KIND
from watermeet.games.flow.tile_sets import KINDS
from watermeet.games.flow.water import animals_joined

STAGE_WORDS = (
    "scenario", "obstacle", "deal", "tile", "card", "fish", "white", "black", "boat", "turn",
    "hand", "carry", "die", "over",
)  # fmt: skip
BEGINNING = (DRAW_SCENARIO, LAY_OBSTACLE, DEAL, AIM_BOAT)
"""The stages before the first turn."""
WAVE = (CHOOSE_DIE, ROLL_WHITE, ROLL_BLACK)
ALL_WAYS = 15
_MOST_PIPS = 6
_MOST_TURNS = 99
"""More than a round can have, also from a setup whose counts do not fit."""
_OPTION_OF_SCENARIO = (
    "obstacles",
    "no_communication",
    "one_card",
    "no_new_cards",
    "not_for_obstacles",
    "single_path",
    "obstacles_remain",
)


@dataclass
class Setup:
    """What a text says of a state; tiles and cells are as the array holds them."""

    stage: int
    mover: int
    won: bool | None  # None: not over.
    drawn: list[int]  # By scenario.
    way: int  # The boat's only way as a bit; 0: not written.
    tile: int
    lifted_from: int | None  # The cell.
    lifted_bird: bool
    left: int
    done: int
    time_up: bool
    card_played: bool
    calm: bool
    idle: int
    white: int
    hands: list[list[int]]  # By seat and card.
    hidden: list[int]  # By seat.
    used: list[int]  # By card.
    up: list[int]  # By kind.
    discarded: list[int]  # By kind.
    cells: list[int]

    @property
    def scenario_tiles(self) -> int:
        """How many scenario obstacles are on the board or in hand."""
        return [cell % BIRD_ON for cell in (*self.cells, self.tile)].count(SCENARIO_TILE)

    @property
    def hand_sizes(self) -> list[int]:
        """By seat: how many action cards it has, known or not."""
        return [sum(hand) + more for hand, more in zip(self.hands, self.hidden, strict=True)]


# ---- what follows from an array ---------------------------------------------------------------


def scenarios_drawn(game: Game, array: StateArray) -> list[int]:
    """By scenario: how many of its cards were drawn, also a second one that was put away."""
    drawn = []
    for scenario, exist in enumerate(SCENARIO_COUNTS):
        named = game.options.number(_OPTION_OF_SCENARIO[scenario])
        if scenario == SILENCE:
            named *= exist  # Its switch uses up both cards (R8.2).
        drawn.append(exist - named - int(array[SCENARIO_PILE + scenario]))
    return drawn


def used_cards(array: StateArray) -> list[int]:
    """By card: how many were played, being neither in the pile nor in a hand."""
    hands = array[HANDS : HANDS + MOST_SEATS * CARD_KINDS].reshape(MOST_SEATS, CARD_KINDS)
    held = hands.sum(axis=0) + array[PILE : PILE + CARD_KINDS]
    return [exist - int(count) for exist, count in zip(CARD_COUNTS, held, strict=True)]


# ---- the array of a setup ---------------------------------------------------------------------


def array_of(game: Game, setup: Setup) -> StateArray:
    """The array of a state; raises ValueError with what is wrong."""
    array = game.start_array()
    _demand(setup.mover < game.seats, f"there is no seat {setup.mover} among {game.seats}")
    array[STAGE], array[MOVER] = setup.stage, setup.mover
    _write_scenarios(game, array, setup)
    _write_boat(array, setup)
    _write_cards(array, setup)
    _write_tiles(array, setup)
    _write_birds(array, setup)
    _write_counters(array, setup)
    _write_hand(array, setup)
    rules.rebuild_cache(array)
    if setup.stage in BEGINNING:
        _check_beginning(array, setup)
    else:
        _check_stage(array, setup)
        _check_end(array, setup)
    return array


def _demand(condition: object, otherwise: str) -> None:
    if not condition:
        raise ValueError(otherwise)


def _write_scenarios(game: Game, array: StateArray, setup: Setup) -> None:
    """Scenario cards that were drawn are in play besides those that the options name (R8.2)."""
    for scenario, count in enumerate(setup.drawn):
        name, pile = SCENARIO_NAMES[scenario], int(array[SCENARIO_PILE + scenario])
        _demand(
            count <= pile,
            f"{name!r} is drawn {count} times: there are {SCENARIO_COUNTS[scenario]} cards, "
            f"of which {pile} can be drawn with these options",
        )
        array[SCENARIO_PILE + scenario] -= count
        # Of two that forbid to talk, one is put away.
        array[IN_PLAY + scenario] += min(count, 1) if scenario == SILENCE else count
    effective = sum(setup.drawn) - (setup.drawn[SILENCE] > 1)
    left = game.options.number("scenarios") - effective
    can_draw = array[SCENARIO_PILE : SCENARIO_PILE + SCENARIO_KINDS].any()
    _demand(left >= 0, f"{effective} scenario cards are drawn, {-left} more than the option says")
    if setup.stage == DRAW_SCENARIO:
        _demand(left and can_draw, "no scenario card is to be drawn any more: see 'deal=0'")
    else:
        _demand(
            not left or not can_draw,
            f"{left} scenario cards are still to be drawn: name them, as in 'drawn=one_card'",
        )
    array[SCENARIOS] = left if setup.stage == DRAW_SCENARIO else 0
    most = OBSTACLES_A_CARD * int(array[IN_PLAY + OBSTACLES])
    _demand(setup.scenario_tiles <= most, f"there are {most} scenario obstacles at most here")


def _write_boat(array: StateArray, setup: Setup) -> None:
    has_one_way = array[IN_PLAY + SINGLE_PATH] and setup.stage not in BEGINNING
    if has_one_way:
        _demand(setup.way, "the boat has a single path: write its way, as in 'way=N'")
    else:
        _demand(not setup.way, "the boat has all ways here: leave 'way' out")
    array[BOAT_EDGES] = setup.way or ALL_WAYS


def _write_cards(array: StateArray, setup: Setup) -> None:
    """Hands and pile; cards that are not known are counted to the pile."""
    for card, exist in enumerate(CARD_COUNTS):
        count = setup.used[card] + sum(hand[card] for hand in setup.hands)
        _demand(count <= exist, f"the card {CARD_NAMES[card]} is there {count} times, of {exist}")
        array[PILE + card] = exist - count
    for seat, hand in enumerate(setup.hands):
        array[HANDS + CARD_KINDS * seat : HANDS + CARD_KINDS * (seat + 1)] = hand
        array[HIDDEN_CARDS + seat] = setup.hidden[seat]
    if any(setup.hidden):
        _demand(array[IN_PLAY + SILENCE], "all cards are known unless there is no communication")
        _demand(setup.stage != FINISHED, "at the end all cards are known")
    _demand(_pile_size(array, setup) >= 0, "there are fewer cards left than unknown ones")


def _pile_size(array: StateArray, setup: Setup) -> int:
    return int(array[PILE : PILE + CARD_KINDS].sum()) - sum(setup.hidden)


def _write_tiles(array: StateArray, setup: Setup) -> None:
    """Board, tiles turned up and discarded; the rest is face down."""
    for cell, tile in enumerate(setup.cells):
        _demand(not tile or FREE_CELLS >> cell & 1, "no tile lies on the animals or the boat")
    used = [int(SHAPE_KIND[tile % BIRD_ON - 1]) for tile in setup.cells if _is_map_tile(tile)]
    is_returned = setup.stage == CARRY and setup.lifted_from is None
    if _is_map_tile(setup.tile) and not is_returned:
        used.append(setup.tile - 1)
    for kind, name in enumerate(KINDS):
        count = used.count(kind) + setup.up[kind] + setup.discarded[kind]
        exist = int(array[DOWN + kind])
        _demand(count <= exist, f"the tile {name} is there {count} times, of {exist}")
        array[DOWN + kind] = exist - count
    array[UP : UP + KIND_COUNT] = setup.up
    array[DISCARDED : DISCARDED + KIND_COUNT] = setup.discarded
    array[CELLS : CELLS + CELL_COUNT] = setup.cells


def _is_map_tile(tile: int) -> bool:
    return tile % BIRD_ON not in (0, SCENARIO_TILE)


def _write_birds(array: StateArray, setup: Setup) -> None:
    birds = sum(tile >= BIRD_ON for tile in setup.cells) + setup.lifted_bird
    _demand(birds <= BIRD_COUNT, f"there are {birds} birds, of {BIRD_COUNT}")
    array[BIRDS_LEFT] = BIRD_COUNT - birds


def _write_counters(array: StateArray, setup: Setup) -> None:
    """What is counted in a round, and the dice."""
    stage, by_turns = setup.stage, array[CLOCK] == BY_TURNS
    turns = int(array[TURNS])
    if by_turns and stage in WAVE:
        _demand(setup.done == turns, f"a wave comes after {turns} turns: write 'done={turns}'")
    elif by_turns:
        _demand(setup.done < turns, f"a round has {turns - 1} turns done at most here")
    _demand(setup.done + _turns_left(array, setup) <= _MOST_TURNS, "so many turns no round has")
    _demand(not by_turns or not setup.idle, "with clock=turns no round is idle")
    may_be_the_last = setup.won is False or setup.stage in WAVE
    lasts = MOST_IDLE_ROUNDS if may_be_the_last else MOST_IDLE_ROUNDS - 1
    _demand(setup.idle <= lasts, f"there are {lasts} idle rounds at most here")
    array[TURNS_DONE], array[IDLE_ROUNDS] = setup.done, setup.idle
    array[TIME_UP], array[CARD_PLAYED] = setup.time_up, setup.card_played
    array[CALM_PLAYED] = setup.calm
    if setup.time_up:
        finishing = stage in (HAND, CARRY, DRAW_CARD) or setup.won
        _demand(finishing and not by_turns, "'time=up' is for a seat that finishes its turn")
    _write_dice(array, setup)


def _turns_left(array: StateArray, setup: Setup) -> int:
    """How many turns there can still be: each takes a tile or a card."""
    is_amid = setup.stage in (DRAW_CARD, FISH, HAND, CARRY)
    return int(array[DOWN : DOWN + 2 * KIND_COUNT].sum()) + _cards_left(array) + is_amid


def _cards_left(array: StateArray) -> int:
    return sum(CARD_COUNTS) - sum(used_cards(array))


def _write_dice(array: StateArray, setup: Setup) -> None:
    if setup.stage in (ROLL_WHITE, ROLL_BLACK):
        one = WHITE_DIE if setup.stage == ROLL_WHITE else BLACK_DIE
        array[DICE] = one if setup.calm else BOTH_DICE
    if setup.stage == ROLL_BLACK and not setup.calm:
        _demand(1 <= setup.white <= _MOST_PIPS, "write what the white die shows, as 'rolled=3'")
    else:
        _demand(not setup.white, "'rolled' is for both dice, before the black one is rolled")
    array[WHITE] = setup.white


def _write_hand(array: StateArray, setup: Setup) -> None:
    """The tile in hand, and what is still to come in a stage."""
    has_tile = setup.stage in (HAND, CARRY)
    word = STAGE_WORDS[setup.stage]
    _demand(bool(setup.tile) == has_tile, _tile_hint(word, has_tile))
    _demand(
        setup.tile != SCENARIO_TILE or setup.stage == CARRY,
        "nobody draws a scenario obstacle: Current carries it, as in 'carry=0 lay=x from=c4'",
    )
    array[TILE] = setup.tile
    if setup.lifted_from is not None:
        _demand(setup.stage == CARRY, "'from' is for a tile that Current carries: 'carry'")
        is_free = FREE_CELLS >> setup.lifted_from & 1 and not setup.cells[setup.lifted_from]
        _demand(is_free, "the cell that the tile was lifted from is empty: see 'from'")
        array[LIFTED_FROM], array[LIFTED_BIRD] = 1 + setup.lifted_from, setup.lifted_bird
    _demand(setup.stage == FISH or not setup.left, "'left' is for Fishing only")
    array[TO_COME] = setup.left
    if setup.stage == LAY_OBSTACLE:
        obstacles = OBSTACLES_A_CARD * int(array[IN_PLAY + OBSTACLES])
        array[TO_COME] = obstacles - setup.scenario_tiles
    elif setup.stage == DEAL:
        array[TO_COME] = _cards_dealt(setup) - setup.hand_sizes[setup.mover]


def _tile_hint(word: str, has_tile: bool) -> str:
    if has_tile:
        return "write the tile in hand, as in 'lay=bend'"
    return f"nobody has a tile in hand when it is {word!r}: leave 'lay' out"


def _cards_dealt(setup: Setup) -> int:
    """How many cards each seat gets (R2.2)."""
    return max(1, 4 - len(setup.hands))


# ---- whether it fits together -----------------------------------------------------------------


def _check_beginning(array: StateArray, setup: Setup) -> None:
    """Before the first turn there are at most scenario obstacles and cards that are dealt."""
    stage = setup.stage
    _demand(set(setup.cells) <= {0, SCENARIO_TILE}, "no tile is laid before the first turn")
    counts = (*setup.up, *setup.discarded, *setup.used, setup.done, setup.card_played, setup.idle)
    _demand(not any(counts), "nothing is turned up, discarded, used or done before the first turn")
    if stage == DRAW_SCENARIO:
        _demand(not any(setup.cells), "obstacles are laid when all scenario cards are drawn")
    if stage == LAY_OBSTACLE:
        _demand(array[TO_COME] > 0, "no scenario obstacle is to be laid any more")
        _demand(obstacle_cells(array), "there is no cell for another scenario obstacle")
    if stage != DEAL:
        _demand(setup.mover == 0, f"{STAGE_WORDS[stage]!r} is about seat 0")
    if stage == AIM_BOAT:
        _demand(array[IN_PLAY + SINGLE_PATH], "the boat's way is chosen with single path only")
    _check_deal(setup)


def _check_deal(setup: Setup) -> None:
    """Cards are dealt seat by seat, each seat all of its cards."""
    dealt = _cards_dealt(setup)
    for seat, size in enumerate(setup.hand_sizes):
        if setup.stage == AIM_BOAT or (setup.stage == DEAL and seat < setup.mover):
            _demand(size == dealt, f"seat {seat} has {dealt} cards by now, not {size}")
        elif setup.stage == DEAL and seat == setup.mover:
            _demand(size < dealt, f"seat {seat} gets {dealt} cards and cannot have {size} yet")
        else:
            _demand(size == 0, f"seat {seat} has no cards yet")


def _check_stage(array: StateArray, setup: Setup) -> None:
    """What the stage is about is there."""
    stage = setup.stage
    face_down = int(array[DOWN : DOWN + KIND_COUNT].sum())
    _demand(stage != DRAW_TILE or face_down, "no tile is face down")
    if stage == FISH:
        _demand(1 <= setup.left <= FISHED, f"Fishing turns up {FISHED} tiles: 'left' is 1 or 2")
        _demand(face_down >= setup.left, f"{face_down} tiles are face down, of {setup.left}")
        _demand(sum(setup.up) >= FISHED - setup.left, "Fishing has turned up a tile: 'up'")
    if stage == DRAW_CARD:
        _demand(not array[IN_PLAY + NO_NEW_CARDS], "there are no new cards in this match")
        _demand(_pile_size(array, setup) > 0, "no card is in the pile")
    if stage in (FISH, CARRY):
        _demand(setup.card_played, "a card was played for that: write 'played=card'")
    _demand(stage != CHOOSE_DIE or setup.calm, "a die is chosen with 'played=calm' only")
    if stage in WAVE:
        is_idle = setup.done == 0
        _demand(is_idle == (setup.idle > 0), "a round without turns 'done' is 'idle', others not")
    if stage == CARRY:
        _check_carried(array, setup)


def _check_carried(array: StateArray, setup: Setup) -> None:
    """The tile of Current or Return can be laid, as the card could not be played otherwise."""
    is_returned = setup.lifted_from is None
    lifted = 0 if is_returned else 1 << (int(array[LIFTED_FROM]) - 1)
    if setup.tile == SCENARIO_TILE:
        _demand(not is_returned, "Current has lifted the obstacle: write the cell, as 'from=c4'")
        can_go = cells_for_scenario(array, lifted) != 0
    else:
        if is_returned:
            is_there = setup.discarded[setup.tile - 1] > 0
            _demand(is_there, "Return lays a tile of 'discarded'; for Current write 'from=c4'")
        can_go = fits(array, setup.tile - 1, is_returned, lifted)
    _demand(can_go, "the tile in hand can be laid nowhere, so the card could not be played")


def _check_end(array: StateArray, setup: Setup) -> None:
    """The match is won or lost if and only if the rules say so (R6.3, R6.6, R7.2)."""
    is_won = animals_joined(array) == ANIMALS
    if setup.won is None:
        _demand(not is_won, "all animals are joined with the boat: write 'over=won'")
        is_known = not setup.hidden[setup.mover]
        if setup.stage == TURN and is_known:
            _demand(_can_begin(array), "no tile is left, and no card can be played: 'over=lost'")
        return
    array[WON] = setup.won
    if setup.won:
        _demand(is_won, "not all animals are joined with the boat, so the match is not won")
        return
    _demand(not is_won, "all animals are joined with the boat: write 'over=won'")
    if setup.idle == MOST_IDLE_ROUNDS:
        _demand(setup.done == 0, "no turn was done in the last idle round: leave 'done' out")
    else:
        _demand(
            not _can_begin(array),
            f"a tile is left, or a card can be played: the match goes on by 'turn={setup.mover}'",
        )


def _can_begin(array: StateArray) -> bool:
    """Whether the mover could begin a turn: by a tile, or by a card."""
    if array[DOWN : DOWN + 2 * KIND_COUNT].any():
        return True
    room = np.zeros(ACTION_COUNT, dtype=np.int32)
    return bool(list_other_cards(array, room, list_cards(array, room, 0)) > 0)
