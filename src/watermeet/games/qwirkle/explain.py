"""Explanations for Qwirkle: what a move does, why it is illegal, and why the match is over."""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.explanation import Explanation
from watermeet.core.game import Game
from watermeet.games.qwirkle import layout, rules
from watermeet.games.qwirkle.grid import laid_points
from watermeet.games.qwirkle.legal_actions import may_open_with
from watermeet.games.qwirkle.names import (
    Cell,
    cell_name,
    grid_of,
    hand_of,
    kinds_at,
    player_name,
    tile_name,
    tile_words,
)
from watermeet.games.qwirkle.notation import cell_at, format_action
from watermeet.games.qwirkle.turns import first_placement
from watermeet.games.qwirkle.validation import is_line, run_of

ROW, COLUMN = (1, 0), (0, 1)
_LINE_NAMES = {ROW: "row", COLUMN: "column"}


def explain_action(game: Game, array: StateArray, action: int, *, legal: bool) -> Explanation:
    """Explain what a legal action does, or why an illegal one is refused."""
    if legal:
        return _explain_legal(game, array, action)
    mover = player_name(int(array[layout.MOVER]))
    if action >= layout.DRAW:
        return _refuse_chance(array, action)
    if array[layout.STAGE] != layout.TURN:
        is_tied = array[layout.STAGE] == layout.TIEBREAK
        sentence = (
            "A random draw has to decide who begins."
            if is_tied
            else f"{mover} has to draw tiles first."
        )
        return Explanation("drawing", sentence, facts={"seat": mover})
    if any(kind < 0 for kind in hand_of(array, int(array[layout.MOVER]))):
        sentence = f"Only {mover} knows what they can play."
        return Explanation("hidden_hand", sentence, facts={"seat": mover})
    if action < layout.TRADE:
        return _refuse_tile(game, array, action)
    if action < layout.END:
        return _refuse_trade(array, action - layout.TRADE)
    return _refuse_end(array) if action == layout.END else _refuse_pass(array)


def _tiles(count: int) -> str:
    return "1 tile" if count == 1 else f"{count} tiles"


def _points(count: int) -> str:
    return "1 point" if count == 1 else f"{count} points"


# ---- legal actions ----------------------------------------------------------------------------


