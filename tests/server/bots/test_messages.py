"""A bot knows what its seat knows, and nothing else."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator

import pytest
from tests.server.matches.conftest import Table

import watermeet as wm
from watermeet.core.kernel import plain_python
from watermeet.server.bots.messages import (
    BotRequest,
    decode_input,
    encode,
    make_position_request,
    make_request,
    make_think_request,
)
from watermeet.server.bots.worker_main import Worker
from watermeet.server.matches.match import replace
from watermeet.server.matches.setup import SeatPlan

HIDDEN = [name for name in wm.games() if wm.game(name).hidden]


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    with plain_python():
        yield


def started(game: str) -> Table:
    """A bot on the first seat and people on the others."""
    seats = (SeatPlan("bot", "random"), *(SeatPlan(),) * (wm.game(game).seats - 1))
    return Table(game, seats=seats).seated()


@pytest.mark.parametrize("name", HIDDEN)
def test_a_request_does_not_depend_on_hidden_information(name: str) -> None:
    rng, table, is_hidden = random.Random(1), started(name), False
    for _ in range(12):
        match = table.match
        if match.has_ended:
            break
        if match.state.to_move == 0:
            sent = encode(make_request(match, 0, 0.5))
            hint = encode(make_think_request(match, 0, 0.5))
            for _ in range(4):
                other = match.state.conceal(0).resample(rng)
                is_hidden |= other != match.state
                changed = replace(match, state=other)
                assert encode(make_request(changed, 0, 0.5)) == sent
                assert encode(make_think_request(changed, 0, 0.5)) == hint
        table.play(rng.choice(match.state.legal_actions))
    assert "kuhn_poker" in HIDDEN
    assert is_hidden or name != "kuhn_poker", "something was hidden"


@pytest.mark.parametrize("name", wm.games())
def test_a_worker_gets_the_state_as_the_seat_knows_it(name: str) -> None:
    match = started(name).match
    request = decode_input(encode(make_request(match, 0, None)))
    assert isinstance(request, BotRequest)
    assert request.state() == match.state.conceal(0)


def test_positions_of_no_match_are_searched_by_bots_of_their_own_games() -> None:
    """Their requests all have an empty match, and a bot for another board must not get them."""
    worker = Worker(io.BytesIO(), io.BytesIO())
    for size in (3, 5):
        state = wm.game("flume", size=size).start()
        response = worker._respond(make_position_request(state, 0.01))
        assert (response.error, response.thoughts is None) == ("", False)
