"""Matches: where commands meet the log. Load, decide, append, acknowledge, publish.

A node's folds of logs are only a cache: if another node has written since, the append is refused,
the new entries are read, and the command is decided again. An acknowledged command is durably in
the database; a client without an acknowledgement sends the command again with the same client id,
and it isn't done twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from watermeet.core.errors import Conflict, WatermeetError
from watermeet.server.background import end_tasks
from watermeet.server.bus.bus import Bus
from watermeet.server.errors import Blocked, Forbidden, NotFound, StoreUnavailable
from watermeet.server.logs import fields
from watermeet.server.match_cache import LiveMatch, MatchCache
from watermeet.server.matches import absence, projection, results, timing
from watermeet.server.matches.commands import (
    Claim,
    Command,
    Join,
    Leave,
    Offer,
    Reclaim,
    Resign,
    Respond,
    StandIn,
    Start,
)
from watermeet.server.matches.decide import decide
from watermeet.server.matches.entries import (
    Created,
    Entry,
    Joined,
    Offered,
    Played,
    Responded,
    decode,
    encode,
)
from watermeet.server.matches.fairness import FairRanks
from watermeet.server.matches.match import DELETED_NAME, FINISHED, OPEN, PLAYING, Match
from watermeet.server.matches.offers import REMATCH
from watermeet.server.matches.plans import Plan, PlannedPlayer, decode_plan, encode_plan
from watermeet.server.matches.randomness import Randomness, is_id
from watermeet.server.matches.records import rematch_setup
from watermeet.server.matches.seating import create
from watermeet.server.matches.setup import SECOND, MatchSetup
from watermeet.server.matches.writer import Already, Context, Decision
from watermeet.server.metrics import Metrics
from watermeet.server.presence import Presence
from watermeet.server.store.history import ResultRow
from watermeet.server.store.rows import Append, Job, MatchRow, TokenRow
from watermeet.server.store.sql import NameErased
from watermeet.server.store.store import Store
from watermeet.server.tokens import make_id, make_secret

LOG = logging.getLogger(__name__)

DELETED_TOPIC = "deleted"
"""The bus topic that says whose name must be forgotten."""
LONG_LOG = 100
"""How many entries are folded at most while everything else waits: a few milliseconds' worth."""
TRIES = 8
"""How often a command is decided again when others write first."""
CACHE_BYTES = 268_435_456
RECHECK_S, LONGEST_RECHECK_S = 0.5, 8.0
"""How long after a write of unknown result the log is read again, first and at most."""
CLOSE_S = 1.0
BOT_JOB, REMATCH_JOB, BEAT_JOB, RATE_JOB = "choose", "rematch", "beat", "rate"
"""Kinds of jobs: a bot chooses; a rematch is created; the heartbeat: see heartbeat.py; ratings."""
PLAN_JOB = "plan"
"""And a match of people who were paired, or have agreed, is created."""
REMATCH_DELAY_MS = 2_000
"""The node that completes an agreement creates the rematch at once; after this, any node does."""


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
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        """``ready`` returns when a game can be played; it may wait for seconds, not minutes."""
        self._store, self._bus = store, bus
        self._metrics, self._now, self._ready = metrics, now, ready
        self.presence = Presence(bus, now)
        self.ranks = FairRanks()
        self.job_makers: list[Callable[[Match, Match | None], list[Job]]] = []
        """What makes more jobs of new entries; each gets the match after them and before."""
        self.hear_jobs: Callable[[Sequence[Job]], None] = lambda _: None
        """Is called with the jobs that were added."""
        self.admit: Callable[[Match, str, Command], Awaitable[None]] = _everybody
        """Raises if a user may not take a seat, or play again."""
        self.decide: Callable[..., Decision | Already] = decide
        self.job_body: Callable[[], bytes] = bytes
        """These two are for tracing: whoever does a job knows what it is part of."""
        self._cache = MatchCache(cache_bytes)
        metrics.cached_matches.set_function(lambda: len(self._cache))
        metrics.cached_bytes.set_function(lambda: self._cache.bytes)
        self._loading: dict[str, asyncio.Task[LiveMatch]] = {}
        self._doing: set[asyncio.Task[int]] = set()
        self._rechecking: dict[str, asyncio.Task[None]] = {}
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        """Call a function whenever a match in this node's memory has new entries."""
        self._listeners.append(listener)

    # ---- reading ----

    async def load(self, match: str) -> LiveMatch:
        """A match; raises NotFound, StoreUnavailable."""
        live = self._cache.get(match)
        if live is not None:
            return live
        if not is_id(match):  # Some databases can't even look for it.
            raise _not_found(match)
        task = self._loading.get(match)
        if task is None:  # Many may ask at once after a restart: the log is read once.
            task = self._loading[match] = asyncio.create_task(self._read(match))
            task.add_done_callback(lambda _: self._loading.pop(match, None))
        return await asyncio.shield(task)

    async def current(self, match: str) -> LiveMatch:
        """A match as the log has it now, since another node may have written."""
        return await self.catch_up(match) or await self.load(match)

    async def glance(self, match: str) -> LiveMatch:
        """A match, without keeping it in memory: for those who read many, and each once."""
        return self._cache.peek(match) or await self._fold(match)

    async def _read(self, match: str) -> LiveMatch:
        return self._cache.keep(await self._fold(match))

    async def _fold(self, match: str) -> LiveMatch:
        rows = await self._store.read(match)
        secret = await self._store.secret(match)
        if not rows or secret is None:
            raise _not_found(match)
        entries = [decode(row.body) for row in rows]
        if isinstance(entries[0], Created):
            await self._wait_for(entries[0].setup.game)
        randomness = Randomness(match, secret)
        if len(entries) > LONG_LOG:  # Others shouldn't wait for it.
            return await asyncio.to_thread(_folded, entries, randomness)
        return _folded(entries, randomness)

    def cached(self, match: str) -> LiveMatch | None:
        """A match, if it is in this node's memory."""
        return self._cache.peek(match)

    # ---- names of those who were deleted ----

    def forget(self, user: str) -> None:
        """Take the name of a deleted user out of this node's memory."""
        for live in self._cache.of_user(user):
            live.erase(user)

    async def forget_everywhere(self, user: str) -> None:
        """The same on all nodes."""
        self.forget(user)
        await self._bus.publish(DELETED_TOPIC, user.encode())

    async def erase(self, match: str, user: str) -> None:
        """Take the name of a deleted user out of the log of a match, and out of its headline.

        Nothing else ever changes a log.
        """
        for row in await self._store.read(match):
            entry = decode(row.body)
            if isinstance(entry, Joined) and entry.user == user and entry.name != DELETED_NAME:
                body = encode(msgspec.structs.replace(entry, name=DELETED_NAME))
                await self._store.replace_entry(match, row.seq, body)
        for _ in range(TRIES):
            found = await self._store.match_row(match)
            if found is None or not _names(found.headline, user):
                return
            new = row_of((await self._fold(match)).match).headline
            if await self._store.replace_headline(match, found.headline, new):
                return
        raise Conflict(f"others are always faster in {match!r}", "try again")

    async def catch_up(self, match: str) -> LiveMatch | None:
        """Read what others have written, if the match is in this node's memory."""
        live = self._cache.peek(match)
        if live is not None:
            if live.catching_up is None:  # However many ask, one read is before a command.
                live.catching_up = asyncio.create_task(self._catch_up_in_turn(live))
            await asyncio.shield(live.catching_up)
        return live

    async def _catch_up_in_turn(self, live: LiveMatch) -> None:
        async with live.lock:
            live.catching_up = None  # Whoever asks from now on wants to know what comes next.
            await self._catch_up(live)

    async def _catch_up(self, live: LiveMatch) -> None:
        rows = await self._store.read(live.match.id, after=live.match.seq)
        for row in rows:
            entry = decode(row.body)
            live.add(entry, live.match.after(entry))
        live.is_stale = False
        if rows:
            self._notify(live)

    async def _wait_for(self, game: str) -> None:
        if self._ready is not None:
            await self._ready(game)

    # ---- creating ----

    async def create(
        self,
        setup: MatchSetup,
        tokens: Callable[[str], list[TokenRow]],
        *,
        by: str = "",
        start: str = "",
        match: str = "",
    ) -> LiveMatch:
        """Create a match; ``tokens`` makes its tokens, which are stored with its first entry."""
        match = match or make_id()
        await self._wait_for(setup.game)
        context = self._context(Randomness(match, make_secret()))
        decision = create(setup, context, by=by, start=start)
        return await self._store_new(decision, context.randomness, tokens(match))

    def _context(self, randomness: Randomness) -> Context:
        return Context(now=self._now(), randomness=randomness)

    async def _store_new(
        self, decision: Decision, randomness: Randomness, tokens: Sequence[TokenRow] = ()
    ) -> LiveMatch:
        bodies = [encode(entry) for entry in decision.entries]
        await self._append(decision, bodies, randomness=randomness, tokens=tokens)
        live = self._cache.keep(LiveMatch(decision.match, list(decision.entries), randomness))
        game = live.match.game.name
        self._metrics.matches.labels(game).inc()
        LOG.info("match created", extra=fields(match=live.match.id, game=game))
        self._notify(live)  # With bots alone it has begun.
        return live

    async def import_log(self, log: Sequence[Entry], match: Match) -> None:
        """Store a match that was played elsewhere, as a complete log and as what it leads to.

        It isn't kept in memory: whoever imports a thousand records won't look at them all.
        """
        assert match.has_ended, "an imported record is only viewed"
        randomness = Randomness(match.id, make_secret())  # Unused, but every match has one.
        bodies = [encode(entry) for entry in log]
        secret = randomness.secret
        await self._store.append(Append(match.id, 1, bodies, row_of(match), secret=secret))
        LOG.info("record imported", extra=fields(match=match.id, game=match.game.name))

    async def make_rematch(self, before: Match) -> None:
        """Create the agreed rematch, with everybody seated; do nothing if it exists.

        The agreement is logged first, with a job in the same transaction: whatever happens to this
        node, the rematch is created exactly once.
        """
        if await self._store.match_row(before.rematch) is None:
            count = len(before.seats)
            players = [
                # Of a rated match, all players are registered.
                PlannedPlayer(
                    (number + 1) % count,
                    seat.user,
                    seat.name,
                    is_registered=True,
                    is_guest=seat.is_guest,
                )
                for number, seat in enumerate(before.seats)
                if seat.user
            ]
            plan = Plan(rematch_setup(before), tuple(players), before.id, before.created.by)
            await self.create_planned(before.rematch, plan)
        await self._store.complete(_rematch_job(before.rematch))

    async def create_planned(self, match: str, plan: Plan) -> None:
        """Create a match with everybody seated; do nothing if another node has."""
        await self._wait_for(plan.setup.game)
        context = self._context(Randomness(match, make_secret()))
        decision = create(plan.setup, context, by=plan.by, rematch_of=plan.rematch_of)
        for player in plan.players:
            join = Join(
                user=player.user,
                name=player.name,
                is_invited=True,
                is_registered=player.is_registered,
                is_guest=player.is_guest,
            )
            decision = _joined(decision, decide(decision.match, player.seat, "", join, context))
        try:
            await self._store_new(decision, context.randomness)
        except Conflict:
            LOG.info("another node made the match", extra=fields(match=match))
        except (Blocked, Forbidden, NameErased):
            LOG.info("the players don't meet any more", extra=fields(match=match))

    async def do_rematch(self, job: Job) -> None:
        """Do the job of an agreement whose node died before it created the rematch."""
        await self.make_rematch((await self.current(job.match)).match)

    async def do_planned(self, job: Job) -> None:
        """Do a job that ``plan_job`` has made: whatever happens, the match is created once."""
        if await self._store.match_row(job.match) is None:
            await self.create_planned(job.match, decode_plan(job.body))
        await self._store.complete(job.id)

    async def check_setup(self, setup: MatchSetup) -> None:
        """Raise what creating a match would raise; nothing is stored."""
        await self._wait_for(setup.game)
        create(setup, self._context(Randomness(make_id(), make_secret())))

    # ---- commands ----

    async def do(
        self,
        match: str,
        seat: int | None,
        command: Command,
        *,
        client_id: str = "",
        user: str = "",
    ) -> int:
        """Do a command durably and return the number of its entry.

        Raises what ``decide`` raises, NotFound, Conflict, StoreUnavailable; and Forbidden if
        somebody else than ``user`` has the seat by now. A command that has been started is finished
        even if the caller goes away: once it is written, the others must hear of it.
        """
        done = self.do_here(match, seat, command, client_id=client_id, user=user)
        task = asyncio.create_task(done)
        self._doing.add(task)
        task.add_done_callback(self._done)
        return await asyncio.shield(task)

    def _done(self, task: asyncio.Task[int]) -> None:
        self._doing.discard(task)
        if not task.cancelled():
            task.exception()  # The caller may have gone away.

    async def do_here(
        self,
        match: str,
        seat: int | None,
        command: Command,
        *,
        client_id: str = "",
        user: str = "",
    ) -> int:
        """The same in the caller's own task, which must not be cancelled meanwhile."""
        live = await self.load(match)
        away: dict[int, int] = {}
        if isinstance(command, Claim | StandIn | Start):
            away = await self.presence.away_since(live.match)
        if isinstance(command, Join | Offer | Respond):
            await self.admit(live.match, user, command)
        async with live.lock:
            if live.is_stale:
                await self._catch_up(live)
            for _ in range(TRIES):
                if user and seat is not None and live.match.seats[seat].user != user:
                    raise Forbidden("somebody else has the seat now", "watch, or take another seat")
                context = Context(
                    now=self._now(),
                    randomness=live.randomness,
                    away_since=away,
                    next_match=make_id() if isinstance(command, Offer | Respond) else "",
                )
                decision = self.decide(live.match, seat, client_id, command, context)
                if isinstance(decision, Already):
                    # The node that did it may have died before it published.
                    await self._publish(live)
                    return decision.seq
                by = "" if isinstance(command, Leave | Reclaim | Resign) else user
                if await self._try(live, decision, by):
                    return decision.seq
        raise Conflict(f"others are always faster in {match!r}", "try again")

    async def touch(self, match: str, seat: int) -> None:
        """Record that a player is present.

        If they are the last to arrive, the clocks start; and they take their seat back if a bot has
        stood in.
        """
        await self.presence.touch(match, seat)
        live = self.cached(match)
        if live is None or live.match.has_ended:
            return
        place = live.match.seats[seat]
        if live.match.waits:
            with contextlib.suppress(WatermeetError):  # Others are still on their way.
                await self.do(match, None, Start())
        if place.stand_in and place.user and not place.out:
            with contextlib.suppress(WatermeetError):  # Another connection was faster.
                await self.do(match, seat, Reclaim(), user=place.user)

    async def _try(self, live: LiveMatch, decision: Decision, by: str) -> bool:
        """Append a decision; False if another node was first, and then its entries are read."""
        bodies = [encode(entry) for entry in decision.entries]
        try:
            await self._append(decision, bodies, before=live.match, by=by)
        except NameErased:  # By another node, and this one hasn't heard of it.
            for row in await self._store.users([seat.user for seat in live.match.seats]):
                if row.kind == "deleted":
                    live.erase(row.id)
            return False
        except Conflict:
            self._metrics.conflicts.inc()
            await self._catch_up(live)
            return False
        except StoreUnavailable:
            live.is_stale = True  # It may have been written all the same.
            self._recheck(live.match.id)
            raise
        if decision.match.rematch and not live.match.rematch:
            await self._make_agreed(decision.match)
        for entry, match in zip(decision.entries, decision.matches, strict=True):
            live.add(entry, match)
        self._count(decision)
        self._notify(live)
        await self._publish(live, bodies)
        return True

    async def _make_agreed(self, match: Match) -> None:
        """Create a rematch before it is announced, so that followers find it."""
        try:
            await self.make_rematch(match)
        except WatermeetError as error:
            LOG.warning("rematch delayed", extra=fields(match=match.id, code=error.code))

    async def _publish(self, live: LiveMatch, news: Sequence[bytes] = ()) -> None:
        """Announce the last entry, together with the entries that other nodes don't have yet."""
        body = b"\n".join((str(live.match.seq).encode(), *news))
        await self._bus.publish(topic_of(live.match.id), body)

    async def take_news(self, match: str, body: bytes) -> bool:
        """Add entries that another node has published; False if the log must be read instead."""
        live = self._cache.peek(match)
        if live is None:
            return False
        seq, *bodies = body.split(b"\n")
        async with live.lock:
            if live.match.seq >= int(seq):
                return True
            if live.is_stale or live.match.seq + len(bodies) != int(seq):
                return False
            for entry in [decode(each) for each in bodies]:
                live.add(entry, live.match.after(entry))
            self._notify(live)
        return True

    def _recheck(self, match: str) -> None:
        """Read the log again once the store is back, and publish what is found."""
        if match not in self._rechecking:
            task = self._rechecking[match] = asyncio.create_task(self._read_again(match))
            task.add_done_callback(lambda _: self._rechecking.pop(match, None))

    async def _read_again(self, match: str) -> None:
        pause = RECHECK_S
        while True:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_RECHECK_S)
            try:
                live = await self.catch_up(match)
            except StoreUnavailable:
                continue
            if live is not None:
                await self._publish(live)
            return

    async def close(self) -> None:
        """Finish what has been started, if that doesn't take long, and stop."""
        if self._doing:
            await asyncio.wait(self._doing, timeout=CLOSE_S)
        await end_tasks([*self._rechecking.values(), *self._doing])

    async def _append(
        self,
        decision: Decision,
        bodies: Sequence[bytes],
        *,
        tokens: Sequence[TokenRow] = (),
        randomness: Randomness | None = None,
        before: Match | None = None,
        by: str = "",
    ) -> None:
        match, jobs = decision.match, self._jobs(decision.match, before)
        players = _new_players(match, before)
        everybody = [seat.user for seat in match.seats if seat.user]
        acting, meeting = [by] if by else [], [user for user, _ in players]
        if any(map(_wants_rematch, decision.entries)):
            acting, meeting = everybody, everybody
        met = [*everybody, match.created.by] if meeting else ()
        named = [seat.user for seat in match.seats if seat.user and seat.name != DELETED_NAME]
        await self._store.append(
            Append(
                match.id,
                decision.first,
                bodies,
                row_of(match),
                secret=randomness.secret if randomness is not None else None,
                jobs=jobs,
                players=players,
                by=[*acting, *(user for user, _ in players)],
                named=named,
                meeting=meeting,
                met=met,
                at=self._now(),
                tokens=tokens,
                results=results_of(match) if _has_finished(match, before) else (),
            )
        )
        self.hear_jobs(jobs)

    def _jobs(self, match: Match, before: Match | None) -> list[Job]:
        """The work that new entries require, whatever becomes of this node."""
        now, jobs = self._now(), []
        seat = bot_to_move(match)
        same_state = before is not None and before.changed_seq == match.changed_seq
        has_one = before is not None and same_state and bot_to_move(before) == seat
        if seat is not None and not has_one:
            rank = self.ranks.rank(match, seat, now)
            body = self.job_body()
            job = Job(make_id(), BOT_JOB, match.id, seat, match.seq, body, now, rank=rank)
            jobs.append(job)
        if match.rematch and (before is None or not before.rematch):
            name, later = _rematch_job(match.rematch), now + REMATCH_DELAY_MS
            jobs.append(Job(name, REMATCH_JOB, match.id, 0, match.seq, b"", later))
        if match.setup.is_rated and _has_finished(match, before):
            jobs.append(Job(f"{RATE_JOB}-{match.id}", RATE_JOB, match.id, 0, match.seq, b"", now))
        for make in self.job_makers:
            jobs += make(match, before)
        has_begun = match.stage == PLAYING and (before is None or before.stage == OPEN)
        if has_begun and timing.has_clock(match):
            # One job for all matches: adding it again changes nothing.
            jobs.append(Job(BEAT_JOB, BEAT_JOB, match.id, 0, match.seq, b"", now))
        return jobs

    def _count(self, decision: Decision) -> None:
        match = decision.match
        moves = sum(isinstance(entry, Played) for entry in decision.entries)
        if moves:
            self._metrics.moves.labels(match.game.name).inc(moves)
        if match.has_ended:
            self._metrics.endings.labels(match.game.name, match.reason or match.stage).inc()

    def _notify(self, live: LiveMatch) -> None:
        self._cache.measure(live)
        for listener in self._listeners:
            listener(live)


