"""The workers do what they say: whole matches, exact counts, chance included."""

from __future__ import annotations

import numpy as np
import pytest

import watermeet as wm
from watermeet.bench import workload
from watermeet.bench.workload import MATCHES, Matches


@pytest.fixture(scope="module", params=wm.games())
def matches(request: pytest.FixtureRequest) -> Matches:
    return workload.record_matches(wm.game(request.param))


def test_recorded_matches_are_whole(matches: Matches) -> None:
    assert len(matches.actions) == MATCHES
    for actions in matches.actions:
        assert matches.game.start().play_all(actions).to_move == wm.OVER


def test_the_same_seed_records_the_same_matches(matches: Matches) -> None:
    again = workload.record_matches(matches.game)
    assert again.actions == matches.actions
    assert workload.record_matches(matches.game, seed=2).actions != matches.actions


def test_states_come_from_all_stages_and_none_is_over(matches: Matches) -> None:
    movers = {int(matches.game.kernels.to_move(state)) for state in matches.states}
    assert wm.OVER not in movers
    assert (wm.CHANCE in movers) == matches.game.chance
    assert len(matches.states) <= workload.MOST_STATES


def test_random_playouts_count_their_actions(matches: Matches) -> None:
    shortest_possible = 1
    for worker in (
        workload.playout_worker(matches.game),
        workload.plain_playout_worker(matches.game),
    ):
        assert shortest_possible * 3 <= worker(3) <= matches.game.sizes.max_length * 3


def test_compiled_and_plain_playouts_are_the_same_matches(matches: Matches) -> None:
    compiled = workload.playout_worker(matches.game)
    plain = workload.plain_playout_worker(matches.game)
    assert compiled(5) == plain(5)


def test_legal_lists_are_counted(matches: Matches) -> None:
    out = np.zeros(matches.game.sizes.actions, dtype=np.int32)
    listed = [int(matches.game.kernels.legal(state, out)) for state in matches.states]
    worker = workload.legal_worker(matches)
    assert worker(len(listed) + 1) == sum(listed) + listed[0]


def test_replays_apply_every_action(matches: Matches) -> None:
    lengths = [len(actions) for actions in matches.actions]
    expected = sum(lengths) + lengths[0]
    assert workload.apply_worker(matches)(MATCHES + 1) == expected
    assert workload.step_worker(matches)(MATCHES + 1) == expected


def test_copies_are_counted(matches: Matches) -> None:
    assert workload.copy_worker(matches)(len(matches.states) + 1) == len(matches.states) + 1


def test_threads_do_not_share_cache_lines() -> None:
    array = np.arange(5, dtype=np.int16)
    apart = workload._apart(array)
    assert apart.tolist() == array.tolist()
    assert apart.flags.c_contiguous
    assert apart.base is not None
    assert apart.base.nbytes == array.nbytes + 2 * workload.CACHE_LINE_BYTES
