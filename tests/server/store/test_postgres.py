"""PostgreSQL may go down and come back."""

from __future__ import annotations

import asyncio

import pytest
from tests.server.servers import Postgres, free_port
from tests.server.store.writer import append_at

from watermeet.server.errors import StoreUnavailable, Unsupported
from watermeet.server.store.factory import open_store

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


async def test_the_error_for_a_missing_server_hides_the_password() -> None:
    url = f"postgresql://ann:secret@127.0.0.1:{free_port()}/matches"
    with pytest.raises(StoreUnavailable) as caught:
        await open_store(url)
    assert "127.0.0.1" in str(caught.value)
    assert "secret" not in str(caught.value)


async def test_a_missing_database_is_an_error(postgres: Postgres) -> None:
    url = f"postgresql://watermeet@127.0.0.1:{postgres.port}/nowhere"
    with pytest.raises(StoreUnavailable, match="nowhere"):
        await open_store(url)


async def test_the_pool_reconnects_to_a_restarted_server(postgres: Postgres) -> None:
    store = await open_store(await asyncio.to_thread(postgres.new_database))
    await asyncio.gather(*(store.append(append_at(f"m{n}", 0)) for n in range(30)))
    await asyncio.to_thread(postgres.stop)
    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            await store.append(append_at("m0", 2))
    await asyncio.to_thread(postgres.start)
    await asyncio.gather(*(store.append(append_at(f"m{n}", 2)) for n in range(30)))
    assert len(await store.read("m0")) == 4
    await store.close()


async def test_reading_survives_a_broken_connection(postgres: Postgres) -> None:
    store = await open_store(await asyncio.to_thread(postgres.new_database))
    await store.append(append_at("m", 0))
    await asyncio.to_thread(postgres.stop)
    await asyncio.to_thread(postgres.start)
    assert len(await store.read("m")) == 2
    await store.close()


async def test_a_store_can_be_closed_while_the_server_is_down(postgres: Postgres) -> None:
    tasks = asyncio.all_tasks()
    store = await open_store(await asyncio.to_thread(postgres.new_database))
    await store.read("m")
    await asyncio.to_thread(postgres.kill)
    await asyncio.wait_for(store.close(), 10)
    assert asyncio.all_tasks() == tasks


async def test_backups_are_unsupported(postgres: Postgres) -> None:
    store = await open_store(await asyncio.to_thread(postgres.new_database))
    with pytest.raises(Unsupported, match="pg_dump"):
        await store.backup("backup.db")
    await store.close()


async def test_several_nodes_lease_different_jobs(postgres: Postgres) -> None:
    url = await asyncio.to_thread(postgres.new_database)
    nodes = await asyncio.gather(*(open_store(url) for _ in range(3)))  # All migrate at once.
    from tests.server.store.test_store import entry, job

    await nodes[0].append(entry(1, jobs=[job(f"j{number}") for number in range(60)]))

    async def work(number: int) -> list[str]:
        got = []
        while leased := await nodes[number % 3].lease(["bot"], f"w{number}", 300, 500):
            got.append(leased.id)
        return got

    shares = await asyncio.gather(*(work(number) for number in range(12)))
    got = [name for share in shares for name in share]
    assert len(got) == len(set(got)) == 60
    for node in nodes:
        await node.close()
