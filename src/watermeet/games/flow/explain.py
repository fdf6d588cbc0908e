"""Explanations for Flow: what a move does, why it is illegal, and why the match is over."""

from __future__ import annotations

from collections.abc import Sequence

from watermeet.core.contract import StateArray
from watermeet.core.explanation import Explanation
from watermeet.core.game import Game
from watermeet.core.squaregrid import point_name
from watermeet.games.flow import layout, rules
from watermeet.games.flow.board import (
    ANIMAL_CELLS,
    BOAT_CELL,
    FREE_CELLS,
    SIZE,
    beside,
    beyond,
)
from watermeet.games.flow.cards import FISHING_TILES, holds, is_movable, tiles_down
from watermeet.games.flow.connectivity import (
    animals_to_spare,
    cells_for,
    connectable_animals,
    connected_animals,
)
from watermeet.games.flow.names import (
    ANIMAL_NAMES,
    CARD_TITLES,
    KIND_TITLES,
    SCENARIO_TITLES,
    outcome_sentence,
    player_name,
)
from watermeet.games.flow.shapes import (
    EDGE_LETTERS,
    EDGES,
    OBSTACLE,
    SHAPE_COUNT,
    SHAPE_EDGES,
    SHAPE_KIND,
    SHAPES,
)
from watermeet.games.flow.tile_sets import KINDS

Facts = dict[str, str | int]
_EDGE_WORDS = ("north", "east", "south", "west")
_SIDES_OF_BOAT = dict(zip(EDGE_LETTERS, _EDGE_WORDS, strict=True))


def explain_action(game: Game, array: StateArray, action: int, *, legal: bool) -> Explanation:
    """Explain what a legal action does, or why an illegal one is refused."""
    if legal:
        return _explain_legal(game, array, action)
    if action < layout.PLAY_SUPPORT:
        return _refuse_lay(array, action)
    if action < layout.DRAW_FACE_DOWN:
        return _refuse_card_on_cell(array, action)
    if action < layout.SWAP:
        return _refuse_turn(array, action)
    if action < layout.CHANCE_TILE:
        return _refuse_other(array, action)
    return _refuse_time(array)


_PLAIN_WORDS = {
    layout.DRAW_FACE_DOWN: "draws a face-down tile",
    layout.PLAY_FISHING: "plays Fishing",
    layout.PLAY_CALM: "plays Calm Waters",
    layout.SWAP: "swaps the tile for a card",
    layout.DISCARD: "discards the tile",
    layout.TIME: "calls time",
}


def describe_action(game: Game, array: StateArray, action: int) -> str:
    """What an action does, after a name."""
    if action in _PLAIN_WORDS:
        return _PLAIN_WORDS[action]
    move = game.hooks.format_action(game, array, action)
    if action < layout.LAY_SCENARIO:
        cell, shape = divmod(action - layout.LAY, SHAPE_COUNT)
        return f"places {_a(int(SHAPE_KIND[shape]))} on {_name(cell)}"
    if action < layout.PLAY_SUPPORT:
        return f"places a scenario obstacle on {_name(action - layout.LAY_SCENARIO)}"
    word, _, what = move.partition(":")
    kind = _a(KINDS.index(what)) if what in KINDS else ""
    return {
        "support": f"plays Support on {what}",
        "bird": f"plays Bird on {what}",
        "current": f"plays Current on {what}",
        "obstacle": f"puts a scenario obstacle on {what}",
        "take": f"takes {kind}",
        "return": f"plays Return for {kind}",
        "roll": f"chooses the {what} die",
        "boat": f"opens the {_SIDES_OF_BOAT.get(what, '')} side of the boat",
        "tile": f"{'turns up' if array[layout.STAGE] == layout.FISH else 'draws'} {kind}",
        "card": f"draws {_title(what, layout.CARD_NAMES, CARD_TITLES)}",
        "white": f"rolls a {what} with the white die",
        "black": f"rolls a {what} with the black die",
        "scenario": f"draws {_title(what, layout.SCENARIO_NAMES, SCENARIO_TITLES)}",
    }[word]


def _title(name: str, names: Sequence[str], titles: Sequence[str]) -> str:
    return titles[names.index(name)] if name in names else ""


# ---- words ------------------------------------------------------------------------------------


def _name(cell: int) -> str:
    return point_name(cell, SIZE)


def _what_is_there(array: StateArray, cell: int) -> str:
    """The content of a cell, in words."""
    if cell in ANIMAL_CELLS:
        return f"the {ANIMAL_NAMES[ANIMAL_CELLS.index(cell)]}"
    if cell == BOAT_CELL:
        return "the boat"
    tile = int(array[layout.CELLS + cell]) % layout.BIRD_ON
    if tile == 0:
        return "nothing"
    return "a scenario obstacle" if tile == layout.SCENARIO_TILE else _a(int(SHAPE_KIND[tile - 1]))


