"""Whoever is deleted or suspended plays on nowhere, and a deleted name comes back from nowhere."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.inside import PASSWORD, Inside, call
from tests.server.test_hub import Node, move
from tests.server.test_moderation import act, until_stage

from watermeet.server.bus.memory import MemoryBus
from watermeet.server.errors import Forbidden
from watermeet.server.matches.commands import Join, Play
from watermeet.server.matches.match import DELETED_NAME
from watermeet.server.matches.setup import MatchSetup, SeatPlan
from watermeet.server.store.rows import CodeRow, Job, UserRow
from watermeet.server.store.store import Store

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"
GONE = {"password": PASSWORD}


@pytest.mark.parametrize("how", ["suspended", "deleted"])
async def test_what_somebody_has_begun_ends_with_them(server: Inside, how: str) -> None:
    mod = await server.member("Mod", "moderator")
    eve, bob = await server.member("Eve"), await server.member("Bob")
    ended = await server.match_of([eve, bob])
    await server.command(ended, bob, "r", type="resign")
    await server.command(ended, eve, "o", type="offer", what="rematch")
    await call(server, eve, "POST", "/seeks", {"game": "flume"}, 201)
    asked = {"to": "Bob", "game": GAME}
    challenge = (await call(server, eve, "POST", "/challenges", asked, 201))["id"]
    if how == "suspended":
        await act(server, mod, "suspend", "Eve")
    else:
        await call(server, eve, "POST", "/me/deletion", GONE, 200)
    assert (await call(server, "", "GET", "/seeks"))["seeks"] == []
    await call(server, bob, "POST", f"/challenges/{challenge}/acceptance", None, 404)
    respond = {"type": "respond", "what": "rematch", "accept": True}
    assert (await server.command(ended, bob, "a", **respond))["status"] == 403
    found = (await call(server, bob, "GET", "/me/matches"))["matches"]
    assert [each["match"] for each in found] == [ended]


@pytest.mark.parametrize("how", ["suspended", "deleted"])
async def test_bots_stop_with_their_owner(server: Inside, how: str) -> None:
    mod, eve = await server.member("Mod", "moderator"), await server.member("Eve")
    bob, owner = await server.member("Bob"), await server.services.store.user_named("Eve")
    robot = (await call(server, eve, "POST", "/bots", {"name": "Robot"}, 201))["token"]
    second = (await call(server, robot, "POST", "/bots", {"name": "Robot 2"}, 201))["token"]
    bots = robot, second
    matches = [await server.match_of([bot, bob]) for bot in bots]
    asked = {"to": "Bob", "game": GAME}
    challenge = (await call(server, second, "POST", "/challenges", asked, 201))["id"]
    exported = await call(server, eve, "GET", "/me/data", None, 200)
    assert sorted(exported["bots"]) == ["Robot", "Robot 2"]
    socket = await server.socket(robot)
    if how == "suspended":
        await act(server, mod, "suspend", "Eve")
    else:
        await call(server, eve, "POST", "/me/deletion", GONE, 200)
    assert (await socket.receive("bye"))["code"] == "suspended"
    for match, bot in zip(matches, bots, strict=True):
        await until_stage(server, match, "finished")
        await call(server, bot, "GET", "/me", None, "suspended")
    await call(server, bob, "POST", f"/challenges/{challenge}/acceptance", None, 404)
    late = await server.services.people.add_bot("Robot 3", owner)
    await call(server, late.token, "GET", "/me", None, "suspended")
    if how == "suspended":
        await act(server, mod, "lift", "Eve")
        await call(server, second, "GET", "/me", None, 200)


async def test_a_bot_keeps_a_suspension_of_its_own(server: Inside) -> None:
    mod, eve = await server.member("Mod", "moderator"), await server.member("Eve")
    bots = [
        (await call(server, eve, "POST", "/bots", {"name": name}, 201))["token"]
        for name in ("Robot", "Robot 2")
    ]
    await act(server, mod, "suspend", "Robot")
    for what in ("suspend", "lift"):
        await act(server, mod, what, "Eve", days=1 if what == "suspend" else None)
    await call(server, bots[0], "GET", "/me", None, "suspended")
    await call(server, bots[1], "GET", "/me", None, 200)
    await call(server, mod, "POST", "/bots", {"name": "Helper"}, 201)
    users = [await server.services.store.user_named(name) for name in ("Mod", "Helper")]
    with pytest.raises(Forbidden):
        await server.services.moderation.act(*users, "warn", reason="it insults people")


async def test_no_seat_is_left_by_a_deletion_that_meets_a_join(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the transaction of the deletion, it leaves; after it, the store refuses."""
    store, bob = server.services.store, await server.member("Bob")
    body = {"game": GAME, "seats": [{}, {}], "seat": 0}
    matches = [(await call(server, bob, "POST", "/matches", body))["match"] for _ in range(2)]
    eve = await server.member("Eve")
    delete, append = store.delete_user, store.append

    async def join(match: str) -> int:
        taken = await call(server, eve, "POST", f"/matches/{match}/seats/1", {})
        return int(taken["status"])

    async def join_first(*given: Any) -> None:
        assert await join(matches[0]) == 201
        await delete(*given)

    async def delete_first(given: Any) -> None:
        if given.match == matches[1] and given.players:
            monkeypatch.setattr(store, "append", append)
            monkeypatch.setattr(store, "delete_user", join_first)
            await call(server, eve, "POST", "/me/deletion", GONE, 200)
        await append(given)

    monkeypatch.setattr(store, "append", delete_first)
    assert await join(matches[1]) == 403
    for match in matches:
        shown = str(await server.document(match, bob))
        assert "Eve" not in shown, match
    assert (await server.document(matches[0]))["stage"] == "finished"
    assert (await server.document(matches[1]))["seats"][1]["who"] == "open"


