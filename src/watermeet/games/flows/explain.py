"""Why a move of Flows can be played or not, and why the match is over.

A placement is refused for one of two reasons. Either a team loses its route, whatever the others
do: then the cells show what its sides can still come to. Or some teams can no longer have theirs at
the same time: then the cells show the bottleneck (bottlenecks.py).
"""

from __future__ import annotations

from collections.abc import Iterable

from watermeet.core.contract import StateArray
from watermeet.core.explanation import Explanation
from watermeet.core.game import Game
from watermeet.games.flows import rules
from watermeet.games.flows.board import AXES
from watermeet.games.flows.bottlenecks import (
    Conflict,
    blocked_axes,
    region,
    smallest_conflict,
)
from watermeet.games.flows.exchanges import axes_to_free
from watermeet.games.flows.layout import (
    BAG,
    BY_ROUTE,
    CELLS,
    CHOOSE,
    CHOSEN,
    DEAL,
    DRAW,
    EXCHANGES,
    FOLLOW,
    LEGALITY,
    LOT,
    MOVER,
    NO_TILE,
    OFF,
    PLACE,
    REACH,
    SIDES_OPTION,
    SINGLE,
    STAGE,
    SUPERMOVE,
    SUPERMOVE_ANY,
    TILE,
    UNKNOWN,
    WINNERS,
    draw_base,
    exchange_base,
    first_base,
    side_base,
)
from watermeet.games.flows.names import (
    SIDE_NAMES,
    axis_of,
    filling_name,
    name_of,
    outcome_sentence,
    seat_name,
    seats_by_side,
    team_name,
    teams_name,
    type_name,
    winning_teams,
)
from watermeet.games.flows.placements import cells_of, fillings_in_hand
from watermeet.games.flows.tiles import FILLING_TYPES, FILLINGS
from watermeet.games.flows.traces import witness

Facts = dict[str, str | int]


