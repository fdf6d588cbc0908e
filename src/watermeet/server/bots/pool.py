"""The bot pool: leases jobs, has a worker choose, and plays the choice.

If this node dies, its leases expire and another node takes the jobs. Two nodes doing the same job
do no harm, because the log accepts only one move. A bot that fails is retried, and in the end plays
any legal move, so that nobody waits forever.

These bots don't use a socket as other programs do: a restart would have to reopen one for each, and
a missing bot would first have to be missed. They get the same knowledge, the concealed state, and
their moves go through the same command and the same checks. Only the proof of identity differs: the
match knows that the seat is a bot's, and no token is needed.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from watermeet.bots.players import choose_any
from watermeet.core.errors import BotFailed, WatermeetError
from watermeet.core.state import State
from watermeet.server.background import Background, lease_kept, wait_for
from watermeet.server.bots.messages import (
    BotRequest,
    ThinkRequest,
    Thoughts,
    make_position_request,
    make_request,
    make_think_request,
)
from watermeet.server.bots.worker import BotWorker
from watermeet.server.errors import CannotThink, NotFound, StoreUnavailable, TooMany
from watermeet.server.logs import fields
from watermeet.server.match_cache import LiveMatch
from watermeet.server.matches import timing
from watermeet.server.matches.commands import BotPlay
from watermeet.server.matches.match import Match
from watermeet.server.matches.service import BOT_JOB, Matches, bot_to_move
from watermeet.server.metrics import Metrics
from watermeet.server.store.rows import Job
from watermeet.server.store.store import Store

LOG = logging.getLogger(__name__)

LEASE_MS = 3_000
"""How long people wait for a job of a node that died,"""
POLL_S = 1.0
"""and how often it is looked for."""
MAX_ATTEMPTS = 3
RETRY_MS = 200
MAX_CRASHES, CRASH_MS = 6, 5_000
"""A job that crashes, as one does whose log is damaged, is tried so often, and so much later."""
CLOCK_SHARE = 1 / 30
MINUTE_SHARE = 1 / 20
"""The largest share of its clock, or of the shared minute, that a bot spends on one choice."""
assert LEASE_MS / 1000 + POLL_S < 5.0
STOP_SHARE = 1 / 4
"""After this share of the time left, the worker is asked to respond at once,"""
STOP_TIMEOUT_S = 0.3
"""and this much later the pool plays any legal move: a bot never loses on time to a hung worker."""

HINT_S = 1.0
"""How long a hint is thought about,"""
HINT_TIMEOUT_S = 15.0
"""and how long somebody waits for it at most, while bots think."""
MAX_HINTS = 4
"""How many hints may wait for each worker."""


@dataclass(eq=False)
class _Slot:
    """A worker and its current job."""

    name: str
    worker: BotWorker
    wake_up: asyncio.Event = field(default_factory=asyncio.Event)
    job: Job | None = None
    hints: int = 0
    """How many hints wait for the worker."""
    hint_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Hints take turns here, so that a bot never waits for more than one of them."""


