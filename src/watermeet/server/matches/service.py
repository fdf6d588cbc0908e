"""Tables: where commands meet the log. Load, decide, append, acknowledge, tell.

A node keeps folds of logs in its memory as a cache and nothing else: another node may have written
since, and then the append is refused, what is new is read, and the command decided again. Who gets
an answer has what was asked in the database, durably; who gets none asks again with the same client
id, and it is not done twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import msgspec

from watermeet.core.errors import Conflict, WatermeetError
from watermeet.core.state import State
from watermeet.server.bus.bus import Bus
from watermeet.server.errors import Forbidden, NotFound, StoreUnavailable
from watermeet.server.logs import fields
from watermeet.server.matches import absence, projection, timing
from watermeet.server.matches.commands import Command, Create, Join
from watermeet.server.matches.decide import decide
from watermeet.server.matches.entries import Created, Entry, Undone, decode, encode
from watermeet.server.matches.match import OPEN, PLAYING, Match, Step
from watermeet.server.matches.randomness import Draws, is_id
from watermeet.server.matches.records import rematch_of
from watermeet.server.matches.writer import Already, Decision
from watermeet.server.metrics import Metrics
from watermeet.server.store.rows import Append, Job, MatchRow, TokenRow
from watermeet.server.store.store import Store
from watermeet.server.tokens import make_id, make_secret

LOG = logging.getLogger(__name__)

TRIES = 8
"""So often a command is decided anew when others write first."""
CACHED = 20_000
RECENT = 32
HEAL_S, LONGEST_HEAL_S = 0.5, 8.0
"""How long after a write of unknown end the log is looked at again, at first and at the most."""
CLOSE_S = 1.0
BOT_JOB, REMATCH_JOB, BEAT_JOB = "choose", "rematch", "beat"
"""Kinds of jobs: a bot is to choose; a rematch was agreed; the time is kept: see heartbeat.py."""
REMATCH_LATER_MS = 5_000
"""Who completes an agreement makes the rematch at once; by then somebody else does."""

encode_json = msgspec.json.encode


@dataclass
class LiveMatch:
    """A match in a node's memory: its log, folded, and a lock that orders the node's commands."""

    match: Match
    entries: list[Entry]
    draws: Draws
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    is_stale: bool = False
    """Whether entries may have been written that are not known here."""
    recent: deque[Match] = field(default_factory=lambda: deque(maxlen=RECENT))
    """The last matches of the fold, for those who are told later."""
    earlier: Match | None = None
    """The last match that somebody wanted and that was not among them."""
    taken_back: dict[int, tuple[Step, State]] = field(default_factory=dict)
    """Actions that stand no more, by number, with the states after them: they are told as well."""

    def add(self, entry: Entry, match: Match) -> None:
        """One more entry, and the match that it leads to."""
        if isinstance(entry, Undone):
            state = self.match.state
            for step in self.match.steps_back():
                if step is match.past:
                    break
                self.taken_back[step.seq] = step, state
                state = self.match.state_before(step)
        self.match = match
        self.entries.append(entry)
        self.recent.append(match)


@dataclass(frozen=True)
class Done:
    """A command was done: its entry's number, and the match as this node knows it now."""

    seq: int
    live: LiveMatch


Listener = Callable[[LiveMatch], None]


