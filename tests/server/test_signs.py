"""Signs between partners: seen at once by those who play together, and kept nowhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.server.driving import Client, Person, plain_server, seated

import watermeet as wm
from watermeet.server.api.socket import BURST_S, SIGNALS_PER_SECOND

pytestmark = pytest.mark.anyio

RIVALS = "kuhn_poker"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with plain_server(tmp_path_factory.mktemp("signs")) as found:
        yield found


def partners() -> str:
    """A game in which two play together."""
    return next(name for name in wm.games() if max(map(len, wm.game(name).teams)) == 2)


async def lines(address: str, match: str, people: list[Person]) -> list[Client]:
    """Everybody at the table, and a watcher."""
    tokens = [*(person.token for person in people), ""]
    clients = [await Client.open(address, token) for token in tokens]
    for client in clients:
        await client.follow(match)
    return clients


async def heard(client: Client) -> list[str]:
    """The types of all that came so far."""
    await client.say({"type": "ping", "sent": 1.5})
    await client.hear("pong")
    return [message["type"] for message in client.heard]


async def test_partners_see_a_sign_and_the_log_does_not(address: str) -> None:
    match, people = await seated(address, partners(), 2)
    first, second, watcher = await lines(address, match, people)
    before = (await first.follow(match))["seq"]
    await first.say({"type": "signal", "match": match, "what": "c4"})
    signed = await second.hear("signal")
    assert signed == {"type": "signal", "match": match, "seat": 0, "what": "c4"}
    assert (await first.follow(match))["seq"] == before
    assert "signal" not in await heard(first) + await heard(watcher)
    for client in (first, second, watcher):
        await client.close()


async def test_rivals_see_none(address: str) -> None:
    match, people = await seated(address, RIVALS, 2)
    first, second, watcher = await lines(address, match, people)
    await first.say({"type": "signal", "match": match, "what": "c4"})
    assert "signal" not in await heard(first) + await heard(second) + await heard(watcher)
    for client in (first, second, watcher):
        await client.close()


async def test_who_watches_or_does_not_follow_gives_none(address: str) -> None:
    match, people = await seated(address, partners(), 2)
    first, second, watcher = await lines(address, match, people)
    await watcher.say({"type": "signal", "match": match, "what": "c4"})
    assert (await watcher.hear("error"))["code"] == "forbidden"
    await second.say({"type": "unfollow", "match": match})
    await second.say({"type": "signal", "match": match, "what": "c4"})
    assert (await second.hear("error"))["code"] == "bad_request"
    for what in ("", "x" * 33, "two words"):
        await first.say({"type": "signal", "match": match, "what": what})
        assert (await first.hear("error"))["code"] == "bad_request"
    for client in (first, second, watcher):
        await client.close()


async def test_who_waves_too_fast_is_seen_less_often(address: str) -> None:
    match, people = await seated(address, partners(), 2)
    first, second, watcher = await lines(address, match, people)
    count = int(SIGNALS_PER_SECOND * BURST_S)
    for number in range(count * 3):
        await first.say({"type": "signal", "match": match, "what": f"c{number}"})
    await heard(first)
    seen = (await heard(second)).count("signal")
    assert count <= seen < count * 2
    for client in (first, second, watcher):
        await client.close()
