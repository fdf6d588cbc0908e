"""Peers are measured where they are installed and named where they are not."""

from __future__ import annotations

import importlib.util

import pytest

from watermeet.bench import peers
from watermeet.bench.peers import MODULES, measure_peers, missing_peers


class Countdown:
    """A game as OpenSpiel shows one: two actions, four of them end a match."""

    def __init__(self, left: int = 4) -> None:
        self.left = left

    def new_initial_state(self) -> Countdown:
        return Countdown()

    def is_terminal(self) -> bool:
        return self.left == 0

    def legal_actions(self) -> list[int]:
        return [0, 1]

    def apply_action(self, action: int) -> None:
        assert action in self.legal_actions()
        self.left -= 1


def test_peers_that_are_missing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda module: None)
    assert missing_peers() == list(MODULES)
    assert measure_peers(seconds=0.01) == []
    assert peers.peer_versions() == []


def test_a_peer_needs_all_of_its_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda module: None if module == "jax" else object()
    )
    assert missing_peers() == ["pgx"]


def test_matches_of_a_peer_are_played_to_their_end() -> None:
    assert peers._open_spiel_worker(Countdown())(5) == 20


@pytest.mark.slow
def test_those_that_are_installed_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "OPEN_SPIEL_GAMES", ("tic_tac_toe",))
    monkeypatch.setattr(peers, "PGX_GAMES", ("tic_tac_toe",))
    monkeypatch.setattr(peers, "BATCHES", (1, 2))
    told: list[str] = []
    measurements = measure_peers(seconds=0.01, progress=told.append)
    measured = {each.name.split()[0] for each in measurements}
    assert measured == set(MODULES) - set(missing_peers())
    assert all(each.value > 0 for each in measurements)
    assert bool(told) == bool(measured)
    assert bool(peers.peer_versions()) == bool(measured)
