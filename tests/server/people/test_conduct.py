"""Marks for leaving rated matches."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.server.inside import Inside, call, inside
from tests.server.matches.conftest import Table, act

from watermeet.core.kernel import plain_python
from watermeet.server.matches.commands import Claim, Flag, Resign
from watermeet.server.matches.entries import encode
from watermeet.server.matches.service import row_of
from watermeet.server.matches.setup import DAY, Absence, Correspondence, RealTime
from watermeet.server.people import conduct
from watermeet.server.people.conduct import COOLING_MS, MINUTE, departures, standing
from watermeet.server.store.rows import Append

pytestmark = pytest.mark.anyio
BLITZ = RealTime(initial_ms=3 * MINUTE, increment_ms=0)


def table(time_control: Any = BLITZ, users: Sequence[str] = ("u0", "u1"), **chosen: Any) -> Table:
    given: dict[str, Any] = {"is_rated": True, "absence": Absence(rule="claim")} | chosen
    small = {"size": 3, "pie": False}
    made = Table("flume", options=small, time_control=time_control, **given)
    for seat, user in enumerate(users):
        made.do(made.join(seat, user=user))
    made.seated()
    made.play()
    made.play()
    return made


def flag(made: Table, wait: int) -> list[tuple[str, int]]:
    made.do(act(made.match.state.to_move, Flag()), wait)
    return departures(made.log)


def test_p15_8_walking_away_is_leaving_and_losing_is_not() -> None:
    with plain_python():
        made = table()
        seat = made.match.state.to_move
        made.do(act(seat, Resign()))
        assert departures(made.log) == []

        made = table()
        user = f"u{made.match.state.to_move}"
        assert flag(made, 3 * MINUTE) == [(user, made.now)]
        assert flag(table(is_rated=False), 3 * MINUTE) == []

        made = table()  # Two minutes go by in one turn, and the rest in the next.
        seat = made.match.state.to_move
        made.play(wait=2 * MINUTE)
        while made.match.clocks.turn == seat:
            made.play()
        while made.match.clocks.turn != seat:
            made.play()
        assert flag(made, MINUTE) == []

        made = table(Correspondence(days_per_turn=1))
        assert len(flag(made, DAY)) == 1

        made = table()
        seat = made.match.state.to_move
        away = {seat: made.now}
        made.do(act(1 - seat, Claim(absent=seat, how="out"), away_since=away), MINUTE)
        assert departures(made.log) == [(f"u{seat}", made.now)]


def test_p15_9_the_wait_grows_and_marks_are_forgotten() -> None:
    now = 100 * DAY
    waits = []
    for count in range(8):
        found = standing([now - each for each in range(count)], now)
        waits.append(0 if found.cooling_until is None else found.cooling_until - now)
    assert waits == [0, 0, 0, *COOLING_MS, DAY]
    assert standing([now - 20 * MINUTE] * 3, now).cooling_until is None
    assert standing([now - 31 * DAY] * 9, now) == standing([], now)


@pytest.fixture
async def server(tmp_path: Path, store_url: str) -> AsyncIterator[Inside]:
    async with inside(tmp_path, store_url=store_url) as found:
        yield found


async def test_whoever_leaves_waits_before_the_next_rated_match(server: Inside) -> None:
    services = server.services
    ada, bob = await server.member("Ada"), await server.member("Bob")
    users = [(await services.people.user_of(token)).id for token in (ada, bob)]
    for number in range(3):
        made = table(users=users, name=f"match{number}", now=services.now() - 3 * MINUTE)
        flag(made, 3 * MINUTE)
        bodies, row = [encode(entry) for entry in made.log], row_of(made.match)
        await services.store.append(Append(row.id, 1, bodies, row, secret=made.randomness.secret))
        await conduct.note_departures(services.store, row.id)
    loser = table().match.state.to_move
    left, stayed = ((ada, bob), (bob, ada))[loser]
    before = await services.store.departures(users[loser], 0)
    body = {"game": "flume", "seats": [{}, {}], "is_rated": True}
    for path, wanted in (("/matches", body), ("/seeks", {"game": "flume", "is_rated": True})):
        assert (await call(server, left, "POST", path, wanted))["code"] == "cooling_down"
    found = await call(server, left, "GET", "/me/conduct")
    assert (found["departures"], found["allowed"]) == (3, 2)
    assert found["cooling_until"] > services.now()
    match = (await call(server, stayed, "POST", "/matches", body))["match"]
    joined = await call(server, left, "POST", f"/matches/{match}/seats/1", {})
    assert joined["code"] == "cooling_down"
    casual = await call(server, left, "POST", "/matches", body | {"is_rated": False})
    assert casual["status"] == 201
    await conduct.recompute(services.store)
    assert await services.store.departures(users[loser], 0) == before


async def test_p15_9_nothing_rated_begins_by_what_was_open_before(server: Inside) -> None:
    """Neither by whoever has left matches since, nor by those who accept."""
    services = server.services
    ada, bob = await server.member("Ada"), await server.member("Bob")
    rated = {"game": "flume", "is_rated": True}
    ended = await server.match_of([ada, bob], **rated)
    await server.command(ended, bob, "r", type="resign")
    await server.command(ended, bob, "o", type="offer", what="rematch")
    waiting = rated | {"seats": [{}, {}], "seat": 0}
    match = (await call(server, ada, "POST", "/matches", waiting, 201))["match"]
    challenge = (await call(server, ada, "POST", "/challenges", rated | {"to": "Bob"}, 201))["id"]
    seek = (await call(server, ada, "POST", "/seeks", rated, 201))["seek"]
    user, now = (await services.people.user_of(ada)).id, services.now()
    for number in range(3):
        await services.store.add_departures(f"left{number}", [(user, now)])
    respond = {"type": "respond", "what": "rematch", "accept": True}
    assert (await server.command(ended, ada, "a", **respond))["code"] == "cooling_down"
    begun = (
        f"/matches/{match}/seats/1", f"/challenges/{challenge}/acceptance", f"/seeks/{seek}/join"
    )  # fmt: skip
    for path in begun:
        await call(server, bob, "POST", path, {}, "opponent_cooling_down")
    await call(server, bob, "POST", "/challenges", rated | {"to": "Ada"}, "opponent_cooling_down")
    await call(server, bob, "POST", "/seeks", rated, 201)
    assert await services.seeks.pair()
    found = (await call(server, bob, "GET", "/me/matches"))["matches"]
    assert [each["match"] for each in found] == [ended]
