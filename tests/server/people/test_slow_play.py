"""Slow play on a server: vacations in all logs, and replies that it plays and keeps to itself."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.server.inside import Inside, call, inside

from watermeet.server.errors import NoVacation
from watermeet.server.matches.errors import InvalidEntry
from watermeet.server.matches.setup import DAY
from watermeet.server.people import vacations
from watermeet.server.store.rows import MatchRow

pytestmark = pytest.mark.anyio

SLOW: dict[str, Any] = {
    "options": {"size": 3, "pie": False},
    "time_control": {"type": "correspondence", "days_per_turn": 2, "bank_days": 1},
}


async def play(server: Inside, match: str, token: str, move: str) -> None:
    assert (await server.command(match, token, f"play-{move}", type="play", move=move))["seq"]


async def moves(server: Inside, match: str, count: int) -> list[str]:
    """The moves of a match, once there are this many."""
    async with asyncio.timeout(20):
        while True:
            found = [each["move"] for each in (await server.document(match))["moves"]]
            if len(found) >= count:
                return found
            await asyncio.sleep(0.02)


async def test_p16_3_a_vacation_is_in_the_log_of_every_slow_match(server: Inside) -> None:
    async def listed(path: str, token: str) -> list[tuple[int | None, int]]:
        """How long players have, as lists say."""
        rows = [row["headline"] for row in (await call(server, token, "GET", path))["matches"]]
        return sorted(((row["flag_at"], row["reserve_ms"]) for row in rows), key=str)

    first, (ada, bob) = await server.seated("flume", 2, is_public=True, **SLOW)
    live = {"type": "real_time", "initial_ms": 60_000}
    fast, _ = await server.seated("flume", 2, is_public=True, time_control=live)
    flag = (await server.document(first, ada))["clocks"]["flag_at"]
    assert await listed("/me/matches", ada) == [(flag, DAY)]
    assert await listed("/matches?stage=playing", "") == [(flag, DAY), (None, 0)]
    state = await call(server, ada, "PUT", "/me/vacation", {"is_on": True})
    assert (state["is_on"], state["left_ms"]) == (True, 0)
    assert await listed("/me/matches", ada) == [(None, DAY)]
    second = await server.match_of([ada, bob], game="flume", **SLOW)
    await server.services.vacations.sweep()
    for match in (first, second):
        clocks = (await server.document(match, bob))["clocks"]
        assert (clocks["vacations"], clocks["flag_at"]) == ([True, False], None)
    state = await call(server, ada, "PUT", "/me/vacation", {"is_on": False})
    assert (state["is_on"], state["left_ms"]) == (False, 27 * DAY), "a day at least"
    store = server.services.store
    for match in (first, second):
        kinds = [json.loads(row.body)["kind"] for row in await store.read(match)]
        assert kinds[-2:] == ["vacation_began", "vacation_ended"]
    assert await store.unsettled_vacations(9) == []
    assert "vacation" not in str(await store.read(fast))


async def test_p16_3_however_many_others_are_on_vacation(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One's own begins and ends at once, without a look at theirs; a sweep comes to all."""
    monkeypatch.setattr(vacations, "PAGE", 1)
    asked: list[str] = []
    store = server.services.store
    running_of = store.running_of

    async def noted(user: str) -> list[MatchRow]:
        asked.append(user)
        found: list[MatchRow] = await running_of(user)
        return found

    monkeypatch.setattr(store, "running_of", noted)
    people = [await server.guest() for _ in range(3)]
    users = []
    for token in people:
        users.append((await call(server, token, "GET", "/me"))["user"])
        assert (await call(server, token, "PUT", "/me/vacation", {"is_on": True}))["is_on"]
    assert asked == users
    other = await server.guest()
    asked.clear()
    await call(server, other, "PUT", "/me/vacation", {"is_on": False})
    assert asked == []
    await server.services.vacations.sweep()
    assert sorted(asked) == sorted(users)