def _a(kind: int) -> str:
    """A kind of tile with its article."""
    return "an obstacle tile" if kind == OBSTACLE else f"a {KIND_TITLES[kind]}"


def _refuse_time(array: StateArray) -> Explanation:
    """Refuse an action in the wrong stage, saying what to do instead."""
    mover, stage = player_name(int(array[layout.MOVER])), int(array[layout.STAGE])
    now = {
        layout.CHOOSE_BOAT_EDGE: f"{mover} must choose the open side of the boat",
        layout.TURN: f"{mover} must draw a tile or play a card",
        layout.HAND: f"{mover} must place the drawn tile",
        layout.CARRY: f"{mover} must choose where the tile goes",
        layout.CHOOSE_DIE: f"{mover} must choose a die",
    }.get(stage, "dice are rolled or cards drawn")
    return Explanation("not_now", f"You can't do that now: {now}.", facts={"now": now})


# ---- legal actions ----------------------------------------------------------------------------


def _explain_legal(game: Game, array: StateArray, action: int) -> Explanation:
    move = game.hooks.format_action(game, array, action)
    after = array.copy()
    rules.apply(after, action)
    facts: Facts = {"move": move}
    if after[layout.STAGE] == layout.FINISHED and after[layout.WON]:
        sentence = f"{move} wins the match: all four animals are connected to the boat."
        return Explanation("wins", sentence, _cells_of(action), legal=True, facts=facts)
    if action < layout.PLAY_SUPPORT:
        return _explain_lay(array, after, action, move)
    words = {
        layout.DRAW_FACE_DOWN: ("draws", "Draws a face-down tile."),
        layout.PLAY_FISHING: ("plays_fishing", "Turns two tiles face up, for anybody to draw."),
        layout.PLAY_CALM: ("plays_calm", "The next wave rolls only one die."),
        layout.SWAP: ("swaps", "Discards the tile and draws a card."),
        layout.DISCARD: ("discards", "Discards the tile, which doesn't fit anywhere."),
        layout.TIME: (
            "time_is_up",
            "Calls time: a turn in progress is finished, and then the wave comes.",
        ),
    }
    code, sentence = words.get(action, ("legal", f"{move} can be played."))
    return Explanation(code, sentence, _cells_of(action), legal=True, facts=facts)


