"""Proofs that a puzzle has one right answer, by the solver, by alpha-beta or by trying everything.

A proof finds *all* right turns of the seat to move: for each state that a right turn can end in,
one way to get there. It raises ``Undecided`` if that would take too long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from watermeet.core.contract import CHANCE, OVER, StateArray
from watermeet.core.errors import TooLarge
from watermeet.core.game import Game
from watermeet.core.hooks import import_optional
from watermeet.core.state import State
from watermeet.search.alphabeta import AlphaBeta
from watermeet.search.limits import Limits

Actions = tuple[int, ...]
MOST_RIGHT = 6
"""More right turns than this aren't counted: there is no puzzle."""
MOST_PARTS = 150
"""The solver is asked after each part of a turn, at most this often."""


class Undecided(ValueError):
    """A proof that would take too long."""


@dataclass(frozen=True)
class Answer:
    """All right turns, one for each state that they end in, and what was measured."""

    turns: tuple[Actions, ...]
    facts: dict[str, int] = field(default_factory=dict)


class Prover(Protocol):
    """Finds all right turns in a position, and best replies to one."""

    def answer(self, state: State, turns_left: int) -> Answer:
        """The right turns of the seat to move, with this number of turns to reach the goal."""
        ...

    def replies(self, state: State) -> Iterator[Actions]:
        """What the other side may do then, best first."""
        ...


class Kernels:
    """A game's rules on arrays, for proofs that visit many states."""

    def __init__(self, game: Game) -> None:
        self.game, self._kernels = game, game.kernels
        self._out = np.zeros(game.sizes.actions, dtype=np.int32)
        self._returns = np.zeros(game.seats)
        self._identity = game.sizes.identity
        self._teams = game.teams

    def key(self, array: StateArray) -> bytes:
        """What two equal states have in common."""
        return array[: self._identity].tobytes()

    def mover(self, array: StateArray) -> int:
        """The seat to move, CHANCE or OVER."""
        return int(self._kernels.to_move(array))

    def actions(self, array: StateArray) -> list[int]:
        """The legal actions, or the outcomes of chance."""
        count = int(self._kernels.legal(array, self._out))
        found: list[int] = self._out[:count].tolist()
        return found

    def after(self, array: StateArray, action: int) -> StateArray:
        """The array after an action."""
        found = array.copy()
        self._kernels.apply(found, action)
        return found

    def result(self, array: StateArray, seat: int) -> float:
        """The return of a seat, once the match is over."""
        self._kernels.score(array, self._returns)
        return float(self._returns[seat])

    def turn_ends(
        self, array: StateArray, seat: int, most: int, plies: int = 64
    ) -> Iterator[tuple[Actions, StateArray]]:
        """All states that a turn of the seat can end in, each once; raises Undecided."""
        waiting: list[tuple[Actions, StateArray]] = [((), array)]
        seen = {self.key(array)}
        while waiting:
            path, here = waiting.pop()
            for action in self.actions(here):
                after = self.after(here, action)
                key = self.key(after)
                if key in seen:
                    continue
                seen.add(key)
                if len(seen) > most:
                    raise Undecided("there are too many turns")
                if self.mover(after) != seat:
                    yield (*path, action), after
                elif len(path) + 1 < plies:
                    waiting.append(((*path, action), after))


def _first_few(turns: list[Actions]) -> tuple[Actions, ...]:
    if len(turns) > MOST_RIGHT:
        raise Undecided("there are too many right turns")
    return tuple(turns)


# ---- the solver ---------------------------------------------------------------------------------


class BySolver:
    """Turns that win, or that reach the best margin, by the game's exact solver."""

    def __init__(self, game: Game, *, nodes: int, margin: bool) -> None:
        self._rules = Kernels(game)
        self._solve: Any = getattr(import_optional(game.package, "solver"), "solve")  # noqa: B009
        self._nodes, self._margin = nodes, margin
        self._known: dict[bytes, Any] = {}

    def solution(self, array: StateArray) -> Any:
        """The solver's result with the value of every move; raises Undecided."""
        key = self._rules.key(array)
        if key not in self._known:
            try:
                self._known[key] = self._solve(array, node_limit=self._nodes, every_move=True)
            except TooLarge as error:
                raise Undecided(str(error)) from error
        return self._known[key]

    def answer(self, state: State, turns_left: int) -> Answer:
        """The turns that keep the win or the margin; ``value`` and the next best as facts."""
        self._known.clear()
        array = state.array.copy()
        solved = self.solution(array)
        if not self._margin and solved.value <= 0:
            return Answer(())
        wanted = solved.value if self._margin else 1
        found: list[Actions] = []
        waiting: list[tuple[Actions, StateArray]] = [((), array)]
        seen: set[bytes] = set()
        while waiting:
            path, here = waiting.pop()
            for action, value in self.solution(here).values.items():
                if value < wanted:
                    continue
                after = self._rules.after(here, action)
                if self._rules.key(after) in seen:
                    continue
                seen.add(self._rules.key(after))
                if len(seen) > MOST_PARTS:
                    raise Undecided("there are too many ways to play the turn")
                if self._rules.mover(after) == state.to_move:
                    waiting.append(((*path, action), after))
                else:
                    found.append((*path, action))
                    _first_few(found)
        values = solved.values.values()
        worse = [value for value in values if value < wanted]
        return Answer(
            _first_few(found),
            {"margin": int(solved.value), "next": int(max(worse, default=solved.value))},
        )

    def replies(self, state: State) -> Iterator[Actions]:
        """Turns with the best margin; at most a few."""
        if state.to_move < 0:
            return
        seat, array = state.to_move, state.array.copy()
        first = self.solution(array).best_actions
        for action in first[:4]:
            turn, here = [int(action)], self._rules.after(array, int(action))
            while self._rules.mover(here) == seat:
                turn.append(int(self.solution(here).best_actions[0]))
                here = self._rules.after(here, turn[-1])
            yield tuple(turn)


