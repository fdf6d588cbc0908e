"""Why a wrong answer of a puzzle fails: whatever is claimed happens when it is played."""

from __future__ import annotations

import random

import pytest

import watermeet as wm
from watermeet.learn.attempts import Attempt, Status
from watermeet.learn.puzzles import FAILS, Puzzle, attempt, puzzle_count, puzzle_texts, puzzles_of
from watermeet.learn.refutation import Failure, failures_of

GAMES = [name for name in wm.games() if puzzle_count(wm.game(name))]
EXPECTED = {"scores", "own", "may_win", "chain", "slips", "less", "late", "not_won"}


def wrong(puzzle: Puzzle, rng: random.Random) -> Attempt | None:
    """A turn of random moves, if it is wrong."""
    moves: list[str] = []
    tried = attempt(puzzle.step, moves)
    while tried.status == Status.OPEN and tried.turn == 0 and len(moves) < 12:
        moves.append(rng.choice(tried.state.conceal(puzzle.seat).legal_moves))
        tried = attempt(puzzle.step, moves)
    return tried if tried.status == Status.WRONG else None


@pytest.mark.slow
@pytest.mark.compiled
def test_what_is_said_of_a_wrong_answer_is_true() -> None:
    rng, met = random.Random(1), set()
    for game in GAMES:
        puzzles = puzzles_of(wm.game(game))
        for puzzle in rng.sample(puzzles, min(25, len(puzzles))):
            tried = wrong(puzzle, rng)
            if tried is None:
                continue
            found = failures_of(puzzle, tried)
            assert found, puzzle.id
            for each in found:
                met.add(each.code)
                check(each, tried)
    assert met >= EXPECTED


def check(failure: Failure, tried: Attempt) -> None:
    state, values = tried.state, failure.values
    if failure.code == "scores":
        assert values["points"] == tried.gained < int(values["best"])
    elif failure.code == "own":
        assert failure.moves[0] in puzzle_texts(state.game, "pl")[1][FAILS]
    elif failure.code in ("wins", "may_win"):
        replies = [state.play(each) for each in state.legal_actions]
        states = [state] if failure.code == "wins" else replies
        ends = [each.play_all(failure.moves) for each in states if fits(each, failure.moves[0])]
        assert any(end.outcome and end.outcome.winners == (failure.seat,) for end in ends)
    elif failure.code in ("chain", "gains"):
        assert failure.seat == state.to_move != tried.step.seat
        after = state.play_all(failure.moves)
        assert int(values["count"]) == len(failure.moves) or after.to_move == failure.seat
    elif failure.code == "not_won":
        assert state.outcome is None or state.outcome.winners != (tried.step.seat,)


def fits(state: wm.State, move: str) -> bool:
    return move in state.legal_moves
