"""Explanations for Flecks: what a move does, why it is illegal, and why the match is over."""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.explanation import Explanation
from watermeet.core.game import Game
from watermeet.core.hexgrid import Cell, cell_name, cells, neighbour, ring
from watermeet.games.flecks import layout, rules
from watermeet.games.flecks.board import BLUE, FREE, RED, STEP, offset_of
from watermeet.games.flecks.connection import shortest_chain
from watermeet.games.flecks.notation import RowMove, cell_at, row_move_of, stone_at

COLOUR_NAMES = {RED: "Red", BLUE: "Blue"}
DIRECTION_WORDS = ("east", "south-east", "south-west", "west", "north-west", "north-east")
_NAMED = 4  # How many alternatives a sentence lists.


def explain_action(game: Game, array: StateArray, action: int, *, legal: bool) -> Explanation:
    """Explain what a legal action does, or why an illegal one is refused."""
    side = int(array[layout.SIDE])
    row = row_move_of(side, action)
    if legal:
        return _explain_legal(array, action, row)
    if row is not None:
        return _refuse_row(array, row)
    if action == rules.stop_action(side):
        return _refuse_stop(array)
    return _refuse_stone(array, cells(side)[action])


def describe_action(game: Game, array: StateArray, action: int) -> str:
    """What an action does, after a name."""
    side = int(array[layout.SIDE])
    if action == rules.stop_action(side):
        return "stops"
    row = row_move_of(side, action)
    if row is None:
        return f"places a stone on {_name(array, cells(side)[action])}"
    rear, direction, steps = row
    length = row_length(array, rear, direction)
    what = "the stone on" if length == 1 else f"the {length} stones from"
    return f"moves {what} {_name(array, rear)} {_steps(steps)} {DIRECTION_WORDS[direction]}"


def explain_outcome(game: Game, array: StateArray) -> Explanation:
    """Explain who won; the cells are their shortest winning chain."""
    winner = int(array[layout.WINNER])
    chain = shortest_chain(array, winner)
    return Explanation(
        "connected",
        f"{COLOUR_NAMES[winner]} connected both borders and wins.",
        tuple(_name(array, cell) for cell in chain),
        facts={"winner": COLOUR_NAMES[winner], "chain": len(chain)},
    )


def _name(array: StateArray, cell: Cell) -> str:
    return cell_name(cell, int(array[layout.SIDE]))


def _mover(array: StateArray) -> str:
    return COLOUR_NAMES[int(array[layout.COLOUR])]


def _stones(count: int) -> str:
    return "1 stone" if count == 1 else f"{count} stones"


def _steps(count: int) -> str:
    return "1 step" if count == 1 else f"{count} steps"


# ---- legal actions ----------------------------------------------------------------------------


def _explain_legal(array: StateArray, action: int, row: RowMove | None) -> Explanation:
    """Explain what an action does and what follows: a win, a skipped turn, the next turn."""
    after = array.copy()
    rules.apply(after, action)
    if row is not None:
        done = _explain_row(array, row)
    elif action == rules.stop_action(int(array[layout.SIDE])):
        done = Explanation("stops", f"{_mover(array)} ends the turn without moving a row", facts={})
    else:
        done = _explain_stone(array, cells(int(array[layout.SIDE]))[action])
    code, then, shown = done.code, _what_follows(array, after), done.cells
    if after[layout.WINNER] != FREE:
        chain = shortest_chain(after, int(after[layout.WINNER]))
        code, shown = "wins", tuple(_name(array, cell) for cell in chain)
    elif after[layout.LAST] != 0 and rules.is_connected(after, int(array[layout.COLOUR])):
        code = "connects"
    facts = {"colour": _mover(array), **done.facts}
    return Explanation(code, f"{done.sentence}; {then}.", shown, legal=True, facts=facts)