async def test_a_damaged_match_ends_no_other_vacation_later(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, users = server.services.store, []
    for token in [await server.guest() for _ in range(2)]:
        users.append((await call(server, token, "GET", "/me"))["user"])
        await call(server, token, "PUT", "/me/vacation", {"is_on": True})
    running_of, looked_at = store.running_of, []

    async def damaged(user: str) -> list[MatchRow]:
        looked_at.append(user)
        if user == looked_at[0]:
            raise InvalidEntry("this entry is damaged")
        found: list[MatchRow] = await running_of(user)
        return found

    monkeypatch.setattr(store, "running_of", damaged)
    await server.services.vacations.sweep()
    assert sorted(looked_at) == sorted(users)


async def test_p16_3_nobody_has_more_days_than_the_host_gives_them(tmp_path: Path) -> None:
    async with inside(tmp_path, vacation_days_per_year=2) as server:
        services = server.services
        match, (ada, _) = await server.seated("flume", 2, **SLOW)
        user = (await call(server, ada, "GET", "/me"))["user"]
        at = services.now()
        later = vacations.Vacations(services.store, services.matches, lambda: at, 2)
        await later.begin(user)
        await later.begin(user)
        assert (await later.allowance(user)).ends_at == at + 2 * DAY
        at += 2 * DAY - 1
        await later.sweep()
        assert (await later.allowance(user)).is_on
        at += 1
        await later.sweep()
        assert await later.allowance(user) == vacations.Allowance(False, None, 0)
        assert services.matches.cached(match).match.clocks.vacations == (0, 0)
        with pytest.raises(NoVacation):
            await later.begin(user)
        at += vacations.YEAR
        assert (await later.allowance(user)).left_ms == 2 * DAY


async def test_p16_5_the_server_plays_what_was_queued(server: Inside) -> None:
    match, (ada, bob) = await server.seated("flume", 2, **SLOW)

    async def queue(token: str, lines: list[list[str]]) -> Any:
        return await call(server, token, "PUT", f"/matches/{match}/replies", {"lines": lines})

    async def queued() -> Any:
        return (await call(server, bob, "GET", f"/matches/{match}/replies"))["lines"]

    lines = [["a1", "b2", "c3", "a3"], ["b2", "a1"]]
    assert (await queue(bob, lines))["lines"] == lines
    await play(server, match, ada, "a1")
    assert await moves(server, match, 2) == ["a1", "b2"]
    assert await queued() == [["c3", "a3"]]
    data = (await call(server, bob, "GET", "/me/data"))["calls"]
    assert data["replies"] == [{"match": match, "lines": [["c3", "a3"]]}]
    await play(server, match, ada, "c3")
    assert await moves(server, match, 4) == ["a1", "b2", "c3", "a3"]
    assert await queued() == []
    await queue(bob, [["c1", "a2"]])
    assert (await queue(bob, []))["lines"] == []
    assert (await queue(ada, lines))["code"] == "no_queue"


async def test_p16_6_nobody_else_learns_what_was_queued(server: Inside) -> None:
    match, (ada, bob) = await server.seated("flume", 2, **SLOW)
    guest, path = await server.guest(), f"/matches/{match}/replies"
    before = [await seen(server, match, token) for token in (ada, guest, "")]
    await call(server, bob, "PUT", path, {"lines": [["a1", "b2"]]})
    assert [await seen(server, match, token) for token in (ada, guest, "")] == before
    assert (await call(server, ada, "GET", path))["lines"] == []
    for token, code in ((guest, "forbidden"), ("", "unauthorized")):
        assert (await call(server, token, "GET", path))["code"] == code


async def seen(server: Inside, match: str, token: str) -> list[str]:
    """All that REST and a stream say about a match."""
    paths = [f"/matches/{match}", f"/matches/{match}/positions/0", f"/matches/{match}/record"]
    paths += ["/me/matches"] if token else []
    async with server.http(token) as http:
        found = [(await http.get(f"/api{path}")).text for path in paths]
    stream = await server.stream(f"/api/matches/{match}/events", token)
    found.append(str(await stream.next()))
    await stream.close()
    return found
