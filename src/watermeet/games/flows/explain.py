"""Explanations of moves and results.

A placement is refused for one of two reasons. Either a team loses its last route, whatever the
others do: then the cells show what its sides can still reach. Or some teams can no longer have
routes at the same time: then the cells show the bottleneck (bottlenecks.py).
"""

from __future__ import annotations

from collections.abc import Iterable

from watermeet.core.contract import StateArray
from watermeet.core.explanation import Explanation
from watermeet.core.game import Game
from watermeet.games.flows import layout, rules
from watermeet.games.flows.board import AXES
from watermeet.games.flows.bottlenecks import (
    Conflict,
    blocked_axes,
    minimal_conflict,
    region,
)
from watermeet.games.flows.exchanges import axes_to_free
from watermeet.games.flows.names import (
    SIDE_NAMES,
    axis_of,
    name_of,
    orientation_name,
    outcome_sentence,
    seat_name,
    seats_by_side,
    team_name,
    teams_name,
    type_name,
    winning_teams,
)
from watermeet.games.flows.placements import orientations_in_hand
from watermeet.games.flows.strand_paths import witness_routes
from watermeet.games.flows.tiles import ORIENTATION_TYPES, ORIENTATIONS

Facts = dict[str, str | int]


def explain_action(game: Game, array: StateArray, action: int, *, legal: bool) -> Explanation:
    """What a legal action does, or why an illegal one is refused."""
    if action < layout.exchange_base(array):
        explain = _explain_placement if legal else _refuse_placement
        return explain(
            game, array, layout.placement_cell(action), layout.placement_orientation(action)
        )
    if action < layout.draw_base(array):
        cell, orientation = divmod(action - layout.exchange_base(array), ORIENTATIONS)
        explain = _explain_exchange if legal else _refuse_exchange
        return explain(game, array, cell, orientation)
    if action < layout.first_base(array):
        return _explain_draw(array, action - layout.draw_base(array), legal=legal)
    if action < layout.side_base(array):
        return _explain_lot(game, action - layout.first_base(array), legal=legal)
    return _explain_side(game, array, action - layout.side_base(array), legal=legal)


# ---- words ------------------------------------------------------------------------------------


def _names(array: StateArray, numbers: Iterable[int]) -> tuple[str, ...]:
    return tuple(name_of(array, cell) for cell in sorted(numbers))


def _teams(game: Game, array: StateArray, axes: Iterable[int]) -> str:
    """The names of the teams that have to connect some axes."""
    by_axis = {axis_of(array, team[0]): team for team in game.teams}
    return teams_name(by_axis[axis] for axis in axes)


def _facts(array: StateArray, cell: int, orientation: int) -> Facts:
    return {"tile": orientation_name(orientation), "cell": name_of(array, cell)}


# ---- placements -------------------------------------------------------------------------------


def _explain_placement(game: Game, array: StateArray, cell: int, orientation: int) -> Explanation:
    """What a placement does: it wins, or leaves everyone a route, which is given."""
    after = array.copy()
    rules.apply(after, layout.placement(cell, orientation))
    name, facts = name_of(array, cell), _facts(array, cell, orientation)
    what = f"{orientation_name(orientation)} can be placed on {name}"
    if after[layout.BY_ROUTE]:
        return _explain_win(game, after, what, name, facts)
    routes = {} if array[layout.SUPERMOVE] != layout.OFF else _routes(game, after)
    if not routes:
        return Explanation("places", f"{what}.", (name,), legal=True, facts=facts)
    ways = "; ".join(f"{team} via {way}" for team, way in routes.items())
    is_alone = array[layout.LEGALITY] == layout.REACH
    everyone = "Each team, taken alone," if is_alone else "Everyone"
    sentence = f"{what}. {everyone} still has a route, for example {ways}."
    facts |= {f"route of {team}": way for team, way in routes.items()}
    return Explanation("leaves_routes", sentence, (name,), legal=True, facts=facts)


def _explain_win(game: Game, after: StateArray, what: str, name: str, facts: Facts) -> Explanation:
    """Says which teams a tile connects."""
    facts["winners"] = teams_name(winning_teams(game, after))
    sentence = f"{what}, which connects {facts['winners']}."
    return Explanation("connects", sentence, (name,), legal=True, facts=facts)


def _routes(game: Game, array: StateArray) -> dict[str, str]:
    """By team: the empty cells of its route in a witness, in order."""
    routes = {}
    for axis, route in witness_routes(array).items():
        empty = dict.fromkeys(step.cell for step in route if not array[layout.CELLS + step.cell])
        routes[_teams(game, array, [axis])] = " ".join(name_of(array, cell) for cell in empty)
    return routes


