"""What the analysis board needs of a game: positions, records as trees, lines in words.

Nothing is stored: a request brings the position as text. So nobody can learn anything here about a
match that is being played.
"""

from __future__ import annotations

import base64
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from watermeet.bots.engine import can_run, engine_task
from watermeet.bots.levels import NETWORK, Level, levels_of
from watermeet.core.contract import CHANCE
from watermeet.core.errors import Conflict, InvalidNotation, InvalidRecord, WatermeetError
from watermeet.core.game import Game
from watermeet.core.options import Value
from watermeet.core.record import Entry, Record, format_result
from watermeet.core.registry import game as find_game
from watermeet.core.state import State
from watermeet.search.ismcts import simulate_hidden
from watermeet.search.mcts import simulate
from watermeet.server.api import models, models_learn
from watermeet.server.errors import InvalidPosition
from watermeet.server.matches.projection import view_of

MAX_NODES = 3_000
"""How many moves a record may have with all its variations."""
MAX_DRAWN = 64
"""How many chance outcomes are drawn in a row at most."""


def find_position(name: str, version: int | None, options: Mapping[str, Value], text: str) -> State:
    """The position that a text describes; raises InvalidPosition and other errors of ours."""
    game: Game = find_game(name)
    if version is not None:
        game = game.at_version(version)
    game = game.with_options(**options)
    try:
        return game.parse(text) if text else game.start()
    except InvalidNotation as error:
        raise InvalidPosition(error.message, error.hint) from error


def result_of(state: State) -> str:
    """The header ``result`` of a record that ends here; empty if the match isn't over."""
    return format_result(state.outcome.returns) if state.outcome else ""


# ---- positions ----------------------------------------------------------------------------------


def analyse(
    state: State, moves: Sequence[str | int], *, draw: bool, seat: int | None
) -> models_learn.AnalysisResponse:
    """The position after some moves, as whoever is to move sees it; raises IllegalMove.

    With ``draw``, chance outcomes that come next are drawn. Where nobody is to move, the position
    is as ``seat`` sees it.
    """
    steps: list[models_learn.AnalysedMove] = []
    for move in moves:
        state = _played(state, move, steps)
    rng = random.SystemRandom()
    while draw and state.to_move == CHANCE and len(steps) < len(moves) + MAX_DRAWN:
        outcomes = state.chance_outcomes
        (action,) = rng.choices(
            [action for action, _ in outcomes], [weight for _, weight in outcomes]
        )
        state = _played(state, action, steps)
    return models_learn.AnalysisResponse(
        position=state.text,
        result=result_of(state),
        view=view_of(state, state.to_move if state.to_move >= 0 else seat),
        steps=steps,
        outcomes=[
            models_learn.ChanceOutcome(state.format(action), probability)
            for action, probability in state.chance_outcomes
            if probability > 0
        ],
    )


def _played(state: State, move: str | int, steps: list[models_learn.AnalysedMove]) -> State:
    action = state.parse_move(move.removeprefix("~")) if isinstance(move, str) else move
    after = state.play(move.removeprefix("~") if isinstance(move, str) else move)
    steps.append(
        models_learn.AnalysedMove(state.format(action), _seat(state), after.text, result_of(after))
    )
    return after


def _seat(state: State) -> int | None:
    return None if state.to_move == CHANCE else state.to_move


# ---- records ------------------------------------------------------------------------------------


def record_tree(text: str) -> models_learn.RecordTree:
    """A record with all its positions; raises InvalidRecord, TooLarge and other errors of ours."""
    record = Record.parse(text, most=MAX_NODES)
    start = record.start or record.game.start()
    nodes: list[models_learn.RecordNode] = []
    last = _add_line(nodes, -1, start, record.entries)
    record.check_result(last.outcome)
    headed = replace(record, entries=(), result=None, comment="")
    return models_learn.RecordTree(
        game=record.game.name,
        version=record.game.version,
        options=dict(record.game.options),
        has_secrets=record.game.has_secrets,
        headers=headed.format().rstrip("\n").split("\n"),
        seats=list(record.seats),
        comment=record.comment,
        position=start.text,
        result=result_of(start),
        nodes=nodes,
    )


def _add_line(
    nodes: list[models_learn.RecordNode], parent: int, state: State, entries: Sequence[Entry]
) -> State:
    """Add a line and its variations, which come after the move that they replace."""
    for entry in entries:
        try:
            after = state.play(entry.move.removeprefix("~"))
        except WatermeetError as error:
            raise InvalidRecord(
                error.message, error.hint, line=entry.line, column=entry.column
            ) from error
        own = len(nodes)
        nodes.append(
            models_learn.RecordNode(
                parent,
                state.format(state.parse_move(entry.move.removeprefix("~"))),
                _seat(state),
                after.text,
                result_of(after),
                entry.comment,
                entry.symbol,
                entry.seconds,
            )
        )
        for variation in entry.variations:
            _add_line(nodes, parent, state, variation)
        parent, state = own, after
    return state


# ---- thinking -----------------------------------------------------------------------------------


def known_state(state: State, *, is_open: bool) -> State:
    """What a search may know: everything, or what the seat to move knows; raises Conflict."""
    if state.to_move < 0:
        raise Conflict("nobody is to move in this position", "choose another one")
    return state if is_open else state.conceal(state.to_move)


def best_level(game: Game) -> Level | None:
    """The strongest level that an engine in a browser can think as, without a network."""
    found = (each for each in reversed(levels_of(game)) if can_run(game, each))
    return next((each for each in found if each.method != NETWORK), None)


def task_of(state: State, level: Level, *, is_open: bool) -> models.EngineTask:
    """How an engine searches a position: as the seat to move knows it, or all of it."""
    known = known_state(state, is_open=is_open)
    task = engine_task(known, level)
    if is_open:
        task["state"] = base64.b64encode(known.array.tobytes()).decode()
        task["search"] = task["search"].replace(simulate_hidden.__name__, simulate.__name__)
    return models.EngineTask(**task)


def lines_of(known: State, lines: Sequence[Sequence[int]]) -> list[list[models_learn.LineMove]]:
    """The moves of lines, as far as they don't depend on chance or on what isn't known."""
    found: list[list[models_learn.LineMove]] = []
    for line in lines:
        state, moves = known, list[models_learn.LineMove]()
        for action in line:
            try:
                if state.to_move < 0 or not state.is_legal(action):
                    break
                moves.append(models_learn.LineMove(state.format(action), state.to_move))
                state = state.play(action)
            except WatermeetError:
                break
        found.append(moves)
    return found