def _explain_legal(game: Game, array: StateArray, action: int) -> Explanation:
    move = format_action(game, array, action)
    facts: dict[str, str | int] = {"move": move}
    if action < layout.TRADE:
        after = array.copy()
        rules.apply(after, action)
        cell, points = cell_at(array, action // layout.SLOTS), int(laid_points(after))
        assert cell is not None, "a legal action names a cell"
        sentence = f"{move} fits; the turn would then score {_points(points)} so far."
        cells = (cell_name(cell),)
        return Explanation("lays", sentence, cells, legal=True, facts=facts | {"points": points})
    if action < layout.END:
        kind = hand_of(array, int(array[layout.MOVER]))[action - layout.TRADE]
        code, sentence = "sets_aside", f"Sets the {tile_words(kind)} aside to trade."
    elif action == layout.END:
        return _explain_end(array)
    elif action == layout.PASS:
        code, sentence = "passes", "The bag is empty and nothing fits, so the turn passes."
    elif action < layout.FIRST_SEAT:
        kind = action - layout.DRAW
        facts["tile"] = tile_name(kind)
        code, sentence = "draws", f"Draws the {tile_words(kind)} from the bag."
    else:
        code, sentence = "begins", f"{player_name(action - layout.FIRST_SEAT)} begins."
    return Explanation(code, sentence, legal=True, facts=facts)


def _explain_end(array: StateArray) -> Explanation:
    aside = len(kinds_at(array, layout.ASIDE))
    if aside:
        sentence = f"Ends the turn and trades {_tiles(aside)}."
        return Explanation("exchanges", sentence, legal=True, facts={"tiles": aside})
    points = int(laid_points(array))
    sentence = f"Ends the turn and scores {_points(points)}."
    cells = tuple(map(cell_name, laid_cells(array)))
    return Explanation("ends_turn", sentence, cells, legal=True, facts={"points": points})


def laid_cells(array: StateArray) -> list[Cell]:
    """The cells of the tiles placed in this turn."""
    return list(grid_of(array))[int(array[layout.COUNT]) - int(array[layout.LAID]) :]


# ---- illegal placements -----------------------------------------------------------------------


def _refuse_tile(game: Game, array: StateArray, action: int) -> Explanation:
    number, slot = divmod(action, layout.SLOTS)
    hand = hand_of(array, int(array[layout.MOVER]))
    move = format_action(game, array, action)
    if kinds_at(array, layout.ASIDE):
        sentence = "You are trading tiles this turn: set aside more, or end your turn."
        return Explanation("trading_already", sentence, facts={"move": move})
    if slot >= len(hand):
        return _refuse_absent(hand)
    cell = cell_at(array, number)
    if cell is None:
        return _refuse_nowhere(array, number, move)
    name, facts = cell_name(cell), {"move": move, "cell": cell_name(cell)}
    grid = grid_of(array)
    if cell in grid:
        sentence = f"The {tile_words(grid[cell])} is already on {name}."
        return Explanation("occupied", sentence, (name,), facts=facts)
    return (
        _refuse_outside(array, cell, facts)
        or _refuse_line(grid | {cell: hand[slot]}, cell, ROW, facts)
        or _refuse_line(grid | {cell: hand[slot]}, cell, COLUMN, facts)
        or _refuse_other(array, hand[slot], facts)
    )


def _refuse_absent(hand: list[int]) -> Explanation:
    names = " ".join(map(tile_name, hand))
    sentence = f"That tile isn't in the hand ({names})."
    return Explanation("not_in_hand", sentence, facts={"hand": names})


def _refuse_nowhere(array: StateArray, number: int, move: str) -> Explanation:
    if number != layout.ELSEWHERE:
        return Explanation("no_cell", "No cell has that number.", facts={"move": move})
    if array[layout.COUNT] == 0:
        return Explanation("not_first_cell", "The first tile of the match goes on 0,0.", ("0,0",))
    return Explanation("touches_nothing", "A tile there wouldn't touch any other tile.")


def _refuse_outside(array: StateArray, cell: Cell, facts: dict[str, str]) -> Explanation | None:
    """Refuse a cell that doesn't continue the line of this turn."""
    laid = laid_cells(array)
    if not laid:
        return None
    names = (facts["cell"], *map(cell_name, laid))
    steps = [step for step, axis in ((ROW, 1), (COLUMN, 0)) if len({c[axis] for c in laid}) == 1]
    in_line = [step for step, axis in ((ROW, 1), (COLUMN, 0)) if cell[axis] == laid[0][axis]]
    shared = [step for step in in_line if step in steps]
    if not shared:
        sentence = f"{facts['cell']} isn't in line with the other tiles of this turn."
        return Explanation("out_of_line", sentence, names, facts=facts)
    if any(laid[0] in run_of([*grid_of(array), cell], cell, step) for step in shared):
        return None
    sentence = f"There is a gap between {facts['cell']} and the other tiles of this turn."
    return Explanation("gap", sentence, names, facts=facts)


def _refuse_line(
    grid: dict[Cell, int], cell: Cell, step: Cell, facts: dict[str, str]
) -> Explanation | None:
    """Refuse a tile that breaks its row or column."""
    line = run_of(grid, cell, step)
    kinds = [grid[each] for each in line]
    if len(line) == 1 or is_line(kinds):
        return None
    tiles, names = " ".join(map(tile_name, kinds)), tuple(map(cell_name, line))
    known = facts | {"tiles": tiles, "line": _LINE_NAMES[step]}
    what = f"The {_LINE_NAMES[step]} would be {tiles}"
    if len(line) > layout.LONGEST_LINE:
        return Explanation("too_long", f"{what}: more than six tiles.", names, facts=known)
    if len(set(kinds)) < len(kinds):
        return Explanation("equal_tiles", f"{what}: two of them are the same.", names, facts=known)
    sentence = f"{what}: neither one colour nor one shape."
    return Explanation("no_common", sentence, names, facts=known)


def _refuse_other(array: StateArray, kind: int, facts: dict[str, str]) -> Explanation:
    if not may_open_with(array, kind):
        sentence = "The first turn must place a largest set, and this tile isn't part of one."
        return Explanation("not_largest_set", sentence, (facts["cell"],), facts=facts)
    sentence = f"This move has a different number; write it as {facts['move']!r}."
    return Explanation("other_number", sentence, (facts["cell"],), facts=facts)


# ---- other illegal actions --------------------------------------------------------------------


def _refuse_trade(array: StateArray, slot: int) -> Explanation:
    hand, aside = hand_of(array, int(array[layout.MOVER])), kinds_at(array, layout.ASIDE)
    bag = int(array[layout.BAG_LEFT])
    if array[layout.LAID]:
        return Explanation(
            "laid_already", "You have placed tiles this turn: place more, or end your turn."
        )
    if array[layout.COUNT] == 0:
        return Explanation("first_turn", "You must place tiles in the first turn of the match.")
    if bag <= len(aside):
        sentence = f"The bag has {_tiles(bag)} left, so you can't trade more."
        return Explanation("bag_too_small", sentence, facts={"bag": bag})
    if slot >= len(hand):
        return _refuse_absent(hand)
    name = tile_name(hand[slot])
    if aside and hand[slot] < aside[-1]:
        sentence = f"Set tiles aside in order: {name} comes before {tile_name(aside[-1])}."
        return Explanation("not_in_order", sentence, facts={"tile": name})
    sentence = f"This move has a different number; write it as 'trade:{name}'."
    return Explanation("other_number", sentence, facts={"tile": name})


def _refuse_end(array: StateArray) -> Explanation:
    if array[layout.LAID]:
        return Explanation("set_not_whole", "The first turn must place a whole largest set.")
    sentence = "Place a tile or set one aside to trade before you end your turn."
    return Explanation("nothing_done", sentence)


def _refuse_pass(array: StateArray) -> Explanation:
    if array[layout.LAID] or kinds_at(array, layout.ASIDE):
        return Explanation("turn_begun", "You have already started your turn: end it instead.")
    if array[layout.COUNT] == 0:
        return Explanation("first_turn", "You must place tiles in the first turn of the match.")
    if array[layout.BAG_LEFT] > 0:
        sentence = "You can't pass while the bag has tiles: place or trade some."
        return Explanation("bag_not_empty", sentence, facts={"bag": int(array[layout.BAG_LEFT])})
    cell, kind = first_placement(array)
    move = f"{tile_name(kind)}@{cell_name(cell)}"
    sentence = f"You can't pass while a tile fits, such as {move}."
    return Explanation("can_place", sentence, (cell_name(cell),), facts={"move": move})


def _refuse_chance(array: StateArray, action: int) -> Explanation:
    if action >= layout.FIRST_SEAT:
        sentence = f"{player_name(action - layout.FIRST_SEAT)} can't begin."
        return Explanation(
            "no_lot", sentence, facts={"seat": player_name(action - layout.FIRST_SEAT)}
        )
    name = tile_name(action - layout.DRAW)
    if array[layout.STAGE] in (layout.TURN, layout.TIEBREAK):
        return Explanation("not_drawing", "No tile is drawn now.", facts={"tile": name})
    return Explanation("not_in_bag", f"There is no {name} left in the bag.", facts={"tile": name})


# ---- the end ----------------------------------------------------------------------------------


def describe_action(game: Game, array: StateArray, action: int) -> str:
    """What an action does, after a name."""
    if action < layout.END:
        is_trade = action >= layout.TRADE
        slot = action - layout.TRADE if is_trade else action % layout.SLOTS
        kind = hand_of(array, int(array[layout.MOVER]))[slot]
        tile = "a tile" if kind < 0 else f"the {tile_words(kind)}"
        if is_trade:
            return f"trades {tile}"
        return f"places {tile} at {format_action(game, array, action).partition('@')[2]}"
    if action < layout.DRAW:
        return "ends the turn" if action == layout.END else "passes"
    if action < layout.FIRST_SEAT:
        return f"draws the {tile_words(action - layout.DRAW)}"
    return f"lets {player_name(action - layout.FIRST_SEAT)} begin"


def explain_outcome(game: Game, array: StateArray) -> Explanation:
    """Explain how the match ended and who won."""
    points = [int(rules.points_of(array, seat)) for seat in range(game.seats)]
    winners = [seat for seat in range(game.seats) if points[seat] == max(points)]
    mover = player_name(int(array[layout.MOVER]))
    if not hand_of(array, int(array[layout.MOVER])):
        code, how = "hand_emptied", f"{mover} placed the last tile"
    elif array[layout.BAG_LEFT] == 0:
        code, how = "all_passed", "Nobody can place a tile"
    else:
        code, how = "only_exchanges", "There were only trades for too long"
    names = " and ".join(map(player_name, winners))
    verb = "wins" if len(winners) == 1 else "share the win"
    scores = "\u2013".join(map(str, sorted(points, reverse=True)))
    facts: dict[str, str | int] = {"winners": names, "scores": scores, "last": mover}
    facts["count"] = len(winners)
    sentence = f"{how}. {names} {verb}, {scores}."
    return Explanation(code, sentence, facts=facts)
