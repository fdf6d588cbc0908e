"""Earlier positions and pictures show what the caller may see, and nothing else."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.server.inside import Inside

import watermeet as wm
from watermeet.server.matches.projection import PastPosition

pytestmark = pytest.mark.anyio
HIDDEN = "kuhn_poker"


async def read(server: Inside, path: str, token: str = "") -> Any:
    async with server.http(token) as http:
        return await http.get(f"/api/{path}")


async def test_every_position_can_be_read(server: Inside) -> None:
    name = next(name for name in wm.games() if not wm.game(name).hidden)
    match, tokens = await server.seated(name, wm.game(name).seats)
    views = [(await server.document(match))["view"]]
    for _ in range(3):
        await server.play(match, tokens, 1)
        views.append((await server.document(match))["view"])
    for ply, view in enumerate(views):
        found = (await read(server, f"matches/{match}/positions/{ply}")).json()
        assert found == {"ply": ply, "plies": 3, "view": view}
        msgspec.convert(found, PastPosition)
    missing = await read(server, f"matches/{match}/positions/4")
    assert (missing.status_code, missing.json()["hint"]) == (404, "there are 0 to 3")


async def test_a_seat_sees_what_it_knew_and_a_spectator_less(server: Inside) -> None:
    match, tokens = await server.seated(HIDDEN, 2)
    await server.play(match, tokens, 1)
    document = await server.document(match, tokens[0])
    plies = len(document["moves"])
    for token in (tokens[0], tokens[1], ""):
        now = (await server.document(match, token))["view"]
        found = (await read(server, f"matches/{match}/positions/{plies}", token)).json()
        assert found["view"] == now
    views = [
        (await read(server, f"matches/{match}/positions/{plies - 1}", token)).text
        for token in (*tokens, "")
    ]
    assert len(set(views)) == 3


async def test_delayed_spectators_see_no_later_positions(server: Inside) -> None:
    name = next(name for name in wm.games() if not wm.game(name).hidden)
    match, tokens = await server.seated(name, wm.game(name).seats, spectator_delay_s=3600)
    await server.play(match, tokens, 2)
    assert (await read(server, f"matches/{match}/positions/1", tokens[0])).status_code == 200
    assert (await read(server, f"matches/{match}/positions/1")).status_code == 404
    assert (await read(server, f"matches/{match}/positions/0")).json()["plies"] == 0


async def test_svg_of_games_and_matches(server: Inside) -> None:
    drawn = next(name for name in wm.games() if wm.game(name).start().render_svg() is not None)
    picture = await read(server, f"games/{drawn}/picture")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.startswith("<svg")
    assert (await read(server, "games/nothing/picture")).status_code == 404
    first = (await read(server, f"games/{drawn}/picture?share=0")).text
    last = (await read(server, f"games/{drawn}/picture?share=100")).text
    assert len({first, picture.text, last}) == 3
    assert (await read(server, f"games/{drawn}/picture?share=101")).status_code == 422
    match, _ = await server.seated(drawn, wm.game(drawn).seats)
    for path in (f"matches/{match}/picture", f"matches/{match}/picture?ply=0"):
        assert (await read(server, path)).text.startswith("<svg")
    assert (await read(server, f"matches/{match}/picture?ply=99")).status_code == 404


@pytest.mark.parametrize(
    ("limiter", "path"),
    [
        ("pictures", "matches/{match}/picture"),
        ("pictures", "games/flume/picture"),
        ("turn_streams", "me/turns"),
    ],
)
async def test_an_address_has_so_much_of_what_is_expensive(
    server: Inside, limiter: str, path: str
) -> None:
    used, token = getattr(server.services, limiter), await server.guest()
    used._rate, used._capacity = 0.0, 0.0
    match, _ = await server.seated(HIDDEN, 2)
    found = await read(server, path.format(match=match), token)
    assert found.json()["code"] == "too_many"
