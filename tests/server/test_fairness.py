"""Bots think in a fair order, by user and by address, and matches of bots alone are limited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.server.inside import Clock, Inside, inside

from watermeet.server.matches.commands import BotPlay
from watermeet.server.matches.service import BOT_JOB, Matches, bot_to_move

pytestmark = pytest.mark.anyio

GAME = "flume"
FAR = 10**15


async def create(
    server: Inside, token: str, address: str, *, is_watched: bool = False, level: str = "random"
) -> str:
    """A match in which a bot is to move; the error code if it is refused."""
    bot = {"who": "bot", "level": level}
    seats: dict[str, Any] = {"seats": [bot, bot]} if is_watched else {"seats": [bot, {}], "seat": 1}
    body = {"game": GAME, **seats}
    async with server.http(token, address) as http:
        made = await http.post("/api/matches", json=body)
    return str(made.json()["match" if made.status_code == 201 else "code"])


async def order(server: Inside) -> list[str]:
    """The matches whose bots wait, in the order in which they think."""
    store, found = server.services.store, []
    while job := await store.lease([BOT_JOB], "test", FAR, 2 * FAR):
        found.append(job.match)
    return found


async def play_to_the_end(matches: Matches, match: str) -> None:
    live = await matches.load(match)
    while (seat := bot_to_move(live.match)) is not None:
        action = int(live.match.state.legal_actions[0])
        await matches.do(match, seat, BotPlay(action, live.match.seq))
    assert live.match.has_ended


async def test_an_address_with_many_guests_is_one_party(server: Inside) -> None:
    crowd = [await create(server, await server.guest(), "192.0.2.1") for _ in range(10)]
    alone = await create(server, await server.guest(), "192.0.2.2")
    found = await order(server)
    assert set(found) == {*crowd, alone}
    assert found.index(alone) <= 1


async def test_neighbours_do_not_pay_for_somebody_with_many_matches(server: Inside) -> None:
    greedy, modest = await server.guest(), await server.guest()
    for _ in range(10):
        await create(server, greedy, "192.0.2.1")
    match = await create(server, modest, "192.0.2.1")
    assert (await order(server)).index(match) <= 2


async def test_moves_count_for_as_long_as_their_level_thinks(clock: Clock, server: Inside) -> None:
    """With ten matches against a level that thinks for two seconds, others waited for ten."""
    greedy, modest = await server.guest(), await server.guest()
    first, second = [await create(server, greedy, "192.0.2.1", level="sea") for _ in range(2)]
    clock.now += 1_500
    alone = await create(server, modest, "192.0.2.2", level="sea")
    assert await order(server) == [first, alone, second]


async def test_matches_of_bots_alone_are_limited_until_one_ends(tmp_path: Path) -> None:
    limits = {"bot_matches_per_user": 2, "bot_matches_per_address": 3}
    async with inside(tmp_path, **limits) as server:
        ada, bob = await server.guest(), await server.guest()
        first = await create(server, ada, "192.0.2.1", is_watched=True)
        await create(server, ada, "192.0.2.1", is_watched=True)
        refusal = await create(server, ada, "192.0.2.2", is_watched=True)
        assert refusal == "too_many_bot_matches", "a user has one limit everywhere"
        assert await create(server, ada, "192.0.2.1") != refusal, "with people there is none"
        await create(server, bob, "192.0.2.1", is_watched=True)
        assert await create(server, bob, "192.0.2.1", is_watched=True) == refusal
        await play_to_the_end(server.services.matches, first)
        assert await create(server, ada, "192.0.2.1", is_watched=True) != refusal
        assert await create(server, ada, "192.0.2.1", is_watched=True) == refusal