def _what_follows(before: StateArray, after: StateArray) -> str:
    mover = _mover(before)
    other = COLOUR_NAMES[RED + BLUE - int(before[layout.COLOUR])]
    if after[layout.WINNER] != FREE:
        return f"both borders are connected and {mover} wins"
    if after[layout.OPENING] > 0:
        return f"{_stones(int(after[layout.OPENING]))} to go in the opening"
    if after[layout.LAST] != 0:
        if rules.is_connected(after, int(before[layout.COLOUR])):
            return (
                f"both borders are connected, and {mover} wins if they still are when the turn ends"
            )
        return f"{mover} may now move a row or stop"
    if before[layout.OPENING] > 0:
        return f"the opening is over and {_mover(after)} is next"
    if after[layout.COLOUR] == before[layout.COLOUR]:
        return f"{other} can't place a stone and is skipped, so {mover} is next again"
    return f"{other} is next"


def _explain_stone(array: StateArray, cell: Cell) -> Explanation:
    move = _name(array, cell)
    if array[layout.OPENING] > 0:
        sentence = f"{_mover(array)} places an opening stone on {move}"
        return Explanation("opening_stone", sentence, (move,), facts={"move": move})
    near = [_name(array, stone) for stone in _own_neighbours(array, cell)]
    sentence = f"{_mover(array)} places a stone on {move}, next to {_listed(near)}"
    return Explanation("adds_stone", sentence, (move, *near), facts={"move": move})


def _own_neighbours(array: StateArray, cell: Cell) -> list[Cell]:
    """The neighbouring cells that hold a stone of the colour to move."""
    near = (neighbour(cell, direction) for direction in range(6))
    return [stone for stone in near if stone_at(array, stone) == array[layout.COLOUR]]


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _explain_row(array: StateArray, row: RowMove) -> Explanation:
    rear, direction, steps = row
    length = row_length(array, rear, direction)
    front = neighbour(rear, direction, length - 1)
    word = DIRECTION_WORDS[direction]
    filled = [_name(array, cell) for cell in filled_cells(array, row)]
    if length == 1:
        what = f"the stone on {_name(array, rear)} moves 1 step {word}, to {filled[0]}"
    else:
        what = (
            f"the {length} stones from {_name(array, rear)} to {_name(array, front)} move "
            f"{_steps(steps)} {word}"
        )
    facts: dict[str, str | int] = {
        "rear": _name(array, rear),
        "front": _name(array, front),
        "length": length,
        "direction": word,
        "steps": steps,
    }
    return Explanation("moves_row", what[0].upper() + what[1:], tuple(filled), facts=facts)


def row_length(array: StateArray, rear: Cell, direction: int) -> int:
    """The number of stones of one colour in a line, starting with this one."""
    length = 1
    while stone_at(array, neighbour(rear, direction, length)) == stone_at(array, rear):
        length += 1
    return length


def filled_cells(array: StateArray, row: RowMove) -> list[Cell]:
    """The cells that a row move fills, nearest first."""
    rear, direction, steps = row
    length = row_length(array, rear, direction)
    return [neighbour(rear, direction, length + step) for step in range(steps)]


# ---- illegal actions --------------------------------------------------------------------------


def _refuse_stone(array: StateArray, cell: Cell) -> Explanation:
    move = _name(array, cell)
    facts: dict[str, str | int] = {"move": move, "colour": _mover(array)}
    if array[layout.LAST] != 0:
        code = "stone_added"
        sentence = f"{_mover(array)} has already placed a stone this turn: move a row or stop."
    elif stone_at(array, cell) != FREE:
        code, colour = "occupied", COLOUR_NAMES[stone_at(array, cell)]
        sentence = f"There is already a {colour.lower()} stone on {move}."
        facts["colour"] = colour
    elif array[layout.OPENING] > 0:
        code = "not_on_rim"
        sentence = (
            f"The first stone of the match must go on the outer ring, and {move} isn't on it."
        )
    else:
        code = "not_adjacent"
        near = [_name(array, other) for other in _places_to_add(array, cell)]
        sentence = (
            f"A new {_mover(array).lower()} stone must touch another one, and on {move} it "
            f"wouldn't. The nearest cells you can use: {', '.join(near[:_NAMED])}."
        )
    return Explanation(code, sentence, (move,), facts=facts)


