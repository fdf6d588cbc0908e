"""Proofs that a puzzle has one right answer, by the solver, by alpha-beta or by trying everything.

A proof finds *all* right turns of the seat to move: for each state that a right turn can end in,
one way to get there. It raises ``Undecided`` if that would take too long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from watermeet.core.contract import (
    CHANCE,
    OVER,
    ActionArray,
    FloatArray,
    StateArray,
    apply,
    legal,
    score,
    to_move,
)
from watermeet.core.errors import TooLarge
from watermeet.core.game import Game
from watermeet.core.hooks import import_optional
from watermeet.core.kernel import kernel
from watermeet.core.playout import copy_state
from watermeet.core.state import State
from watermeet.search.alphabeta import AlphaBeta
from watermeet.search.binding import bind
from watermeet.search.limits import Limits

Actions = tuple[int, ...]
MOST_RIGHT = 6
"""More right turns than this aren't counted: there is no puzzle."""
MOST_PARTS = 150
"""The solver is asked after each part of a turn, at most this often."""


MOST_NODES = 1 << 40
"""No limit: a single turn."""
REFUTATIONS = 12
"""How many replies are remembered that refuted a turn."""


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

    def play(self, array: StateArray, actions: Actions) -> StateArray | None:
        """The array after several actions, or None if one of them is illegal or not a turn's."""
        mover, here = self.mover(array), array
        for action in actions:
            if self.mover(here) != mover or action not in self.actions(here):
                return None
            here = self.after(here, action)
        return here if self.mover(here) != mover else None

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
        self._game, self._rules = game, Kernels(game)
        self._solve: Any = getattr(import_optional(game.package, "solver"), "solve")  # noqa: B009
        self._nodes, self._margin = nodes, margin
        self._known: dict[bytes, Any] = {}

    def solution(self, array: StateArray) -> Any:
        """The solver's result with the value of every move; raises Undecided."""
        key = self._rules.key(array)
        if key not in self._known:
            try:
                self._known[key] = self._solve(
                    State(self._game, array), node_limit=self._nodes, every_move=True
                )
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
    """Turns that win by force within a number of turns; two seats, perfect information.

    With the game's evaluation, a search without the last turn comes first: its ``proven_returns``
    sees most wins in one turn. Only if that finds one right turn, the whole search must confirm it.
    """

    def __init__(
        self, game: Game, *, plies_per_turn: int, nodes: int, use_evaluation: bool = True
    ) -> None:
        self._plies, self._nodes, self._quick = plies_per_turn, nodes, use_evaluation
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
        found = self._turns(state, plies - self._plies) if turns_left > 1 and self._quick else None
        if found is None or len(found) == 1:
            found = self._turns(state, plies)
        return Answer(_first_few(found), {"turns": turns_left})

    def _turns(self, state: State, plies: int) -> list[Actions]:
        """A way to each state from which the seat wins within a number of plies from here."""
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
        return found

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
    begins. ``plies`` says how many actions a turn has at most. ``wins_now``, if the game has it,
    says whether whoever is to move can win in this turn.
    """

    def __init__(
        self,
        game: Game,
        *,
        goal: str,
        plies: int,
        states: int,
        most_ends: int,
        wins_now: Callable[[StateArray], bool] | None = None,
    ) -> None:
        self._rules, self._goal, self._plies = Kernels(game), goal, plies
        self._states, self._most_ends, self._wins_now = states, most_ends, wins_now
        self._refutations: dict[Actions, None] = {}
        self._known: dict[tuple[bytes, int], bool] = {}
        self._team: frozenset[int] = frozenset()

    def answer(self, state: State, turns_left: int) -> Answer:
        """The turns that surely reach the goal."""
        self._known.clear()
        self._refutations.clear()
        seat, array = state.to_move, state.array.copy()
        plies = self._plies
        if state.game.seats == 1:  # Nobody else moves, so all turns are one.
            plies, turns_left = plies * turns_left, 1
        self._team = frozenset(next(team for team in state.game.teams if seat in team))
        found: list[Actions] = []
        ends = 0
        for path, end in self._rules.turn_ends(array, seat, self._most_ends, plies):
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
            if turns == 1 and self._wins_now is not None:
                return self._wins_now(array)
            ends = rules.turn_ends(array, mover, self._most_ends, plies)
            return any(self._holds(end, turns - 1, plies) for _, end in ends)
        if mover == CHANCE:
            nexts = (rules.after(array, each) for each in rules.actions(array))
            return all(self._holds(each, turns, plies) for each in nexts)
        if self._goal == "safe" and self._wins_now is not None and rules.game.seats == 2:
            return not self._wins_now(array)
        for path in list(self._refutations):  # What refuted another turn may well refute this one.
            end = rules.play(array, path)
            if end is not None and not self._holds(end, turns, plies):
                return False
        for path, end in rules.turn_ends(array, mover, self._most_ends, plies):
            if not self._holds(end, turns, plies):
                self._refutations = {path: None} | self._refutations
                if len(self._refutations) > REFUTATIONS:
                    self._refutations.popitem()
                return False
        return True

    def hardest_reply(self, state: State) -> Actions | None:
        """A reply to a won position that leaves the fewest ways to win; two seats, no chance."""
        rules, mover, array = self._rules, state.to_move, state.array.copy()
        if mover < 0 or mover in self._team:
            return None
        best: tuple[int, Actions] | None = None
        ends = list(rules.turn_ends(array, mover, self._most_ends, self._plies))
        for path, end in ends[:: max(1, len(ends) // 40)]:
            if rules.mover(end) not in self._team:
                continue
            own = rules.turn_ends(end, rules.mover(end), self._most_ends, self._plies)
            ways = sum(self._holds(each, 0, self._plies) for _, each in own)
            if best is None or ways < best[0]:
                best = ways, path
        return best[1] if best else None

    def replies(self, state: State) -> Iterator[Actions]:
        """The reply that leaves the fewest ways to win, if neither chance nor others are next."""
        found = self.hardest_reply(state) if self._goal == "win" else None
        if found is not None:
            yield found


# ---- one side alone -----------------------------------------------------------------------------


@kernel
def list_wins(
    states: StateArray,
    actions: ActionArray,
    marks: ActionArray,
    found: ActionArray,
    returns: FloatArray,
    plies: int,
    max_nodes: int,
) -> int:
    """Write all ways in which the mover of ``states[0]`` wins within ``plies`` actions of its own.

    Each row of ``found`` is a way: how many actions, then the actions. Returns how many there are,
    or -1 if the rows or the nodes don't suffice. ``marks`` has the next action and the number of
    actions by ply.
    """
    seat, ply, nodes, count = to_move(states[0]), 0, 0, 0
    marks[0, 0], marks[0, 1] = 0, legal(states[0], actions[0])
    while ply >= 0:
        if marks[ply, 0] == marks[ply, 1]:
            ply -= 1
            continue
        marks[ply, 0] += 1
        nodes += 1
        if nodes > max_nodes:
            return -1
        after = states[ply + 1]
        copy_state(states[ply], after)
        apply(after, int(actions[ply, marks[ply, 0] - 1]))
        mover = to_move(after)
        if mover == OVER:
            score(after, returns)
            if returns[seat] > 0:
                if count == len(found):
                    return -1
                found[count, 0] = ply + 1
                for index in range(ply + 1):
                    found[count, 1 + index] = actions[index, marks[index, 0] - 1]
                count += 1
        elif mover == seat and ply + 1 < plies:
            ply += 1
            marks[ply, 0], marks[ply, 1] = 0, legal(after, actions[ply])
    return count


def win_finder(game: Game, plies: int) -> Callable[[StateArray], bool]:
    """A function that says whether the mover can win within a turn, by the rules alone."""
    states = np.zeros((plies + 1, game.sizes.state), dtype=game.dtype)
    actions = np.zeros((plies + 1, game.sizes.actions), dtype=np.int32)
    marks = np.zeros((plies + 1, 2), dtype=np.int32)
    found = np.zeros((1, 1 + plies), dtype=np.int32)
    returns = np.zeros(game.seats)
    list_all: Any = bind(game, list_wins)

    def can_win(array: StateArray) -> bool:
        states[0] = array
        count = list_all(states, actions, marks, found, returns, plies, MOST_NODES)
        return int(count) != 0  # -1: there is more than one way.

    return can_win


class Alone:
    """Ways in which one side wins before anybody else, or chance, does anything.

    For games in which the whole group wins or loses: nothing is left to luck.
    """

    MOST_WAYS = 512

    def __init__(self, game: Game, *, plies: int, turns: int, nodes: int) -> None:
        size = plies * turns
        self._plies, self._nodes = plies, nodes
        self._states = np.zeros((size + 1, game.sizes.state), dtype=game.dtype)
        self._actions = np.zeros((size + 1, game.sizes.actions), dtype=np.int32)
        self._marks = np.zeros((size + 1, 2), dtype=np.int32)
        self._found = np.zeros((self.MOST_WAYS, 1 + size), dtype=np.int32)
        self._returns = np.zeros(game.seats)
        self._list: Any = bind(game, list_wins)

    def answer(self, state: State, turns_left: int) -> Answer:
        """The ways to win, one for each state in which the match is won."""
        self._states[0] = state.array
        count = self._list(
            self._states,
            self._actions,
            self._marks,
            self._found,
            self._returns,
            self._plies * turns_left,
            self._nodes,
        )
        if count < 0:
            raise Undecided("there are too many ways to play")
        found: dict[State, Actions] = {}
        for row in self._found[:count].tolist():
            actions = tuple(row[1 : 1 + row[0]])
            found.setdefault(state.play_all(actions), actions)
            _first_few(list(found.values()))
        return Answer(tuple(found.values()), {"turns": turns_left})

    def replies(self, state: State) -> Iterator[Actions]:
        """None: the match is won."""
        yield from ()


# ---- points -------------------------------------------------------------------------------------


Turns = Callable[[State], list[tuple[int, Actions]]]
MOST_TURNS = 20_000


def every_turn(state: State) -> list[tuple[int, Actions]]:
    """Every turn with its points, by the rules and the view alone."""
    rules, seat = Kernels(state.game), state.to_move
    before = _points(state, seat)
    return [
        (_points(State(state.game, end), seat) - before, path)
        for path, end in rules.turn_ends(state.array.copy(), seat, MOST_TURNS)
    ]


def _points(state: State, seat: int) -> int:
    return int(state.view(seat)["seats"][seat]["score"] or 0)


class ByPoints:
    """Turns that score the most points, of all that ``turns_of`` lists."""

    def __init__(self, turns_of: Turns = every_turn) -> None:
        self._turns_of = turns_of

    def answer(self, state: State, turns_left: int) -> Answer:
        """The turns with the most points; ``points`` and the ``next`` best as facts."""
        turns = self._turns_of(state)
        best = max((points for points, _ in turns), default=0)
        found: dict[State, Actions] = {}
        for points, turn in turns:
            if points == best:
                found.setdefault(state.play_all(turn), turn)
                _first_few(list(found.values()))
        worse = max((points for points, _ in turns if points < best), default=0)
        return Answer(tuple(found.values()), {"points": best, "next": worse, "ends": len(turns)})

    def replies(self, state: State) -> Iterator[Actions]:
        """None: a puzzle of this kind ends with the turn."""
        yield from ()
