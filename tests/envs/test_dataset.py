"""Data sets: every row is what its record says, by the rules."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.record import Record
from watermeet.envs.dataset import make_dataset, read_dataset, write_dataset
from watermeet.testing import random_match


def _record(game: wm.Game, seed: int) -> Record:
    return Record.from_actions(game.start(), random_match(game, random.Random(seed)).actions)


@pytest.mark.parametrize("name", ["kuhn_poker", "flow"])
def test_rows_are_the_decisions_of_the_matches(name: str, tmp_path: Path) -> None:
    game = wm.game(name)
    records = [_record(game, seed) for seed in range(3)]
    unfinished = Record(game, records[0].entries[:-1])
    write_dataset(make_dataset([*records, unfinished]), tmp_path / "data.npz")
    data = read_dataset(tmp_path / "data.npz")
    assert data.game == game
    row = 0
    for match, record in enumerate(records):
        states = record.replay()
        outcome = states[-1].outcome
        assert outcome is not None
        for state, after in itertools.pairwise(states):
            if state.to_move < 0:
                continue
            legal = game.features.legal_codes(state)
            assert data.matches[row] == match
            assert data.seats[row] == state.to_move
            assert np.flatnonzero(data.masks[row]).tolist() == list(legal)
            assert state.play(legal[int(data.codes[row])]) == after
            expected = game.features.of(state, state.to_move)
            assert data.features[row] == pytest.approx(expected, abs=1e-3)
            assert data.returns[row].tolist() == pytest.approx(outcome.returns)
            row += 1
    assert row == len(data) > 5


def test_transitions_are_episodes_of_seats() -> None:
    game = wm.game("kuhn_poker")
    data = make_dataset([_record(game, seed) for seed in range(20)])
    found = data.transitions()
    ends = np.flatnonzero(found["terminals"])
    begins = [0, *(ends[:-1] + 1)]
    expected = [
        (match, seat)
        for match in range(20)
        for seat in range(game.seats)
        if ((data.matches == match) & (data.seats == seat)).any()
    ]
    assert len(expected) == len(ends)
    for (match, seat), begin, end in zip(expected, begins, ends, strict=True):
        own = np.flatnonzero((data.matches == match) & (data.seats == seat))
        assert found["actions"][begin : end + 1].tolist() == data.codes[own].tolist()
        gains = [0.0] * (end - begin) + [data.returns[own[0], seat]]
        assert found["rewards"][begin : end + 1].tolist() == gains


def test_games_are_not_mixed() -> None:
    records = [_record(wm.game("flume", size=size), 1) for size in (3, 5)]
    with pytest.raises(wm.InvalidArgument, match="isn't flume@1 size=3"):
        make_dataset(records)
    with pytest.raises(wm.InvalidArgument, match="no finished match"):
        make_dataset([])


@pytest.mark.slow
def test_the_arenas_records_become_a_data_set(tmp_path: Path) -> None:
    run = [sys.executable, "-m", "watermeet"]
    words = ["arena", "flume", "random", "beginner", "-o", "size=3", "--matches", "4"]
    subprocess.run([*run, *words, "--jobs", "0", "--records", tmp_path], check=True)
    file = tmp_path / "data.npz"
    done = subprocess.run(
        [*run, "dataset", tmp_path, file], capture_output=True, text=True, check=True
    )
    assert "decisions of 4 matches" in done.stdout
    assert {*read_dataset(file).players.flatten()} == {"random", "beginner"}