class BotPool(Background):
    """The bot workers of a node."""

    def __init__(
        self,
        store: Store,
        matches: Matches,
        metrics: Metrics,
        now: Callable[[], int],
        workers: int,
        name: str,
        make_worker: Callable[[], BotWorker] = BotWorker,
        is_compiled: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """``is_compiled`` says whether the compiled code of a game's bots can be loaded."""
        super().__init__()
        self._store, self._matches, self._metrics, self._now = store, matches, metrics, now
        self._slots = [_Slot(f"{name}-{number}", make_worker()) for number in range(workers)]
        self._is_compiled = is_compiled
        matches.listen(self._on_change)

    def start(self) -> None:
        """Start taking jobs."""
        for slot in self._slots:
            self._spawn(self._work(slot))

    async def close(self) -> None:
        """Stop, and release unfinished jobs for another node or the next start."""
        await super().close()
        for slot in self._slots:
            await slot.worker.close()
            if slot.job is not None:
                try:
                    await self._store.release(slot.job.id, slot.name, self._now())
                except WatermeetError as error:  # Then the lease expires.
                    LOG.warning("job not released", extra=fields(code=error.code))

    def wake_up(self) -> None:
        """Look for jobs now."""
        for slot in self._slots:
            slot.wake_up.set()

    def _on_change(self, live: LiveMatch) -> None:
        is_needed = bot_to_move(live.match) is not None
        for slot in self._slots:
            job = slot.job
            if job is not None and job.match == live.match.id and not _is_current(job, live.match):
                slot.worker.stop()
            if is_needed:
                slot.wake_up.set()

    async def _work(self, slot: _Slot) -> None:
        try:
            await slot.worker.start()
        except OSError:
            LOG.exception("bot worker did not start", extra=fields(worker=slot.name))
        while True:
            slot.wake_up.clear()  # Before the lease: a job that appears after it wakes us again.
            try:
                now = self._now()
                job = await self._store.lease([BOT_JOB], slot.name, now, now + LEASE_MS)
                if job is not None:
                    await self._do(job, slot)
                    continue
            except StoreUnavailable as error:
                LOG.warning("job failed", extra=fields(code=error.code))
            except Exception:  # Other matches must not suffer.
                LOG.exception("job crashed", extra=fields(worker=slot.name))
                await self._put_off(slot)
            await wait_for(slot.wake_up, POLL_S)

    async def _put_off(self, slot: _Slot) -> None:
        """Try a job later that has crashed, and park it in the end."""
        job, slot.job = slot.job, None
        if job is None:
            return
        try:
            if job.attempts < MAX_CRASHES:
                await self._store.release(job.id, slot.name, self._now() + CRASH_MS)
            else:
                await self._store.park(job.id, slot.name)
        except WatermeetError as error:  # Then the lease expires.
            LOG.warning("job not put off", extra=fields(code=error.code))

    async def _do(self, job: Job, slot: _Slot) -> None:
        slot.job = job
        async with lease_kept(self._store, job, slot.name, self._now, LEASE_MS):
            try:
                match = await self._load(job)
                if match is not None and _is_current(job, match):
                    who = "people" if match.people() else "bots alone"
                    waited = max(0, self._now() - job.ready_at) / 1000
                    self._metrics.bot_wait_seconds.labels(who).observe(waited)
                    await self._play(job, match, await self._choose(job, match, slot))
                await self._store.complete(job.id)
            except WatermeetError as error:
                about = fields(
                    match=job.match, seat=job.seat, code=error.code, attempts=job.attempts
                )
                LOG.info("bot did not play", extra=about)
                await self._retry(job, slot)
        slot.job = None  # Not if this was cancelled: then close() releases the job.

    async def _load(self, job: Job) -> Match | None:
        """The match as the log has it now, or None if it doesn't exist."""
        try:
            live = await self._matches.current(job.match)
        except NotFound:
            return None
        return live.match

    async def _retry(self, job: Job, slot: _Slot) -> None:
        """Put a failed job back, unless it is out of date."""
        match = await self._load(job)
        if match is None or not _is_current(job, match):
            await self._store.complete(job.id)
            return
        later = self._now() + RETRY_MS * (job.attempts + 1)
        await self._store.release(job.id, slot.name, later)

    async def _play(self, job: Job, match: Match, action: int) -> None:
        play = BotPlay(action, match.seq)
        await self._matches.do(job.match, job.seat, play, client_id=f"bot-{job.id}")

    # ---- choosing ----

    async def _choose(self, job: Job, match: Match, slot: _Slot) -> int:
        state = match.state.conceal(job.seat)
        if job.attempts < MAX_ATTEMPTS and len(state.legal_actions) > 1:
            action = await self._ask(job, match, slot)
            if action is not None:
                return action
            LOG.warning("bot ran out of time", extra=fields(match=job.match, seat=job.seat))
        return choose_any(state, random.SystemRandom())

    async def _ask(self, job: Job, match: Match, slot: _Slot) -> int | None:
        """The bot's choice, or None if the clock doesn't allow it to finish."""
        left = time_left(match, job.seat, self._now())
        seconds = None if left is None else max(0.02, left[0] * left[1])
        request = make_request(match, job.seat, seconds)
        started = time.perf_counter()
        stop_after = None if left is None else left[0] * STOP_SHARE
        self._load_compiled(slot, match.game.name)
        if slot.hint_lock.locked():
            slot.worker.stop()  # Bots go first: the hint makes do with what was found.
        action = await self._ask_worker(slot.worker, request, stop_after)
        if action is not None:
            spent = time.perf_counter() - started
            self._metrics.bot_seconds.labels(match.game.name).observe(spent)
        return action

    async def _ask_worker(
        self, worker: BotWorker, request: BotRequest, stop_after_s: float | None
    ) -> int | None:
        choosing = asyncio.ensure_future(worker.choose(request))
        choosing.add_done_callback(lambda task: task.cancelled() or task.exception())
        if stop_after_s is None:
            return await choosing
        done, _ = await asyncio.wait({choosing}, timeout=stop_after_s)
        if not done:
            worker.stop()
            done, _ = await asyncio.wait({choosing}, timeout=min(STOP_TIMEOUT_S, stop_after_s))
        return await choosing if done else None

    def _load_compiled(self, slot: _Slot, game: str) -> None:
        if self._is_compiled(game):
            slot.worker.load(game)

    # ---- hints ----

    async def think(self, match: Match, seat: int) -> Thoughts:
        """What a bot of the top level finds for a seat to move, knowing what the seat knows.

        Raises TooMany, CannotThink.
        """
        left = time_left(match, seat, self._now())
        seconds = HINT_S if left is None else max(0.02, min(HINT_S, left[0] * left[1]))
        return await self._think(make_think_request(match, seat, seconds))

    async def think_about(self, known: State) -> Thoughts:
        """The same for a position of no match, as its seat to move knows it."""
        return await self._think(make_position_request(known, HINT_S))

    async def _think(self, request: ThinkRequest) -> Thoughts:
        if not self._slots:
            raise CannotThink("this server leaves thinking to others", "ask another node")
        slot = min(self._slots, key=lambda each: (each.hints, each.job is not None))
        if slot.hints >= MAX_HINTS:
            raise TooMany("many others want a hint", "wait a moment")
        slot.hints += 1
        try:
            async with asyncio.timeout(HINT_TIMEOUT_S), slot.hint_lock:
                self._load_compiled(slot, request.game)
                return await slot.worker.think(request)
        except (TimeoutError, BotFailed) as error:
            about = fields(match=request.match, seat=request.seat, error=str(error))
            LOG.warning("no hint", extra=about)
            raise CannotThink("the bots are busy or have failed", "try again") from error
        finally:
            slot.hints -= 1


def _is_current(job: Job, match: Match) -> bool:
    """Whether the match still waits for this choice.

    If the state has changed since, the match has a new job or needs none.
    """
    return bot_to_move(match) == job.seat and match.changed_seq <= job.seq


def time_left(match: Match, seat: int, now: int) -> tuple[float, float] | None:
    """The seconds left on a bot's clock, and the share of them for one choice; None: no clock."""
    left, ends = timing.remaining_at(match, seat, now), timing.timer_due_at(match)
    if left is not None and not match.seats[seat].out:
        return left / 1000, CLOCK_SHARE
    if ends is not None:
        return max(0, ends - now) / 1000, MINUTE_SHARE
    return None