async def _everybody(*_: object) -> None:
    pass


class _Named(msgspec.Struct):
    name: str


class _Seats(msgspec.Struct):
    users: tuple[str, ...]
    seats: tuple[_Named, ...]


def _names(headline: bytes, user: str) -> bool:
    """Whether a headline has the name of a user who was deleted."""
    found = msgspec.json.decode(headline, type=_Seats)
    seats = zip(found.users, found.seats, strict=True)
    return any(each == user and seat.name != DELETED_NAME for each, seat in seats)


def _wants_rematch(entry: Entry) -> bool:
    if isinstance(entry, Responded):
        return entry.accept and entry.what == REMATCH
    return isinstance(entry, Offered) and entry.what == REMATCH


def _folded(entries: list[Entry], randomness: Randomness) -> LiveMatch:
    live = LiveMatch(Match.of(entries[:1]), entries[:1], randomness)
    for entry in entries[1:]:
        live.add(entry, live.match.after(entry))
    return live


def _not_found(match: str) -> NotFound:
    return NotFound(f"there is no match {match[:40]!r}", "is the link complete?")


def _rematch_job(match: str) -> str:
    return f"{REMATCH_JOB}-{match}"


def _joined(first: Decision, more: Decision | Already) -> Decision:
    """Two decisions as one, to be appended together."""
    assert isinstance(more, Decision), "a new match has no players yet"
    return Decision(first.entries + more.entries, first.matches + more.matches, first.seq)


