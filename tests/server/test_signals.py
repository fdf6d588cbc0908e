"""Signals between partners: seen at once by teammates, and stored nowhere."""

from __future__ import annotations

import pytest
from tests.server.driving import Client, Person, seated

import watermeet as wm
from watermeet.server.api.socket import BURST_S, SIGNALS_PER_SECOND

pytestmark = pytest.mark.anyio

RIVALS = "kuhn_poker"


def partners() -> str:
    """A game with a team of two."""
    return next(name for name in wm.games() if max(map(len, wm.game(name).teams)) == 2)


async def connect_all(address: str, match: str, people: list[Person]) -> list[Client]:
    """All players, and a spectator."""
    tokens = [*(person.token for person in people), ""]
    clients = [await Client.open(address, token) for token in tokens]
    for client in clients:
        await client.follow(match)
    return clients


async def types_received(client: Client) -> list[str]:
    """The types of all messages received so far."""
    await client.send({"type": "ping", "sent": 1.5})
    await client.receive("pong")
    return [message["type"] for message in client.received]


async def test_partners_see_a_signal_and_the_log_does_not(address: str) -> None:
    match, people = await seated(address, partners(), 2)
    first, second, spectator = await connect_all(address, match, people)
    before = (await first.follow(match))["seq"]
    await first.send({"type": "signal", "match": match, "what": "c4"})
    signal = await second.receive("signal")
    assert signal == {"type": "signal", "match": match, "seat": 0, "what": "c4"}
    assert (await first.follow(match))["seq"] == before
    assert "signal" not in await types_received(first) + await types_received(spectator)
    for client in (first, second, spectator):
        await client.close()


async def test_opponents_see_no_signals(address: str) -> None:
    match, people = await seated(address, RIVALS, 2)
    first, second, spectator = await connect_all(address, match, people)
    await first.send({"type": "signal", "match": match, "what": "c4"})
    assert "signal" not in await types_received(first) + await types_received(
        second
    ) + await types_received(spectator)
    for client in (first, second, spectator):
        await client.close()


async def test_only_players_who_follow_may_signal(address: str) -> None:
    match, people = await seated(address, partners(), 2)
    first, second, spectator = await connect_all(address, match, people)
    await spectator.send({"type": "signal", "match": match, "what": "c4"})
    assert (await spectator.receive("error"))["code"] == "forbidden"
    await second.send({"type": "unfollow", "match": match})
    await second.send({"type": "signal", "match": match, "what": "c4"})
    assert (await second.receive("error"))["code"] == "bad_request"
    for what in ("", "x" * 33, "two words"):
        await first.send({"type": "signal", "match": match, "what": what})
        assert (await first.receive("error"))["code"] == "bad_request"
    for client in (first, second, spectator):
        await client.close()


@pytest.mark.slow
async def test_signals_are_rate_limited(address: str) -> None:
    match, people = await seated(address, partners(), 2)
    first, second, spectator = await connect_all(address, match, people)
    count = int(SIGNALS_PER_SECOND * BURST_S)
    for number in range(count * 3):
        await first.send({"type": "signal", "match": match, "what": f"c{number}"})
    await types_received(first)
    seen = (await types_received(second)).count("signal")
    assert count <= seen < count * 2
    for client in (first, second, spectator):
        await client.close()
