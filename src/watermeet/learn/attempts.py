"""Judging what a learner plays in a lesson or a puzzle: accepted, wrong or refused, what follows.

Nothing is stored: the learner's actions since the beginning of the step are played again each time.
A learner gets what their seat may know, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache

from watermeet.core.contract import CHANCE
from watermeet.core.explanation import Explanation
from watermeet.core.state import State
from watermeet.learn.course import Played, Step, Turn, names, play, play_line
from watermeet.learn.reasons import points_of


class Status(StrEnum):
    """How a step stands after the learner's last action."""

    OPEN = "open"
    SOLVED = "solved"
    WRONG = "wrong"
    REFUSED = "refused"


class Attempt:
    """A step as far as a learner has come.

    ``status`` is about the last action. ``kept`` says how many of the learner's actions stand: a
    wrong turn is taken back. ``fresh`` is the index of the first action that the last one led to.
    """

    def __init__(self, step: Step) -> None:
        self.step = step
        self.state = step.state
        self.played: list[Played] = list(step.played)
        self.fresh = len(self.played)
        self.status = Status.OPEN
        self.turn = 0
        self.kept = 0
        self.explanation: Explanation | None = None
        self.mistake = ""
        self._count = 0
        self._turn_began = self.state
        self._kept_before_turn = 0

    @property
    def can_undo(self) -> bool:
        """Whether the learner is in the middle of a turn."""
        return self.status == Status.OPEN and self.kept > self._kept_before_turn

    @property
    def gained(self) -> int:
        """The points of the turn so far; 0 in games without."""
        began, now = (
            points_of(each, self.step.seat) or 0 for each in (self._turn_began, self.state)
        )
        return now - began

    @property
    def left(self) -> tuple[str, ...]:
        """What is left to play of the solution of this turn, if it was followed so far."""
        if self.status in (Status.SOLVED, Status.WRONG):
            return ()
        solution = self.step.turns[self.turn].solution
        begun = self.kept - self._kept_before_turn
        own = self.played[len(self.played) - begun :] if begun else []
        texts = [each.before.format(each.action) for each in own]
        return solution[begun:] if list(solution[:begun]) == texts else ()

    def act(self, move: str | int) -> None:
        """Judge the learner's next action; after a wrong or refused one nothing else counts."""
        if self.status != Status.OPEN:
            return
        turn, seat = self.step.turns[self.turn], self.step.seat
        self._count += 1
        self.fresh = len(self.played)
        known = self.state.conceal(seat)
        self.explanation = explanation = known.explain(move)
        if not explanation.legal:
            self._refuse(turn, explanation)
            return
        action = known.parse_move(move) if isinstance(move, str) else move
        before = self.state
        self._play(action)
        if turn.free and self.state.to_move == seat:
            self.kept = self._count
        elif self._is_right(turn, before, action, explanation):
            self._continue(turn)
        else:
            self.status = Status.WRONG
            self.kept = self._kept_before_turn
            self.mistake = next(
                (
                    key
                    for key, patterns in turn.mistakes.items()
                    if any(names(each, before, action, explanation) for each in patterns)
                ),
                "",
            )

    def _refuse(self, turn: Turn, explanation: Explanation) -> None:
        if turn.refused and explanation.code == turn.refused:
            self._continue(turn)
        else:
            self.status = Status.REFUSED

    def _is_right(self, turn: Turn, before: State, action: int, explanation: Explanation) -> bool:
        if turn.refused:
            return False
        if turn.points is not None and self.gained < turn.points:
            return False
        if turn.denies and can_reply(self.state, turn.denies):
            return False
        if turn.wins and not self._is_won():
            return False
        if turn.reaches and self.state not in self._ends(turn.reaches):
            return False
        if not turn.accept:
            return turn.free
        return any(names(each, before, action, explanation) for each in turn.accept)

    def _is_won(self) -> bool:
        outcome = self.state.outcome
        return outcome is not None and outcome.returns[self.step.seat] > 0

    def _ends(self, turns: tuple[tuple[str, ...], ...]) -> list[State]:
        return [self._turn_began.play_all(turn) for turn in turns]

    def _continue(self, turn: Turn) -> None:
        """The turn is done: others reply, and the next one begins.

        What is as good as the solution, but another state, isn't played on: that solves the step.
        """
        if turn.reaches and self.state != self._ends((turn.solution,))[0]:
            self.kept, self.turn = self._count, len(self.step.turns) - 1
            self.status = Status.SOLVED
            return
        for each in play_line(self.state, turn.replies):
            self.played.append(each)
            self.state = each.after
        self.kept = self._kept_before_turn = self._count
        self._turn_began = self.state
        if self.turn + 1 == len(self.step.turns):
            self.status = Status.SOLVED
        else:
            self.turn += 1

    def _play(self, action: int) -> None:
        self.played.append(play(self.state, action))
        self.state = self.played[-1].after


def attempt(step: Step, moves: Sequence[str | int]) -> Attempt:
    """A step after the learner's actions, up to the first that isn't right."""
    tried = Attempt(step)
    for move in moves:
        tried.act(move)
    return tried


@lru_cache(maxsize=256)
def can_reply(state: State, code: str, depth: int = 2) -> bool:
    """Whether whoever is next has an action in their turn that is explained by this code.

    Where chance comes first, whether some outcome would give them one.
    """
    seat = state.to_move
    if seat == CHANCE and depth:
        return any(can_reply(state.play(each), code, depth - 1) for each in state.legal_actions)
    for action in state.legal_actions if seat >= 0 else ():
        if state.explain(action).code == code:
            return True
        after = state.play(action)
        if depth > 1 and after.to_move == seat and can_reply(after, code, depth - 1):
            return True
    return False