def explain_action(game: Game, array: StateArray, action: int, *, legal: bool) -> Explanation:
    """What a legal action leads to, or what forbids the others."""
    if action < exchange_base(array):
        explain = _explain_lay if legal else _refuse_lay
        return explain(game, array, action // FILLINGS, action % FILLINGS)
    if action < draw_base(array):
        cell, filling = divmod(action - exchange_base(array), FILLINGS)
        explain = _explain_exchange if legal else _refuse_exchange
        return explain(game, array, cell, filling)
    if action < first_base(array):
        return _explain_draw(array, action - draw_base(array), legal=legal)
    if action < side_base(array):
        return _explain_lot(game, action - first_base(array), legal=legal)
    return _explain_side(game, array, action - side_base(array), legal=legal)


# ---- words ------------------------------------------------------------------------------------


def _names(array: StateArray, numbers: Iterable[int]) -> tuple[str, ...]:
    return tuple(name_of(array, cell) for cell in sorted(numbers))


def _teams(game: Game, array: StateArray, axes: Iterable[int]) -> str:
    """Those who have to connect some axes."""
    by_axis = {axis_of(array, team[0]): team for team in game.teams}
    return teams_name(by_axis[axis] for axis in axes)


def _facts(array: StateArray, cell: int, filling: int) -> Facts:
    return {"tile": filling_name(filling), "cell": name_of(array, cell)}


# ---- placements -------------------------------------------------------------------------------


def _explain_lay(game: Game, array: StateArray, cell: int, filling: int) -> Explanation:
    """What a placement leads to: a win, or a route for everybody, which is told."""
    after = array.copy()
    rules.apply(after, FILLINGS * cell + filling)
    name, facts = name_of(array, cell), _facts(array, cell, filling)
    what = f"{filling_name(filling)} can be laid on {name}"
    if after[BY_ROUTE]:
        return _explain_win(game, after, what, name, facts)
    routes = {} if array[SUPERMOVE] != OFF else _routes(game, after)
    if not routes:
        return Explanation("lays", f"{what}.", (name,), legal=True, facts=facts)
    told = "; ".join(f"{team} by {way}" for team, way in routes.items())
    each = "each, were it alone," if array[LEGALITY] == REACH else "everybody"
    sentence = f"{what}: it leaves {each} a route, such as {told}."
    facts |= {f"route of {team}": way for team, way in routes.items()}
    return Explanation("leaves_routes", sentence, (name,), legal=True, facts=facts)


def _explain_win(game: Game, after: StateArray, what: str, name: str, facts: Facts) -> Explanation:
    """Whom a tile connects."""
    facts["winners"] = teams_name(winning_teams(game, after))
    sentence = f"{what}: it connects {facts['winners']}."
    return Explanation("connects", sentence, (name,), legal=True, facts=facts)


def _routes(game: Game, array: StateArray) -> dict[str, str]:
    """By team the empty cells of a witness, in order."""
    routes = {}
    for axis, route in witness(array).items():
        empty = dict.fromkeys(step.cell for step in route if not array[CELLS + step.cell])
        routes[_teams(game, array, [axis])] = " ".join(name_of(array, cell) for cell in empty)
    return routes


def _refuse_lay(game: Game, array: StateArray, cell: int, filling: int) -> Explanation:
    """Why a tile cannot be laid on a cell."""
    name, facts = name_of(array, cell), _facts(array, cell, filling)
    wrong = _refuse_tile(array, filling)
    if wrong is not None:
        return wrong
    if array[CELLS + cell]:
        lying = filling_name(int(array[CELLS + cell]) - 1)
        sentence = f"On {name} already lies a tile, {lying}."
        return Explanation("occupied", sentence, (name,), facts=facts)
    after = array.copy()
    after[CELLS + cell] = 1 + filling
    rules.rebuild_cache(after)
    blocked = blocked_axes(after)
    if blocked:
        return _explain_block(game, after, blocked, cell, facts)
    conflict = smallest_conflict(after)
    assert conflict is not None, "a placement that leaves everybody a route is legal"
    return _explain_conflict(game, after, conflict, cell, facts)


def _refuse_tile(array: StateArray, filling: int) -> Explanation | None:
    """If it is not the time to lay a tile, or not this tile that is in hand."""
    if array[STAGE] not in (PLACE, FOLLOW):
        return _refuse_time(array)
    if (fillings_in_hand(array) >> filling) & 1:
        return None
    wanted = type_name(FILLING_TYPES[filling])
    if array[TILE] == UNKNOWN:
        sentence = f"The tile is not seen, but it is none of type {wanted}: none is left."
        return Explanation("not_in_hand", sentence, facts={"tile": wanted})
    held = type_name(int(array[TILE]) - 1)
    sentence = f"The tile in hand is {held}, not {wanted}."
    return Explanation("not_in_hand", sentence, facts={"tile": wanted, "held": held})


def _refuse_time(array: StateArray) -> Explanation:
    """What is to be done now instead."""
    mover = seat_name(int(array[MOVER]))
    now = {
        LOT: "a lot says who begins",
        CHOOSE: f"{mover} takes a side",
        DEAL: f"{mover} draws a tile",
        DRAW: f"{mover} draws a tile",
        PLACE: f"{mover} lays a tile",
        FOLLOW: f"{mover} lays the tile taken off the board",
    }[int(array[STAGE])]
    return Explanation("not_now", f"That cannot be done now: {now}.", facts={"now": now})


def _explain_block(
    game: Game, after: StateArray, blocked: list[int], cell: int, facts: Facts
) -> Explanation:
    """A team has no route left at all; the cells are those that its sides can come to."""
    teams = _teams(game, after, blocked)
    regions = {}
    for axis in blocked:
        for side in (axis, axis + AXES):
            regions[side] = _names(after, region(after, side))
    lose = "loses its last route" if len(blocked) == 1 else "lose their last routes"
    parts = [
        f"from the {SIDE_NAMES[side]} one can come to {' '.join(names) or 'no empty cell'}"
        for side, names in regions.items()
    ]
    what = f"{facts['tile']} on {facts['cell']} is not allowed"
    sentence = f"{what}, since {teams} {lose}: {', and '.join(parts)}."
    shown = dict.fromkeys((name_of(after, cell), *(n for names in regions.values() for n in names)))
    facts |= {"teams": teams} | {f"from side {s}": " ".join(names) for s, names in regions.items()}
    return Explanation("no_route", sentence, tuple(shown), facts=facts)


def _explain_conflict(
    game: Game, after: StateArray, conflict: Conflict, cell: int, facts: Facts
) -> Explanation:
    """Teams have a route each, but not at the same time; the cells are the bottleneck."""
    teams, shown = _teams(game, after, conflict.axes), _names(after, conflict.cells)
    listed = " ".join(shown)
    if conflict.ways is not None:
        ways = "only one way leads" if conflict.ways == 1 else f"only {conflict.ways} ways lead"
        why = f"{ways} through {listed}" if shown else "no way is left between their sides"
        code = "too_few_ways"
    elif conflict.all_needed:
        code, why = (
            "same_cells",
            f"all of them have to go through {listed}, and not all of them can",
        )
    else:
        code, why = "in_the_way", f"however they cross, one is in the way of another on {listed}"
    sentence = (
        f"{facts['tile']} on {facts['cell']} is not allowed: {teams} could each still be "
        f"connected, but no longer at the same time, since {why}."
    )
    facts |= {"teams": teams, "bottleneck": listed}
    if conflict.ways is not None:
        facts["ways"] = conflict.ways
    for axis in conflict.axes:
        reach = _names(after, region(after, axis) & region(after, axis + AXES))
        facts[f"region of {_teams(game, after, [axis])}"] = " ".join(reach)
    cells_shown = tuple(dict.fromkeys((name_of(after, cell), *shown)))
    return Explanation(code, sentence, cells_shown, facts=facts)


# ---- exchanges --------------------------------------------------------------------------------


def _explain_exchange(game: Game, array: StateArray, cell: int, filling: int) -> Explanation:
    """What an exchange frees."""
    name, facts = name_of(array, cell), _facts(array, cell, filling)
    taken_off = filling_name(int(array[CELLS + cell]) - 1)
    what = f"{filling_name(filling)} can take the place of {taken_off} on {name}"
    after = array.copy()
    rules.apply(after, int(exchange_base(array)) + FILLINGS * cell + filling)
    if after[BY_ROUTE]:
        return _explain_win(game, after, what, name, facts)
    freed = [axis for axis in blocked_axes(array) if axis not in blocked_axes(after)]
    facts["freed"] = _teams(game, array, freed)
    sentence = f"{what}: {facts['freed']} can be connected again."
    return Explanation("frees", sentence, (name,), legal=True, facts=facts)


def _refuse_exchange(game: Game, array: StateArray, cell: int, filling: int) -> Explanation:
    """Why a tile cannot take the place of another."""
    name, facts = name_of(array, cell), _facts(array, cell, filling)
    wrong = _refuse_tile(array, filling)
    if wrong is not None:
        return wrong
    if array[STAGE] == FOLLOW:
        return _refuse_time(array)
    if not array[CELLS + cell]:
        sentence = f"On {name} lies no tile that another could take the place of."
        return Explanation("nothing_there", sentence, (name,), facts=facts)
    if array[SUPERMOVE] == SINGLE and array[EXCHANGES] >= cells_of(array):
        sentence = f"All {cells_of(array)} exchanges of this match have been made."
        return Explanation("too_many_exchanges", sentence, facts=facts)
    if not axes_to_free(array):
        mover = int(array[MOVER])
        team = team_name(next(team for team in game.teams if mover in team))
        who = "nobody" if array[SUPERMOVE_ANY] else team
        is_not = "is" if array[SUPERMOVE_ANY] else "is not" if " " not in team else "are not"
        sentence = f"Only who is blocked exchanges a tile, and {who} {is_not} blocked."
        return Explanation("not_blocked", sentence, facts=facts)
    sentence = (
        f"{filling_name(filling)} in the place of the tile on {name} would free nobody it may free."
    )
    return Explanation("frees_nobody", sentence, (name,), facts=facts)


# ---- chance and sides -------------------------------------------------------------------------


def _explain_draw(array: StateArray, kind: int, *, legal: bool) -> Explanation:
    facts: Facts = {"tile": type_name(kind)}
    if legal:
        sentence = f"{seat_name(int(array[MOVER]))} draws a tile of type {type_name(kind)}."
        return Explanation("draws", sentence, legal=True, facts=facts)
    if array[STAGE] in (DEAL, DRAW) and not array[BAG + kind]:
        sentence = f"No tile of type {type_name(kind)} is left."
        return Explanation("none_left", sentence, facts=facts)
    return _refuse_time(array)


def _explain_lot(game: Game, seat: int, *, legal: bool) -> Explanation:
    if legal:
        return Explanation("begins", f"{seat_name(seat)} begins.", legal=True)
    if seat >= game.seats:
        sentence = f"{seat_name(seat)} does not play in this match."
        return Explanation("no_seat", sentence, facts={"seat": seat})
    return Explanation("lot_drawn", "Who begins has been drawn.", facts={"seat": seat})


def _explain_side(game: Game, array: StateArray, side: int, *, legal: bool) -> Explanation:
    facts: Facts = {"side": SIDE_NAMES[side]}
    if legal:
        sentence = f"{seat_name(int(array[MOVER]))} can take the side at the {SIDE_NAMES[side]}."
        return Explanation("takes_side", sentence, legal=True, facts=facts)
    if array[SIDES_OPTION] != CHOSEN:
        return Explanation("sides_set", "The sides are set in this match.", facts=facts)
    if array[STAGE] != CHOOSE:
        return _refuse_time(array)
    seats = seats_by_side(array)
    if side in seats:
        sentence = f"{seat_name(seats[side])} has the side at the {SIDE_NAMES[side]}."
        return Explanation("side_taken", sentence, facts=facts)
    other = seat_name(seats[(side + AXES) % (2 * AXES)])
    sentence = f"{other} sits opposite the side at the {SIDE_NAMES[side]}: it stays black."
    return Explanation("opposite_taken", sentence, facts=facts | {"seat": other})


# ---- the end ----------------------------------------------------------------------------------


def explain_outcome(game: Game, array: StateArray) -> Explanation:
    """Who won, and how."""
    facts: Facts = {"winners": teams_name(winning_teams(game, array))}
    sentence = outcome_sentence(game, array)
    if not array[BY_ROUTE]:
        code = "board_full" if array[TILE] == NO_TILE else "unplayable"
        return Explanation(code, sentence, facts=facts)
    several = int(array[WINNERS]).bit_count() > 1
    return Explanation("tie" if several else "route", sentence, facts=facts)
