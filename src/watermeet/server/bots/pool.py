"""The pool: takes jobs from the table, lets a worker think, and plays what it chose.

A job is leased: if this node dies, the lease runs out and another node does it. Two that do the
same harm nothing, for the log takes one move. A bot that fails is tried again, and at last plays
any legal move, so that no person waits for ever.

The server's bots do not come through a socket as other programs do: a restart would have to open
one for each, and a bot that is missing would have to be missed first. They are sent the same
knowledge, the concealed state, and what they choose is played by the same command, under the same
checks; but that it is a bot's seat is known to the match, not to a token.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from watermeet.bots.players import choose_any
from watermeet.core.errors import WatermeetError
from watermeet.server.bots.messages import BotRequest, make_request
from watermeet.server.bots.worker import BotWorker
from watermeet.server.errors import NotFound
from watermeet.server.logs import fields
from watermeet.server.matches import timing
from watermeet.server.matches.commands import Play
from watermeet.server.matches.match import Match
from watermeet.server.matches.service import BOT_JOB, LiveMatch, Matches, bot_to_move
from watermeet.server.metrics import Metrics
from watermeet.server.store.interface import Job, Store

LOG = logging.getLogger(__name__)

LEASE_MS = 8_000
"""After so long a job of a node that died is done by another; people wait for it."""
RENEW_S = 2.5
POLL_S = 1.0
"""How often the table is looked at though nobody spoke of a job: another node may have died."""
TRIES = 3
TRY_AGAIN_MS = 200
SHARE_OF_CLOCK = 1 / 30
SHARE_OF_MINUTE = 1 / 20
"""Of what its clock or the shared minute has left a bot takes so much for a choice, at the most."""
HURRY = 1 / 4
"""When so much of what is left has gone by, a worker is told to answer at once,"""
LAST_WORD_S = 0.3
"""and so long after that any legal move is played: a bot does not lose by a worker that hangs."""


@dataclass(eq=False)
class _Worker:
    """A worker, and what it does now."""

    name: str
    process: BotWorker
    news: asyncio.Event = field(default_factory=asyncio.Event)
    job: Job | None = None


class BotPool:
    """Keeps the workers of a node busy."""

    def __init__(
        self,
        store: Store,
        matches: Matches,
        metrics: Metrics,
        now: Callable[[], int],
        workers: int,
        name: str,
        make_worker: Callable[[], BotWorker] = BotWorker,
        ready: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        """``ready`` returns when a game's bots can think without compiling first."""
        self._store, self._matches, self._metrics, self._now = store, matches, metrics, now
        self._workers = [_Worker(f"{name}-{number}", make_worker()) for number in range(workers)]
        self._tasks: list[asyncio.Task[None]] = []
        self._ready = ready
        matches.listen(self._on_news)

    def start(self) -> None:
        """Begins to take jobs."""
        self._tasks = [asyncio.create_task(self._work(worker)) for worker in self._workers]

    async def close(self) -> None:
        """Takes no more; what was begun is given back, for another node or another day."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for worker in self._workers:
            await worker.process.close()
            if worker.job is not None:
                try:
                    await self._store.release(worker.job.id, worker.name, self._now())
                except WatermeetError as error:  # Then the lease runs out.
                    LOG.warning("a job was not given back", extra=fields(code=error.code))

    @property
    def pids(self) -> list[int]:
        """The processes of the workers that were started."""
        pids = [worker.process.pid for worker in self._workers]
        return [pid for pid in pids if pid is not None]

    def _on_news(self, live: LiveMatch) -> None:
        is_wanted = bot_to_move(live.match) is not None
        for worker in self._workers:
            job = worker.job
            if job is not None and job.match == live.match.id and not _is_of_use(job, live.match):
                worker.process.stop()
            if is_wanted:
                worker.news.set()

    async def _work(self, worker: _Worker) -> None:
        try:
            await worker.process.start()
        except OSError:
            LOG.exception("a worker could not be started", extra=fields(worker=worker.name))
        while True:
            worker.news.clear()  # What comes from here on is looked for again.
            try:
                now = self._now()
                job = await self._store.lease([BOT_JOB], worker.name, now, now + LEASE_MS)
                if job is not None:
                    await self._do(job, worker)
                    continue
            except WatermeetError as error:
                LOG.warning("no job could be had or done", extra=fields(code=error.code))
            except Exception:  # Whatever happens in a match, the others go on.
                LOG.exception("a job broke", extra=fields(worker=worker.name))
            try:
                async with asyncio.timeout(POLL_S):
                    await worker.news.wait()
            except TimeoutError:
                pass

    async def _do(self, job: Job, worker: _Worker) -> None:
        worker.job = job
        renewing = asyncio.create_task(self._renew(job, worker))
        try:
            match = await self._load(job)
            if match is not None and _is_of_use(job, match):
                await self._choose_and_play(job, match, worker)
            await self._store.complete(job.id)
        except WatermeetError as error:
            LOG.info(
                "a bot did not play",
                extra=fields(
                    match=job.match, seat=job.seat, code=error.code, attempts=job.attempts
                ),
            )
            await self._settle(job, worker)
        finally:
            renewing.cancel()
        worker.job = None  # Not when it is cancelled: then the job is given back.

    async def _load(self, job: Job) -> Match | None:
        """The match as the log has it now; None if there is no such match."""
        try:
            live = await self._matches.catch_up(job.match) or await self._matches.load(job.match)
        except NotFound:
            return None
        return live.match

    async def _settle(self, job: Job, worker: _Worker) -> None:
        """After a failure: the job is tried again if it is of use still, and else finished."""
        match = await self._load(job)
        if match is None or not _is_of_use(job, match):
            await self._store.complete(job.id)
            return
        later = self._now() + TRY_AGAIN_MS * (job.attempts + 1)
        await self._store.release(job.id, worker.name, later)

    async def _renew(self, job: Job, worker: _Worker) -> None:
        while True:
            await asyncio.sleep(RENEW_S)
            try:
                if not await self._store.renew(job.id, worker.name, self._now() + LEASE_MS):
                    return  # Another does it now; who is first plays.
            except WatermeetError as error:
                LOG.warning("a lease was not renewed", extra=fields(code=error.code))

    # ---- choosing ----

    async def _choose_and_play(self, job: Job, match: Match, worker: _Worker) -> None:
        action = await self._choice(job, match, worker)
        play = Play(
            seat=job.seat,
            move=action,
            is_bot=True,
            at_seq=match.seq,
            client_id=f"bot-{job.id}",
        )
        await self._matches.do(job.match, play)

    async def _choice(self, job: Job, match: Match, worker: _Worker) -> int:
        state = match.state.conceal(job.seat)
        if job.attempts >= TRIES or len(state.legal_actions) == 1:
            return choose_any(state, random.SystemRandom())
        action = await self._thought(job, match, worker)
        if action is None:
            LOG.warning("a bot had no time", extra=fields(match=job.match, seat=job.seat))
            return choose_any(state, random.SystemRandom())
        return action

    async def _thought(self, job: Job, match: Match, worker: _Worker) -> int | None:
        """What a bot chooses; None if the clock does not let it finish."""
        if not await self._is_ready(match, job.seat):
            return None
        left = time_left(match, job.seat, self._now())
        seconds = None if left is None else max(0.02, left[0] * left[1])
        question = make_request(match, job.seat, seconds)
        started = time.perf_counter()
        action = await self._ask(worker, question, None if left is None else left[0] * HURRY)
        if action is not None:
            spent = time.perf_counter() - started
            self._metrics.bot_seconds.labels(match.game.name).observe(spent)
        return action

    async def _is_ready(self, match: Match, seat: int) -> bool:
        """Waits until the game's bots can think; not for longer than the clock allows.

        A worker that had to compile first would be taken for one that hangs.
        """
        if self._ready is None:
            return True
        left = time_left(match, seat, self._now())
        try:
            async with asyncio.timeout(None if left is None else left[0] * HURRY):
                await self._ready(match.game.name)
        except TimeoutError:
            return False
        return True

    async def _ask(
        self, worker: _Worker, question: BotRequest, hurry_s: float | None
    ) -> int | None:
        """What a worker chooses; None if the clock does not let it finish."""
        asking = asyncio.ensure_future(worker.process.ask(question))
        asking.add_done_callback(lambda task: task.cancelled() or task.exception())
        if hurry_s is None:
            return await asking
        done, _ = await asyncio.wait({asking}, timeout=hurry_s)
        if not done:
            worker.process.stop()
            done, _ = await asyncio.wait({asking}, timeout=min(LAST_WORD_S, hurry_s))
        return await asking if done else None


def _is_of_use(job: Job, match: Match) -> bool:
    """Whether a job asks for what the match waits for.

    When the state has changed since, the match has a new job, or needs none.
    """
    return bot_to_move(match) == job.seat and match.changed_seq <= job.seq


def time_left(match: Match, seat: int, now: int) -> tuple[float, float] | None:
    """How many seconds a bot's clock has left, and which share of them is for one choice.

    None where nobody is hurried.
    """
    left, ends = timing.left_at(match, seat, now), timing.minute_over_at(match)
    if left is not None and not match.seats[seat].out:
        return left / 1000, SHARE_OF_CLOCK
    if ends is not None:
        return max(0, ends - now) / 1000, SHARE_OF_MINUTE
    return None
