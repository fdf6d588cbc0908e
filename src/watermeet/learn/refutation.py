"""Why a wrong turn in a puzzle fails: what it gains too little, or what somebody answers.

Facts only, which follow from the rules and from the puzzle's proof: nothing is searched here.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from watermeet.core.contract import CHANCE
from watermeet.core.hooks import import_optional
from watermeet.core.state import State
from watermeet.learn.attempts import Attempt, Status
from watermeet.learn.puzzles import SOLVER, Puzzle
from watermeet.learn.reasons import SHORTEST_CHAIN, points_of

MOST_SHOWN = 4
"""How many moves of a chain are named."""
MOST_STATES = 1500
"""How many states are looked at for the best answer."""
_SAMPLES = 3

FailureCode = Literal[
    "scores", "wins", "may_win", "chain", "gains", "slips", "late", "less", "not_won", "own"
]


@dataclass(frozen=True)
class Failure:
    """Why a turn fails: a code, who does what, and values; ``own`` is a text of the game's.

    ``scores``: ``points`` instead of ``best``. ``wins``, ``may_win`` (with the right draw),
    ``chain`` and ``gains``: what ``seat`` answers, for ``count`` moves or points. ``slips``: there
    is no forced win any more; ``late``: none in as few turns; ``less``: less than ``margin``;
    ``not_won``: the match isn't won yet.
    """

    code: FailureCode
    seat: int
    moves: tuple[str, ...] = ()
    values: Mapping[str, str | int] = field(default_factory=dict, hash=False)


def failures_of(puzzle: Puzzle, tried: Attempt) -> list[Failure]:
    """Why the last turn of an attempt is wrong; nothing if it isn't."""
    if tried.status != Status.WRONG:
        return []
    seat, turn = puzzle.seat, puzzle.step.turns[tried.turn]
    if turn.points is not None:
        values = {"points": tried.gained, "best": turn.points}
        return [Failure("scores", seat, values=values)]
    module: Any = import_optional(tried.state.game.package, "mining")
    if own := getattr(module, "falls_short", lambda _: None)(tried.state):
        return [Failure("own", seat, (own[0],), own[1])]
    found = []
    if tried.state.outcome is None and not _hides(tried.state, seat):
        found += _answers(tried.state, seat)
    goal = module.KINDS[puzzle.ask]["goal"]
    if found and (found[0].code in ("wins", "may_win") or goal == "safe"):
        return found
    if turn.wins:
        return [*found, Failure("not_won", seat)]
    if goal == "margin":
        return [*found, Failure("less", seat, values={"margin": puzzle.facts["margin"]})]
    return [*found, Failure("slips" if puzzle.proof == SOLVER else "late", seat)]


def _hides(state: State, seat: int) -> bool:
    """Whether a seat doesn't know all of a state."""
    known = state.conceal(seat)
    return any(known.resample(random.Random(each)) != state for each in range(_SAMPLES))


def _answers(state: State, seat: int) -> list[Failure]:
    """The best that the next one can do at once: win, or make the longest or dearest turn."""
    if state.to_move == CHANCE:
        for outcome in state.legal_actions:
            after = state.play(outcome)
            if after.to_move in (CHANCE, seat) or after.outcome is not None:
                continue
            if win := _winning(after):
                is_sure = len(state.legal_actions) == 1
                return [Failure("wins" if is_sure else "may_win", after.to_move, win)]
        return []
    if state.to_move == seat:
        return []
    if win := _winning(state):
        return [Failure("wins", state.to_move, win)]
    points, moves = _dearest(state)
    if points == len(moves) and points >= SHORTEST_CHAIN:
        return [Failure("chain", state.to_move, moves[:MOST_SHOWN], {"count": points})]
    if points > len(moves):
        return [Failure("gains", state.to_move, moves, {"count": points})]
    return []


def _winning(state: State) -> tuple[str, ...]:
    """A move that wins at once, or nothing."""
    for action in state.legal_actions:
        outcome = state.play(action).outcome
        if outcome is not None and outcome.winners == (state.to_move,):
            return (state.format(action),)
    return ()


def _dearest(state: State) -> tuple[int, tuple[str, ...]]:
    """The turn of the seat to move that gains most, as far as there is time to look."""
    seat, before = state.to_move, points_of(state, state.to_move)
    best: tuple[int, tuple[str, ...]] = (0, ())
    if before is None:
        return best
    waiting: list[tuple[State, tuple[str, ...]]] = [(state, ())]
    looked = 0
    while waiting and looked < MOST_STATES:
        here, moves = waiting.pop()
        for action in here.legal_actions:
            looked += 1
            after, line = here.play(action), (*moves, here.format(action))
            gained = (points_of(after, seat) or 0) - before
            best = max(best, (gained, line), key=lambda each: (each[0], -len(each[1])))
            if after.to_move == seat:
                waiting.append((after, line))
    return best
