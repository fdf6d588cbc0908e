"""Why a move was a mistake, in terms of the board: what it missed, and what others can do now.

Facts only, which follow from playing the searches' best lines on: how many moves somebody has in
one turn, how many points that is worth, whether it wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from watermeet.core.contract import CHANCE
from watermeet.core.state import State
from watermeet.learn.findings import Reason, ReasonCode

MISSED_WIN: ReasonCode = "missed_win"
MISSED_CHAIN: ReasonCode = "missed_chain"
MISSED_POINTS: ReasonCode = "missed_points"
ALLOWS_WIN: ReasonCode = "allows_win"
ALLOWS_CHAIN: ReasonCode = "allows_chain"
ALLOWS_POINTS: ReasonCode = "allows_points"
SHORTEST_CHAIN = 2
"""From this many moves in one turn on, they are worth a word."""


class _Turn(NamedTuple):
    """The moves of one seat in a row."""

    moves: tuple[str, ...]
    wins: bool
    points: int | None
    """What it scores; None in games without points."""


def missed(state: State, best: Sequence[str], played: Sequence[str]) -> list[Reason]:
    """What the best line offers to the seat to move, and the moves that were played don't."""
    seat, could, did = state.to_move, _turn(state, best), _turn(state, played)
    if could.wins and not did.wins:
        return [Reason(MISSED_WIN, seat, could.moves, len(could.moves))]
    if could.points is None or did.points is None or could.points <= did.points:
        return []
    if could.points == len(could.moves):
        return [Reason(MISSED_CHAIN, seat, could.moves, could.points, did.points)]
    return [Reason(MISSED_POINTS, seat, could.moves, could.points, did.points)]


def allowed(state: State, best: Sequence[str]) -> list[Reason]:
    """What the seat to move can do with its best line."""
    seat, turn = state.to_move, _turn(state, best)
    if turn.wins:
        return [Reason(ALLOWS_WIN, seat, turn.moves, len(turn.moves))]
    if not turn.points:
        return []
    if turn.points != len(turn.moves):
        return [Reason(ALLOWS_POINTS, seat, turn.moves, turn.points)]
    if turn.points < SHORTEST_CHAIN:
        return []
    return [Reason(ALLOWS_CHAIN, seat, turn.moves, turn.points)]


def points_of(state: State, seat: int) -> int | None:
    """A seat's points; None in games without."""
    points = state.view(seat)["seats"][seat]["score"]
    return None if points is None else int(points)


def _turn(state: State, line: Sequence[str]) -> _Turn:
    """Play the beginning of a line: one seat's moves, up to what is left to chance."""
    seat, before, moves = state.to_move, points_of(state, state.to_move), []
    for move in line:
        if state.to_move != seat:
            break
        state = state.play(move)
        moves.append(move)
        if state.to_move == CHANCE:
            break
    after = points_of(state, seat)
    is_won = state.outcome is not None and seat in state.outcome.winners
    points = None if before is None or after is None else after - before
    return _Turn(tuple(moves), is_won, points)