def plan_job(match: str, plan: Plan, now: int) -> Job:
    """The job that creates a match in any case; ``Matches.do_planned`` does it at once."""
    body, later = encode_plan(plan), now + REMATCH_DELAY_MS
    return Job(f"{PLAN_JOB}-{match}", PLAN_JOB, match, 0, 0, body, later)


def seq_of(body: bytes) -> int:
    """The number of the entry that a published message announces."""
    return int(body.partition(b"\n")[0])


def topic_of(match: str) -> str:
    """The bus topic for news of a match."""
    return f"match:{match}"


def bot_to_move(match: Match) -> int | None:
    """The seat to move, if one of the server's bots plays it."""
    seat = match.running_seat
    return seat if seat is not None and match.seats[seat].bot else None


def _has_finished(match: Match, before: Match | None) -> bool:
    return match.stage == FINISHED and (before is None or before.stage != FINISHED)


def results_of(match: Match) -> list[ResultRow]:
    """How a finished match ended for its players, for their profiles."""
    is_public = match.setup.is_public and match.setup.spectators == "all"
    name, rated = match.game.name, match.setup.is_rated
    return [
        ResultRow(*player, match.id, name, match.ended_at, result, rated, is_public)
        for player, result in results.by_player(match).items()
    ]


def _new_players(match: Match, before: Match | None) -> list[tuple[str, int]]:
    known = before.seats if before is not None else ()
    return [
        (seat.user, number)
        for number, seat in enumerate(match.seats)
        if seat.user and (not known or known[number].user != seat.user)
    ]


def row_of(match: Match) -> MatchRow:
    """What the store keeps for lists; the users in it are never sent."""
    headline = projection.headline_fields(match)
    headline["users"] = tuple([seat.user for seat in match.seats])
    headline["by"] = match.created.by
    headline["delay_ms"] = 0 if match.has_ended else match.setup.spectator_delay_s * SECOND
    return MatchRow(
        match.id,
        match.game.name,
        match.stage,
        match.setup.is_public and (match.stage == OPEN or match.setup.spectators == "all"),
        match.created.at,
        match.at,
        absence.check_at(match),
        msgspec.json.encode(headline),
    )
