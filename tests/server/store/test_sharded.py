"""Several databases as one: where things are, merged lists, and what is refused."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.server.store.test_store import entry, job, row

from watermeet.server.errors import StoreUnavailable
from watermeet.server.store.factory import open_store
from watermeet.server.store.rows import TokenRow
from watermeet.server.store.sharded import ShardedStore

pytestmark = pytest.mark.anyio
MATCHES = [f"m{number}" for number in range(12)]


def urls(folder: Path, names: str) -> str:
    return " ".join(f"sqlite:///{folder}/{name}.db" for name in names)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[ShardedStore]:
    opened = await open_store(urls(tmp_path, "abc"))
    assert isinstance(opened, ShardedStore)
    yield opened
    await opened.close()


async def test_matches_are_spread_and_lists_are_merged(store: ShardedStore) -> None:
    for number, match in enumerate(MATCHES):
        changes = {"created_at": number, "changed_at": 100 - number, "due_at": 1000 + number}
        players = [("ada", 0)]
        await store.append(entry(1, match=match, row=row(match, **changes), players=players))
    assert {id(store.of(match)) for match in MATCHES} == {id(each) for each in store._stores}
    assert [len(await store.of(match).read(match)) for match in MATCHES] == [1] * len(MATCHES)
    found = await store.public_matches("open", limit=5)
    assert [each.id for each in found] == MATCHES[:-6:-1]
    first = await store.matches_of("ada", before=None, limit=7)
    last = first[-1]
    rest = await store.matches_of("ada", before=(last.changed_at, last.id), limit=7)
    assert [each.id for each in first + rest] == MATCHES
    assert sorted(await store.due(1100, 100)) == sorted(MATCHES)
    assert "m0" in await store.due(1100, 3)


async def test_jobs_of_all_databases_are_done_once(store: ShardedStore) -> None:
    for match in MATCHES:
        jobs = [job(f"job {match}", match=match), job("bot", match=match)]
        await store.append(entry(1, match=match, jobs=jobs))
    assert await store.waiting_since("bot", 200, 1000) == 100
    done = []
    while (leased := await store.lease(["bot"], "w", 200, 300)) is not None:
        assert await store.renew(leased.id, "w", 400)
        await store.complete(leased.id)
        done.append(leased.id)
    assert sorted(done) == sorted(["bot", *(f"job {match}" for match in MATCHES)]), (
        "the job that all matches have in common is there once"
    )
    await store.append(entry(2, match="m1", jobs=[job("again", match="m1")]))
    assert await store.ready_at("bot") == 100
    await store.complete("again")  # By whoever hasn't leased it.
    assert await store.ready_at("bot") is None


async def test_tokens_and_openings_are_found_wherever_they_are(store: ShardedStore) -> None:
    rows = [TokenRow(match.encode(), "seat", "ada", match, 0, 1) for match in MATCHES]
    rows.append(TokenRow(b"device", "device", "ada", None, None, 1))
    for each in rows:
        await store.add_token(each)
    assert [await store.token(each.hash) for each in rows] == rows
    assert all([await store.revoke(each.hash) for each in rows])
    assert await store.token(rows[0].hash) is None
    for match in MATCHES:
        assert await store.add_openings(match, [(b"start", 7, 1, 0, 0, 9)])
        assert not await store.add_openings(match, [(b"start", 7, 1, 0, 0, 9)])
    assert await store.openings(b"start") == [(7, 12, 0, 0, 108)]


@pytest.mark.parametrize("names", ["acb", "ab", "a", "abcd"])
async def test_another_list_of_databases_is_refused(
    store: ShardedStore, tmp_path: Path, names: str
) -> None:
    await store.close()
    with pytest.raises(StoreUnavailable, match=r"this database is number \d of 3"):
        await open_store(urls(tmp_path, names))


async def test_a_database_that_has_matches_already_is_refused(tmp_path: Path) -> None:
    single = await open_store(urls(tmp_path, "a"))
    await single.append(entry(1))
    await single.close()
    with pytest.raises(StoreUnavailable, match="from before there were several"):
        await open_store(urls(tmp_path, "ab"))
    again = await open_store(urls(tmp_path, "a"))
    assert [each.seq for each in await again.read("m")] == [1], "nothing was changed"
    await again.close()