def _places_to_add(array: StateArray, target: Cell) -> list[Cell]:
    """The cells where a stone may be placed, nearest to ``target`` first."""
    side = int(array[layout.SIDE])
    found = [cell for cell in cells(side) if rules.may_add(array, offset_of(cell, side))]
    return sorted(found, key=lambda cell: ring((cell[0] - target[0], cell[1] - target[1])))


def _refuse_stop(array: StateArray) -> Explanation:
    if array[layout.OPENING] > 0:
        sentence = "You can't stop in the opening: every turn places a stone."
    elif rules.may_move_row(array):
        sentence = f"{_mover(array)} must place a stone or move a row first."
    else:
        sentence = f"{_mover(array)} must place a stone first."
    return Explanation("stop_too_early", sentence, facts={"colour": _mover(array)})


def _refuse_row(array: StateArray, row: RowMove) -> Explanation:
    facts: dict[str, str | int] = {"colour": _mover(array)}
    if array[layout.OPENING] > 0:
        left = int(array[layout.OPENING])
        sentence = f"Rows can't move in the opening, which has {_stones(left)} to go."
        return Explanation("opening", sentence, facts=facts | {"left": left})
    if not rules.may_move_row(array):
        if array[layout.MUST_PLACE] == 0:
            sentence = (
                f"No stone for {int(array[layout.IDLE])} turns, so {_mover(array)} must place one."
            )
            return Explanation(
                "must_add", sentence, facts=facts | {"idle": int(array[layout.IDLE])}
            )
        sentence = f"{_mover(array)} must place a stone before moving a row."
        return Explanation("add_first", sentence, facts=facts)
    rear, direction, _ = row
    name = _name(array, rear)
    stone = stone_at(array, rear)
    if stone != array[layout.COLOUR]:
        held = "is empty" if stone == FREE else f"holds a {COLOUR_NAMES[stone].lower()} stone"
        sentence = f"{name} {held}. Name the rear stone of one of your own rows."
        return Explanation("no_own_stone", sentence, (name,), facts=facts | {"cell": name})
    return _refuse_row_of_stones(array, row, row_length(array, rear, direction))


def _refuse_row_of_stones(array: StateArray, row: RowMove, length: int) -> Explanation:
    """Refuse to move a row that exists and whose turn it is."""
    rear, direction, steps = row
    name = _name(array, rear)
    word = DIRECTION_WORDS[direction]
    facts: dict[str, str | int] = {"rear": name, "length": length, "direction": word}
    fixed = cell_at(int(array[layout.SIDE]), int(array[layout.LAST]))
    if array[layout.NEW_FIXED] != 0 and fixed in _line(rear, direction, length):
        new = _name(array, fixed)
        sentence = f"The stone on {new} was placed this turn and can't move yet."
        return Explanation("new_stone", sentence, (new,), facts=facts)
    if steps > length:
        sentence = (
            f"The row from {name} to the {word} has {_stones(length)}, so it can move at most "
            f"{_steps(length)}."
        )
        shown = tuple(_name(array, cell) for cell in _line(rear, direction, length))
        return Explanation("too_far", sentence, shown, facts=facts)
    ahead = neighbour(rear, direction, length)
    while stone_at(array, ahead) == FREE:
        ahead = neighbour(ahead, direction)
    return _refuse_blocked(array, row, ahead, facts)


def _refuse_blocked(
    array: StateArray, row: RowMove, ahead: Cell, facts: dict[str, str | int]
) -> Explanation:
    stone = stone_at(array, ahead)
    by, shown = "by the edge of the board", list[str]()
    if stone in COLOUR_NAMES:
        shown = [_name(array, ahead)]
        by = f"by the {COLOUR_NAMES[stone].lower()} stone on {shown[0]}"
    facts["by"] = by.removeprefix("by the ")
    sentence = f"The row from {facts['rear']} to the {facts['direction']} is blocked {by}"
    side = int(array[layout.SIDE])
    free = rules.max_steps(array, offset_of(row[0], side), int(STEP[side, row[1]]))
    far = f" after {_steps(free)}" if free else ""
    return Explanation("blocked", f"{sentence}{far}.", tuple(shown), facts=facts)


def _line(rear: Cell, direction: int, length: int) -> list[Cell]:
    return [neighbour(rear, direction, step) for step in range(length)]