def _refuse_placement(game: Game, array: StateArray, cell: int, orientation: int) -> Explanation:
    """Why a tile can't be placed on a cell."""
    name, facts = name_of(array, cell), _facts(array, cell, orientation)
    wrong = _refuse_tile(array, orientation)
    if wrong is not None:
        return wrong
    if array[layout.CELLS + cell]:
        there = orientation_name(int(array[layout.CELLS + cell]) - 1)
        sentence = f"There is already a tile on {name}: {there}."
        return Explanation("occupied", sentence, (name,), facts=facts)
    after = array.copy()
    after[layout.CELLS + cell] = 1 + orientation
    rules.rebuild_cache(after)
    blocked = blocked_axes(after)
    if blocked:
        return _explain_block(game, after, blocked, cell, facts)
    conflict = minimal_conflict(after)
    assert conflict is not None, "a placement that leaves everyone a route is legal"
    return _explain_conflict(game, after, conflict, cell, facts)


def _refuse_tile(array: StateArray, orientation: int) -> Explanation | None:
    """Why no tile can be placed now, or not this one; None if it can."""
    if array[layout.STAGE] not in (layout.PLACE, layout.FOLLOW):
        return _refuse_time(array)
    if (orientations_in_hand(array) >> orientation) & 1:
        return None
    wanted = type_name(ORIENTATION_TYPES[orientation])
    if array[layout.TILE] == layout.UNKNOWN:
        sentence = f"The tile in hand is hidden, but it can't be a {wanted}: none are left."
        return Explanation("not_in_hand", sentence, facts={"tile": wanted})
    held = type_name(int(array[layout.TILE]) - 1)
    sentence = f"The tile in hand is {held}, not {wanted}."
    return Explanation("not_in_hand", sentence, facts={"tile": wanted, "held": held})


def _refuse_time(array: StateArray) -> Explanation:
    """Says what happens now instead."""
    mover = seat_name(int(array[layout.MOVER]))
    now = {
        layout.LOT: "it isn't decided yet who goes first",
        layout.CHOOSE: f"{mover} is choosing a side",
        layout.DEAL: f"{mover} is drawing a tile",
        layout.DRAW: f"{mover} is drawing a tile",
        layout.PLACE: f"{mover} is placing a tile",
        layout.FOLLOW: f"{mover} is placing the tile taken off the board",
    }[int(array[layout.STAGE])]
    return Explanation("not_now", f"You can't do that now: {now}.", facts={"now": now})


def _explain_block(
    game: Game, after: StateArray, blocked: list[int], cell: int, facts: Facts
) -> Explanation:
    """A team has no route left at all; the cells are those that its sides can reach."""
    teams = _teams(game, after, blocked)
    regions = {}
    for axis in blocked:
        for side in (axis, axis + AXES):
            regions[side] = _names(after, region(after, side))
    routes = "last route" if len(blocked) == 1 else "last routes"
    whose = "their" if " " in teams else "its"
    parts = [
        f"from the {SIDE_NAMES[side]} only {' '.join(names)} can be reached"
        if names
        else f"from the {SIDE_NAMES[side]} no empty cell can be reached"
        for side, names in regions.items()
    ]
    what = f"{facts['tile']} on {facts['cell']} isn't allowed: {teams} would lose {whose} {routes}"
    sentence = f"{what}, since {', and '.join(parts)}."
    shown = dict.fromkeys((name_of(after, cell), *(n for names in regions.values() for n in names)))
    facts |= {"teams": teams} | {f"from side {s}": " ".join(names) for s, names in regions.items()}
    return Explanation("no_route", sentence, tuple(shown), facts=facts)