class Matches:
    """All matches, as one node sees them."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        metrics: Metrics,
        now: Callable[[], int],
        ready: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        """``ready`` returns when a game can be played without holding up others."""
        self._store, self._bus, self._metrics, self._now = store, bus, metrics, now
        self._ready = ready
        self._cache: OrderedDict[str, LiveMatch] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveMatch]] = {}
        self._doing: set[asyncio.Task[Done]] = set()
        self._healing: dict[str, asyncio.Task[None]] = {}
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        """Calls somebody whenever a match of this node's memory has new entries."""
        self._listeners.append(listener)

    # ---- reading ----

    async def load(self, match: str) -> LiveMatch:
        """A match; raises NotFound, StoreUnavailable."""
        live = self._cache.get(match)
        if live is not None:
            self._cache.move_to_end(match)
            return live
        if not is_id(match):  # Some databases cannot even look for it.
            raise NotFound(f"there is no match {match[:40]!r}", "is the link whole?")
        task = self._loading.get(match)
        if task is None:  # Many may ask at once after a restart: the log is read once.
            task = self._loading[match] = asyncio.create_task(self._read(match))
            task.add_done_callback(lambda _: self._loading.pop(match, None))
        return await asyncio.shield(task)

    async def _read(self, match: str) -> LiveMatch:
        rows = await self._store.read(match)
        secret = await self._store.secret(match)
        if not rows or secret is None:
            raise NotFound(f"there is no match {match[:40]!r}", "is the link whole?")
        entries = [decode(row.body) for row in rows]
        if self._ready is not None and isinstance(entries[0], Created):
            await self._ready(entries[0].game)
        live = LiveMatch(Match.of(entries[:1]), entries[:1], Draws(match, secret))
        for entry in entries[1:]:
            live.add(entry, live.match.after(entry))
        return self._keep(live)

    def _keep(self, live: LiveMatch) -> LiveMatch:
        kept = self._cache.setdefault(live.match.id, live)
        while len(self._cache) > CACHED:
            self._cache.popitem(last=False)
        self._metrics.cached_matches.set(len(self._cache))
        return kept

    def cached(self, match: str) -> LiveMatch | None:
        """A match, if it is in this node's memory."""
        return self._cache.get(match)

    def at(self, live: LiveMatch, seq: int) -> Match:
        """A match as it was after one of its entries."""
        if seq == live.match.seq:
            return live.match
        for match in live.recent:
            if match.seq == seq:
                return match
        earlier = live.earlier  # Who is told later goes on where he was.
        if earlier is None or earlier.seq > seq:
            earlier = Match.of(live.entries[:1])
        for entry in live.entries[earlier.seq : seq]:
            earlier = earlier.after(entry)
        live.earlier = earlier
        return earlier

    async def catch_up(self, match: str) -> LiveMatch | None:
        """Reads what others have written, if the match is in this node's memory."""
        live = self._cache.get(match)
        if live is None:
            return None
        async with live.lock:
            await self._catch_up(live)
        return live

    async def _catch_up(self, live: LiveMatch) -> None:
        rows = await self._store.read(live.match.id, after=live.match.seq)
        for row in rows:
            entry = decode(row.body)
            live.add(entry, live.match.after(entry))
        live.is_stale = False
        if rows:
            self._tell(live)

    # ---- writing ----

    async def create(
        self, command: Create, tokens: Callable[[str], list[TokenRow]], match: str = ""
    ) -> LiveMatch:
        """A new match; ``tokens`` makes those that its id needs, stored with its first entry."""
        match = match or make_id()
        if self._ready is not None:
            await self._ready(command.game)
        draws = Draws(match, make_secret())
        decision = decide(None, command, self._now(), draws)
        assert isinstance(decision, Decision), "a new match was never made before"
        await self._append(decision, draws=draws, tokens=tokens(match))
        live = self._keep(LiveMatch(decision.match, list(decision.entries), draws))
        self._metrics.matches.labels(command.game).inc()
        LOG.info("match made", extra=fields(match=match, game=command.game))
        self._tell(live)  # Of bots alone it has begun.
        return live

    async def bring_in(self, log: Sequence[Entry]) -> LiveMatch:
        """A match that was played elsewhere, as a log that is whole; nothing more happens in it."""
        match = await asyncio.to_thread(Match.of, log)  # It may be long: others are served.
        assert match.is_final, "a record that is brought in is only looked at"
        draws = Draws(match.id, make_secret())  # Draws nothing: every match has one.
        bodies = [encode(entry) for entry in log]
        await self._store.append(Append(match.id, 1, bodies, row_of(match), secret=draws.secret))
        LOG.info("record brought in", extra=fields(match=match.id, game=match.game.name))
        return self._keep(LiveMatch(match, list(log), draws))

    async def wait_for(self, game: str) -> None:
        """Returns when a game can be played without holding up others."""
        if self._ready is not None:
            await self._ready(game)

    async def do(
        self,
        match: str,
        command: Command,
        *,
        tokens: tuple[TokenRow, ...] = (),
        user: str = "",
    ) -> Done:
        """Does a command, durably; raises as ``decide``, NotFound, Conflict, StoreUnavailable.

        Who asks may go away meanwhile. What was begun is finished all the same, in a task of its
        own: once it is written, the others must hear of it. ``user``: who sits on the command's
        seat, by the log as it is when the command is done; else Forbidden.
        """
        task = asyncio.create_task(self._do(match, command, tokens, user))
        self._doing.add(task)
        task.add_done_callback(self._done)
        return await asyncio.shield(task)

    def _done(self, task: asyncio.Task[Done]) -> None:
        self._doing.discard(task)
        if not task.cancelled():
            task.exception()  # Nobody may be left who wants to know.

    async def _do(
        self, match: str, command: Command, tokens: tuple[TokenRow, ...], user: str
    ) -> Done:
        live = await self.load(match)
        async with live.lock:
            if live.is_stale:
                await self._catch_up(live)
            for _ in range(TRIES):
                _check_user(live.match, command, user)
                decision = decide(live.match, command, self._now(), live.draws)
                if isinstance(decision, Already):
                    # Who asks again got no answer: whoever did it may have died before it told.
                    await self._publish(live)
                    return Done(decision.seq, live)
                if await self._try(live, decision, tokens):
                    return Done(decision.seq, live)
        raise Conflict(f"others are always faster in {match!r}", "try again")

    async def make_rematch(self, before: Match) -> None:
        """Makes the match that was agreed on, with everybody seated; nothing if it is there.

        The agreement is in the log first, with a job in the same transaction: whatever happens to
        this node, the rematch is made, once, and never one that nobody was told of.
        """
        new, row = before.rematch, await self._store.match_row(before.rematch)
        if row is None:
            draws, now = Draws(new, make_secret()), self._now()
            decision = decide(None, rematch_of(before), now, draws)
            assert isinstance(decision, Decision), "a new match was never made before"
            for number, seat in enumerate(before.seats):
                if seat.user:
                    place = (number + 1) % len(before.seats)
                    join = Join(seat=place, user=seat.user, name=seat.name, invited=True)
                    decision = _joined(decision, decide(decision.match, join, now, draws))
            try:
                await self._append(decision, draws=draws)
            except Conflict:
                LOG.info("another node made the rematch", extra=fields(match=new))
            else:
                self._metrics.matches.labels(before.game.name).inc()
                self._tell(self._keep(LiveMatch(decision.match, list(decision.entries), draws)))
        await self._store.complete(_rematch_job(new))

    async def _make_agreed(self, match: Match) -> None:
        """Makes a rematch before anybody is told of it, so that who follows it finds it."""
        try:
            await self.make_rematch(match)
        except WatermeetError as error:
            LOG.warning("a rematch has to wait", extra=fields(match=match.id, code=error.code))

    async def _try(self, live: LiveMatch, decision: Decision, tokens: tuple[TokenRow, ...]) -> bool:
        """Appends a decision; False if another node was first, and then its entries are read."""
        try:
            await self._append(decision, tokens=tokens, before=live.match)
        except Conflict:
            self._metrics.conflicts.inc()
            await self._catch_up(live)
            return False
        except StoreUnavailable:
            live.is_stale = True  # It may have been written all the same.
            self._heal(live.match.id)
            raise
        if decision.match.rematch and not live.match.rematch:
            await self._make_agreed(decision.match)
        for entry, match in zip(decision.entries, decision.matches, strict=True):
            live.add(entry, match)
        self._count(decision)
        self._tell(live)
        await self._publish(live)
        return True

    async def _publish(self, live: LiveMatch) -> None:
        await self._bus.publish(topic_of(live.match.id), str(live.match.seq).encode())

    def _heal(self, match: str) -> None:
        """Looks again, until the store is back, and tells everybody what it finds."""
        if match not in self._healing:
            task = self._healing[match] = asyncio.create_task(self._look_again(match))
            task.add_done_callback(lambda _: self._healing.pop(match, None))

    async def _look_again(self, match: str) -> None:
        pause = HEAL_S
        while True:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_HEAL_S)
            try:
                live = await self.catch_up(match)
            except StoreUnavailable:
                continue
            if live is not None:
                await self._publish(live)
            return

    async def close(self) -> None:
        """Finishes what was begun, if that can be done in time, and looks at nothing any more."""
        if self._doing:
            await asyncio.wait(self._doing, timeout=CLOSE_S)
        tasks = [*self._healing.values(), *self._doing]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _append(
        self,
        decision: Decision,
        *,
        tokens: list[TokenRow] | tuple[TokenRow, ...] = (),
        draws: Draws | None = None,
        before: Match | None = None,
    ) -> None:
        match = decision.match
        await self._store.append(
            Append(
                match.id,
                decision.first,
                [encode(entry) for entry in decision.entries],
                row_of(match),
                secret=draws.secret if draws is not None else None,
                jobs=self._jobs(match, before),
                players=_sat_down(match, before),
                tokens=tokens,
            )
        )

    def _jobs(self, match: Match, before: Match | None) -> list[Job]:
        """What has to be done because of new entries, whatever becomes of this node."""
        now, jobs = self._now(), []
        seat = bot_to_move(match)
        same_state = before is not None and before.changed_seq == match.changed_seq
        has_one = before is not None and same_state and bot_to_move(before) == seat
        if seat is not None and not has_one:
            jobs.append(Job(make_id(), BOT_JOB, match.id, seat, match.seq, b"", now))
        if match.rematch and (before is None or not before.rematch):
            later = now + REMATCH_LATER_MS
            name = _rematch_job(match.rematch)
            jobs.append(Job(name, REMATCH_JOB, match.id, 0, match.seq, b"", later))
        has_begun = match.stage == PLAYING and (before is None or before.stage == OPEN)
        if has_begun and timing.has_clock(match):
            # The same job for all matches: who adds it again adds nothing.
            jobs.append(Job(BEAT_JOB, BEAT_JOB, match.id, 0, match.seq, b"", now))
        return jobs

    def _count(self, decision: Decision) -> None:
        match = decision.match
        moves = sum(type(entry).__name__ == "Played" for entry in decision.entries)
        if moves:
            self._metrics.moves.labels(match.game.name).inc(moves)
        if match.is_final:
            reason = match.reason or "gone"
            self._metrics.endings.labels(match.game.name, reason).inc()

    def _tell(self, live: LiveMatch) -> None:
        for listener in self._listeners:
            listener(live)