# ---- alpha-beta ---------------------------------------------------------------------------------


class ByAlphaBeta:
    """Turns that win by force within a number of turns; two seats, perfect information."""

    def __init__(
        self, game: Game, *, plies_per_turn: int, nodes: int, use_evaluation: bool = True
    ) -> None:
        self._plies, self._nodes = plies_per_turn, nodes
        self._search = AlphaBeta(game, table_slots=1 << 18, use_evaluation=use_evaluation)

    def _winning(self, state: State, plies: int) -> tuple[int, ...]:
        """The actions that win within a number of plies; raises Undecided."""
        found = self._search.winning_actions(state, plies, Limits(nodes=self._nodes))
        if found is None:
            raise Undecided("the search needs more nodes")
        return found

    def answer(self, state: State, turns_left: int) -> Answer:
        """The turns that win within a number of turns of the seat to move."""
        plies = (2 * turns_left - 1) * self._plies
        found: list[Actions] = []
        seen: set[State] = set()
        waiting: list[tuple[Actions, State]] = [((), state)]
        while waiting:
            path, here = waiting.pop()
            for action in self._winning(here, plies - len(path)):
                after = here.play(action)
                if after in seen:
                    continue
                seen.add(after)
                if after.to_move == state.to_move:
                    waiting.append(((*path, action), after))
                else:
                    found.append((*path, action))
                    _first_few(found)
        return Answer(_first_few(found), {"turns": turns_left})

    def replies(self, state: State) -> Iterator[Actions]:
        """The turn that the search expects."""
        if state.to_move < 0:
            return
        seat, turn = state.to_move, []
        while state.to_move == seat:
            turn.append(self._search.search(state, Limits(nodes=20_000)).action)
            state = state.play(turn[-1])
        yield tuple(turn)


# ---- trying everything --------------------------------------------------------------------------


class ByTrying:
    """Turns after which a seat surely reaches its goal, whatever others and chance do.

    ``win``: it wins within a number of its turns. ``safe``: it hasn't lost when its next turn
    begins. Actions are counted, not turns, so ``plies`` says how many a turn has at most.
    """

    def __init__(self, game: Game, *, goal: str, plies: int, states: int, most_ends: int) -> None:
        self._rules, self._goal, self._plies = Kernels(game), goal, plies
        self._states, self._most_ends = states, most_ends
        self._known: dict[tuple[bytes, int], bool] = {}
        self._team: frozenset[int] = frozenset()

    def answer(self, state: State, turns_left: int) -> Answer:
        """The turns that surely reach the goal."""
        self._known.clear()
        seat, array = state.to_move, state.array.copy()
        self._team = frozenset(next(team for team in state.game.teams if seat in team))
        found: list[Actions] = []
        ends = 0
        for path, end in self._rules.turn_ends(array, seat, self._most_ends, self._plies):
            ends += 1
            if self._holds(end, turns_left - 1, self._plies):
                found.append(path)
                _first_few(found)
        return Answer(_first_few(found), {"ends": ends, "turns": turns_left})

    def _holds(self, array: StateArray, turns: int, plies: int) -> bool:
        """Whether the seat surely reaches its goal from here."""
        rules, seat = self._rules, min(self._team)
        mover = rules.mover(array)
        if mover == OVER:
            result = rules.result(array, seat)
            return result > 0 if self._goal == "win" else result >= 0
        is_own = mover in self._team
        if is_own and self._goal == "safe":
            return True
        if turns == 0 and self._goal == "win":
            return False
        key = (rules.key(array), turns)
        if key not in self._known:
            if len(self._known) > self._states:
                raise Undecided("there are too many states")
            self._known[key] = False
            self._known[key] = self._holds_for(array, mover, turns, plies)
        return self._known[key]

    def _holds_for(self, array: StateArray, mover: int, turns: int, plies: int) -> bool:
        rules = self._rules
        if mover in self._team:
            ends = rules.turn_ends(array, mover, self._most_ends, plies)
            return any(self._holds(end, turns - 1, plies) for _, end in ends)
        if mover == CHANCE:
            nexts = (rules.after(array, each) for each in rules.actions(array))
            return all(self._holds(each, turns, plies) for each in nexts)
        ends = rules.turn_ends(array, mover, self._most_ends, plies)
        return all(self._holds(end, turns, plies) for _, end in ends)

    def replies(self, state: State) -> Iterator[Actions]:
        """None: a puzzle of this kind ends with the turn."""
        yield from ()


# ---- points -------------------------------------------------------------------------------------


Turns = Callable[[State], list[tuple[int, tuple[str, ...]]]]


class ByPoints:
    """Turns that score the most points; the game lists all turns with their points."""

    def __init__(self, turns_of: Turns) -> None:
        self._turns_of = turns_of

    def answer(self, state: State, turns_left: int) -> Answer:
        """The turns with the most points; ``points`` and the ``next`` best as facts."""
        turns = self._turns_of(state)
        best = max((points for points, _ in turns), default=0)
        found: dict[State, Actions] = {}
        for points, moves in turns:
            if points == best:
                actions, here = [], state
                for move in moves:
                    actions.append(here.parse_move(move))
                    here = here.play(actions[-1])
                found[here] = tuple(actions)
        worse = max((points for points, _ in turns if points < best), default=0)
        return Answer(
            _first_few(list(found.values())), {"points": best, "next": worse, "ends": len(turns)}
        )

    def replies(self, state: State) -> Iterator[Actions]:
        """None: a puzzle of this kind ends with the turn."""
        yield from ()
