"""The lobby over sockets, and challenges: everybody concerned hears at once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from tests.server.inside import Clock, Inside, Socket, call, inside

from watermeet.server.api import lobby, lobby_lists
from watermeet.server.people import challenges, seeks
from watermeet.server.store.company import TieRow

pytestmark = pytest.mark.anyio
GAME = "kuhn_poker"
LIVE = {"type": "real_time", "initial_ms": 60_000}


class Person:
    """Somebody with an account, and a socket that watches the lobby."""

    def __init__(self, server: Inside, token: str, id_: str, socket: Socket) -> None:
        self.server, self.token, self.id, self.socket = server, token, id_, socket

    @classmethod
    async def come(cls, server: Inside, name: str) -> Person:
        token = await server.member(name)
        socket = await server.socket(token)
        await socket.send({"type": "lobby", "what": "own"})
        return cls(server, token, (await server.services.people.user_of(token)).id, socket)

    async def ask(self, method: str, path: str, body: Any = None, expected: Any = None) -> Any:
        return await call(self.server, self.token, method, path, body, expected)

    async def hear(self, kind: str, what: str) -> Any:
        """The next message of a kind with something in it."""
        while not (message := await self.socket.receive(kind))[what]:
            pass
        return message[what]


@pytest.fixture
async def people(clock: Clock, server: Inside) -> tuple[Person, Person]:
    return await Person.come(server, "Ann"), await Person.come(server, "Bob")


async def test_p14_10_somebody_in_the_lobby_hears_of_seeks_and_of_their_match(
    people: tuple[Person, Person],
) -> None:
    ann, bob = people
    server = ann.server
    spectator = await server.socket()
    await spectator.send({"type": "lobby"})
    first = await spectator.receive("lobby")
    assert (first["seeks"], first["open"], first["online"]) == ([], [], 3)
    made = await ann.ask("POST", "/seeks", {"game": GAME, "is_rated": True})
    late = await server.socket()
    await late.send({"type": "lobby"})
    assert [each["id"] for each in (await late.receive("lobby"))["seeks"]] == [made["seek"]]
    assert (await ann.hear("seeking", "seeks"))[0]["id"] == made["seek"]
    while not (listed := await spectator.receive("lobby"))["seeks"]:
        pass
    assert [(each["name"], each["rating"]) for each in listed["seeks"]] == [("Ann", 1500)]
    await bob.ask("POST", "/seeks", {"game": GAME, "is_rated": True})
    match = await bob.hear("seeking", "match")
    assert await ann.hear("seeking", "match") == match
    found = await ann.ask("GET", f"/matches/{match}")
    assert (found["stage"], found["info"]["is_rated"]) == ("playing", True)
    while (await spectator.receive("lobby"))["seeks"]:
        pass
    request = {"game": GAME, "seats": [{}, {}], "seat": 0, "is_public": True}
    opened = await ann.ask("POST", "/matches", request)
    while not (news := await spectator.receive("lobby"))["open"]:
        pass
    assert news["open"][0]["match"] == opened["match"]
    await bob.ask("POST", f"/matches/{opened['match']}/seats/1", {})
    while (await spectator.receive("lobby"))["open"]:
        pass


async def test_p14_10_seeks_stay_alive_while_somebody_watches(clock: Clock, server: Inside) -> None:
    ann = await Person.come(server, "Ann")
    await ann.ask("POST", "/seeks", {"game": GAME})
    await ann.hear("seeking", "seeks")
    for _ in range(3):
        clock.now += seeks.ALIVE_MS // 2
        await server.services.lobby._renew()
    assert len((await ann.ask("GET", "/seeks"))["seeks"]) == 1
    await ann.socket.close()
    clock.now += seeks.ALIVE_MS
    assert (await ann.ask("GET", "/seeks"))["seeks"] == []


async def test_p14_1_nobody_who_left_is_kept_alive(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody leaves while their seeks are being read."""
    ann = await Person.come(server, "Ann")
    await ann.ask("POST", "/seeks", {"game": GAME})
    found: lobby.Lobby = server.services.lobby
    read = found._seeks.of_all

    async def read_slowly(users: list[str]) -> Any:
        rows = await read(users)
        for connection in list(found._watches):
            await found.unwatch(connection)
        return rows

    monkeypatch.setattr(found._seeks, "of_all", read_slowly)
    await found._send_seeking([ann.id])
    assert found._seeking == set()


async def test_p14_8_a_challenge_is_seen_declined_and_withdrawn(
    people: tuple[Person, Person],
) -> None:
    ann, bob = people
    made = await ann.ask("POST", "/challenges", {"to": "bob", "game": GAME})
    (seen,) = await bob.hear("challenges", "challenges")
    assert (seen["id"], seen["is_mine"], seen["from_name"]) == (made["id"], False, "Ann")
    await ann.hear("challenges", "challenges")
    path = f"/challenges/{made['id']}"
    await bob.ask("DELETE", path, None, 404)  # Only the challenger may.
    await ann.ask("POST", f"{path}/acceptance", None, 404)
    (after,) = (await bob.ask("POST", f"{path}/refusal"))["challenges"]
    assert after["status"] == "declined"
    (heard,) = await ann.hear("challenges", "challenges")
    assert (heard["status"], heard["match"]) == ("declined", None)
    await bob.ask("POST", f"{path}/acceptance", None, 404)
    again = await ann.ask("POST", "/challenges", {"to": "Bob", "game": GAME})
    await ann.ask("DELETE", f"/challenges/{again['id']}")
    refused = await bob.ask("POST", f"/challenges/{again['id']}/acceptance")
    assert refused["status"] == 404


