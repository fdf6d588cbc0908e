"""Reviews: planted blunders are found, and the parts of a result are what they should be."""

from __future__ import annotations

import random

import pytest

import watermeet as wm
from watermeet.bots.specs import make_bot
from watermeet.games.flume.solver import solve
from watermeet.learn.accuracy import accuracies
from watermeet.learn.findings import Decision
from watermeet.learn.puzzles import puzzle_count
from watermeet.learn.review import BEST, BLUNDER, Reviewer, _Merged, _value_of, review

GAMES = [name for name in wm.games() if puzzle_count(wm.game(name))]


def random_record(game: wm.Game, seed: int) -> wm.Record:
    rng, state, actions = random.Random(seed), game.start(), []
    while state.to_move != wm.OVER:
        actions.append(rng.choice(state.legal_actions))
        state = state.play(actions[-1])
    return wm.Record.from_actions(game.start(), actions)


def record_of(game: wm.Game, player: str, seed: int) -> wm.Record:
    """A match of a bot against itself."""
    bots = [make_bot(game, player, seed=(seed, seat)) for seat in range(game.seats)]
    rng, state, actions = random.Random(seed), game.start(), list[int]()
    while state.to_move != wm.OVER:
        if state.to_move == wm.CHANCE:
            outcomes, weights = zip(*state.chance_outcomes, strict=True)
            actions.append(rng.choices(outcomes, weights)[0])
        else:
            actions.append(bots[state.to_move].play(state.conceal(state.to_move)).action)
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
        assert found.accuracy.keys() <= {0, 1}, "whoever never had a choice has none"
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


def test_losses_become_verdicts() -> None:
    game = wm.game("kuhn_poker")
    reviewer = Reviewer(random_record(game, 1), nodes=2)
    low, high = game.returns_range

    def verdict(share: float) -> str:
        number = reviewer.numbers[0]
        each = Decision(number, 0, "a", "b", (), (high - low) * share, 0.0, 0.0, False, BEST, ())
        return reviewer.finish([each]).decisions[0].verdict

    shares = (0.0, 0.03, 0.05, 0.1, 0.15, 1.0)
    assert [*map(verdict, shares)] == [
        "best", "good", "inaccuracy", "mistake", "blunder", "blunder"
    ]  # fmt: skip


def test_accuracy_is_between_random_moves_and_the_best() -> None:
    losses = {0: [0.0, 0.0], 1: [0.4, 0.1], 2: [0.6, 0.6], 3: [0.0, 0.0], 4: [-0.1, 0.1]}
    at_random: dict[int, list[float | None]] = {
        0: [0.5, None], 1: [0.5, 0.5], 2: [0.5, 0.5], 3: [0.0, 0.001], 4: [0.5, 0.5]
    }  # fmt: skip
    found = accuracies(losses, at_random, (-1.0, 1.0))
    assert found == {0: 100.0, 1: pytest.approx(50.0), 2: 0.0, 4: 100.0}, "seat 3 decided nothing"


def test_a_review_copes_with_a_search_that_trusts_nothing() -> None:
    """As a short one of many moves does, where the move that was played was never looked at."""
    seen = {action: _Merged(value, 1, 0.0, 400) for action, value in ((3, 0.5), (5, -0.2))}
    assert _value_of(seen, 9) == -0.2


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("game", GAMES)
def test_random_play_is_far_from_accurate(game: str) -> None:
    """So is a good level from random play, in a short review."""

    def mean(player: str) -> float:
        found = review(record_of(wm.game(game), player, 0), seconds=2.0).accuracy.values()
        return sum(found) / len(found)

    at_random = mean("random")
    assert at_random < 30
    assert mean("river") > at_random + 25


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