def _cells_of(action: int) -> tuple[str, ...]:
    """The cell that an action names, if any."""
    if action < layout.LAY_SCENARIO:
        return (_name(action // SHAPE_COUNT),)
    if action < layout.DRAW_FACE_DOWN:
        return (_name((action - layout.LAY_SCENARIO) % (SIZE * SIZE)),)
    return ()


def _explain_lay(array: StateArray, after: StateArray, action: int, move: str) -> Explanation:
    joined = int(connected_animals(after)) & ~int(connected_animals(array))
    names = [
        name for name, cell in zip(ANIMAL_NAMES, ANIMAL_CELLS, strict=True) if joined >> cell & 1
    ]
    if not names:
        sentence = f"{move} fits."
        return Explanation("lays", sentence, _cells_of(action), legal=True, facts={"move": move})
    animals = " and ".join(names)
    sentence = f"{move} fits and connects the {animals} to the boat."
    facts: Facts = {"move": move, "animals": animals}
    return Explanation("joins", sentence, _cells_of(action), legal=True, facts=facts)


# ---- tiles ------------------------------------------------------------------------------------


def _refuse_lay(array: StateArray, action: int) -> Explanation:
    """Explain why a tile can't go there."""
    if array[layout.STAGE] not in (layout.HAND, layout.CARRY):
        return _refuse_time(array)
    is_scenario = action >= layout.LAY_SCENARIO
    cell = action - layout.LAY_SCENARIO if is_scenario else action // SHAPE_COUNT
    name = _name(cell)
    if is_scenario != (array[layout.TILE] == layout.SCENARIO_TILE) or (
        not is_scenario and SHAPE_KIND[action % SHAPE_COUNT] != array[layout.TILE] - 1
    ):
        held = (
            "a scenario obstacle"
            if array[layout.TILE] == layout.SCENARIO_TILE
            else _a(int(array[layout.TILE]) - 1)
        )
        sentence = f"The tile in hand is {held}, which has different edges."
        return Explanation("not_in_hand", sentence, facts={"held": held.partition(" ")[2]})
    if not (int(array[layout.EMPTY]) >> cell) & 1:
        sentence = f"{_what_is_there(array, cell).capitalize()} is already on {name}."
        return Explanation("occupied", sentence, (name,), facts={"cell": name})
    if array[layout.LIFTED_FROM] == 1 + cell:
        sentence = f"The tile came from {name} and must go somewhere else."
        return Explanation("same_cell", sentence, (name,), facts={"cell": name})
    if is_scenario:
        return _refuse_wall(array, cell, 0, 1 << cell, -1)
    return _refuse_shape(array, cell, action % SHAPE_COUNT)


def _refuse_shape(array: StateArray, cell: int, shape: int) -> Explanation:
    """Explain which placement rule a shape breaks on an empty cell."""
    name, bit = _name(cell), 1 << cell
    if not beside(int(array[layout.FIXED])) & bit:
        sentence = f"{name} isn't next to a tile, an animal or the boat."
        return Explanation("touches_nothing", sentence, (name,), facts={"cell": name})
    for edge in range(EDGES):
        wrong = _refuse_edge(array, cell, shape, edge)
        if wrong is not None:
            return wrong
    needs_water = array[layout.STAGE] == layout.HAND or not array[layout.LIFTED_FROM]
    without_walls = int(cells_for(array, shape, False, 0)) & bit
    if needs_water and (without_walls or SHAPE_KIND[shape] != OBSTACLE):
        sentence = f"Water from an animal wouldn't reach {SHAPES[shape][1]} on {name}."
        return Explanation("no_water", sentence, (name,), facts={"cell": name})
    return _refuse_wall(array, cell, int(SHAPE_EDGES[shape]), 0, cell)


def _refuse_edge(array: StateArray, cell: int, shape: int, edge: int) -> Explanation | None:
    """Refuse a shape if an edge doesn't match its neighbour (R4.3)."""
    there = int(beyond(1 << cell, edge)) & int(array[layout.FIXED])
    if not there:
        return None
    facing = bool(int(array[layout.OPEN + (edge + 2) % EDGES]) & there)
    own = bool((int(SHAPE_EDGES[shape]) >> edge) & 1)
    if facing == own:
        return None
    other, name = there.bit_length() - 1, _name(cell)
    words = ("open", "closed") if own else ("closed", "open")
    sentence = (
        f"The {_EDGE_WORDS[edge]} edge would be {words[0]}, but {_what_is_there(array, other)} on "
        f"{_name(other)} is {words[1]} on that side."
    )
    facts: Facts = {"cell": name, "edge": EDGE_LETTERS[edge], "neighbour": _name(other)}
    return Explanation("edge", sentence, (name, _name(other)), facts=facts)


def _refuse_wall(array: StateArray, cell: int, edges: int, closed: int, laid: int) -> Explanation:
    """Refuse an obstacle that would cut off an animal (R4.4)."""
    name = _name(cell)
    left = int(connectable_animals(array, closed, laid, edges, 0))
    lost = int(animals_to_spare(array, 0)) & ~left
    names = [title for title, at in zip(ANIMAL_NAMES, ANIMAL_CELLS, strict=True) if lost >> at & 1]
    assert names, "nothing else forbids it"
    facts: Facts = {"cell": name, "animals": " and ".join(names)}
    sentence = f"An obstacle on {name} would cut off the {facts['animals']} from the boat."
    return Explanation("walls_in", sentence, (name,), facts=facts)


# ---- cards ------------------------------------------------------------------------------------


def _refuse_card(array: StateArray, card: int) -> Explanation | None:
    """Refuse a card that can't be played at all now."""
    if array[layout.STAGE] != layout.TURN:
        return _refuse_time(array)
    title = CARD_TITLES[card]
    if array[layout.IN_PLAY + layout.ONE_CARD] and array[layout.CARD_PLAYED]:
        sentence = "You can play only one card per round, and one has been played."
        return Explanation("one_card", sentence, facts={"card": layout.CARD_NAMES[card]})
    if not holds(array, card):
        sentence = f"{player_name(int(array[layout.MOVER]))} doesn't have {title}."
        return Explanation("no_card", sentence, facts={"card": layout.CARD_NAMES[card]})
    return None


def _refuse_card_on_cell(array: StateArray, action: int) -> Explanation:
    """Explain why Support, Bird or Current can't be played on a cell."""
    card = (
        layout.SUPPORT
        if action < layout.PLAY_BIRD
        else layout.BIRD
        if action < layout.PLAY_CURRENT
        else layout.CURRENT
    )
    cell = (action - layout.PLAY_SUPPORT) % (SIZE * SIZE)
    wrong = _refuse_card(array, card)
    if wrong is not None:
        return wrong
    name, facts = _name(cell), {"cell": _name(cell), "card": layout.CARD_NAMES[card]}
    if not (FREE_CELLS >> cell) & 1 or array[layout.CELLS + cell] == 0:
        there = _what_is_there(array, cell)
        held = "is empty" if there == "nothing" else f"holds {there}"
        sentence = f"{name} {held}, and the card needs a tile."
        return Explanation("no_tile", sentence, (name,), facts=facts)
    if card == layout.BIRD:
        if array[layout.CELLS + cell] >= layout.BIRD_ON:
            sentence = f"There is already a bird on {name}."
            return Explanation("has_bird", sentence, (name,), facts=facts)
        assert array[layout.BIRDS_LEFT] == 0, "nothing else forbids a bird"
        return Explanation("no_birds", "All birds are already on the board.", facts=facts)
    if not is_movable(array, cell):
        sentence = "A scenario card protects obstacles from Support and Current."
        return Explanation("protected", sentence, (name,), facts=facts)
    sentence = f"The tile on {name} doesn't fit anywhere else."
    return Explanation("nowhere_else", sentence, (name,), facts=facts)


def _refuse_turn(array: StateArray, action: int) -> Explanation:
    """Explain why a tile can't be drawn, or a card without a cell can't be played."""
    if array[layout.STAGE] != layout.TURN:
        return _refuse_time(array)
    if action == layout.DRAW_FACE_DOWN:
        return Explanation("no_tiles", "There are no face-down tiles left.")
    if action < layout.PLAY_FISHING:
        kind = KINDS[action - layout.TAKE_FACE_UP]
        return Explanation("none_up", f"There is no {kind} face up.", facts={"tile": kind})
    card = (
        layout.FISHING
        if action == layout.PLAY_FISHING
        else layout.CALM
        if action == layout.PLAY_CALM
        else layout.RETURN
    )
    wrong = _refuse_card(array, card)
    if wrong is not None:
        return wrong
    if card == layout.FISHING:
        sentence = (
            f"Fishing needs {FISHING_TILES} face-down tiles, and there is {tiles_down(array)}."
        )
        return Explanation("too_few_tiles", sentence)
    if card == layout.CALM:
        return Explanation("calm_already", "Calm Waters has already been played this round.")
    kind = KINDS[action - layout.PLAY_RETURN]
    if not array[layout.DISCARDED + action - layout.PLAY_RETURN]:
        return Explanation("none_discarded", f"No {kind} has been discarded.", facts={"tile": kind})
    sentence = f"{_a(action - layout.PLAY_RETURN).capitalize()} doesn't fit anywhere."
    return Explanation("fits_nowhere", sentence, facts={"tile": kind})


# ---- other actions ----------------------------------------------------------------------------


def _refuse_other(array: StateArray, action: int) -> Explanation:
    """Explain why the mover can't swap, discard, call time, or choose a die or a side."""
    if action in (layout.SWAP, layout.DISCARD) and array[layout.STAGE] == layout.HAND:
        return _refuse_swap_or_discard(array, action)
    if action == layout.TIME and array[layout.STAGE] in (layout.TURN, layout.HAND, layout.CARRY):
        if array[layout.CLOCK] == layout.BY_TURNS:
            return Explanation(
                "turns_count", "In this match a round ends after a fixed number of turns."
            )
        return Explanation("time_was_up", "Time is already up.")
    return _refuse_time(array)


def _refuse_swap_or_discard(array: StateArray, action: int) -> Explanation:
    """Explain why the drawn tile can't be swapped or discarded."""
    if action == layout.DISCARD:
        return Explanation("fits", "You can't discard a tile that fits somewhere.")
    if array[layout.TILE] == 1 + OBSTACLE:
        return Explanation("not_swappable", "An obstacle tile can't be swapped for a card.")
    if array[layout.IN_PLAY + layout.NO_NEW_CARDS]:
        return Explanation("no_new_cards", "A scenario card forbids new cards.")
    return Explanation("pile_empty", "There are no action cards left.")


def explain_outcome(game: Game, array: StateArray) -> Explanation:
    """Explain how the match was won or lost."""
    sentence = outcome_sentence(game, array)
    left = (
        array[layout.FACE_DOWN : layout.FACE_DOWN + layout.KIND_COUNT].sum()
        + array[layout.FACE_UP : layout.FACE_UP + layout.KIND_COUNT].sum()
    )
    idle = array[layout.IDLE_ROUNDS] >= layout.MAX_IDLE_ROUNDS
    animals = int(connected_animals(array)).bit_count()
    code = "won" if array[layout.WON] else "idle" if idle else "no_tiles_left"
    return Explanation(code, sentence, facts={"tiles_left": int(left), "animals": animals})
