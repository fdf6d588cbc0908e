"""Profiles: results, filters, what stays private, ratings over time, and favourites."""

from __future__ import annotations

import asyncio
from itertools import chain
from pathlib import Path
from typing import Any, cast

import pytest
from tests.server.inside import Inside, call, inside
from tests.server.people.test_rater import SMALL, registered

from watermeet.server.api import routes_profiles

pytestmark = pytest.mark.anyio


async def match_of(app: Inside, tokens: list[dict[str, str]], **setup: Any) -> str:
    """A match of two people that has been played to its end."""
    found = [token["Authorization"].removeprefix("Bearer ") for token in tokens]
    match = await app.match_of(found, game="flume", options=SMALL, **setup)
    await app.play(match, found)
    return match


async def test_a_profile_shows_what_is_public(tmp_path: Path) -> None:
    async with inside(tmp_path) as app, app.http() as http:
        ann, bob, cleo = [await registered(app, name) for name in ("Ann", "Bob", "Cleo")]
        rated = await match_of(app, [ann, bob], is_public=True, is_rated=True)
        private = await match_of(app, [bob, ann], is_public=False)
        public = await match_of(app, [cleo, ann], is_public=True)

        async def past(query: str = "", who: dict[str, str] | None = None) -> list[str]:
            found = (await http.get(f"/api/users/ann/matches?{query}", headers=who or {})).json()
            return [each["match"]["match"] for each in found["matches"]]

        assert await past() == [public, rated]
        assert await past(who=bob) == [public, rated]
        assert await past(who=ann) == [public, private, rated]
        assert await past("opponent=Bob") == [rated]
        assert await past("opponent=bob", ann) == [private, rated]
        assert await past("level=drop", ann) == []
        assert await past("game=hex", ann) == []
        entries = (await http.get("/api/users/Ann/matches", headers=ann)).json()["matches"]
        results = {each["match"]["match"]: each["result"] for each in entries}
        for result in ("won", "drawn", "lost"):
            expected = [match for match in (public, private, rated) if results[match] == result]
            assert await past(f"result={result}", ann) == expected
        assert await past(f"since={entries[0]['ended_at'] + 1}", ann) == []
        assert await past(f"before={entries[1]['ended_at']}:{private}", ann) == [rated]

        async def counts(who: dict[str, str] | None = None) -> int:
            profile = (await http.get("/api/users/ann", headers=who or {})).json()
            [of_flume] = profile["statistics"]
            return sum(of_flume[result] for result in ("won", "drawn", "lost"))

        assert (await counts(), await counts(ann)) == (2, 3)
        of_bob = (await http.get("/api/users/bob/matches", headers=bob)).json()["matches"]
        opposite = {"won": "lost", "lost": "won", "drawn": "drawn"}
        assert {each["match"]["match"]: opposite[each["result"]] for each in of_bob} == {
            match: results[match] for match in (private, rated)
        }

        async with asyncio.timeout(20):
            while not (await http.get("/api/users/ann/ratings")).json()["ratings"]:
                await asyncio.sleep(0.05)
        path = "/api/users/ann/ratings/flume"
        history = (await http.get(path, headers=ann)).json()["points"]
        assert [each["match"] for each in (await http.get(path)).json()["points"]] == [None]
        assert [(each["match"], each["rating"]) for each in history] == [
            (rated, 1662 if results[rated] == "won" else 1338)
        ]
        again = await match_of(app, [ann, bob], is_public=True, is_rated=True)
        before = (await http.get(f"/api/matches/{again}/ratings")).json()["ratings"]
        assert [each["seat"] for each in before] == [0, 1]
        changes: list[dict[str, int]] = []
        async with asyncio.timeout(20):
            while not changes:
                await asyncio.sleep(0.05)
                changes = (await http.get(f"/api/matches/{again}/ratings")).json()["changes"]
        [_, last] = (await http.get("/api/users/ann/ratings/flume")).json()["points"]
        assert [each["seat"] for each in changes] == [0, 1]
        assert changes[0]["rating"] == last["rating"]
        assert changes[0]["change"] == last["rating"] - history[0]["rating"]
        [first, _] = (await http.get(f"/api/matches/{rated}/ratings")).json()["changes"]
        assert first["change"] == first["rating"] - 1500
        assert first["is_provisional"]


async def test_favourites_are_kept_by_whoever_may_watch(tmp_path: Path) -> None:
    async with inside(tmp_path) as app, app.http() as http:
        ann, bob, cleo = [await registered(app, name) for name in ("Ann", "Bob", "Cleo")]
        match = await match_of(app, [ann, bob], is_public=False, spectators="none")
        path = f"/api/me/favourites/{match}"
        assert (await http.put(path, headers=cleo)).status_code == 403
        assert (await http.put(path, headers=ann)).json() == {"done": True}
        kept = (await http.get("/api/me/favourites", headers=ann)).json()["matches"]
        assert [(each["match"], each["seat"]) for each in kept] == [(match, 0)]
        assert (await http.get("/api/me/favourites", headers=bob)).json()["matches"] == []
        assert (await http.delete(path, headers=ann)).json() == {"done": True}
        assert (await http.get("/api/me/favourites", headers=ann)).json()["matches"] == []


async def test_favourites_are_listed_by_pages_with_one_query_each(
    any_server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two hundred were read one by one, for each of them that was added or removed."""
    monkeypatch.setattr(routes_profiles, "LISTED", 2)
    store, ann, bob = any_server.services.store, await any_server.guest(), await any_server.guest()
    async with any_server.http(ann) as http:
        assert (await http.get("/api/me/favourites")).json() == {"matches": [], "next": None}
        matches = [await any_server.match_of([ann, bob]) for _ in range(5)]
        for match in matches:
            await http.put(f"/api/me/favourites/{match}")
        monkeypatch.setattr(store, "match_row", None)
        found, next_page = list[list[str]](), cast("str | None", "")
        while next_page is not None:
            before = f"?before={next_page}" if next_page else ""
            page = (await http.get(f"/api/me/favourites{before}")).json()
            found.append([each["match"] for each in page["matches"]])
            next_page = page["next"]
    assert [len(each) for each in found] == [2, 2, 1]
    assert sorted(chain(*found)) == sorted(matches)


async def test_a_deleted_import_is_no_favourite(server: Inside) -> None:
    store, token = server.services.store, await server.guest()
    body = {"record": "game: flume@1\noptions: size=3\n\n1. a1"}
    match = (await call(server, token, "POST", "/records", body, 201))["match"]
    await call(server, token, "PUT", f"/me/favourites/{match}", None, 200)
    await store.delete_match(match)
    assert (await call(server, token, "GET", "/me/favourites"))["matches"] == []
    user = (await call(server, token, "GET", "/me"))["user"]
    assert await store.favourites(user, 9) == []