async def test_what_is_written_during_a_deletion_is_deleted_with_the_rest(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, eve = server.services.store, await server.member("Eve")
    user = (await store.user_named("Eve")).id
    match, _ = await server.seated(GAME, 2)
    add_message = store.add_message

    async def delete_first(*given: Any, **more: Any) -> None:
        await call(server, eve, "POST", "/me/deletion", GONE, 200)
        await add_message(*given, **more)
        await store.add_favourite(user, match, 1, 9)
        await store.add_code(CodeRow(b"7", "mail", user, 2**50), 1)

    monkeypatch.setattr(store, "add_message", delete_first)
    await call(server, eve, "POST", f"/matches/{match}/chat", {"text": "hello"}, 201)
    assert len(await store.messages_of(user)) == 1
    again = await store.lease(["remove"], "a node", 2**50, 2**51)
    await server.services.accounts.remove(again)
    assert await store.messages_of(user) == []
    assert await store.favourites(user, 10) == []
    assert await store.read_code(b"7", "mail", 1) is None


async def test_a_node_that_has_heard_nothing_writes_no_deleted_name(file_store: Store) -> None:
    """Its match is in memory, with the name; news of the deletion got lost."""
    here, there = Node(file_store, MemoryBus()), Node(file_store, MemoryBus())
    for id_ in ("ada", "bob"):
        await file_store.add_user(UserRow(id_, "named", id_.title(), 1))
    setup = MatchSetup(game=GAME, seats=(SeatPlan(), SeatPlan()))
    live = await there.matches.create(setup, lambda _: [])
    match = live.match.id
    for seat, id_ in enumerate(("bob", "ada")):
        await there.matches.do(match, seat, Join(user=id_, name=id_.title()))
    job = Job("remove-ada", "remove", "", 0, 0, b"ada", 0)
    await file_store.delete_user("ada", "Ada", job, 1_000_000)
    await here.matches.erase(match, "ada")
    await move(there, live)
    row = await file_store.match_row(match)
    assert row is not None
    assert (b"Ada" in row.headline, DELETED_NAME.encode() in row.headline) == (False, True)
    assert [seat.name for seat in live.match.seats] == ["Bob", DELETED_NAME]
    assert b"Ada" not in b"".join(entry.body for entry in await file_store.read(match))
    with pytest.raises(Forbidden):
        await there.matches.do(match, 1, Play(live.match.state.legal_actions[0]), user="ada")


async def test_one_damaged_match_keeps_no_name_in_the_others(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    eve, bob = await server.member("Eve"), await server.member("Bob")
    matches = [await server.match_of([eve, bob]) for _ in range(3)]
    for match in matches:
        await server.command(match, eve, "r", type="resign")
    erase = server.services.matches.erase

    async def broken(match: str, user: str) -> None:
        if match == matches[1]:
            raise IndexError("a damaged log")
        await erase(match, user)

    monkeypatch.setattr(server.services.matches, "erase", broken)
    await call(server, eve, "POST", "/me/deletion", GONE, 200)
    store = server.services.store
    rows = [await store.match_row(match) for match in matches]
    assert [b"Eve" in row.headline for row in rows] == [False, True, False]
    assert await store.ready_at("remove") is not None, "it is tried again"
