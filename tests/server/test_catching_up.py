"""Catching up: reconnecting and delayed clients are served from memory, without a new fold."""

from __future__ import annotations

import random

import pytest

import watermeet as wm
from watermeet.server.match_cache import RECENT, LiveMatch
from watermeet.server.matches import entries as kinds
from watermeet.server.matches import projection
from watermeet.server.matches.entries import Entry
from watermeet.server.matches.match import Match
from watermeet.server.matches.randomness import Randomness
from watermeet.server.matches.setup import MatchSetup, SeatPlan
from watermeet.testing.matches import random_action

LENGTH = 2 * RECENT


def undone_log(name: str, rng: random.Random) -> list[Entry]:
    """A log with many undone actions, and other entries in between."""
    game = wm.game(name)
    setup = MatchSetup(game=name, seats=(SeatPlan(),) * 2)
    made = kinds.Created(at=1, match="m", version=game.version, setup=setup)
    joined = [kinds.Joined(at=1, seat=seat, user=f"u{seat}", name=f"N{seat}") for seat in (0, 1)]
    log: list[Entry] = [made, *joined, kinds.Began(at=2)]
    match = Match.of(log)
    while len(log) < LENGTH:
        state, at = match.state, 10 + len(log)
        entry: Entry
        if match.last_step is not None and (state.to_move == wm.OVER or rng.random() < 0.3):
            to_seq = rng.choice([step.seq for step in match.steps_back()]) - 1
            entry = kinds.Undone(at=at, seat=0, to_seq=to_seq)
        elif rng.random() < 0.2:
            entry = kinds.Offered(at=at, seat=0, what="pause")
        elif state.to_move == wm.CHANCE:
            entry = kinds.Sampled(at=at, action=random_action(state, rng))
        else:
            action = random_action(state, rng)
            entry = kinds.Played(at=at, seat=state.to_move, action=action)
        log.append(entry)
        match = match.after(entry)
    return log


def folded(log: list[Entry]) -> LiveMatch:
    live = LiveMatch(Match.of(log[:1]), log[:1], Randomness("m", bytes(32)))
    for entry in log[1:]:
        live.add(entry, live.match.after(entry))
    return live


@pytest.mark.parametrize("name", ["kuhn_poker", "flume"])
def test_events_are_the_same_without_a_new_fold(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        log = undone_log(name, random.Random(f"{name} {number}"))
        assert any(isinstance(entry, kinds.Undone) for entry in log)
        live = folded(log)
        for seat in (None, 0, 1):
            wanted = list(projection.events(log, seat))
            with monkeypatch.context() as patch:
                patch.setattr(projection, "events", None)  # A new fold would fail here.
                for after in range(len(log)):
                    undone = live.undone
                    found = projection.events_of(live.match, log, undone, seat, after)
                    assert found == wanted[after:]
            assert projection.events_of(live.match, log, {}, seat, 2) == wanted[2:]


def test_a_delayed_subscriber_resumes_where_it_left_off(monkeypatch: pytest.MonkeyPatch) -> None:
    log = undone_log("kuhn_poker", random.Random(2))
    live = folded(log)
    folds = 0
    fold = Match.after

    def counted(match: Match, entry: Entry) -> Match:
        nonlocal folds
        folds += 1
        return fold(match, entry)

    old = range(5, len(log) - RECENT)
    wanted = [Match.of(log[:seq]) for seq in old]
    monkeypatch.setattr(Match, "after", counted)
    assert [live.at(seq) for seq in old] == wanted
    assert folds < len(log), "one fold for all of them"
    assert live.at(3).seq == 3
