"""Training on a cluster: two workers of Ray on this machine, one of which is killed."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
import torch

import watermeet as wm
from watermeet.train.cluster import Actor, ActorFailed, ClusterRun, Replay
from watermeet.train.run import Run
from watermeet.train.settings import TrainSettings

pytestmark = pytest.mark.nightly
SETTINGS = TrainSettings(
    "flume", boards=({"size": 3},), channels=8, blocks=1, matches=16, simulations=4, steps=8,
    batch=32, window=32, warm_up=2, random_moves=0,
)  # fmt: skip


def _asked(actor: Any, question: Any) -> Any:
    return ray.get(actor.__ray_call__.remote(question))


@pytest.mark.filterwarnings("ignore")  # Ray's own.
def test_a_run_survives_the_death_of_an_actor(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    run = ClusterRun(tmp_path, SETTINGS, address="local", actors=2)
    try:
        before = {name: value.clone() for name, value in run.network.state_dict().items()}
        processes = [_asked(actor, lambda _: os.getpid()) for actor in run._actors]
        os.kill(processes[0], signal.SIGKILL)
        rounds = 0
        while rounds < 14 or run._deaths[0]:  # Until the new one has played, too.
            run.round()
            rounds += 1
        assert "policy_loss" in run.progress.results
        assert run.progress.positions == rounds * 8 * 16
        now = [_asked(actor, lambda _: os.getpid()) for actor in run._actors]
        assert now[0] != processes[0]
        assert now[1] == processes[1]
        for actor in run._actors:  # What was learnt has reached them.
            there = _asked(actor, lambda self: self.network.state_dict())
            assert any(not torch.equal(there[name], before[name]) for name in before)
        assert len(run.plays[0].known()) > 100
        run._new_actor = lambda *_: run._actors[0]  # One that is dead, whatever is tried.
        ray.kill(run._actors[0])
        with pytest.raises(ActorFailed, match="died 4 times"):
            _play_rounds(run)
        run.save()
    finally:
        run.close()
    again = Run(tmp_path)  # It continues without a cluster.
    assert again.progress == run.progress
    again.round()


def _play_rounds(run: ClusterRun) -> None:
    for _ in range(500):
        run.round()


def test_an_actor_sends_every_position_once() -> None:
    actor = Actor(SETTINGS, seed=3)
    weights = {name: each.numpy() for name, each in actor.network.state_dict().items()}
    sent = sum(len(actor.play(weights)[0][0]) for _ in range(12))
    played = 12 * SETTINGS.steps * SETTINGS.matches
    unfinished = SETTINGS.matches * wm.game("flume", size=3).sizes.max_length
    assert played - unfinished <= sent <= played


def test_new_positions_take_the_place_of_the_oldest() -> None:
    replay = Replay(wm.game("flume", size=3), 5, "cpu")

    def add(*values: int) -> None:
        column = np.array(values)[:, None]
        halves, whole = column.astype(np.float16), column.astype(np.int32)
        bits, floats = column.astype(np.uint8), column.astype(np.float32)
        replay.add((halves, whole, halves, bits, floats))

    add(1, 2, 3)
    assert len(replay.known()) == 3
    add(4, 5, 6, 7)
    codes = replay.positions(replay.known()).codes[:, 0].tolist()
    assert sorted(codes) == [3, 4, 5, 6, 7]
    add(*range(10, 20))
    codes = replay.positions(replay.known()).codes[:, 0].tolist()
    assert sorted(codes) == [15, 16, 17, 18, 19]
