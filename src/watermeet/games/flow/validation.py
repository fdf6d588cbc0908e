"""Validation of states that are parsed rather than played.

Kernels trust their array, so every state that enters is checked: each tile, card and bird exists
and is where its stage has it, counters are within their limits, and the match is over if and only
if the rules say so. Whether a match could have reached the state is not checked.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.notation import require
from watermeet.games.flow import layout, rules
from watermeet.games.flow.board import ANIMALS, CELL_COUNT, FREE_CELLS
from watermeet.games.flow.cards import (
    FISHING_TILES,
    cells_for_scenario,
    fits,
    list_cards,
    list_other_cards,
)
from watermeet.games.flow.connectivity import connectable_animals, connected_animals
from watermeet.games.flow.setup_phase import obstacle_cells
from watermeet.games.flow.shapes import SHAPE_KIND
from watermeet.games.flow.tile_sets import KINDS

STAGE_WORDS = (
    "scenario", "obstacle", "deal", "tile", "card", "fish", "white", "black", "boat", "turn",
    "hand", "carry", "die", "over",
)  # fmt: skip
SETUP_STAGES = (layout.DRAW_SCENARIO, layout.LAY_OBSTACLE, layout.DEAL, layout.CHOOSE_BOAT_EDGE)
"""The stages before the first turn."""
WAVE_STAGES = (layout.CHOOSE_DIE, layout.ROLL_WHITE, layout.ROLL_BLACK)
ALL_EDGES = 15
_MAX_PIPS = 6
_MAX_TURNS = 99
"""More turns than any round can have."""
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
class ParsedState:
    """A state as parsed; tiles and cells are encoded as in the array."""

    stage: int
    mover: int
    won: bool | None  # None: not over.
    drawn: list[int]  # By scenario.
    boat_edge: int  # The boat's only open edge as a bit; 0: not written.
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
    shown: list[list[int]]  # By seat and card.
    used: list[int]  # By card.
    up: list[int]  # By kind.
    discarded: list[int]  # By kind.
    cells: list[int]

    @property
    def scenario_tiles(self) -> int:
        """The number of scenario obstacles on the board or in hand."""
        return [cell % layout.BIRD_ON for cell in (*self.cells, self.tile)].count(
            layout.SCENARIO_TILE
        )

    @property
    def hand_sizes(self) -> list[int]:
        """By seat: the number of action cards, known or not."""
        return [sum(hand) + more for hand, more in zip(self.hands, self.hidden, strict=True)]


# ---- derived counts ---------------------------------------------------------------------------


def scenarios_drawn(game: Game, array: StateArray) -> list[int]:
    """By scenario: the number of its cards that were drawn, including a removed second one."""
    drawn = []
    for scenario, exist in enumerate(layout.SCENARIO_COUNTS):
        named = game.options.number(_OPTION_OF_SCENARIO[scenario])
        if scenario == layout.NO_COMMUNICATION:
            named *= exist  # Its switch uses up both cards (R8.2).
        drawn.append(exist - named - int(array[layout.SCENARIO_PILE + scenario]))
    return drawn


def used_cards(array: StateArray) -> list[int]:
    """By card: how many were played and are neither in the pile nor in a hand."""
    hands = array[layout.HANDS : layout.HANDS + layout.MAX_SEATS * layout.CARD_KINDS].reshape(
        layout.MAX_SEATS, layout.CARD_KINDS
    )
    held = hands.sum(axis=0) + array[layout.PILE : layout.PILE + layout.CARD_KINDS]
    return [exist - int(count) for exist, count in zip(layout.CARD_COUNTS, held, strict=True)]


# ---- building the array -----------------------------------------------------------------------


def array_of(game: Game, parsed: ParsedState) -> StateArray:
    """The state array; raise ValueError with what is wrong."""
    array = game.start_array()
    require(
        parsed.mover < game.seats,
        f"there is no seat {parsed.mover}: seats are 0 to {game.seats - 1}",
    )
    array[layout.STAGE], array[layout.MOVER] = parsed.stage, parsed.mover
    _write_scenarios(game, array, parsed)
    _write_boat(array, parsed)
    _write_cards(array, parsed)
    _write_tiles(array, parsed)
    _write_birds(array, parsed)
    _write_counters(array, parsed)
    _write_hand(array, parsed)
    rules.rebuild_cache(array)
    if parsed.stage in SETUP_STAGES:
        _check_setup(array, parsed)
    else:
        _check_stage(array, parsed)
        _check_end(array, parsed)
    return array


def _write_scenarios(game: Game, array: StateArray, parsed: ParsedState) -> None:
    """Put drawn scenario cards into play, in addition to those set by options (R8.2)."""
    for scenario, count in enumerate(parsed.drawn):
        name, pile = layout.SCENARIO_NAMES[scenario], int(array[layout.SCENARIO_PILE + scenario])
        require(
            count <= pile,
            f"{name!r} is drawn {count} times, but only {pile} can be drawn with these options",
        )
        array[layout.SCENARIO_PILE + scenario] -= count
        # A second *no communication* is removed.
        array[layout.IN_PLAY + scenario] += (
            min(count, 1) if scenario == layout.NO_COMMUNICATION else count
        )
    effective = sum(parsed.drawn) - (parsed.drawn[layout.NO_COMMUNICATION] > 1)
    left = game.options.number("scenarios") - effective
    can_draw = array[layout.SCENARIO_PILE : layout.SCENARIO_PILE + layout.SCENARIO_KINDS].any()
    require(left >= 0, f"{effective} scenario cards are drawn, {-left} more than the option allows")
    if parsed.stage == layout.DRAW_SCENARIO:
        require(left and can_draw, "all scenario cards are drawn: write 'deal=0'")
    else:
        require(
            not left or not can_draw,
            f"{left} scenario cards are missing: name them, such as 'drawn=one_card'",
        )
    array[layout.SCENARIOS] = left if parsed.stage == layout.DRAW_SCENARIO else 0
    most = layout.OBSTACLES_PER_CARD * int(array[layout.IN_PLAY + layout.OBSTACLES])
    require(parsed.scenario_tiles <= most, f"there can be at most {most} scenario obstacles")


def _write_boat(array: StateArray, parsed: ParsedState) -> None:
    has_one_way = array[layout.IN_PLAY + layout.SINGLE_PATH] and parsed.stage not in SETUP_STAGES
    if has_one_way:
        require(
            parsed.boat_edge, "the boat has a single path: write its open edge, such as 'way=N'"
        )
    else:
        require(not parsed.boat_edge, "the boat is open at all edges: leave out 'way'")
    array[layout.BOAT_EDGES] = parsed.boat_edge or ALL_EDGES


def _write_cards(array: StateArray, parsed: ParsedState) -> None:
    """Write hands and pile; unknown cards count with the pile."""
    for card, exist in enumerate(layout.CARD_COUNTS):
        count = parsed.used[card] + sum(hand[card] for hand in parsed.hands)
        require(
            count <= exist,
            f"the card {layout.CARD_NAMES[card]} appears {count} times, but there are only {exist}",
        )
        array[layout.PILE + card] = exist - count
    for seat, hand in enumerate(parsed.hands):
        array[
            layout.HANDS + layout.CARD_KINDS * seat : layout.HANDS + layout.CARD_KINDS * (seat + 1)
        ] = hand
        array[layout.HIDDEN_CARDS + seat] = parsed.hidden[seat]
    _write_shown(array, parsed)
    if any(parsed.hidden):
        require(
            array[layout.IN_PLAY + layout.NO_COMMUNICATION],
            "cards can only be unknown with no communication",
        )
        require(parsed.stage != layout.FINISHED, "all cards are known at the end")
    require(_pile_size(array, parsed) >= 0, "there are more unknown cards than cards left")


def _write_shown(array: StateArray, parsed: ParsedState) -> None:
    """Write the cards that all saw at a wave (R8.1)."""
    for seat, (hand, shown) in enumerate(zip(parsed.hands, parsed.shown, strict=True)):
        is_held = all(seen <= held for seen, held in zip(shown, hand, strict=True))
        require(is_held, f"seat {seat} can't have shown cards that it doesn't hold")
        first = layout.SHOWN + layout.CARD_KINDS * seat
        array[first : first + layout.CARD_KINDS] = shown
    shows = array[layout.VERSION] > 1 and array[layout.IN_PLAY + layout.NO_COMMUNICATION]
    if shows and parsed.stage in WAVE_STAGES:
        is_open = parsed.shown == parsed.hands and not any(parsed.hidden)
        require(is_open, "all cards are shown at a wave: write all hands in 'shown' as well")
    elif not shows or parsed.stage in SETUP_STAGES:
        require(
            not any(map(any, parsed.shown)), "cards are only shown at a wave, with no communication"
        )


def _pile_size(array: StateArray, parsed: ParsedState) -> int:
    return int(array[layout.PILE : layout.PILE + layout.CARD_KINDS].sum()) - sum(parsed.hidden)


def _write_tiles(array: StateArray, parsed: ParsedState) -> None:
    """Write the board, face-up and discarded tiles; the rest are face down."""
    for cell, tile in enumerate(parsed.cells):
        require(
            not tile or FREE_CELLS >> cell & 1, "no tile can be on an animal's space or the boat"
        )
    used = [
        int(SHAPE_KIND[tile % layout.BIRD_ON - 1]) for tile in parsed.cells if _is_map_tile(tile)
    ]
    is_returned = parsed.stage == layout.CARRY and parsed.lifted_from is None
    if _is_map_tile(parsed.tile) and not is_returned:
        used.append(parsed.tile - 1)
    for kind, name in enumerate(KINDS):
        count = used.count(kind) + parsed.up[kind] + parsed.discarded[kind]
        exist = int(array[layout.FACE_DOWN + kind])
        require(
            count <= exist, f"the tile {name} appears {count} times, but there are only {exist}"
        )
        array[layout.FACE_DOWN + kind] = exist - count
    array[layout.FACE_UP : layout.FACE_UP + layout.KIND_COUNT] = parsed.up
    array[layout.DISCARDED : layout.DISCARDED + layout.KIND_COUNT] = parsed.discarded
    array[layout.CELLS : layout.CELLS + CELL_COUNT] = parsed.cells


def _is_map_tile(tile: int) -> bool:
    return tile % layout.BIRD_ON not in (0, layout.SCENARIO_TILE)


def _write_birds(array: StateArray, parsed: ParsedState) -> None:
    birds = sum(tile >= layout.BIRD_ON for tile in parsed.cells) + parsed.lifted_bird
    require(
        birds <= layout.BIRD_COUNT, f"there are {birds} birds, but only {layout.BIRD_COUNT} exist"
    )
    array[layout.BIRDS_LEFT] = layout.BIRD_COUNT - birds


def _write_counters(array: StateArray, parsed: ParsedState) -> None:
    """Write the counters of the round, and the dice."""
    stage, by_turns = parsed.stage, array[layout.CLOCK] == layout.BY_TURNS
    turns = int(array[layout.TURNS])
    if by_turns and stage in WAVE_STAGES:
        require(parsed.done == turns, f"a wave comes after {turns} turns: write 'done={turns}'")
    elif by_turns:
        require(parsed.done < turns, f"at most {turns - 1} turns can be done here")
    require(parsed.done + _turns_left(array, parsed) <= _MAX_TURNS, "no round has that many turns")
    require(not by_turns or not parsed.idle, "no round is idle with clock=turns")
    may_be_the_last = parsed.won is False or parsed.stage in WAVE_STAGES
    lasts = layout.MAX_IDLE_ROUNDS if may_be_the_last else layout.MAX_IDLE_ROUNDS - 1
    require(parsed.idle <= lasts, f"there can be at most {lasts} idle rounds here")
    array[layout.TURNS_DONE], array[layout.IDLE_ROUNDS] = parsed.done, parsed.idle
    array[layout.TIME_UP], array[layout.CARD_PLAYED] = parsed.time_up, parsed.card_played
    array[layout.CALM_PLAYED] = parsed.calm
    if parsed.time_up:
        finishing = stage in (layout.HAND, layout.CARRY, layout.DRAW_CARD) or parsed.won
        require(finishing and not by_turns, "'time=up' is for a seat that is finishing its turn")
    _write_dice(array, parsed)


def _turns_left(array: StateArray, parsed: ParsedState) -> int:
    """The most turns there can still be: each takes a tile or a card."""
    is_amid = parsed.stage in (layout.DRAW_CARD, layout.FISH, layout.HAND, layout.CARRY)
    return (
        int(array[layout.FACE_DOWN : layout.FACE_DOWN + 2 * layout.KIND_COUNT].sum())
        + _cards_left(array)
        + is_amid
    )


def _cards_left(array: StateArray) -> int:
    return sum(layout.CARD_COUNTS) - sum(used_cards(array))


def _write_dice(array: StateArray, parsed: ParsedState) -> None:
    if parsed.stage in (layout.ROLL_WHITE, layout.ROLL_BLACK):
        one = layout.WHITE_DIE if parsed.stage == layout.ROLL_WHITE else layout.BLACK_DIE
        array[layout.DICE] = one if parsed.calm else layout.BOTH_DICE
    if parsed.stage == layout.ROLL_BLACK and not parsed.calm:
        require(
            1 <= parsed.white <= _MAX_PIPS, "write what the white die shows, such as 'rolled=3'"
        )
    else:
        require(not parsed.white, "'rolled' is for both dice, before the black one is rolled")
    array[layout.WHITE] = parsed.white


def _write_hand(array: StateArray, parsed: ParsedState) -> None:
    """Write the tile in hand, and what is pending in the stage."""
    has_tile = parsed.stage in (layout.HAND, layout.CARRY)
    word = STAGE_WORDS[parsed.stage]
    require(bool(parsed.tile) == has_tile, _tile_hint(word, has_tile))
    require(
        parsed.tile != layout.SCENARIO_TILE or parsed.stage == layout.CARRY,
        "only Current carries a scenario obstacle: write 'carry=0 lay=x from=c4'",
    )
    array[layout.TILE] = parsed.tile
    if parsed.lifted_from is not None:
        require(
            parsed.stage == layout.CARRY, "'from' is for a tile that Current carries, with 'carry'"
        )
        is_free = FREE_CELLS >> parsed.lifted_from & 1 and not parsed.cells[parsed.lifted_from]
        require(is_free, "the cell of 'from' must be empty")
        array[layout.LIFTED_FROM], array[layout.LIFTED_BIRD] = (
            1 + parsed.lifted_from,
            parsed.lifted_bird,
        )
    require(parsed.stage == layout.FISH or not parsed.left, "'left' is for Fishing only")
    array[layout.PENDING] = parsed.left
    if parsed.stage == layout.LAY_OBSTACLE:
        obstacles = layout.OBSTACLES_PER_CARD * int(array[layout.IN_PLAY + layout.OBSTACLES])
        array[layout.PENDING] = obstacles - parsed.scenario_tiles
    elif parsed.stage == layout.DEAL:
        array[layout.PENDING] = _cards_dealt(parsed) - parsed.hand_sizes[parsed.mover]


def _tile_hint(word: str, has_tile: bool) -> str:
    if has_tile:
        return "write the tile in hand, such as 'lay=bend'"
    return f"nobody has a tile in hand with {word!r}: leave out 'lay'"


def _cards_dealt(parsed: ParsedState) -> int:
    """The number of cards each seat is dealt (R2.2)."""
    return max(1, 4 - len(parsed.hands))


# ---- consistency ------------------------------------------------------------------------------


def _check_setup(array: StateArray, parsed: ParsedState) -> None:
    """Check that before the first turn there are only scenario obstacles and dealt cards."""
    stage = parsed.stage
    require(
        set(parsed.cells) <= {0, layout.SCENARIO_TILE},
        "no tile can be placed before the first turn",
    )
    counts = (
        *parsed.up,
        *parsed.discarded,
        *parsed.used,
        parsed.done,
        parsed.card_played,
        parsed.idle,
    )
    require(
        not any(counts), "nothing can be face up, discarded, used or done before the first turn"
    )
    if stage == layout.DRAW_SCENARIO:
        require(not any(parsed.cells), "obstacles are placed after all scenario cards are drawn")
    if stage == layout.LAY_OBSTACLE:
        require(array[layout.PENDING] > 0, "all scenario obstacles are placed")
        is_open = connectable_animals(array, 0, -1, 0, 0) == ANIMALS
        require(is_open, "the setup cuts off no animal: place the obstacles elsewhere")
        require(obstacle_cells(array), "there is no cell for another scenario obstacle")
    if stage != layout.DEAL:
        require(parsed.mover == 0, f"{STAGE_WORDS[stage]!r} is about seat 0")
    if stage == layout.CHOOSE_BOAT_EDGE:
        require(
            array[layout.IN_PLAY + layout.SINGLE_PATH],
            "the boat's edge is only chosen with single path",
        )
    _check_deal(parsed)


def _check_deal(parsed: ParsedState) -> None:
    """Check that cards are dealt seat by seat, each seat all of its cards."""
    dealt = _cards_dealt(parsed)
    for seat, size in enumerate(parsed.hand_sizes):
        if parsed.stage == layout.CHOOSE_BOAT_EDGE or (
            parsed.stage == layout.DEAL and seat < parsed.mover
        ):
            require(size == dealt, f"seat {seat} must have {dealt} cards by now, not {size}")
        elif parsed.stage == layout.DEAL and seat == parsed.mover:
            require(size < dealt, f"seat {seat} gets {dealt} cards and can't have {size} yet")
        else:
            require(size == 0, f"seat {seat} can't have cards yet")


def _check_stage(array: StateArray, parsed: ParsedState) -> None:
    """Check that the stage has what it needs."""
    stage = parsed.stage
    face_down = int(array[layout.FACE_DOWN : layout.FACE_DOWN + layout.KIND_COUNT].sum())
    require(stage != layout.DRAW_TILE or face_down, "there is no face-down tile")
    if stage == layout.FISH:
        require(
            1 <= parsed.left <= FISHING_TILES,
            f"Fishing turns {FISHING_TILES} tiles face up: 'left' must be 1 or 2",
        )
        require(
            face_down >= parsed.left, f"expected {parsed.left} face-down tiles, found {face_down}"
        )
        require(
            sum(parsed.up) >= FISHING_TILES - parsed.left,
            "write the tile that Fishing turned face up, such as 'up=b'",
        )
    if stage == layout.DRAW_CARD:
        require(
            not array[layout.IN_PLAY + layout.NO_NEW_CARDS], "there are no new cards in this match"
        )
        require(_pile_size(array, parsed) > 0, "the pile is empty")
    if stage in (layout.FISH, layout.CARRY):
        require(parsed.card_played, "a card must have been played: write 'played=card'")
    require(stage != layout.CHOOSE_DIE or parsed.calm, "a die is only chosen with 'played=calm'")
    if stage in WAVE_STAGES:
        is_idle = parsed.done == 0
        require(is_idle == (parsed.idle > 0), "a round is 'idle' if and only if no turn is 'done'")
    if stage == layout.CARRY:
        _check_carried(array, parsed)


def _check_carried(array: StateArray, parsed: ParsedState) -> None:
    """Check that the tile of Current or Return fits somewhere, as the card requires."""
    is_returned = parsed.lifted_from is None
    lifted = 0 if is_returned else 1 << (int(array[layout.LIFTED_FROM]) - 1)
    if parsed.tile == layout.SCENARIO_TILE:
        require(
            not is_returned, "write the cell that Current took the obstacle from, such as 'from=c4'"
        )
        can_go = cells_for_scenario(array, lifted) != 0
    else:
        if is_returned:
            is_there = parsed.discarded[parsed.tile - 1] > 0
            require(is_there, "Return places a tile of 'discarded'; for Current write 'from=c4'")
        can_go = fits(array, parsed.tile - 1, is_returned, lifted)
    require(can_go, "the tile in hand doesn't fit anywhere, so the card couldn't be played")


def _check_end(array: StateArray, parsed: ParsedState) -> None:
    """Check that the match is over if and only if the rules say so (R6.3, R6.6, R7.2)."""
    is_won = connected_animals(array) == ANIMALS
    if parsed.won is None:
        require(not is_won, "all animals are connected to the boat: write 'over=won'")
        is_known = not parsed.hidden[parsed.mover]
        if parsed.stage == layout.TURN and is_known:
            require(
                _can_begin(array), "no tile is left, and no card can be played: write 'over=lost'"
            )
        return
    array[layout.WON] = parsed.won
    if parsed.won:
        require(is_won, "not all animals are connected to the boat, so the match isn't won")
        return
    require(not is_won, "all animals are connected to the boat: write 'over=won'")
    if parsed.idle == layout.MAX_IDLE_ROUNDS:
        require(parsed.done == 0, "no turn was done in the last idle round: leave out 'done'")
    else:
        require(
            not _can_begin(array),
            f"a tile is left, or a card can be played: write 'turn={parsed.mover}'",
        )


def _can_begin(array: StateArray) -> bool:
    """Whether the mover could start a turn with a tile or a card."""
    if array[layout.FACE_DOWN : layout.FACE_DOWN + 2 * layout.KIND_COUNT].any():
        return True
    buffer = np.zeros(layout.ACTION_COUNT, dtype=np.int32)
    return bool(list_other_cards(array, buffer, list_cards(array, buffer, 0)) > 0)
