"""The evaluation of Flume: against the exact solver, against symmetry, and against itself."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

import watermeet as wm
from watermeet.bots.bot import Player
from watermeet.bots.players import choose_any
from watermeet.core.contract import FloatArray
from watermeet.core.kernel import Scratch
from watermeet.core.squaregrid import symmetries
from watermeet.core.state import State
from watermeet.games.flume import layout
from watermeet.games.flume import two_core_mailbox as mailbox
from watermeet.games.flume.evaluation import evaluate, priors, proven_returns
from watermeet.games.flume.players import PLAYERS
from watermeet.games.flume.solver import solve
from watermeet.games.flume.two_core import NO_CONTROL

pytestmark = pytest.mark.compiled


def states_of_matches(
    size: int, matches: int, pie: bool = True, player: Player = choose_any
) -> Iterator[State]:
    """All states of some matches, without the ends."""
    game = wm.game("flume").with_options(size=size, pie=pie)
    for number in range(matches):
        rng = random.Random(number)
        state = game.start()
        while state.to_move >= 0:
            yield state
            state = state.play(player(state, rng))


def after(size: int, moves: str, pie: bool = False) -> State:
    state = wm.game("flume").with_options(size=size, pie=pie).start()
    for move in moves.split():
        state = state.play(move)
    return state


def evaluated(state: State) -> FloatArray:
    out = np.zeros(2)
    evaluate(state.array.copy(), out)
    return out


def proven_winner(state: State) -> int:
    """The seat that provably wins, or -1."""
    out = np.zeros(2)
    if not proven_returns(state.array.copy(), out):
        return -1
    assert out.sum() == 0
    return int(out.argmax())


def priors_by_action(state: State) -> dict[int, float]:
    actions = np.zeros(state.game.sizes.actions, dtype=np.int32)
    actions[: len(state.legal_actions)] = state.legal_actions
    out = np.zeros(state.game.sizes.actions)
    priors(state.array.copy(), actions, len(state.legal_actions), out)
    return dict(zip(state.legal_actions, out.tolist(), strict=False))


def winner(state: State) -> int:
    value = solve(state).value
    return state.to_move if value > 0 else 1 - state.to_move


# ---- proven_returns -----------------------------------------------------------------------------


def test_proven_returns_agree_with_the_solver() -> None:
    claims = 0
    for state in states_of_matches(5, 8, pie=False):
        seat = proven_winner(state)
        if seat >= 0:
            assert seat == winner(state), state
            claims += 1
    assert claims > 60, "it should see through most of a match"


def test_the_first_stone_that_gives_control_is_proven() -> None:
    # b1 makes a1 loose and nothing else; b2 with c1 makes a1 and b1, in a row that hangs on a2.
    assert proven_winner(after(5, "b1")) < 0
    given = after(5, "b2 c1")
    assert proven_winner(given) == given.to_move == winner(given)


def test_nothing_is_proven_while_colours_may_be_swapped() -> None:
    assert proven_winner(after(3, "b1", pie=True)) < 0


# ---- evaluate -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_evaluation_agrees_with_the_solver_on_average() -> None:
    states = [
        state
        for state in states_of_matches(5, 20, pie=False, player=PLAYERS["taker"])
        if proven_winner(state) < 0 and len(state.legal_actions) <= 19
    ]
    assert len(states) > 10
    assert sum(evaluated(state)[winner(state)] for state in states) > 0.2 * len(states)


def test_the_option_to_swap_is_never_bad() -> None:
    for point in wm.game("flume").with_options(size=5).start().legal_actions:
        state = wm.game("flume").with_options(size=5).start().play(point)
        assert evaluated(state)[state.to_move] >= 0


def test_a_symmetric_board_is_bad_for_the_mover() -> None:
    for moves in ("d4", "d4 a1 g7", "d4 c3 e5"):
        state = after(7, moves)
        assert evaluated(state)[state.to_move] < -0.5


# ---- priors -------------------------------------------------------------------------------------


def test_priors_are_written_for_every_stone() -> None:
    """Search passes scratch memory that holds the priors of another state."""
    state = wm.game("flume", size=3).parse("1b1/rb1/b1r r 0")
    actions = np.array(state.legal_actions, dtype=np.int32)
    out = np.full(len(actions), 7.0)
    priors(state.array.copy(), actions, len(actions), out)
    assert out.tolist() == [1.0, 0.0, 0.0, 0.0]


def test_some_best_stone_always_has_a_prior() -> None:
    for state in states_of_matches(5, 8):
        if len(state.legal_actions) > 18:  # Plain Python takes seconds for more.
            continue
        found = priors_by_action(state)
        solution = solve(state)
        assert any(found[action] > 0 for action in solution.best_actions), state


def test_a_chain_has_one_prior_and_loose_points_one_order() -> None:
    for state in states_of_matches(7, 3, pie=False):
        degrees, _, summary = maps(state)
        kept = sum(weight > 0 for weight in priors_by_action(state).values())
        if summary[mailbox.LOOSE_COUNT] > 0:
            assert kept <= 3
        else:
            joints = int((degrees > mailbox.LINK).sum())
            assert joints <= kept <= joints + int((degrees == mailbox.LINK).sum())


def test_the_mirroring_stone_has_half_of_the_priors() -> None:
    state = after(7, "d4 c3")
    found = priors_by_action(state)
    assert state.format(max(found, key=found.__getitem__)) == "e5"


# ---- the map ------------------------------------------------------------------------------------


def maps(state: State) -> tuple[Scratch, Scratch, Scratch]:
    degrees = np.zeros(mailbox.MAP_SIZE, dtype=np.int32)
    loose = np.zeros(mailbox.LIST_SIZE, dtype=np.int32)
    summary = np.zeros(mailbox.SUMMARY_SIZE, dtype=np.int32)
    mailbox.decompose(state.array.copy(), degrees, loose, summary)
    return degrees, loose, summary


def test_facts_are_invariant_under_symmetry() -> None:
    rng = random.Random(5)
    game = wm.game("flume").with_options(size=7, pie=False)
    images = symmetries(7)
    for _ in range(5):
        moves = rng.sample(range(49), 25)
        seen = set()
        for image in images:
            state = game.start()
            for move in moves:
                state = state.play(int(image[move]))
            seen.add(tuple(maps(state)[2].tolist()))
        assert len(seen) == 1


def test_a_gift_counts_the_points_that_a_stone_makes_loose() -> None:
    kinds = set()
    for state in states_of_matches(7, 4, pie=False):
        degrees, loose, summary = maps(state)
        degrees[loose[: summary[mailbox.LOOSE_COUNT]]] = mailbox.TAKEN
        for cell in range(layout.CELLS, int(state.array[layout.FREE_LIST])):
            if degrees[cell] <= mailbox.LOOSE:
                continue
            before, safely = degrees.copy(), degrees.copy()
            count = mailbox.place_in_core(degrees, loose, cell, 8)
            cost = mailbox.control_cost(degrees, loose, count, 8)
            taken = degrees.copy()
            taken[loose[:count]] = mailbox.TAKEN
            mailbox.undo_placement(degrees, loose, count, cell, 8)
            assert (degrees == before).all()
            gift = mailbox.points_given(degrees, cell, 8)
            assert gift == (count if cost == NO_CONTROL else -1)
            if gift >= 0:
                mailbox.place_safely(safely, cell, 8)
                assert (safely == taken).all()
            kinds.add(gift)
    assert kinds >= {-1, 0, 1}