def _rematch_job(match: str) -> str:
    return f"{REMATCH_JOB}-{match}"


def _joined(first: Decision, more: Decision | Already) -> Decision:
    """Two decisions as one, to be appended together."""
    assert isinstance(more, Decision), "nobody sits at a new table"
    return Decision(first.entries + more.entries, first.matches + more.matches, first.seq)


def topic_of(match: str) -> str:
    """What a node listens to for news of a match."""
    return f"match:{match}"


def _check_user(match: Match, command: Command, user: str) -> None:
    """Who stood up elsewhere, a moment ago, speaks for the seat no more."""
    if user and match.seats[getattr(command, "seat", 0)].user != user:
        raise Forbidden("somebody else sits there now", "watch, or take another seat")


def bot_to_move(match: Match) -> int | None:
    """The seat to move, if one of the server's bots plays it."""
    seat = match.state.to_move
    if match.stage != PLAYING or seat < 0 or not match.seats[seat].bot:
        return None
    return seat


def _sat_down(match: Match, before: Match | None) -> list[tuple[str, int]]:
    known = before.seats if before is not None else ()
    return [
        (seat.user, number)
        for number, seat in enumerate(match.seats)
        if seat.user and (not known or known[number].user != seat.user)
    ]


def row_of(match: Match) -> MatchRow:
    """What lists show of a match."""
    return MatchRow(
        match.id,
        match.game.name,
        match.stage,
        match.created.is_public,
        match.created.at,
        match.at,
        absence.look_at(match),
        encode_json(projection.headline(match)),
    )
