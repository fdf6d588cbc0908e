"""The lobby over sockets: seeks, open matches and who is online; and what concerns a user alone.

Whoever watches is sent whole lists whenever they change, never more than a few a second. The news
of the bus only says what to read; a list is read again now and then in case news got lost. Users
who watch are there, so their seeks stay alive.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from watermeet.core.errors import WatermeetError
from watermeet.server.api.connection import Connection
from watermeet.server.api.lobby_lists import LobbyLists
from watermeet.server.api.messages import ChallengeNews, LobbyNews, SeekNews, encode
from watermeet.server.api.models_challenges import challenge_info
from watermeet.server.api.models_seeks import seek_info
from watermeet.server.api.summaries import summaries
from watermeet.server.background import Background, wait_for
from watermeet.server.bus.bus import Bus, Gap
from watermeet.server.logs import fields
from watermeet.server.match_cache import LiveMatch
from watermeet.server.matches.match import ABORTED, OPEN, Match
from watermeet.server.matches.service import Matches
from watermeet.server.people.challenges import Challenges
from watermeet.server.people.seeks import TOPIC as SEEKS_TOPIC
from watermeet.server.people.seeks import Seeks, user_topic
from watermeet.server.tokens import make_id

LOG = logging.getLogger(__name__)
PAUSE_S, REREAD_S = 0.4, 5.0
"""How often lists are sent at most, and read at least."""
RENEW_S = 3.0
"""How often seeks are kept alive."""
ONLINE_S, ONLINE_TTL_S = 5.0, 12.0
"""How often nodes say how many people are connected, and how long that holds."""
OPEN_TOPIC, ONLINE_TOPIC = "open_matches", "online"


@dataclass(eq=False)
class _Watch:
    """A client that watches."""

    connection: Connection
    user: str
    with_lists: bool
    lists: bytes = b""
    seeking: bytes = b""
    challenges: bytes = b""
    """What it was sent last."""


class Lobby(Background):
    """All clients of a node that watch the lobby."""

    def __init__(
        self,
        matches: Matches,
        bus: Bus,
        seeks: Seeks,
        challenges: Challenges,
        lists: LobbyLists,
    ) -> None:
        super().__init__()
        self._bus, self._seeks, self._challenges, self._lists = bus, seeks, challenges, lists
        self.count_here: Callable[[], int] = lambda: 0
        """How many people are connected to this node."""
        self._name, self._elsewhere = make_id(), dict[str, tuple[int, float]]()
        self._watches: dict[Connection, _Watch] = {}
        self._by_user: defaultdict[str, set[_Watch]] = defaultdict(set)
        self._seeking: set[str] = set()
        self._news = asyncio.Event()
        self._subscription = bus.subscribe()
        self._is_open_news_due = False
        matches.listen(self._on_match)

    def start(self) -> None:
        """Start to listen to all nodes."""
        self._spawn(self._listen())
        self._spawn(self._repeat(self._send_lists, PAUSE_S))
        self._spawn(self._repeat(self._renew, RENEW_S))
        self._spawn(self._repeat(self._say_online, ONLINE_S))

    async def close(self) -> None:
        """Stop."""
        await self._subscription.close()
        await super().close()

    # ---- who watches ----

    async def watch(self, connection: Connection, user: str, *, with_lists: bool) -> None:
        """Send a client what concerns its user, and the lists, now and whenever they change."""
        await self.unwatch(connection)
        watch = self._watches[connection] = _Watch(connection, user, with_lists)
        if user:
            self._by_user[user].add(watch)
            await self._subscription.add(user_topic(user))
            await self._send_seeking([user])
            await self._send_challenges(user)
        if with_lists:
            watch.lists = await self._read_lists()
            connection.send_text(watch.lists)

    async def unwatch(self, connection: Connection) -> None:
        """Send nothing more."""
        watch = self._watches.pop(connection, None)
        if watch is None or not watch.user:
            return
        others = self._by_user[watch.user]
        others.discard(watch)
        if not others:
            del self._by_user[watch.user]
            self._seeking.discard(watch.user)
            await self._subscription.remove(user_topic(watch.user))

    # ---- what concerns one user ----

    async def _send_seeking(self, users: list[str]) -> None:
        found = await self._seeks.of_all(users)
        for user in users:
            seeking = found.get(user)
            seeks = [] if seeking is None else [seek_info(each) for each in seeking.seeks]
            # Whoever has left meanwhile must not be kept alive.
            is_seeking = bool(seeks) and user in self._by_user
            (self._seeking.add if is_seeking else self._seeking.discard)(user)
            text = encode(SeekNews(seeks, (seeking.match or None) if seeking else None))
            for watch in tuple(self._by_user.get(user, ())):
                if watch.seeking != text:
                    watch.seeking = text
                    watch.connection.send_text(text)

    async def _send_challenges(self, user: str) -> None:
        found = await self._challenges.of(user)
        text = encode(ChallengeNews([challenge_info(each, user) for each in found]))
        for watch in tuple(self._by_user.get(user, ())):
            if watch.challenges != text:
                watch.challenges = text
                watch.connection.send_text(text)

    async def _renew(self) -> None:
        """Keep the seeks of those who watch alive, and find out who was paired."""
        users = sorted(self._seeking)
        if users:
            await self._seeks.renew(users)
            await self._send_seeking(users)

    # ---- the lists ----

    async def _send_lists(self) -> None:
        await wait_for(self._news, REREAD_S)
        self._news.clear()
        self._lists.forget()
        if self._is_open_news_due:
            self._is_open_news_due = False
            await self._bus.publish(OPEN_TOPIC, b"")
        watches = [each for each in self._watches.values() if each.with_lists]
        if watches:
            text = await self._read_lists()
            for each in watches:
                if each.lists != text:
                    each.lists = text
                    each.connection.send_text(text)

    async def _read_lists(self) -> bytes:
        seeks = [seek_info(seek) for seek in await self._lists.seeks()]
        news = LobbyNews(seeks, summaries(await self._lists.open()), self.online())
        return encode(news)

    def _on_match(self, live: LiveMatch) -> None:
        """An open match that everybody may join has changed, or is open no more."""
        match = live.match
        if match.setup.is_public and (match.stage in (OPEN, ABORTED) or _is_new(match)):
            self._is_open_news_due = True
            self._news.set()

    # ---- other nodes ----

    def online(self) -> int:
        """How many people are connected, as far as this node has heard."""
        old = time.monotonic() - ONLINE_TTL_S
        others = sum(count for count, at in self._elsewhere.values() if at > old)
        return self.count_here() + others

    async def _say_online(self) -> None:
        said = {"node": self._name, "count": self.count_here()}
        await self._bus.publish(ONLINE_TOPIC, json.dumps(said).encode())

    async def _listen(self) -> None:
        for topic in (SEEKS_TOPIC, OPEN_TOPIC, ONLINE_TOPIC):
            await self._subscription.add(topic)
        async for note in self._subscription:
            try:
                await self._take("" if isinstance(note, Gap) else note.topic, note)
            except WatermeetError as error:  # The lists are read again in a moment.
                LOG.warning("news could not be read", extra=fields(code=error.code))
            except Exception as error:  # noqa: BLE001 - others write there too; it must continue.
                kind = type(error).__name__
                LOG.warning("a message of the bus can't be read", extra=fields(error=kind))

    async def _take(self, topic: str, note: object) -> None:
        body = getattr(note, "body", b"")
        if topic == ONLINE_TOPIC:
            said = json.loads(body)
            if said["node"] != self._name:
                self._elsewhere[said["node"]] = int(said["count"]), time.monotonic()
        elif topic in (SEEKS_TOPIC, OPEN_TOPIC):
            self._news.set()
        else:
            users = [topic.partition(":")[2]] if topic else list(self._by_user)
            if body != b"challenges":
                await self._send_seeking(users)
            for user in users if body != b"seeks" else ():
                await self._send_challenges(user)


def _is_new(match: Match) -> bool:
    """Whether nothing has been played yet."""
    return next(iter(match.steps_back()), None) is None
