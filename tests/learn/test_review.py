"""Reviews: planted blunders are found, and the parts of a result are what they should be."""

from __future__ import annotations

import random

import pytest

import watermeet as wm
from watermeet.games.flume.solver import solve
from watermeet.learn.findings import Decision
from watermeet.learn.review import BEST, BLUNDER, Reviewer, review


def random_record(game: wm.Game, seed: int) -> wm.Record:
    rng, state, actions = random.Random(seed), game.start(), []
    while state.to_move != wm.OVER:
        actions.append(rng.choice(state.legal_actions))
        state = state.play(actions[-1])
    return wm.Record.from_actions(game.start(), actions)


@pytest.mark.slow
def test_blunders_are_the_moves_that_change_who_wins() -> None:
    """The solver decides, which the search of these small boards can't do better."""
    game = wm.game("flume", size=3, pie=False)
    blunders = 0
    for seed in range(6):
        found = review(random_record(game, seed), nodes=2000)
        states = found.record.replay()
        for each in found.decisions:
            state, after = states[each.number], states[each.number + 1]
            best = solve(state, every_move=False).value
            margin = after.outcome.returns[each.seat] if after.outcome else 0.0
            if after.outcome is None:
                margin = solve(after, every_move=False).value
                margin *= 1 if after.to_move == each.seat else -1
            assert (each.verdict == BLUNDER) == (best > 0 > margin), (seed, each)
            blunders += each.verdict == BLUNDER
        if found.turning_point is not None:
            assert found.decisions[found.turning_point].verdict == BLUNDER
        assert found.accuracy.keys() == {0, 1}
        assert not found.balances, "nothing is left to luck"
    assert blunders > 3


@pytest.mark.slow
def test_a_result_is_split_into_luck_and_skill() -> None:
    found = review(random_record(wm.game("kuhn_poker"), 3), nodes=20)
    outcome = found.record.replay()[-1].outcome
    assert outcome is not None
    assert len(found.balances) == 2
    for each, result in zip(found.balances, outcome.returns, strict=True):
        assert each.result == result
        assert each.start + each.luck + each.skill == pytest.approx(result)
        assert each.luck
        assert each.luck_error < 0.5


def test_losses_become_verdicts_and_accuracy() -> None:
    game = wm.game("kuhn_poker")
    reviewer = Reviewer(random_record(game, 1), nodes=2)
    low, high = game.returns_range

    def verdict(share: float) -> str:
        number = reviewer.numbers[0]
        each = Decision(number, 0, "a", "b", (), (high - low) * share, 0.0, 0.0, False, BEST, ())
        found = reviewer.finish([each])
        assert found.accuracy[0] == pytest.approx(100.0, abs=0.01) or share > 0
        return found.decisions[0].verdict

    shares = (0.0, 0.03, 0.05, 0.1, 0.15, 1.0)
    assert [*map(verdict, shares)] == [
        "best", "good", "inaccuracy", "mistake", "blunder", "blunder"
    ]  # fmt: skip


@pytest.mark.slow
def test_mistakes_are_put_into_words() -> None:
    """What a sentence claims is what happens when its moves are played."""
    game = wm.game("flume", size=3, pie=False)
    codes = set()
    for seed in range(6):
        found = review(random_record(game, seed), nodes=50)
        states = found.record.replay()
        for index, each in enumerate(found.decisions):
            assert not each.reasons or each.verdict not in (BEST, "good")
            for reason in each.reasons:
                codes.add(reason.code)
                is_own = reason.code.startswith("missed")
                assert (reason.seat == each.seat) == is_own
                later = (one for one in found.decisions[index:] if one.seat == reason.seat)
                state = states[next(later).number]
                before = state.view(reason.seat)["seats"][reason.seat]["score"]
                for move in reason.moves:
                    assert state.to_move == reason.seat
                    state = state.play(move)
                stones = state.view(reason.seat)["seats"][reason.seat]["score"] - before
                assert reason.count == len(reason.moves) == stones
                assert reason.count > reason.played
                if reason.code.endswith("win"):
                    assert state.outcome is not None
                    assert state.outcome.winners == (reason.seat,)
    assert {"missed_chain", "allows_chain"} <= codes
