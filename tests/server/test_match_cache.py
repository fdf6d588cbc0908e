"""The cache of matches: bounded in bytes, by estimates that are about right."""

from __future__ import annotations

import gc
import random
import re
import tracemalloc
from pathlib import Path

import pytest
from tests.server.inside import Inside, call, inside

import watermeet as wm
from watermeet.core.kernel import plain_python
from watermeet.server.matches.service import CACHE_BYTES, Matches
from watermeet.testing.matches import random_match

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"
MEGABYTE = 1_048_576
GAMES = [name for name in wm.games() if name != GAME]


async def imported(server: Inside, name: str, seed: int, max_length: int | None = None) -> str:
    """The id of an imported match."""
    found = random_match(wm.game(name), random.Random(seed), max_length=max_length)
    text = wm.Record.from_actions(found.states[0], found.actions).format()
    made = await call(server, await server.guest(), "POST", "/records", {"record": text}, 201)
    match: str = made["match"]
    return match


async def test_imports_are_not_cached_and_views_of_them_are_bounded(tmp_path: Path) -> None:
    async with inside(tmp_path, max_cache_bytes=MEGABYTE) as server:
        matches: Matches = server.services.matches
        name = min(GAMES, key=lambda each: wm.game(each).sizes.max_length)
        ids = [await imported(server, name, seed) for seed in range(12)]
        assert all(matches.cached(match) is None for match in ids)
        async with server.http() as http:
            for match in ids:
                assert (await http.get(f"/api/matches/{match}")).status_code == 200
                assert matches._cache.bytes <= MEGABYTE
            counted = (await http.get("/api/metrics")).text
        assert 0 < len(matches._cache) < len(ids), "some were dropped"
        shown = re.search(r"^watermeet_cached_bytes (\S+)$", counted, re.MULTILINE)
        assert shown is not None
        assert float(shown[1]) == matches._cache.bytes


async def test_a_match_that_was_dropped_continues(server: Inside) -> None:
    services = server.services
    services.matches._cache._max_bytes = 1  # Only the newest stays.
    first, tokens = await server.seated(GAME, 2)
    seat, legal = await server.to_move(first, tokens)
    clients = [await server.socket(token) for token in tokens]
    for client in clients:
        await client.follow(first)
    await server.seated(GAME, 2)
    assert services.matches.cached(first) is None
    play = {"type": "play", "move": legal[0]["action"]}
    assert (await clients[seat].do(first, play))["type"] == "ack"
    assert (await clients[1 - seat].receive("changes"))["match"] == first


@pytest.mark.nightly
@pytest.mark.parametrize("name", GAMES)
async def test_estimates_are_about_right(name: str, tmp_path: Path) -> None:
    with plain_python():
        async with inside(tmp_path) as server:
            matches: Matches = server.services.matches
            ids = [await imported(server, name, seed, 16) for seed in range(3)]
            await matches.load(ids[0])  # What is made once for a game.
            gc.collect()
            tracemalloc.start()
            known = matches._cache.bytes
            for match in ids[1:]:
                await matches.load(match)
            gc.collect()
            allocated, _ = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            estimated = matches._cache.bytes - known
    assert estimated < CACHE_BYTES
    assert 0.33 < allocated / estimated < 1.8, (allocated, estimated)
