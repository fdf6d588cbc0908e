"""Ratings on the server: each match counts once, whoever counts it, and the logs are enough."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest
from tests.server.inside import Inside, bearer, call, inside
from tests.server.matches.conftest import Table
from typer.testing import CliRunner

from watermeet.cli.main import app as program
from watermeet.core.kernel import plain_python
from watermeet.server.matches.entries import decode, encode
from watermeet.server.matches.match import Match
from watermeet.server.matches.service import row_of
from watermeet.server.matches.setup import SeatPlan
from watermeet.server.people import rater
from watermeet.server.people.rater import rate_match, recompute
from watermeet.server.people.ratings.anchors import start
from watermeet.server.people.ratings.counting import counted
from watermeet.server.people.ratings.fold import FORMULA, Pool, RatedMatch, fold
from watermeet.server.store.factory import open_store
from watermeet.server.store.history import Past, RatingPoint
from watermeet.server.store.rows import Append, RatingRow
from watermeet.server.store.store import Store

pytestmark = pytest.mark.anyio
POOL = Pool("flume", "two")
USERS = ("ann", "bob", "cleo")
SMALL = {"size": 3}


async def finished(store: Store, number: int, rng: random.Random) -> str:
    """The log of a rated match, played at random; every third is against a bot."""
    bot = SeatPlan(who="bot", level="drop")
    seats = (SeatPlan(), bot if number % 3 == 0 else SeatPlan())
    name = f"match{number:03}"
    table = Table("flume", options=SMALL, name=name, seats=seats, is_rated=True)
    table.now += 1000 * rng.randrange(20)
    for seat, user in enumerate(rng.sample(USERS, 2)):
        if not table.match.seats[seat].is_taken:
            table.do(table.join(seat, user=user, name=user.title()))
    while not table.match.has_ended:
        table.play(rng.choice(table.match.state.legal_actions))
    bodies, secret = [encode(entry) for entry in table.log], table.randomness.secret
    await store.append(Append(name, 1, bodies, row_of(table.match), secret=secret))
    return name


async def stored(store: Store) -> list[RatingRow]:
    return sorted(await store.ratings(*POOL))


async def points(store: Store) -> list[RatingPoint]:
    """The histories of all users."""
    found = [await store.rating_points(user, *POOL, 99) for user in USERS]
    return [point for each in found for point in each]


async def folded(store: Store, matches: list[str]) -> dict[tuple[str, str], bytes]:
    """What the ratings have to be, from the logs."""
    logs = [Match.of([decode(row.body) for row in await store.read(each)]) for each in matches]
    ratings = fold([each for each in map(counted, logs) if each], start)
    return {
        (player.kind, player.id): msgspec.json.encode(one)
        for player, one in ratings.pool(POOL).items()
    }


async def test_ratings_are_those_of_the_logs_whoever_counts_matches_and_when(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three nodes count the same matches at once, in other orders, and each more than once."""
    nodes = [await open_store(store_url) for _ in range(3 if "postgres" in store_url else 1)]
    store, rng = nodes[0], random.Random(5)
    with plain_python():
        matches = [await finished(store, number, rng) for number in range(18)]
        fold_all = Mock(wraps=rater._fold_all)
        monkeypatch.setattr(rater, "_fold_all", fold_all)

        async def count(node: Store, seed: int) -> None:
            for each in random.Random(seed).sample(matches, len(matches)):
                await rate_match(node, each)

        await asyncio.gather(*(count(nodes[seed % len(nodes)], seed) for seed in range(3)))
        found = await stored(store)
        assert {(row.player_kind, row.player_id): row.body for row in found} == await folded(
            store, matches
        )
        assert len(await store.rated_matches(*POOL)) == len(matches)
        assert not fold_all.called, "late matches are put in their places"
        history = await points(store)
        assert {(each.user, each.match) for each in history} == {
            (player.id, match.id)
            for match in map(decoded, await store.rated_matches(*POOL))
            for team in match.teams
            for player in team
            if player.kind == "user"
        }
        last = {each.user: (each.value, each.deviation) for each in history}
        assert last == {
            row.player_id: (row.value, row.deviation) for row in found if row.player_kind == "user"
        }

        assert await recompute(store) == len(matches)
        assert await stored(store) == found
        assert await points(store) == history
        [one, *_] = await store.past(Past("ann", only_public=False), 1)
        assert one.row.stage == "finished"
        # After a change of the formula, or if a fold was interrupted, the next match folds again.
        formula, version = await store.rating_pool(*POOL)
        assert formula == FORMULA
        wrong = [row._replace(body=found[0].body) for row in found]
        assert await store.put_ratings(POOL, 0, version, wrong, [])
        assert not await store.put_ratings(POOL, 0, version, wrong, []), "others have written"
        monkeypatch.setattr(rater, "CHUNK", 2)
        matches.append(await finished(store, 18, rng))
        await rate_match(store, matches[-1])
        again = {(row.player_kind, row.player_id): row.body for row in await stored(store)}
        assert again == await folded(store, matches)
        assert fold_all.call_count == 1
    for node in nodes:
        await node.close()