def _explain_conflict(
    game: Game, after: StateArray, conflict: Conflict, cell: int, facts: Facts
) -> Explanation:
    """Teams have routes, but not at the same time; the cells are the bottleneck."""
    teams, shown = _teams(game, after, conflict.axes), _names(after, conflict.cells)
    listed = " ".join(shown)
    if conflict.ways is not None:
        ways = "is only one way" if conflict.ways == 1 else f"are only {conflict.ways} ways"
        why = f"there {ways} through {listed}" if shown else "no way is left between their sides"
        code = "too_few_ways"
    elif conflict.all_needed:
        code, why = (
            "same_cells",
            f"they all need {listed}, which can't serve them all",
        )
    else:
        code, why = "in_the_way", f"they always get in each other's way on {listed}"
    sentence = (
        f"{facts['tile']} on {facts['cell']} isn't allowed: {teams} could each still be "
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


def _explain_exchange(game: Game, array: StateArray, cell: int, orientation: int) -> Explanation:
    """What an exchange frees."""
    name, facts = name_of(array, cell), _facts(array, cell, orientation)
    taken_off = orientation_name(int(array[layout.CELLS + cell]) - 1)
    what = f"{taken_off} on {name} can be exchanged for {orientation_name(orientation)}"
    after = array.copy()
    rules.apply(after, int(layout.exchange_base(array)) + layout.placement(cell, orientation))
    if after[layout.BY_ROUTE]:
        return _explain_win(game, after, what, name, facts)
    freed = [axis for axis in blocked_axes(array) if axis not in blocked_axes(after)]
    facts["freed"] = _teams(game, array, freed)
    sentence = f"{what}. {facts['freed']} can then be connected again."
    return Explanation("frees", sentence, (name,), legal=True, facts=facts)


def _refuse_exchange(game: Game, array: StateArray, cell: int, orientation: int) -> Explanation:
    """Why a tile can't be exchanged."""
    name, facts = name_of(array, cell), _facts(array, cell, orientation)
    wrong = _refuse_tile(array, orientation)
    if wrong is not None:
        return wrong
    if array[layout.STAGE] == layout.FOLLOW:
        return _refuse_time(array)
    if not array[layout.CELLS + cell]:
        sentence = f"There is no tile on {name} to exchange."
        return Explanation("nothing_there", sentence, (name,), facts=facts)
    if array[layout.SUPERMOVE] == layout.SINGLE and array[layout.EXCHANGES] >= layout.board_size(
        array
    ):
        sentence = f"All {layout.board_size(array)} exchanges of this match have been made."
        return Explanation("too_many_exchanges", sentence, facts=facts)
    mover = int(array[layout.MOVER])
    team = team_name(next(team for team in game.teams if mover in team))
    if not axes_to_free(array):
        is_not = "aren't" if " " in team else "isn't"
        blocked = "no team is" if array[layout.SUPERMOVE_ANY] else f"{team} {is_not}"
        sentence = f"A tile can be exchanged only to free a blocked team, and {blocked} blocked."
        return Explanation("not_blocked", sentence, facts=facts)
    whom = "anyone" if array[layout.SUPERMOVE_ANY] else team
    sentence = (
        f"Exchanging the tile on {name} for {orientation_name(orientation)} wouldn't free {whom}."
    )
    return Explanation("frees_nobody", sentence, (name,), facts=facts)


# ---- chance and sides -------------------------------------------------------------------------


def _explain_draw(array: StateArray, kind: int, *, legal: bool) -> Explanation:
    facts: Facts = {"tile": type_name(kind)}
    if legal:
        sentence = f"{seat_name(int(array[layout.MOVER]))} draws a {type_name(kind)} tile."
        return Explanation("draws", sentence, legal=True, facts=facts)
    if array[layout.STAGE] in (layout.DEAL, layout.DRAW) and not array[layout.BAG + kind]:
        sentence = f"No {type_name(kind)} tiles are left."
        return Explanation("none_left", sentence, facts=facts)
    return _refuse_time(array)


def _explain_lot(game: Game, seat: int, *, legal: bool) -> Explanation:
    if legal:
        return Explanation("begins", f"{seat_name(seat)} goes first.", legal=True)
    if seat >= game.seats:
        sentence = f"{seat_name(seat)} isn't playing in this match."
        return Explanation("no_seat", sentence, facts={"seat": seat})
    return Explanation("lot_drawn", "It's already decided who goes first.", facts={"seat": seat})


def _explain_side(game: Game, array: StateArray, side: int, *, legal: bool) -> Explanation:
    facts: Facts = {"side": SIDE_NAMES[side]}
    if legal:
        sentence = f"{seat_name(int(array[layout.MOVER]))} can take the {SIDE_NAMES[side]} side."
        return Explanation("takes_side", sentence, legal=True, facts=facts)
    if array[layout.SIDES_OPTION] != layout.CHOSEN:
        return Explanation("sides_set", "The sides are fixed in this match.", facts=facts)
    if array[layout.STAGE] != layout.CHOOSE:
        return _refuse_time(array)
    seats = seats_by_side(array)
    if side in seats:
        sentence = f"{seat_name(seats[side])} already has the {SIDE_NAMES[side]} side."
        return Explanation("side_taken", sentence, facts=facts)
    other = seat_name(seats[(side + AXES) % (2 * AXES)])
    sentence = f"{other} has the opposite side, so the {SIDE_NAMES[side]} side stays black."
    return Explanation("opposite_taken", sentence, facts=facts | {"seat": other})


# ---- the end ----------------------------------------------------------------------------------


def describe_action(game: Game, array: StateArray, action: int) -> str:
    """What an action does, after a name."""
    move = game.hooks.format_action(game, array, action)
    if move.startswith("draw:"):
        return f"draws {move.removeprefix('draw:')}"
    if move.startswith("first:"):
        return f"lets {seat_name(int(move.removeprefix('first:')))} go first"
    if move.startswith("side:"):
        return f"takes the side at the {SIDE_NAMES[int(move.removeprefix('side:'))]}"
    tile, exchanges, cell = move.partition("x")
    if exchanges:
        return f"takes the tile off {cell} and places {tile} there"
    tile, _, cell = move.partition("@")
    return f"places {tile} on {cell}"


def explain_outcome(game: Game, array: StateArray) -> Explanation:
    """Who won and how."""
    facts: Facts = {"winners": teams_name(winning_teams(game, array))}
    sentence = outcome_sentence(game, array)
    if not array[layout.BY_ROUTE]:
        code = "board_full" if array[layout.TILE] == layout.NO_TILE else "unplayable"
        return Explanation(code, sentence, facts=facts)
    several = int(array[layout.WINNERS]).bit_count() > 1
    return Explanation("tie" if several else "route", sentence, facts=facts)
