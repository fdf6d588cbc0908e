"""The job runner: what fails is tried again and parked, and stops nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.server.inside import Clock, Inside, call, inside, until

from watermeet.server import jobs
from watermeet.server.jobs import JobRunner, PutOff
from watermeet.server.metrics import Metrics
from watermeet.server.store.rows import Job
from watermeet.server.store.store import Store

pytestmark = pytest.mark.anyio


def job(kind: str, name: str = "", body: bytes = b"") -> Job:
    return Job(name or kind, kind, "none", 0, 0, body, 0)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for jobs all the time, and try twice."""
    monkeypatch.setattr(jobs, "POLL_S", 0.01)
    monkeypatch.setattr(jobs, "RETRIES_S", (1,))


@pytest.mark.usefixtures("quick")
async def test_a_job_that_fails_is_tried_again_then_parked_and_others_are_done(
    file_store: Store,
) -> None:
    clock, metrics, tried = Clock(), Metrics(), list[str]()
    is_mended = False

    async def work(job: Job) -> Sequence[Job] | None:
        tried.append(job.id)
        if job.id == "poison" and not is_mended:
            raise IndexError("a damaged log")
        return None

    async def until_tried(count: int) -> None:
        await until(lambda: len(tried) >= count)

    runner = JobRunner(file_store, metrics, clock, "node")
    runner.add("rate", work)
    runner.start()
    await runner.add_jobs([job("rate", "poison"), job("rate", "good")])
    await until_tried(2)
    await asyncio.sleep(0.05)
    assert sorted(tried) == ["good", "poison"], "the second try comes later"
    clock.now += 1000
    await until_tried(3)
    await until(lambda: metrics.parked_jobs._value.get() == 1)
    clock.now += 10**9
    await asyncio.sleep(0.05)
    assert (tried[2:], metrics.job_failures.labels("rate")._value.get()) == (["poison"], 2)
    await runner.close()
    is_mended = True
    again = JobRunner(file_store, metrics, clock, "next")
    again.add("rate", work)
    again.start()  # The next start tries once more what was parked.
    await until_tried(4)
    await until(lambda: is_empty(file_store))
    await again.close()


async def is_empty(store: Store) -> bool:
    return await store.ready_at("rate") is None


@pytest.mark.usefixtures("quick")
async def test_a_job_that_ends_processes_is_parked_without_another_try(file_store: Store) -> None:
    clock = Clock()
    await file_store.add_jobs([job("rate")])
    for node in ("first", "second", "third"):  # Each dies of it.
        clock.now += 10_000
        await file_store.lease(["rate"], node, clock.now, clock.now + 5_000)
    clock.now += 10_000
    runner = JobRunner(file_store, Metrics(), clock, "node")

    async def work(_: Job) -> None:
        raise AssertionError("it isn't tried any more")

    runner.add("rate", work)
    runner.start()

    async def is_parked() -> bool:
        return await file_store.count_parked(["rate"]) == 1

    await until(is_parked)
    await runner.close()


@pytest.mark.usefixtures("quick")
async def test_what_is_being_done_at_an_orderly_stop_is_done_after_it(file_store: Store) -> None:
    clock, begun, attempts = Clock(), asyncio.Event(), list[int]()

    async def forever(_: Job) -> None:
        begun.set()
        await asyncio.sleep(1000)

    async def put_off_first(job: Job) -> None:
        attempts.append(job.attempts)
        if len(attempts) == 1:
            raise PutOff(0)

    runner = JobRunner(file_store, Metrics(), clock, "node")
    runner.add("rate", forever)
    runner.start()
    await runner.add_jobs([job("rate")])
    await begun.wait()
    await runner.close()
    runner = JobRunner(file_store, Metrics(), clock, "node")
    runner.add("rate", put_off_first)
    runner.start()
    await until(lambda: is_empty(file_store))
    assert attempts == [0, 0], "and neither counts as a try that failed"
    await runner.close()


async def test_one_damaged_job_of_each_kind_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "POLL_S", 0.02)
    async with inside(tmp_path) as server:
        runner: JobRunner = server.services.runner
        poison = [job(kind, f"poison-{kind}", b"\xff") for kind in runner._kinds]
        await runner.add_jobs(poison)
        failures = server.services.metrics.job_failures
        await until(lambda: all(failures.labels(each.kind)._value.get() for each in poison))
        await suspension_ends_a_match(server)


async def suspension_ends_a_match(server: Inside) -> None:
    mod, eve = await server.member("Mod", "moderator"), await server.member("Eve")
    match = await server.match_of([eve, mod])
    act = {"act": "suspend", "name": "Eve", "reason": "insults"}
    await call(server, mod, "POST", "/moderation/acts", act, 201)

    async def has_ended() -> bool:
        return bool((await server.document(match))["stage"] == "finished")

    await until(has_ended)
