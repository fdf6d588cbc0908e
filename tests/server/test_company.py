"""Following, blocks and mutes."""

from __future__ import annotations

import secrets
from typing import Any

import pytest
from tests.server.inside import Inside, call

from watermeet.server.people import company

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"


async def test_people_follow_each_other_and_see_who_is_online(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    await server.guest("Cleo")
    await call(server, ada, "PUT", "/me/following/nobody", None, 404)
    await call(server, ada, "PUT", "/me/following/ada", None, 400)
    await call(server, ada, "PUT", "/me/following/bob")
    await call(server, ada, "PUT", "/me/following/Cleo")
    await call(server, ada, "PUT", "/me/following/Cleo")
    await call(server, bob, "PUT", "/me/following/Ada")
    socket = await server.socket(bob)
    found = (await call(server, ada, "GET", "/me/following"))["following"]
    shown = [(each["name"], each["is_online"], each["is_friend"]) for each in found]
    assert shown == [("Bob", True, True), ("Cleo", False, False)]
    await socket.close()
    monkeypatch.setattr(company, "MAX_TIES", 2)
    await server.guest("Dora")
    await call(server, ada, "PUT", "/me/following/Dora", None, 429)
    await call(server, ada, "DELETE", "/me/following/Cleo")
    found = (await call(server, ada, "GET", "/me/following"))["following"]
    assert [each["name"] for each in found] == ["Bob"]
    await call(server, bob, "POST", "/me/deletion", {"password": ""}, 200)
    assert (await call(server, ada, "GET", "/me/following"))["following"] == []


async def test_p15_1_a_block_keeps_two_people_apart(any_server: Inside) -> None:
    server = any_server
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    await call(server, ada, "PUT", "/me/following/Bob")
    await call(server, bob, "PUT", "/me/following/Ada")
    begun, (host, guest) = await server.seated(GAME, 2)

    async def match_of(token: str) -> str:
        body = {"game": GAME, "seats": [{}, {}], "seat": 0}
        return str((await call(server, token, "POST", "/matches", body))["match"])

    async def join(token: str, match: str) -> Any:
        return await call(server, token, "POST", f"/matches/{match}/seats/1", {})

    hers, his = await match_of(ada), await match_of(bob)
    blocks = await call(server, ada, "POST", "/me/blocks", {"name": "Bob"})
    assert blocks["status"] == 201
    assert (await call(server, bob, "GET", "/me/following"))["following"] == []
    assert (await call(server, bob, "GET", "/me/blocks"))["blocks"] == []
    for token, match in ((bob, hers), (ada, his)):
        assert (await join(token, match))["code"] == "blocked"
    await call(server, bob, "PUT", "/me/following/Ada", None, "blocked")

    # A guest, by their seat. A match that has begun continues, without a rematch.
    async def command(token: str, **what: Any) -> Any:
        body = {"id": secrets.token_hex(4), "command": what}
        return await call(server, token, "POST", f"/matches/{begun}/commands", body)

    assert (await command(host, type="resign"))["status"] == 200
    assert (await command(host, type="offer", what="rematch"))["status"] == 200
    seat = {"match": begun, "seat": 1}
    made = await call(server, host, "POST", "/me/blocks", seat)
    accept = {"type": "respond", "what": "rematch", "accept": True}
    assert (await command(guest, **accept))["code"] == "blocked"
    assert (await command(guest, **accept | {"accept": False}))["status"] == 200
    assert (await command(guest, type="offer", what="rematch", to_seq=1))["code"] == "blocked"
    assert [each["name"] for each in made["blocks"]] == ["Guest"]
    await call(server, host, "POST", "/me/blocks", seat | {"seat": 7}, 404)
    again = await call(server, guest, "POST", f"/matches/{begun}/seats/1", {})
    assert again["status"] == 201
    assert (await join(guest, await match_of(host)))["code"] == "blocked"

    block = blocks["blocks"][0]["block"]
    await call(server, bob, "DELETE", f"/me/blocks/{block}", None, 404)
    assert (await call(server, ada, "DELETE", f"/me/blocks/{block}"))["blocks"] == []
    assert (await join(bob, hers))["status"] == 201


@pytest.mark.parametrize("how", ["seat", "challenge", "seek", "follow"])
async def test_p15_1_a_block_counts_while_it_is_being_set(
    any_server: Inside, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Whoever is about to be blocked is faster than the answer, but not than what is written."""
    server, services = any_server, any_server.services
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    body = {"game": GAME, "seats": [{}, {}], "seat": 0}
    match = (await call(server, ada, "POST", "/matches", body, 201))["match"]
    asked = {"to": "Bob", "game": GAME}
    challenge = (await call(server, ada, "POST", "/challenges", asked, 201))["id"]
    seek = (await call(server, ada, "POST", "/seeks", {"game": GAME}, 201))["seek"]
    method, path, table, name = {
        "seat": ("POST", f"/matches/{match}/seats/1", services.store, "append"),
        "challenge": (
            "POST", f"/challenges/{challenge}/acceptance", services.challenges._table, "answer"
        ),
        "seek": ("POST", f"/seeks/{seek}/join", services.seeks._table, "pair"),
        "follow": ("PUT", "/me/following/Ada", services.store, "add_tie"),
    }[how]  # fmt: skip
    write = getattr(table, name)

    async def blocked_first(*given: Any) -> Any:
        monkeypatch.setattr(table, name, write)
        await call(server, ada, "POST", "/me/blocks", {"name": "Bob"}, 201)
        return await write(*given)

    monkeypatch.setattr(table, name, blocked_first)
    refused = await call(server, bob, method, path, {} if method == "POST" else None)
    assert refused["code"] == ("blocked" if how in ("seat", "follow") else "not_found")
    assert (await call(server, bob, "GET", "/me/matches"))["matches"] == []
    assert (await call(server, bob, "GET", "/me/following"))["following"] == []


async def test_p15_1_a_block_holds_for_bots_as_well(any_server: Inside) -> None:
    """Or whoever was blocked would come back as a bot of theirs."""
    server, seeks = any_server, any_server.services.seeks
    ada, bob = await server.member("Ada"), await server.member("Bob")
    robot = (await call(server, bob, "POST", "/bots", {"name": "Robot"}, 201))["token"]
    body = {"game": GAME, "seats": [{}, {}], "seat": 0}
    match = (await call(server, ada, "POST", "/matches", body, 201))["match"]
    challenge = {"to": "Ada", "game": GAME}
    older = (await call(server, robot, "POST", "/challenges", challenge, 201))["id"]
    await call(server, ada, "POST", "/me/blocks", {"name": "Bob"}, 201)
    await call(server, robot, "POST", f"/matches/{match}/seats/1", {}, "blocked")
    await call(server, robot, "POST", "/challenges", challenge, "blocked")
    await call(server, ada, "POST", f"/challenges/{older}/acceptance", None, "blocked")
    seek = (await call(server, ada, "POST", "/seeks", {"game": GAME}, 201))["seek"]
    await call(server, robot, "POST", f"/seeks/{seek}/join", {}, "blocked")
    await call(server, robot, "POST", "/seeks", {"game": GAME}, 201)
    await seeks.pair()
    assert (await call(server, robot, "GET", "/me/matches"))["matches"] == []
    await call(server, await server.member("Cleo"), "POST", "/seeks", {"game": GAME}, 201)
    await seeks.pair()
    assert len((await call(server, ada, "GET", "/me/matches"))["matches"]) == 2


async def test_a_mute_is_one_sided(server: Inside) -> None:
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    made = await call(server, ada, "POST", "/me/blocks", {"name": "Bob", "only_chat": True})
    assert made["blocks"][0]["only_chat"]
    services = server.services
    users = [(await services.people.user_of(token)).id for token in (ada, bob)]
    assert await services.company.unheard(users[0]) == {users[1]}
    assert await services.company.unheard(users[1]) == set()
    assert await services.company.blocked_by_or_blocking(users[0]) == set()


async def test_a_block_of_a_seat_says_nothing_of_the_account_that_a_guest_gets(
    server: Inside,
) -> None:
    match, (host, guest) = await server.seated(GAME, 2)
    made = await call(server, host, "POST", "/me/blocks", {"match": match, "seat": 1})
    await server.guest("Bob")
    await call(server, host, "POST", "/me/blocks", {"name": "Bob"})
    await call(server, guest, "PUT", "/me/name", {"name": "Zoe"}, 200)
    names = {each["name"] for each in (await call(server, host, "GET", "/me/blocks"))["blocks"]}
    assert names == {"Bob", made["blocks"][0]["name"]}
    assert set((await call(server, host, "GET", "/me/data"))["blocks"]) == names