async def test_p14_8_challenges_expire(clock: Clock, people: tuple[Person, Person]) -> None:
    ann, bob = people
    request = {"to": "Bob", "game": GAME}
    slow = await ann.ask("POST", "/challenges", request)
    fast = await ann.ask("POST", "/challenges", request | {"time_control": LIVE})
    assert slow["expires_at"] - slow["created_at"] == challenges.LATER_MS
    assert fast["expires_at"] - fast["created_at"] == challenges.SOON_MS
    clock.now += challenges.SOON_MS
    left = (await bob.ask("GET", "/me/challenges"))["challenges"]
    assert [each["id"] for each in left] == [slow["id"]]
    late = await bob.ask("POST", f"/challenges/{fast['id']}/acceptance")
    assert late["status"] == 404


async def test_p14_8_who_cannot_be_challenged(
    people: tuple[Person, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(challenges, "MOST", 1)
    ann, bob = people
    services, request = ann.server.services, {"to": "Bob", "game": GAME}
    await services.people.add_bot("Robot")

    async def status(person: Person, **changes: Any) -> int:
        asked = await person.ask("POST", "/challenges", request | changes)
        return int(asked["status"])

    assert await status(ann, to="Nobody") == 404
    assert await status(ann, to="Ann") == 400
    assert await status(ann, game="flow", options={"seats": 3}) == 400
    assert await status(ann, to="Robot", is_rated=True) == 403, "it has no account"
    assert await status(ann) == 201
    assert await status(ann) == 429
    await services.store.add_tie(TieRow(ann.id, "block", bob.id, "", 1), 9)
    assert await status(ann) == 403
    assert await status(bob, to="Ann") == 403
    (made,) = (await bob.ask("GET", "/me/challenges"))["challenges"]
    refused = await bob.ask("POST", f"/challenges/{made['id']}/acceptance")
    assert refused["status"] == 403


async def test_p14_8_nobody_is_flooded_with_challenges(server: Inside) -> None:
    """Neither by the many guests of one address, nor by challenges that are withdrawn at once."""
    for name in ("Bob", "Cleo", "Dora", "Eve"):
        await server.guest(name)

    async def status(token: str, to: str = "Bob", address: str = "192.0.2.7") -> int:
        async with server.http(token, address) as http:
            made = await http.post("/api/challenges", json={"to": to, "game": GAME})
            if made.status_code == 201 and address != "192.0.2.9":
                await http.delete(f"/api/challenges/{made.json()['id']}")
            return made.status_code

    guests = [await server.guest() for _ in range(5)]
    assert [await status(guest) for guest in guests] == [201] * 3 + [429] * 2
    others = [await status(guest, to) for to in ("Cleo", "Dora", "Eve") for guest in guests[:3]]
    assert others == [201] * 7 + [429] * 2, "ten in all"
    ada = await server.member("Ada")
    assert [await status(ada) for _ in range(4)] == [201] * 3 + [429]
    kept = [await status(guests[0], address="192.0.2.9") for _ in range(4)]
    assert kept == [201] * 3 + [429]
    assert await status(guests[0], address="192.0.2.8") == 429, "they are still open"


async def test_p14_9_accepting_begins_one_match_and_ends_seeks(
    any_server: Inside,
) -> None:
    ann, bob = await Person.come(any_server, "Ann"), await Person.come(any_server, "Bob")
    await bob.ask("POST", "/seeks", {"game": "flecks"})
    request = {"to": "Bob", "game": GAME, "is_rated": True, "seat": 1, "time_control": LIVE}
    made = await ann.ask("POST", "/challenges", request)
    path = f"/challenges/{made['id']}/acceptance"
    one, two = await asyncio.gather(bob.ask("POST", path), bob.ask("POST", path))
    assert one["match"] == two["match"]
    while not (news := (await ann.hear("challenges", "challenges"))[0])["match"]:
        pass
    assert news["match"] == one["match"]
    found = await ann.ask("GET", f"/matches/{one['match']}")
    assert (found["stage"], found["seat"], found["info"]["is_rated"]) == ("playing", 1, True)
    assert len((await bob.ask("GET", "/me/matches"))["matches"]) == 1
    assert (await bob.ask("GET", "/me/seeks"))["seeks"] == []


OPENED = {"game": GAME, "seats": [{}, {}], "is_public": True}


async def opened(server: Inside) -> list[str]:
    return [each["match"] for each in (await call(server, "", "GET", "/matches"))["matches"]]


async def test_p14_11_one_persons_many_hide_nobody_else(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guest's fifty were all that anybody saw."""
    monkeypatch.setattr(lobby_lists, "LISTED", 4)
    monkeypatch.setattr(lobby_lists, "FEW", 2)
    bob, eve = await server.guest(), await server.guest()
    for who, count in ((eve, 3), (bob, 1), (eve, 2)):
        for number in range(count):
            clock = {"type": "real_time", "initial_ms": 60_000 + 1000 * number + 5000 * count}
            asked = {"time_control": clock}
            made = await call(server, who, "POST", "/seeks", {"game": GAME} | asked, 201)
            match = (await call(server, who, "POST", "/matches", OPENED | asked, 201))["match"]
            if who == bob:
                seek, his = made["seek"], match
    listed = [each["id"] for each in (await call(server, "", "GET", "/seeks"))["seeks"]]
    assert listed.index(seek) == 2
    assert (await opened(server)).index(his) == 2
    spectator = await server.socket()
    await spectator.send({"type": "lobby"})
    news = await spectator.receive("lobby")
    assert [each["id"] for each in news["seeks"]] == listed
    assert [each["match"] for each in news["open"]] == await opened(server)


async def test_p14_11_neither_do_those_that_are_played(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby_lists, "LISTED", 4)
    bob, *eves = [await server.guest() for _ in range(3)]
    his = await server.match_of([bob, eves[1]], is_public=True)
    for _ in range(4):
        await server.match_of(eves, is_public=True)
    listed = (await call(server, "", "GET", "/matches?stage=playing"))["matches"]
    assert [each["match"] for each in listed].index(his) == 3


async def test_p14_11_open_matches_are_listed_while_somebody_is_there(server: Inside) -> None:
    token, bus = await server.guest(), server.services.matches._bus
    slow = OPENED | {"time_control": {"type": "correspondence", "days_per_turn": 1}}
    days = (await call(server, token, "POST", "/matches", slow, 201))["match"]
    match = (await call(server, token, "POST", "/matches", OPENED | {"seat": 0}, 201))["match"]
    assert await opened(server) == [match, days], "it was created a moment ago"
    await bus.forget(f"new:{match}")
    assert await opened(server) == [days]
    await server.services.presence.touch(match, 0)
    assert await opened(server) == [match, days], "somebody follows by the token of the seat"
    await server.services.presence.leave(match, 0)
    await server.socket(token)
    assert await opened(server) == [match, days]


async def test_a_list_is_made_once_for_all_who_ask_together(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby_lists, "KEPT_S", 60.0)
    read = Mock(wraps=server.services.store.public_matches)
    monkeypatch.setattr(server.services.store, "public_matches", read)
    for stage in ("open", "playing") * 3:
        await call(server, "", "GET", f"/matches?stage={stage}", None, 200)
    assert read.call_count <= 3, "twice, or once more after news"
    match = (await call(server, await server.guest(), "POST", "/matches", OPENED, 201))["match"]
    async with asyncio.timeout(20):
        while await opened(server) != [match]:
            await asyncio.sleep(0.05)


async def test_p14_11_what_waits_is_limited_by_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = {"open_matches_per_user": 2, "open_matches_per_address": 3, "seeks_per_address": 1}
    async with inside(tmp_path, **limits) as server:
        tokens = [await server.guest() for _ in range(3)]

        async def ask(who: int, path: str, address: str, body: Any) -> str:
            async with server.http(tokens[who], address) as http:
                made = (await http.post(f"/api{path}", json=body)).json()
            return str(made.get("code", made.get("match", "")))

        opened = [await ask(0, "/matches", "192.0.2.1", OPENED) for _ in range(3)]
        assert opened[2] == "too_many_open", "a user has two"
        assert await ask(1, "/matches", "192.0.2.1", OPENED) != "too_many_open"
        assert await ask(1, "/matches", "192.0.2.1", OPENED) == "too_many_open", "an address, three"
        assert await ask(1, "/matches", "192.0.2.2", OPENED) != "too_many_open"
        assert await ask(2, f"/matches/{opened[0]}/seats/0", "192.0.2.3", {}) == opened[0]
        assert await ask(1, f"/matches/{opened[0]}/seats/1", "192.0.2.3", {}) == opened[0]
        assert await ask(0, "/matches", "192.0.2.1", OPENED) != "too_many_open", "one has begun"
        seeks = [await ask(who, "/seeks", "192.0.2.1", {"game": GAME}) for who in (0, 0)]
        assert "too_many_open" not in seeks, "one's own don't count"
        other = {"game": GAME, "time_control": LIVE}
        assert await ask(1, "/seeks", "192.0.2.1", other) == "too_many_open"
        assert await ask(1, "/seeks", "192.0.2.2", other) != "too_many_open"
        service = server.services.seeks
        of_all = service.of_all

        async def slow(users: Any) -> Any:
            found = await of_all(users)
            await asyncio.sleep(0.05)  # The others ask meanwhile.
            return found

        monkeypatch.setattr(service, "of_all", slow)
        at_once = [ask(who, "/seeks", "192.0.2.9", {"game": GAME}) for who in range(3)]
        assert sorted(await asyncio.gather(*at_once))[1:] == ["too_many_open"] * 2