def decoded(body: bytes) -> RatedMatch:
    return msgspec.json.decode(body, type=RatedMatch)


async def registered(app: Inside, name: str) -> dict[str, str]:
    """The headers of somebody with a name and an account."""
    token = bearer(await app.guest())
    async with app.http() as http:
        me = (await http.put("/api/me/name", json={"name": name}, headers=token)).json()
    assert await app.app.state.services.store.register(me["user"])
    return token


async def test_a_rated_match_moves_both_ratings_and_the_logs_give_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = {"game": "flume", "options": SMALL, "seats": [{}, {}], "seat": 0, "is_rated": True}
    async with inside(tmp_path) as app:

        async def get(path: str, token: str = "") -> Any:
            return await call(app, token, "GET", path)

        ann, bob, guest = await app.member("Ann"), await app.member("Bob"), await app.guest()
        assert (await call(app, guest, "POST", "/matches", setup))["code"] == "forbidden"
        match = (await call(app, ann, "POST", "/matches", setup))["match"]
        seat = f"/matches/{match}/seats/1"
        assert (await call(app, guest, "POST", seat, {}))["code"] == "invalid_match"
        assert (await call(app, bob, "POST", seat, {}))["status"] == 201
        await app.play(match, [ann, bob])
        async with asyncio.timeout(20):
            while not (await get("/users/bob/ratings"))["ratings"]:
                await asyncio.sleep(0.05)
        (of_ann,) = (await get("/users/Ann/ratings"))["ratings"]
        (of_bob,) = (await get("/users/bob/ratings"))["ratings"]
        assert (of_ann["game"], of_ann["kind"], of_ann["matches"]) == ("flume", "two", 1)
        # Glickman's formula for two new players: 1500 ± 162, with a deviation of 290.
        assert sorted((of_ann["rating"], of_bob["rating"])) == [1338, 1662]
        assert (of_ann["deviation"], of_ann["is_provisional"]) == (290, True)
        assert (await get("/me/ratings", ann))["ratings"] == [of_ann]
        assert (await get("/users/Nobody/ratings"))["status"] == 404
        board = await get("/games/flume/leaderboard")
        assert board["leaders"] == [], "their ratings aren't sure yet"
        assert [each["level"] for each in board["bots"]][2:5] == ["stream", "river", "sea"]
        assert board["bots"][2]["rating"] == 1500

        store = app.services.store
        before = await stored(store)
        sure = [row._replace(deviation=9000) for row in before]
        _, version = await store.rating_pool(*POOL)
        assert await store.put_ratings(POOL, FORMULA, version, sure, [])
        board = await get("/games/flume/leaderboard")
        assert [each["rating"] for each in board["leaders"]] == [1662, 1338]
    monkeypatch.delenv("WATERMEET_TEST_PACKAGES", raising=False)  # It looks like a setting.
    with plain_python():
        done = await asyncio.to_thread(
            CliRunner().invoke, program, ["ratings", "recompute", "--data-dir", str(tmp_path)]
        )
    assert "Rated 1 match." in done.output
    async with inside(tmp_path) as app:
        assert await stored(app.services.store) == before
