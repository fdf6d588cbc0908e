"""The exact solver against plain expectimax by the rules."""

from __future__ import annotations

import pytest

import watermeet as wm
from watermeet.bots.specs import make_bot
from watermeet.core.errors import NotYourTurn, TooLarge
from watermeet.core.kernel import scratch
from watermeet.games.flows import layout
from watermeet.games.flows.fillings import MAX_EMPTY, axes_connected, is_idle, mark_legal
from watermeet.games.flows.sides import axes_taken
from watermeet.games.flows.solver import empty_cells, reduced_ends, solve
from watermeet.games.flows.tests.helpers import flows
from watermeet.games.flows.tiles import EVERY_ORIENTATION, ORIENTATIONS, TYPES

pytestmark = pytest.mark.slow

# From matches between bots. In the first one, sharing the win is best.
ENDINGS = [
    (2, "place=1 tile=T1 board=afa1/cnf1k/aifbcj/clmmjai/mnfnlc/ejhl1/n1jj"),
    (2, "place=0 first=1 tile=T1 board=c1ln/mnmni/dlnhgf/1gkjlcb/n1njbd/akml1/cbja"),
    (2, "place=1 tile=T1 board=j1ak/2cdk/cnfmmg/kcljgnm/bnik1i/kenjn/cmcl"),
    (2, "place=1 first=1 tile=T2 board=nnam/mmaic/cjgjfn/adefmjf/1im1k1/1ik1c/kadj"),
    (4, "place=2 first=2 tile=T0 board=1amh/1akjd/f1lmnc/ifhakdl/nnmbjn/1kjmc/bj1b"),
]
LARGER = [
    (2, "place=0 first=1 tile=T3 board=nnam/mmaic/cjgjfn/adef1j1/1im3/1ik1c/kadj"),
    (2, "place=1 tile=T1 board=2a1/2cdk/cnfmmg/kcljgnm/bn3i/kenjn/cmcl"),
    (2, "place=0 first=1 tile=T0 board=glcc/bfhab/nfjkfm/nbjnme1/najl2/nhd2/3j"),
    (3, "place=0 first=1 tile=T1 board=3b/1kbn1/ijcbfk/1njjmda/nf2an/mmjji/kngg"),
]


def expectimax(state: wm.State, known: dict[wm.State, float]) -> float:
    """What the first team may expect, over all draws."""
    if state.outcome is not None:
        return state.outcome.returns[0]
    if state not in known:
        if state.to_move == wm.CHANCE:
            known[state] = sum(
                probability * expectimax(state.play(drawn), known)
                for drawn, probability in state.chance_outcomes
            )
        else:
            values = [expectimax(state.play(action), known) for action in state.legal_actions]
            known[state] = max(values) if state.to_move % 2 == 0 else min(values)
    return known[state]


@pytest.mark.parametrize(("seats", "text"), ENDINGS)
def test_the_solver_finds_what_expectimax_finds(seats: int, text: str) -> None:
    state, known = flows(seats=seats).parse(text), dict[wm.State, float]()
    sign = 1 if state.to_move % 2 == 0 else -1
    solution = solve(state.conceal(state.to_move), every_move=True)
    assert solution.values is not None
    assert solution.values == pytest.approx(
        {action: sign * expectimax(state.play(action), known) for action in state.legal_actions}
    )
    assert solution.value == max(solution.values.values())
    quick = solve(state)
    assert quick.value == pytest.approx(solution.value)
    assert quick.best_actions[0] in solution.best_actions


@pytest.mark.parametrize(("seats", "text"), LARGER)
def test_fillings_decide_legality_as_the_rules_do(seats: int, text: str) -> None:
    state = flows(seats=seats).parse(text)
    array, cells = state.array.copy(), empty_cells(state.array.copy())
    ends, legal = reduced_ends(array, cells), scratch(MAX_EMPTY)
    mark_legal(ends, int(axes_taken(array)), legal)
    found = [
        layout.placement(cell, orientation)
        for number, cell in enumerate(cells)
        for orientation in range(ORIENTATIONS)
        if (EVERY_ORIENTATION if is_idle(ends, number) else int(legal[number])) >> orientation & 1
        or axes_connected(ends, number, orientation)
    ]
    expected = set[int]()
    for kind in range(TYPES):
        array[layout.TILE] = 1 + kind
        expected |= set(wm.State(state.game, array.copy()).legal_actions)
    assert sorted(found) == sorted(expected)
    assert len(found) < ORIENTATIONS * len(cells)  # Not everything is legal.


def test_the_strongest_level_plays_the_solvers_move() -> None:
    state = flows().parse(ENDINGS[0][1])
    result = make_bot(flows(), "sea:nodes=1").play(state.conceal(state.to_move))
    assert result.search is not None
    assert result.search.proven
    assert result.search.value == 0
    assert state.format(result.action) in ("T1.0@b7", "T1.1@b7")


def test_the_solver_says_what_is_out_of_reach() -> None:
    state = flows().parse(LARGER[2][1])
    with pytest.raises(TooLarge, match="hardly"):
        solve(state, node_limit=1000)
    with pytest.raises(TooLarge, match="enough"):
        solve(state, node_limit=8**5)
    with pytest.raises(TooLarge, match="cells are empty"):
        solve(flows().start().play_all(["first:0", "draw:T0"]))
    with pytest.raises(TooLarge, match="two teams"):
        solve(flows(seats=3).parse(LARGER[3][1]))
    with pytest.raises(TooLarge, match="standard rules"):
        solve(flows(legality="reach").parse(LARGER[0][1]))
    with pytest.raises(NotYourTurn):
        solve(flows().start())
