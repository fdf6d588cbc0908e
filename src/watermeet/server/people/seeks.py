"""Seeks: who looks for a match, and pairing them, on whichever node.

Seeks are in the store, one row for each user. Every node pairs whom ``pairing`` says; one
transaction ends all seeks of the users of a pairing and plans their match, and only if nothing has
changed since they were read. So nobody is seated twice, however many nodes try at once; and the
match is created even if the node dies in between, by a job of the same transaction.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from watermeet.bots.levels import playable_levels
from watermeet.core.errors import Conflict, WatermeetError
from watermeet.core.game import Game
from watermeet.core.options import Value
from watermeet.core.registry import game as find_game
from watermeet.server.background import Background, wait_for
from watermeet.server.bus.bus import Bus
from watermeet.server.errors import BadRequest, Blocked, Forbidden, NotFound, TooMany
from watermeet.server.logs import fields
from watermeet.server.matches.plans import Plan, PlannedPlayer
from watermeet.server.matches.service import Matches, plan_job
from watermeet.server.matches.setup import DAY, SECOND, MatchSetup, SeatPlan, TimeControl, Unlimited
from watermeet.server.people import pairing
from watermeet.server.people.conduct import check_may_play_rated, cooling
from watermeet.server.people.pairing import Pairing, Variant
from watermeet.server.people.ratings.anchors import kind_of, start
from watermeet.server.people.ratings.fold import Player, Pool, Standing
from watermeet.server.store.rows import UserRow
from watermeet.server.store.seeks import SeekerRow, SeekTable
from watermeet.server.store.store import Store
from watermeet.server.tokens import make_id

LOG = logging.getLogger(__name__)
ALIVE_MS = 10 * SECOND
"""Seeks end this long after somebody was last heard from."""
PAIR_S, IDLE_S, PAUSE_S = 1.0, 5.0, 0.2
"""How often seeks are paired: while there are any; otherwise, in case news got lost; at most."""
MOST = 5
"""How many seeks a user may have."""
FRESH_MS = 60 * SECOND
"""Who was paired this recently, and hasn't heard of it yet, is sent to that match."""
TRIES = 20
"""How often a change is tried again when others write first."""
BOT_RATINGS_MS = 60 * SECOND
FORGET_S, KEPT_MS = 3600.0, DAY
TOPIC = "seeks"
"""The bus topic that says that somebody seeks, or doesn't any more."""
GUEST_NAME = "Guest"


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody wants to play."""

    game: str
    options: tuple[tuple[str, Value], ...] = ()
    """By name, in order."""
    time_control: TimeControl = Unlimited()
    is_rated: bool = False
    bot_after_ms: int | None = None
    """After how long bots may fill the seats; None: never."""

    def is_same_match(self, other: Wanted) -> bool:
        """Whether both want the same match."""
        return self._match == other._match

    @property
    def _match(self) -> tuple[object, ...]:
        return self.game, self.options, self.time_control, self.is_rated


class StoredSeek(Wanted, frozen=True, kw_only=True):
    """A seek: what is wanted, and by whom."""

    id: str
    at: int
    name: str
    is_registered: bool = False
    is_guest: bool = False
    rating: float = 1500.0
    deviation: float = 350.0


class Seeking(msgspec.Struct, frozen=True):
    """What a user seeks, and the match that they were paired for a moment ago."""

    seeks: tuple[StoredSeek, ...] = ()
    match: str = ""


_SEEKS = msgspec.json.Decoder(tuple[StoredSeek, ...])
_NOTHING = msgspec.json.encode(())


def user_topic(user: str) -> str:
    """The bus topic for news of what concerns a user alone."""
    return f"user:{user}"


class Seeks(Background):
    """All seeks, and a node's part in pairing them."""

    def __init__(
        self,
        store: Store,
        matches: Matches,
        bus: Bus,
        now: Callable[[], int],
    ) -> None:
        super().__init__()
        self._store, self._matches, self._bus, self._now = store, matches, bus, now
        self._table = SeekTable(store)
        self._news = asyncio.Event()
        self._subscription = bus.subscribe()
        self._bot_ratings: dict[Pool, tuple[int, tuple[tuple[str, float], ...]]] = {}

    def start(self) -> None:
        """Start pairing."""
        self._spawn(self._listen())
        self._spawn(self._pair_all())
        self._spawn(self._repeat(self._forget, FORGET_S))

    async def close(self) -> None:
        """Stop."""
        await self._subscription.close()
        await super().close()

    # ---- seeks ----

    async def add(
        self, user: UserRow, wanted: Wanted, name: str = "", known: str = ""
    ) -> tuple[str, Seeking]:
        """Seek a match, and return the seek's id and all that the user seeks.

        Without an id, they were paired a moment ago, for another match than ``known``, the last
        one that they have heard of. The same seek a second time changes nothing
        but when bots may join. Raises Forbidden, TooMany, and what a match's setup raises.
        """
        if wanted.is_rated and not user.is_registered:
            raise Forbidden("only people with an account play rated matches", "make it casual")
        if wanted.is_rated:
            await check_may_play_rated(self._store, user.id, self._now())
        wanted = await self.checked(wanted)
        rating, deviation = await self._rating(user.id, wanted)
        new = StoredSeek(
            **msgspec.structs.asdict(wanted),
            id=make_id(),
            at=self._now(),
            name=user.name or name or GUEST_NAME,
            is_registered=user.is_registered,
            is_guest=user.is_guest,
            rating=rating,
            deviation=deviation,
        )

        def added(seeks: Sequence[StoredSeek]) -> list[StoredSeek]:
            same = next((each for each in seeks if each.is_same_match(new)), None)
            others = [each for each in seeks if each is not same]
            if len(others) >= MOST:
                raise TooMany(f"you have {MOST} seeks already", "withdraw one first")
            kept = new if same is None else msgspec.structs.replace(new, id=same.id, at=same.at)
            return [*others, kept]

        seeking = await self._change(user.id, added, known)
        found = [each.id for each in seeking.seeks if each.is_same_match(new)]
        return (found[0] if found else ""), seeking

    async def withdraw(self, user: str, seek: str = "") -> Seeking:
        """End one seek of a user, or all; who was paired a moment ago gets the match."""
        return await self._change(
            user, lambda seeks: [each for each in seeks if seek and each.id != seek]
        )

    async def of(self, user: str) -> Seeking:
        """What a user seeks, or the match that they were paired for a moment ago."""
        return await self._seeking(await self._table.of(user))

    async def of_all(self, users: Sequence[str]) -> dict[str, Seeking]:
        """The same of some users; those who have never sought anything are missing."""
        rows = await self._table.of_all(users)
        return {row.user: await self._seeking(row) for row in rows}

    async def renew(self, users: Iterable[str]) -> None:
        """Somebody was heard from: keep their seeks alive."""
        now = self._now()
        await self._table.renew(sorted(users), now, now + ALIVE_MS)

    async def all(self) -> list[tuple[str, StoredSeek]]:
        """All seeks with their users, the longest waiting first."""
        rows = await self._table.alive(self._now())
        found = [(row.user, seek) for row in rows for seek in _SEEKS.decode(row.seeks)]
        return sorted(found, key=lambda each: (each[1].at, each[1].id))

    async def join(self, user: UserRow, seek: str, name: str = "", known: str = "") -> Seeking:
        """Seek what somebody else seeks; if it takes two, both are seated at once.

        Raises NotFound if the seek has ended, BadRequest, Forbidden, and what ``add`` raises.
        """
        owner, found = next(
            ((owner, each) for owner, each in await self.all() if each.id == seek), ("", None)
        )
        if found is None:
            raise NotFound("nobody seeks that any more", "seek it yourself")
        if owner == user.id:
            raise BadRequest("that seek is your own", "wait for somebody else")
        if await self._is_blocked(user.id, owner):
            raise Blocked("one of you has blocked the other", "choose another seek")
        if found.is_rated:
            await check_may_play_rated(self._store, user.id, self._now(), [owner])
        wanted = msgspec.convert(found, Wanted, from_attributes=True)
        own, seeking = await self.add(
            user, msgspec.structs.replace(wanted, bot_after_ms=None), name, known
        )
        if own and (await self._variant(found)).seats == 2:
            rows = [await self._table.of(each) for each in (user.id, owner)]
            group = [
                await self._pairable(row, each)
                for row in rows
                if row is not None and row.alive_until > self._now()
                for each in _SEEKS.decode(row.seeks)
                if each.id in (own, seek)
            ]
            if len(group) == 2:
                pairs = pairing.seat_group(group, self._now())
                await self._claim(pairs, {row.user: row for row in rows if row is not None})
            seeking = await self.of(user.id)
            if not seeking.match:  # Somebody else was faster.
                await self.withdraw(user.id, own)
                raise NotFound("nobody seeks that any more", "seek it yourself")
        return seeking

    async def _is_blocked(self, one: str, other: str) -> bool:
        blocked = await self._table.blocks((one, other))
        return other in blocked.get(one, ()) or one in blocked.get(other, ())

    async def _change(
        self,
        user: str,
        change: Callable[[Sequence[StoredSeek]], Sequence[StoredSeek]],
        known: str = "",
    ) -> Seeking:
        for _ in range(TRIES):
            row = await self._table.of(user)
            before = await self._seeking(row)
            if before.match and before.match != known:
                return before
            after = tuple(change(before.seeks))
            version, now = 0 if row is None else row.version, self._now()
            alive_until = now + ALIVE_MS if after else 0
            if after == before.seeks == () or await self._table.put(
                user, version, msgspec.json.encode(after), alive_until
            ):
                await self._announce([user])
                return Seeking(after)
        raise Conflict("others are always faster", "try again")

    async def _seeking(self, row: SeekerRow | None) -> Seeking:
        """What a row says now."""
        now = self._now()
        if row is None:
            return Seeking()
        if row.alive_until > now:
            return Seeking(_SEEKS.decode(row.seeks))
        if not row.match or row.paired_at < now - FRESH_MS:
            return Seeking()
        found = await self._store.match_row(row.match)
        has_ended = found is not None and found.stage not in ("open", "playing")
        return Seeking() if has_ended else Seeking(match=row.match)

    async def checked(self, wanted: Wanted) -> Wanted:
        """The same with all options of the game; raises what creating the match would raise."""
        game = game_of(wanted)
        whole = msgspec.structs.replace(wanted, options=tuple(sorted(game.options.items())))
        await self._matches.check_setup(setup_of(whole, [SeatPlan(who="invited")] * game.seats))
        return whole

    async def _rating(self, user: str, wanted: Wanted) -> tuple[float, float]:
        pool = Pool(wanted.game, kind_of(game_of(wanted)))
        player = Player("user", user)
        row = await self._store.rating(*pool, player)
        rating = start(pool, player)
        if row is not None:
            rating = msgspec.json.decode(row.body, type=Standing).now(self._now())
        return rating.value, rating.deviation

    # ---- pairing ----

    async def _listen(self) -> None:
        await self._subscription.add(TOPIC)
        async for _ in self._subscription:
            self._news.set()

    async def _pair_all(self) -> None:
        while True:
            self._news.clear()
            is_anybody = True
            try:
                is_anybody = await self.pair()
            except WatermeetError as error:
                LOG.warning("pairing has to wait", extra=fields(code=error.code))
            except Exception:  # It must continue.
                LOG.exception("pairing failed")
            await asyncio.sleep(PAUSE_S)
            await wait_for(self._news, PAIR_S if is_anybody else IDLE_S)

    async def _forget(self) -> None:
        await self._table.forget(self._now() - KEPT_MS)

    async def pair(self) -> bool:
        """Pair whoever can be paired now; whether anybody seeks."""
        now = self._now()
        rows = {row.user: row for row in await self._table.alive(now)}
        if not rows:
            return False
        blocked = await self._table.blocks(rows.keys())
        wanted = [(row, seek) for row in rows.values() for seek in _SEEKS.decode(row.seeks)]
        rated = {row.user for row, seek in wanted if seek.is_rated}
        waiting = await cooling(self._store, rated, now)  # They may have left matches since.
        seeks = [
            await self._pairable(row, seek, blocked.get(row.user, frozenset()))
            for row, seek in wanted
            if not (seek.is_rated and row.user in waiting)
        ]
        found = await asyncio.to_thread(pairing.pair, seeks, now)
        for each in found:
            await self._claim(each, rows)
        return True

    async def _pairable(
        self, row: SeekerRow, seek: StoredSeek, blocked: frozenset[str] = frozenset()
    ) -> pairing.Seek:
        return pairing.Seek(
            seek.id,
            row.user,
            seek.at,
            await self._variant(seek),
            seek.rating,
            seek.deviation,
            blocked,
            seek.bot_after_ms,
        )

    async def _variant(self, wanted: Wanted) -> Variant:
        game = game_of(wanted)
        suited = {level.name for level in playable_levels(game)}
        bots = await self._bots(Pool(wanted.game, kind_of(game)))
        bots = tuple(each for each in bots if each[0] in suited)
        teams = tuple(len(team) for team in game.teams)
        return Variant(
            wanted.game, wanted.options, wanted.time_control, wanted.is_rated, teams, bots
        )

    async def _bots(self, pool: Pool) -> tuple[tuple[str, float], ...]:
        """The levels of bots with their ratings, which hardly move."""
        at, known = self._bot_ratings.get(pool, (0, ()))
        if self._now() - at > BOT_RATINGS_MS:
            found = []
            for level in playable_levels(find_game(pool.game)):
                player = Player("bot", level.name)
                row = await self._store.rating(*pool, player)
                found.append(
                    (level.name, start(pool, player).value if row is None else row.value / 100)
                )
            known = tuple(found)
            self._bot_ratings[pool] = self._now(), known
        return known

    async def _claim(self, found: Pairing, rows: Mapping[str, SeekerRow]) -> bool:
        """Seat people, all or nobody; False if one of them has gone, or was seated elsewhere."""
        now, match = self._now(), make_id()
        names = {
            seek.user: next(
                each for each in _SEEKS.decode(rows[seek.user].seeks) if each.id == seek.id
            )
            for seek in found.seeks
        }
        game = game_of(names[found.seeks[0].user])
        plans = [SeatPlan(who="invited")] * game.seats
        players = []
        for seats, team in zip(game.teams, found.teams, strict=True):
            for seat, place in zip(seats, team, strict=True):
                if place.level:
                    plans[seat] = SeatPlan(who="bot", level=place.level)
                else:
                    by = names[place.user]
                    players.append(
                        PlannedPlayer(seat, place.user, by.name, by.is_registered, by.is_guest)
                    )
        wanted = names[found.seeks[0].user]
        plan = Plan(setup_of(wanted, plans), tuple(sorted(players, key=lambda each: each.seat)))
        job, seekers = plan_job(match, plan, now), [rows[seek.user] for seek in found.seeks]
        if not await self._table.pair(seekers, match, job, _NOTHING, now):
            return False
        try:
            await self._matches.do_planned(job)
        except WatermeetError as error:  # The job does it later.
            LOG.warning("match delayed", extra=fields(match=match, code=error.code))
        await self._announce([row.user for row in seekers])
        return True

    async def _announce(self, users: Sequence[str]) -> None:
        """Tell all nodes that somebody seeks something else now."""
        await self._bus.publish(TOPIC, b"")
        for user in users:
            await self._bus.publish(user_topic(user), b"seeks")


def game_of(wanted: Wanted) -> Game:
    """The game with its options; raises UnknownGame, InvalidOptions."""
    return find_game(wanted.game).with_options(**dict(wanted.options))


def setup_of(wanted: Wanted, seats: Sequence[SeatPlan]) -> MatchSetup:
    """The setup of the match that somebody wants."""
    return MatchSetup(
        game=wanted.game,
        options=dict(wanted.options),
        seats=tuple(seats),
        time_control=wanted.time_control,
        is_public=True,
        is_rated=wanted.is_rated,
    )
