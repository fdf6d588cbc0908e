"""A bot knows what its seat knows, and nothing else."""

from __future__ import annotations

import random
from typing import Any

import pytest

import watermeet as wm
from watermeet.core.kernel import plain_python
from watermeet.server.bots.messages import (
    BotRequest,
    decode_input,
    encode,
    make_request,
    make_think_request,
)
from watermeet.server.matches.commands import BotPlay, Join, Play
from watermeet.server.matches.decide import decide
from watermeet.server.matches.match import Match, replace
from watermeet.server.matches.randomness import Randomness
from watermeet.server.matches.seating import create
from watermeet.server.matches.setup import MatchSetup, SeatPlan
from watermeet.server.matches.writer import Context, Decision

HIDDEN = [name for name in wm.games() if wm.game(name).hidden]


def started(game: str, options: dict[str, Any]) -> tuple[Match, Context]:
    """A bot on the first seat and people on the others."""
    count = wm.game(game, **options).seats
    seats = (SeatPlan("bot", "random"), *(SeatPlan(),) * (count - 1))
    context = Context(now=0, randomness=Randomness("abcdef", random.Random(game).randbytes(32)))
    made = create(MatchSetup(game=game, options=options, seats=seats), context)
    for seat in range(1, count):
        joined = decide(made.match, seat, "", Join(user=f"u{seat}", name="N"), context)
        assert isinstance(joined, Decision)
        made = joined
    return made.match, context


def test_there_are_games_to_test() -> None:
    assert "kuhn_poker" in HIDDEN


@pytest.mark.parametrize("name", HIDDEN)
def test_a_request_does_not_depend_on_hidden_information(name: str) -> None:
    rng = random.Random(1)
    with plain_python():
        match, context = started(name, {})
        is_hidden = False
        for _ in range(12):
            if match.has_ended:
                break
            if match.state.to_move == 0:
                sent = encode(make_request(match, 0, 0.5))
                hint = encode(make_think_request(match, 0, 0.5))
                for _ in range(8):
                    other = match.state.conceal(0).resample(rng)
                    is_hidden |= other != match.state
                    changed = replace(match, state=other)
                    assert encode(make_request(changed, 0, 0.5)) == sent
                    assert encode(make_think_request(changed, 0, 0.5)) == hint
            seat = match.state.to_move
            move = rng.choice(match.state.legal_actions)
            play = BotPlay(move) if seat == 0 else Play(move)
            done = decide(match, seat, "", play, context)
            assert isinstance(done, Decision)
            match = done.match
    assert is_hidden or name != "kuhn_poker", "something was hidden"


@pytest.mark.parametrize("name", wm.games())
def test_a_worker_gets_the_state_as_the_seat_knows_it(name: str) -> None:
    with plain_python():
        match, _ = started(name, {})
        request = decode_input(encode(make_request(match, 0, None)))
        assert isinstance(request, BotRequest)
        assert request.state() == match.state.conceal(0)
