"""What a seat is sent doesn't change by a byte when its hidden information is resampled.

A match and its sibling begin from states that the seat can't tell apart, and continue with actions
that look the same to it. Everything that the seat is sent must be the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

import watermeet as wm
from watermeet.core.kernel import compiled_code
from watermeet.core.state import State
from watermeet.server.matches import entries as kinds
from watermeet.server.matches import projection
from watermeet.server.matches.entries import Entry
from watermeet.server.matches.match import Match
from watermeet.server.matches.setup import MatchSetup, SeatPlan
from watermeet.testing.matches import option_sets, random_action, random_match

HIDDEN = [name for name in wm.games() if wm.game(name).hidden]
STEPS = 6
Pair = tuple[list[Entry], list[Entry]]


def siblings(game: wm.Game, seat: int | None, rng: random.Random, longest: int) -> Pair:
    """Two logs that a seat can't tell apart."""
    states = random_match(game, rng, max_length=rng.randrange(longest)).states
    first = rng.choice([state for state in states[-20:] if state.to_move != wm.OVER])
    other = first.conceal(seat).resample(rng)
    logs = _log(first), _log(other)
    for number in range(STEPS):
        if first.to_move == wm.OVER:
            break
        action = random_action(first, rng)
        after = first.play(action)
        is_known = first.to_move == seat or (_is_open(first, seat) and _is_open(after, seat))
        twin = _twin(other, after.conceal(seat), rng, action if is_known else None)
        if twin is None:
            break
        logs[0].append(_entry(first, action, number))
        logs[1].append(_entry(other, twin, number))
        first, other = after, other.play(twin)
    return logs


def _is_open(state: State, seat: int | None) -> bool:
    """Whether everything is open; then all actions are, even if they change nothing, like dice."""
    return bool((state.array == state.conceal(seat).array).all())


def _twin(state: State, seen: State, rng: random.Random, own: int | None) -> int | None:
    """An action after which the seat sees the same; preferably a different one."""
    actions = list(state.legal_actions) if own is None else [own]
    rng.shuffle(actions)
    seat = None if seen.known_to < 0 else seen.known_to
    return next((each for each in actions if state.play(each).conceal(seat) == seen), None)


def setup_of(game: wm.Game) -> MatchSetup:
    seats = (SeatPlan(),) * game.seats
    return MatchSetup(game=game.name, options=dict(game.options), seats=seats)


def _log(start: State) -> list[Entry]:
    game = start.game
    made = kinds.Created(
        at=1, match="m", version=game.version, setup=setup_of(game), start=start.text
    )
    joined = [
        kinds.Joined(at=1, seat=seat, user=f"u{seat}", name=f"N{seat}")
        for seat in range(game.seats)
    ]
    return [made, *joined, kinds.Began(at=2)]


def _entry(state: State, action: int, number: int) -> Entry:
    at = 1000 + number
    if state.to_move == wm.CHANCE:
        return kinds.Sampled(at=at, action=action)
    return kinds.Played(at=at, seat=state.to_move, action=action, spent_ms=number)


def sent(log: list[Entry], seat: int | None) -> Iterator[bytes]:
    """Everything that a seat is sent about a match."""
    match = Match.of(log)
    for event in projection.events(log, seat):
        yield msgspec.json.encode(event)
    yield msgspec.json.encode(projection.document(match, seat))
    yield msgspec.json.encode(projection.headline(match))


def is_tight(game: wm.Game, rng: random.Random, longest: int) -> bool:
    """Whether a random seat or a spectator is sent the same about a match and its sibling."""
    seat = rng.choice([None, *range(game.seats)])
    one, other = siblings(game, seat, rng, longest)
    return list(sent(one, seat)) == list(sent(other, seat))


LARGEST = max(HIDDEN, key=lambda name: wm.game(name).sizes.actions)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name == LARGEST else ()) for name in HIDDEN],
)
def test_hidden_information_does_not_leak(name: str) -> None:
    rng = random.Random(f"leaks {name}")
    game = wm.game(name)
    small = {"radius": 2} if "radius" in game.options else {}
    for options in ({}, rng.choice(option_sets(game))):
        chosen = game.with_options(**{**small, **options})
        for _ in range(2):
            assert is_tight(chosen, rng, 50)


@pytest.mark.nightly
@pytest.mark.parametrize("name", HIDDEN)
def test_hidden_information_does_not_leak_with_any_options(name: str) -> None:
    rng = random.Random(f"more leaks {name}")
    with compiled_code():
        for options in option_sets(wm.game(name)):
            game = wm.game(name, **options)
            for _ in range(15):
                assert is_tight(game, rng, min(400, game.sizes.max_length)), options


# ---- the test finds leaks -----------------------------------------------------------------------


def _leaking_action(match: Match, step: Any, after: State, seat: int | None) -> Any:
    return ORIGINAL.action_fields(match, step, after, seat) | {"action": step.action}


def _leaking_state(moment: projection.Moment, seat: int | None) -> Any:
    return ORIGINAL.fields(moment, seat) | {"state": str(moment.match.state.array.tolist())}


def _leaking_count(match: Match) -> Any:
    return replace(ORIGINAL.clocks(match), since=len(match.state.legal_actions))


def _leaking_start(match: Match) -> Any:
    return replace(ORIGINAL.info(match), commitment=match.created.start)


ORIGINAL = SimpleNamespace(**vars(projection), fields=projection.Moment.fields)


@pytest.mark.parametrize(
    ("name", "leak", "game"),
    [
        ("action_fields", _leaking_action, "kuhn_poker"),
        ("action_fields", _leaking_action, "qwirkle"),
        ("is_seen", lambda *_: True, "qwirkle"),
        ("Moment.fields", _leaking_state, "kuhn_poker"),
        ("clocks", _leaking_count, "qwirkle"),
        ("info", _leaking_start, "kuhn_poker"),
    ],
)
def test_a_leak_is_found(monkeypatch: pytest.MonkeyPatch, name: str, leak: Any, game: str) -> None:
    monkeypatch.setattr(f"{projection.__name__}.{name}", leak)
    rng = random.Random(game)
    assert not all(is_tight(wm.game(game), rng, 40) for _ in range(12))
