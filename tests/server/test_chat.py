"""Chat at matches and between friends."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from tests.server.inside import Inside, Socket, call, inside
from tests.server.test_moderation import act

from watermeet.server.errors import InvalidSettings
from watermeet.server.people import chat as chat_module
from watermeet.server.people.word_filter import make_filter

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"


async def watching(server: Inside, token: str, match: str) -> Socket:
    socket = await server.socket(token)
    await socket.send({"type": "follow", "match": match})
    await socket.receive("snapshot")
    return socket


async def write(server: Inside, token: str, match: str, text: str) -> Any:
    return await call(server, token, "POST", f"/matches/{match}/chat", {"text": text})


async def read(server: Inside, token: str, match: str, room: str = "players") -> list[str]:
    found = await call(server, token, "GET", f"/matches/{match}/chat?room={room}")
    return [each["text"] for each in found["messages"]]


async def heard(socket: Socket) -> list[str]:
    """The texts that a socket got up to now."""
    await socket.send({"type": "ping", "sent": 1})
    texts = []
    while (message := await socket.receive("chat", "said", "pong"))["type"] != "pong":
        texts.append(message.get("text") or message["what"])
    return texts


async def test_p15_4_players_and_spectators_write_apart(server: Inside) -> None:
    ada, bob, eve = [await server.member(name) for name in ("Ada", "Bob", "Eve")]
    match = await server.match_of([ada, bob])
    sockets = [await watching(server, token, match) for token in (ada, bob, eve)]
    guest = await watching(server, await server.guest(), match)
    made = await write(server, ada, match, " hello\n\u202eyou  fuckers ")
    assert made["text"] == "hello you •••••••"
    assert (await write(server, eve, match, "she bluffs"))["room"] == "spectators"
    assert [await heard(each) for each in sockets] == [
        ["hello you •••••••"],
        ["hello you •••••••"],
        ["hello you •••••••", "she bluffs"],
    ]
    assert await heard(guest) == []
    spying = await call(server, ada, "GET", f"/matches/{match}/chat?room=spectators")
    assert spying["status"] == 403
    resign = {"id": "r", "command": {"type": "resign"}}
    await call(server, ada, "POST", f"/matches/{match}/commands", resign)
    assert await read(server, ada, match, "spectators") == ["she bluffs"]
    await write(server, eve, match, "well played")
    assert await heard(sockets[0]) == ["well played"]

    # Friends, wherever they are.
    direct = "/me/chats/Bob"
    await call(server, ada, "POST", direct, {"text": "again?"}, 403)
    await call(server, ada, "PUT", "/me/following/Bob")
    await call(server, bob, "PUT", "/me/following/Ada")
    await call(server, ada, "POST", direct, {"text": "again?"}, 201)
    got = await sockets[1].receive("chat")
    if got["room"] != "friends":
        got = await sockets[1].receive("chat")
    assert (got["friend"], got["name"], got["text"]) == ("Ada", "Ada", "again?")
    found = await call(server, bob, "GET", "/me/chats/Ada")
    assert [(each["friend"], each["text"]) for each in found["messages"]] == [("Ada", "again?")]
    assert (await call(server, eve, "GET", "/me/chats/Ada"))["messages"] == []


async def test_the_token_of_a_seat_reads_nobodys_messages(server: Inside) -> None:
    ada, bob = await server.member("Ada"), await server.member("Bob")
    match = await server.match_of([bob, ada])
    await call(server, ada, "PUT", "/me/following/Bob")
    await call(server, bob, "PUT", "/me/following/Ada")
    taken = await call(server, ada, "POST", f"/matches/{match}/seats/1", {}, 201)
    socket = await server.socket()
    snapshot = await socket.follow(match, token=taken["token"])
    assert snapshot["document"]["seat"] == 1, "it plays that seat"
    stream = await server.stream(f"/api/matches/{match}/events", taken["token"])
    await stream.receive("snapshot")
    await write(server, bob, match, "xyzzy")
    await call(server, bob, "POST", "/me/chats/Ada", {"text": "xyzzy"}, 201)
    assert await heard(socket) == []
    resign = {"id": "r", "command": {"type": "resign"}}
    await call(server, bob, "POST", f"/matches/{match}/commands", resign)
    await stream.receive("bye")
    assert "xyzzy" not in "".join([*socket.raw, *stream.raw])


async def test_programs_read_and_write_messages_by_a_scope_of_its_own(server: Inside) -> None:
    ada, bob = await server.member("Ada"), await server.member("Bob")
    match = await server.match_of([bob, ada])
    await call(server, ada, "PUT", "/me/following/Bob")
    await call(server, bob, "PUT", "/me/following/Ada")
    heard_by = {}
    for scopes in (["read", "play"], ["read", "chat", "play"]):
        wanted = {"label": "x", "scopes": scopes, "days": 1, "password": "correct horse"}
        token = (await call(server, ada, "POST", "/me/tokens", wanted, 201))["token"]
        heard_by[scopes[1]] = await watching(server, token, match)
    await write(server, bob, match, "good luck")
    await call(server, bob, "POST", "/me/chats/Ada", {"text": "again?"}, 201)
    got = [(await heard_by["chat"].receive("chat"))["text"] for _ in range(2)]
    assert sorted(got) == ["again?", "good luck"]
    assert await heard(heard_by["play"]) == []


async def test_p15_5_nobody_hears_whom_they_block_or_mute(server: Inside) -> None:
    ada, bob = await server.member("Ada"), await server.member("Bob")
    match = await server.match_of([ada, bob])
    hers, his = await watching(server, ada, match), await watching(server, bob, match)

    async def both_say() -> tuple[list[str], list[str]]:
        await write(server, ada, match, "ada")
        await write(server, bob, match, "bob")
        await his.send({"type": "say", "match": match, "what": "hello"})
        got = [each for each in await heard(his) if each != "hello"]
        return await heard(hers), got

    assert await both_say() == (["ada", "bob", "hello"], ["ada", "bob"])
    made = await call(server, ada, "POST", "/me/blocks", {"name": "Bob", "only_chat": True})
    assert await both_say() == (["ada"], ["ada", "bob"])
    assert await read(server, ada, match) == ["ada", "ada"]
    await call(server, ada, "DELETE", f"/me/blocks/{made['blocks'][0]['block']}")
    await call(server, bob, "POST", "/me/blocks", {"name": "Ada"})
    assert await both_say() == (["ada"], ["bob"])


async def test_p15_6_the_muted_write_nothing(server: Inside) -> None:
    mod, eve = await server.member("Mod", "moderator"), await server.member("Eve")
    match = await server.match_of([mod, eve])
    await act(server, mod, "mute", "Eve", days=1)
    assert (await write(server, eve, match, "hello"))["code"] == "muted"
    await act(server, mod, "lift", "Eve")
    assert (await write(server, eve, match, "hello"))["status"] == 201


async def test_messages_have_limits_and_are_never_logged(
    server: Inside, lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat_module, "KEPT", 2)
    ada, bob = await server.member("Ada"), await server.member("Bob")
    match = await server.match_of([ada, bob])
    assert (await write(server, ada, match, "\u200b \n"))["status"] == 400
    assert (await write(server, ada, match, "x" * 301))["status"] == 400
    answers = [await write(server, ada, match, f"xyzzy {number}") for number in range(8)]
    assert [each["status"] for each in answers] == [201] * 6 + [429] * 2
    services = server.services
    assert len(await services.store.messages(f"match:{match}:players", 99)) <= 3
    assert len(await read(server, bob, match)) == 2
    data = await call(server, ada, "GET", "/me/data")
    assert data["messages"][-1]["text"] == "xyzzy 5"
    resign = {"id": "r", "command": {"type": "resign"}}
    await call(server, ada, "POST", f"/matches/{match}/commands", resign)
    await call(server, ada, "POST", "/me/deletion", {"password": "correct horse"})
    assert await read(server, bob, match) == []
    assert "xyzzy" not in lines.getvalue()


async def test_p15_4_guests_chat_where_the_host_of_the_match_invited_them(server: Inside) -> None:
    tokens = [await server.guest() for _ in range(3)]
    host, friend, spectator = tokens
    body = {"game": GAME, "seats": [{"who": "invited"}] * 2, "seat": 0}
    made = await call(server, host, "POST", "/matches", body, 201)
    match, taken = made["match"], {"invitation": made["invitations"]["1"]}
    await call(server, friend, "POST", f"/matches/{match}/seats/1", taken, 201)
    sockets = [await watching(server, token, match) for token in tokens]
    assert (await write(server, host, match, "well met"))["status"] == 201
    assert [await heard(each) for each in sockets] == [["well met"], ["well met"], []]
    assert await read(server, friend, match) == ["well met"]
    assert (await write(server, spectator, match, "hello"))["status"] == 403
    assert (await call(server, spectator, "GET", f"/matches/{match}/chat"))["status"] == 403

    found, (one, other) = await server.seated(GAME, 2)  # Strangers, at seats for anybody.
    socket = await watching(server, other, found)
    assert (await write(server, one, found, "hello"))["status"] == 403
    assert await heard(socket) == []


async def test_hosts_let_guests_in_and_add_words(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("# ours\nspoilsport\n", encoding="utf-8")
    async with inside(tmp_path, guest_chat=True, words_file=str(words)) as server:
        match, (one, other) = await server.seated(GAME, 2)
        assert (await call(server, one, "GET", "/me"))["guest_chat"]
        socket = await watching(server, other, match)
        await write(server, one, match, "Spoilsport!")
        assert await heard(socket) == ["••••••••••!"]
    with pytest.raises(InvalidSettings):
        make_filter(str(tmp_path / "missing.txt"))


@pytest.mark.slow
async def test_messages_reach_other_nodes(tmp_path: Path, shared: dict[str, str]) -> None:
    async with inside(tmp_path, **shared) as one, inside(tmp_path, **shared) as two:
        ada, bob = await one.member("Ada"), await one.member("Bob")
        match = await one.match_of([ada, bob])
        socket = await watching(two, bob, match)
        await write(one, ada, match, "hello")
        assert (await socket.receive("chat"))["text"] == "hello"
        assert await read(two, bob, match) == ["hello"]
        await call(two, bob, "POST", "/me/blocks", {"name": "Ada"})
        await write(one, ada, match, "still there?")
        assert await heard(socket) == []


def test_the_words_of_all_languages_are_masked_and_ordinary_ones_are_not() -> None:
    words = make_filter()
    for rude in (
        "FUCK", "f.u.c.k", "f u c k", "fuuuuck", "sh1t", "b!tch", "a$$hole", "Fück",
        "connard", "enculé", "Scheiße", "Arschlöcher", "kurwa", "jebać", "k-u-r-w-a",
    ):  # fmt: skip
        assert set(words.mask(rude).replace(" ", "")) == {"•"}, rude
    ordinary = (
        "Scunthorpe, shiitake, class, assess, cocktail, 455, 1 2 3, as I said, e.g. this: OK!",
        "Je suis en retard, la pute au pot… non: la députe.",
        "Das ist dick, mir ist kalt, ich spucke in die Hände.",
        "Mam farta, pedał gazu, suka szczeka, ruch.",
    )
    assert words.mask(ordinary[0]) == ordinary[0]
    assert words.mask(ordinary[2]) == ordinary[2]
    assert words.mask(ordinary[3]) == ordinary[3]
    assert words.mask(ordinary[1]).count("•") == 4
